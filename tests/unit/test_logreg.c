/* logreg's judge knows the gradient, accepts what is within tau and no more, and reads users' tables as they are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <math.h>

#include "common/logreg.h"
#include "harness/base/random.h"
#include "harness/problems/data/labelled.h"
#include "harness/problems/logreg.h"

/* --- the judge -------------------------------------------------------------------------------- */

/* Two samples of one feature, x = 1 and x = -1, labelled 1 and 0: the intercept is 0, and the weight solves
   1/(1 + exp(w)) = lambda w. */
static const float x[] = {1.0f, -1.0f};
static const uint8_t y[] = {1, 0};
static float w[2];

static struct logreg two(float tau)
{
    return (struct logreg){2, 1, 0.5f, tau, x, y, w};
}

/* The weight, by bisection. */
static double weight(void)
{
    double low = 0.0, high = 2.0;

    for (int i = 0; i < 100; i++) {
        const double middle = 0.5 * (low + high);
        *(1.0 / (1.0 + exp(middle)) > 0.5 * middle ? &low : &high) = middle;
    }
    return low;
}

static double error_at(const struct logreg *p, double weight_at, double intercept, enum math math)
{
    w[0] = (float)weight_at;
    w[1] = (float)intercept;
    return logreg_judge(p, NULL, math, 0).error;
}

static void the_minimum_has_no_gradient(void **state)
{
    const struct logreg p = two(1e-4f);

    (void)state;
    assert_true(error_at(&p, weight(), 0.0, MATH_F32) < 1e-3);
    assert_true(error_at(&p, weight(), 0.0, MATH_F64) < 1e-2);
}

/* The Hessian is p (1 - p) + lambda for the weight and p (1 - p) for the intercept, and nothing joins the two. */
static void errors_are_in_units_of_tau(void **state)
{
    const struct logreg p = two(1e-3f);
    const double at = weight(), share = 1.0 / (1.0 + exp(at)), bend = share * (1.0 - share);

    (void)state;
    assert_true(fabs(error_at(&p, at + 0.9e-3 / (bend + 0.5), 0.0, MATH_F64) - 0.9) < 0.01);
    assert_true(fabs(error_at(&p, at - 1.1e-3 / (bend + 0.5), 0.0, MATH_F64) - 1.1) < 0.01);
    assert_true(fabs(error_at(&p, at, 0.9e-3 / bend, MATH_F64) - 0.9) < 0.01);
    assert_true(fabs(error_at(&p, at, -1.1e-3 / bend, MATH_F64) - 1.1) < 0.01);
}

static void coarser_arithmetic_is_allowed_more(void **state)
{
    const struct logreg p = two(1e-6f);
    const double at = weight() + 1e-4;

    (void)state;
    assert_true(error_at(&p, at, 0.0, MATH_F32) > 1.0);
    assert_true(error_at(&p, at, 0.0, MATH_F16) < 1.0);
    assert_true(error_at(&p, at, 0.0, MATH_F32) > error_at(&p, at, 0.0, MATH_FAST));
}

/* Margins of 1e30 are finite to the judge, whatever exp says. */
static void huge_margins_are_judged(void **state)
{
    static const float far[] = {1e30f, -1e30f};
    struct logreg p = two(1e-4f);

    (void)state;
    p.x = far;
    p.lambda = 0.0f;
    assert_true(error_at(&p, 1.0, 0.0, MATH_F32) < 1.0);   /* both are on the right side */
    assert_true(error_at(&p, -1e-3, 0.0, MATH_F64) > 1.0); /* both on the wrong one */
}

/* The larger an answer, the more its rounding errors may be.  Far from the minimum they would excuse any gradient. */
static void what_is_worse_than_no_weights_is_wrong(void **state)
{
    enum { ROWS = 4096, COLUMNS = 32 };
    static const float equal[] = {1.0f, 1.0f, -1.0f, -1.0f};
    static float table[ROWS * COLUMNS], vast[COLUMNS + 1];
    static uint8_t labels[ROWS];
    const struct logreg twins = {2, 2, 1e-9f, 1e-4f, equal, y, vast};
    const struct logreg random = {ROWS, COLUMNS, 1.0f / ROWS, 1e-4f, table, labels, vast};

    (void)state;
    vast[0] = 1e8f;
    vast[1] = -1e8f;
    const struct verdict of_twins = logreg_judge(&twins, NULL, MATH_F32, 0);
    assert_false(verdict_right(&of_twins));
    for (size_t i = 0; i < ROWS * COLUMNS; i++)
        table[i] = (float)(2.0 * random_unit(1, 0, i) - 1.0);
    for (size_t i = 0; i < ROWS; i++)
        labels[i] = table[i * COLUMNS] > 0.0f;
    for (size_t j = 0; j < COLUMNS; j++)
        vast[j] = random_bits(1, 1, j) % 2 == 0 ? 1e6f : -1e6f;
    for (enum math math = MATH_F32; math <= MATH_F64; math++) {
        const struct verdict v = logreg_judge(&random, NULL, math, 0);
        if (verdict_right(&v))
            fail_msg("accepted in arithmetic %d", (int)math);
    }
}

static void what_is_not_finite_fails(void **state)
{
    static const float bad[] = {NAN, INFINITY, -INFINITY};
    const struct logreg p = two(1e30f);

    (void)state;
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 2; j++) {
            w[0] = w[1] = 0.0f;
            w[j] = bad[i];
            const struct verdict v = logreg_judge(&p, NULL, MATH_F32, 0);
            assert_false(v.finite || verdict_right(&v));
        }
}

/* --- users' tables ---------------------------------------------------------------------------- */

static char file[] = "/tmp/test_logreg_XXXXXX";

static bool read_csv(const char *text, const char *column, const char *one, struct labelled *t, struct error *error)
{
    const struct labels_asked asked = {column, one};
    FILE *f = fopen(file, "w");

    assert_non_null(f);
    assert_true(fputs(text, f) >= 0 && fclose(f) == 0);
    *t = (struct labelled){.m = 0};
    return labelled_csv(file, &asked, t, error);
}

static void a_table_has_its_labels_anywhere(void **state)
{
    static const char text[] = "a,good,\"b, c\"\n1,yes,2.5\n\n-3,no,0.1\n";
    struct labelled t;
    struct error error;

    (void)state;
    for (int by_number = 0; by_number < 2; by_number++) {
        assert_true(read_csv(text, by_number ? "2" : "good", "yes", &t, &error));
        assert_int_equal(t.m, 2);
        assert_int_equal(t.n, 2);
        assert_string_equal(t.names[0], "a");
        assert_string_equal(t.names[1], "b, c");
        assert_true(t.x[0] == 1.0f && t.x[1] == 2.5f && t.x[2] == -3.0f && t.x[3] == 0.1f);
        assert_true(t.y[0] == 1 && t.y[1] == 0);
        assert_int_equal(t.rounded, 1);
        labelled_free(&t);
    }
    assert_true(read_csv("a;y\n1;0\n2;1\n", NULL, NULL, &t, &error)); /* the last column */
    assert_true(t.n == 1 && t.y[0] == 0 && t.y[1] == 1);
    labelled_free(&t);
}

static void assert_refused(const char *text, const char *column, const char *reason)
{
    struct labelled t;
    struct error error;

    assert_false(read_csv(text, column, NULL, &t, &error));
    labelled_free(&t);
    if (strstr(error.text, reason) == NULL)
        fail_msg("%s", error.text);
}

static void what_is_no_table_is_refused_by_its_place(void **state)
{
    (void)state;
    assert_refused("a,y\n1,0\n2,2\n", NULL, ":3:3: the label is \"2\", not 0 or 1");
    assert_refused("a,y\n1,0\nx,1\n", NULL, ":3:1: \"x\" is no number");
    assert_refused("a,y\nnan,0\n", NULL, ":2:1: nan is beyond float32, or not finite");
    assert_refused("a,y\n1e39,0\n", NULL, "beyond float32");
    assert_refused("a,y\n1\n", NULL, ":2: the number of columns is 1 here and 2 in the first row");
    assert_refused("a,y\n1,0,3\n", NULL, "columns is 3 here and 2");
    assert_refused("a,y\n", NULL, "has a header and no rows");
    assert_refused("1,0\n2,1\n", NULL, "add a header");
    assert_refused("a,y\n1,0\n", "z", "there is no column \"z\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_minimum_has_no_gradient),
        cmocka_unit_test(errors_are_in_units_of_tau),
        cmocka_unit_test(coarser_arithmetic_is_allowed_more),
        cmocka_unit_test(huge_margins_are_judged),
        cmocka_unit_test(what_is_worse_than_no_weights_is_wrong),
        cmocka_unit_test(what_is_not_finite_fails),
        cmocka_unit_test(a_table_has_its_labels_anywhere),
        cmocka_unit_test(what_is_no_table_is_refused_by_its_place),
    };

    close(mkstemp(file));
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);

    (void)unlink(file);
    return failed;
}
