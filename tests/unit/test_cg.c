/* cg: its matrices are what they must be; its judge accepts what meets the tolerance, however it was found, and nothing else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "common/cg.h"
#include "harness/model/judge.h"
#include "harness/model/registry.h"

enum { N = 200 };

static float a[N * N], b[N], x[N];
static double exact[N], l[N][N];
static struct cg system_of = {.n = N, .every = 1, .a = a, .b = b, .x = x};

/* Solves by Cholesky's factors in float64: no variant does.  Returns whether A is positive definite. */
static bool solve_exactly(void)
{
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = a[i * N + j];

            for (size_t k = 0; k < j; k++)
                sum -= l[i][k] * l[j][k];
            if (i == j && !(sum > 0.0))
                return false;
            l[i][j] = i == j ? sqrt(sum) : sum / l[j][j];
        }
    for (size_t i = 0; i < N; i++) {
        double sum = b[i];

        for (size_t k = 0; k < i; k++)
            sum -= l[i][k] * exact[k];
        exact[i] = sum / l[i][i];
    }
    for (size_t i = N; i-- > 0;) {
        double sum = exact[i];

        for (size_t k = i + 1; k < N; k++)
            sum -= l[k][i] * exact[k];
        exact[i] = sum / l[i][i];
    }
    return true;
}

static bool accepts(enum math math)
{
    const struct problem *cg = registry_problem("cg");
    void *solution = cg->solve(&system_of);

    assert_non_null(solution);
    const struct verdict v = cg->judge(&system_of, solution, math, 1);
    free(solution);
    return verdict_right(&v);
}

static void store(double factor)
{
    for (size_t i = 0; i < N; i++)
        x[i] = (float)(factor * exact[i]);
}

static void matrices_are_symmetric_and_positive_definite(void **state)
{
    const struct problem *cg = registry_problem("cg");

    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) { /* without trouble, then with each of its four kinds */
        cg->fill(&system_of, seed);
        if (seed > 4)
            cg->trouble(&system_of, seed);
        for (size_t i = 0; i < N; i++)
            for (size_t j = 0; j < i; j++)
                assert_true(a[i * N + j] == a[j * N + i]);
        assert_true(solve_exactly());
    }
}

/* A touch changes b, or one element of the diagonal: then A is still both. */
static void touched_matrices_are_so_too(void **state)
{
    const struct problem *cg = registry_problem("cg");
    const struct slot slot_a = {.name = "a"}, slot_b = {.name = "b"};
    float value;

    (void)state;
    cg->fill(&system_of, 1);
    for (size_t index = 0; index < (size_t)N * N; index++) {
        cg->touch(&system_of, &slot_a, index, &value, index);
        assert_int_equal(value != a[index], index % (N + 1) == 0);
        a[index] = value;
    }
    cg->touch(&system_of, &slot_b, 7, &value, 7);
    assert_true(value != b[7]);
    assert_true(solve_exactly());
}

static void what_meets_the_tolerance_is_right(void **state)
{
    (void)state;
    registry_problem("cg")->fill(&system_of, 2);
    assert_true(solve_exactly());
    store(1.0);
    assert_true(accepts(MATH_F32)); /* rounding x is always allowed */
    store(1.0 + 0.9e-4);            /* its residual is -0.9e-4 b */
    assert_true(accepts(MATH_F32));
    store(1.0 - 0.9e-4);
    assert_true(accepts(MATH_F32));
    system_of.tol = 1e-7f; /* less than float32 can know */
    store(1.0);
    assert_true(accepts(MATH_F32));
}

static void what_does_not_is_wrong(void **state)
{
    (void)state;
    registry_problem("cg")->fill(&system_of, 3);
    assert_true(solve_exactly());
    store(1.0 + 2.0e-4);
    assert_false(accepts(MATH_F32));
    store(1.0 - 2.0e-4);
    assert_false(accepts(MATH_F32));
    store(0.0);
    assert_false(accepts(MATH_F32));
    for (size_t i = 0; i < N; i += 50) { /* one unknown */
        store(1.0);
        x[i] += 0.01f;
        assert_false(accepts(MATH_F32));
        x[i] = NAN;
        assert_false(accepts(MATH_F32));
        x[i] = INFINITY;
        assert_false(accepts(MATH_F32));
    }
    memset(b, 0, sizeof b); /* x must be 0 */
    memset(x, 0, sizeof x);
    assert_true(accepts(MATH_F32));
    x[N / 2] = 0x1p-20f;
    assert_false(accepts(MATH_F32));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrices_are_symmetric_and_positive_definite),
        cmocka_unit_test(touched_matrices_are_so_too),
        cmocka_unit_test(what_meets_the_tolerance_is_right),
        cmocka_unit_test(what_does_not_is_wrong),
    };

    return cmocka_run_group_tests_name("cg", tests, NULL, NULL);
}
