/* axxat: its judge accepts sums in either way, and finds what is wrong; a symmetric X is symmetric, and stays so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "common/axxat.h"
#include "harness/model/judge.h"
#include "harness/model/registry.h"

/* Compared element by element, and by a sample. */
static const size_t lengths[] = {100, 300};

enum { MOST = 300 * 300 };

static float a[MOST], x[MOST], y[MOST], right[MOST];

static struct axxat of(size_t n, int symmetric)
{
    return (struct axxat){n, symmetric, a, x, y};
}

static float as_it_is(float value)
{
    return value;
}

/* 11 bits, as TF32. */
static float to_tf32(float value)
{
    int exponent;
    const float mantissa = frexpf(value, &exponent);

    return ldexpf(rintf(ldexpf(mantissa, 11)), exponent - 11);
}

/* Both sums of each element, in float32. */
static void multiply(const struct axxat *p, float (*input)(float))
{
    for (size_t i = 0; i < p->n; i++)
        for (size_t j = 0; j < p->n; j++) {
            float sum = 0.0f;

            for (size_t l = 0; l < p->n; l++)
                sum += input(a[i * p->n + l]) * input(x[l * p->n + j]) + input(x[i * p->n + l]) * input(a[j * p->n + l]);
            y[i * p->n + j] = sum;
        }
}

/* Z + Z^T, with Z = A X. */
static void multiply_once(const struct axxat *p)
{
    const size_t n = p->n;

    memset(right, 0, sizeof right);
    for (size_t i = 0; i < n; i++)
        for (size_t l = 0; l < n; l++)
            for (size_t j = 0; j < n; j++)
                right[i * n + j] += a[i * n + l] * x[l * n + j];
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            y[i * n + j] = right[i * n + j] + right[j * n + i];
}

static struct verdict judged(const struct axxat *p, const void *solution, enum math math)
{
    return registry_problem("axxat")->judge(p, solution, math, 1);
}

static void accepts(const struct axxat *p, const void *solution, enum math math, bool yes)
{
    const struct verdict v = judged(p, solution, math);

    assert_int_equal(verdict_right(&v), yes);
}

static void right_answers_pass_in_their_own_arithmetic(void **state)
{
    const struct problem *axxat = registry_problem("axxat");

    (void)state;
    for (size_t i = 0; i < 2; i++)
        for (int symmetric = 0; symmetric <= 1; symmetric++) {
            struct axxat p = of(lengths[i], symmetric);

            axxat->fill(&p, 1);
            void *solution = axxat->solve(&p);
            assert_non_null(solution);
            multiply(&p, as_it_is);
            accepts(&p, solution, MATH_F32, true);
            multiply_once(&p);
            accepts(&p, solution, MATH_F32, symmetric);
            multiply(&p, to_tf32);
            accepts(&p, solution, MATH_TF32, true);
            accepts(&p, solution, MATH_F32, false);
            free(solution);
        }
}

static void what_is_wrong_is_found_and_named(void **state)
{
    const struct problem *axxat = registry_problem("axxat");

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct axxat p = of(lengths[i], 0);
        const size_t n = p.n, places[] = {0, n - 1, n * n / 2 + 7, n * n - 1};

        axxat->fill(&p, 2);
        void *solution = axxat->solve(&p);
        assert_non_null(solution);
        multiply(&p, as_it_is);
        for (size_t at = 0; at < 4; at++) {
            const float was = y[places[at]];
            char text[128];

            y[places[at]] += 1.0f; /* some 100 tolerances: beyond what a sample can miss */
            const struct verdict v = judged(&p, solution, MATH_F32);
            assert_false(verdict_right(&v));
            verdict_describe(&v, text, sizeof text);
            assert_non_null(strchr("yYr", text[0])); /* y[...], Y*r by strips, r*Y by strips, root mean square */
            y[places[at]] = was;
        }
        accepts(&p, solution, MATH_F32, true);
        free(solution);
    }
}

static bool is_symmetric(const struct axxat *p)
{
    for (size_t i = 0; i < p->n; i++)
        for (size_t j = 0; j < i; j++)
            if (x[i * p->n + j] != x[j * p->n + i])
                return false;
    return true;
}

/* A touch replaces one element of X, or leaves it as it was. */
static void a_symmetric_x_stays_so(void **state)
{
    const struct problem *axxat = registry_problem("axxat");
    const struct slot slot = {.name = "x"};

    (void)state;
    for (int symmetric = 0; symmetric <= 1; symmetric++) {
        struct axxat p = of(50, symmetric);
        size_t changed = 0;

        axxat->fill(&p, 3);
        assert_int_equal(is_symmetric(&p), symmetric);
        axxat->trouble(&p, 3);
        assert_int_equal(is_symmetric(&p), symmetric);
        for (size_t index = 0; index < p.n * p.n; index++) {
            float value;

            axxat->touch(&p, &slot, index, &value, index);
            changed += value != x[index];
            x[index] = value;
        }
        assert_int_equal(changed, symmetric ? p.n : p.n * p.n);
        assert_int_equal(is_symmetric(&p), symmetric);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_answers_pass_in_their_own_arithmetic),
        cmocka_unit_test(what_is_wrong_is_found_and_named),
        cmocka_unit_test(a_symmetric_x_stays_so),
    };

    return cmocka_run_group_tests_name("axxat", tests, NULL, NULL);
}
