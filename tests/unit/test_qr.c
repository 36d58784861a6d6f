/* qr: its judge accepts what is right, in full and by vectors of signs, and finds what is wrong; touched data stay finite. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "common/qr.h"
#include "harness/base/random.h"
#include "harness/model/judge.h"
#include "harness/model/registry.h"

enum { MOST_M = 1100, MOST_N = 512 };

static float a[MOST_M * MOST_N], q[MOST_M * MOST_N], r[MOST_N * MOST_N];

/* A is R already, with zeros below, so that Q has unit columns. */
static struct qr triangle(size_t m, size_t n)
{
    const struct qr p = {m, n, a, q, r};

    memset(a, 0, sizeof a);
    memset(q, 0, sizeof q);
    memset(r, 0, sizeof r);
    for (size_t k = 0; k < n; k++) {
        q[k * n + k] = 1.0f;
        for (size_t j = k; j < n; j++) {
            const float value = random_float(5, 0, k * n + j);
            a[k * n + j] = r[k * n + j] = j == k ? fabsf(value) + 0.5f : value;
        }
    }
    return p;
}

static bool accepts(const struct qr *p, enum math math)
{
    const struct problem *qr = registry_problem("qr");
    void *solution = qr->solve(p);

    assert_non_null(solution);
    const struct verdict v = qr->judge(p, solution, math, 1);
    free(solution);
    return verdict_right(&v);
}

/* The larger one has more than 2^28 products, so vectors of signs look at it. */
static const size_t sizes[][2] = {{1, 1}, {40, 7}, {64, 64}, {MOST_M, MOST_N}};

static void right_answers_pass(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const struct qr p = triangle(sizes[i][0], sizes[i][1]);

        assert_true(accepts(&p, MATH_F32));
        r[0] *= 1.0f + 0x1p-23f; /* a rounding */
        assert_true(accepts(&p, MATH_F32));
    }
}

static void no_mistake_passes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const size_t m = sizes[i][0], n = sizes[i][1];
        struct qr p = triangle(m, n);

        q[m * n - 1] += 0.5f; /* the last element of Q */
        assert_false(accepts(&p, MATH_F32));
        p = triangle(m, n);
        r[n * n - 1] *= 4.0f * (float)n; /* the last of R */
        assert_false(accepts(&p, MATH_F32));
        p = triangle(m, n);
        q[0] = -1.0f; /* right but for the sign of R's first row */
        for (size_t j = 0; j < n; j++)
            r[j] = -r[j];
        assert_false(accepts(&p, MATH_F32));
        p = triangle(m, n);
        r[0] = NAN;
        assert_false(accepts(&p, MATH_F32));
        p = triangle(m, n);
        q[m * n - 1] = INFINITY;
        assert_false(accepts(&p, MATH_F32));
        if (n > 1) {
            p = triangle(m, n);
            r[n] = 0x1p-149f; /* below the diagonal, however small */
            assert_false(accepts(&p, MATH_F32));
        }
    }
}

/* A = Q R holds, but Q's columns are not orthonormal: only one of two conditions. */
static void either_condition_alone_is_not_enough(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const size_t m = sizes[i][0], n = sizes[i][1];
        const struct qr p = triangle(m, n);

        memcpy(q, a, m * n * sizeof *q);
        memset(r, 0, sizeof r);
        for (size_t k = 0; k < n; k++)
            r[k * n + k] = 1.0f;
        assert_false(accepts(&p, MATH_F32));
    }
}

static void rounded_inputs_may_be_off_by_more(void **state)
{
    const struct qr p = triangle(40, 7);

    (void)state;
    q[0] += 1e-3f;
    assert_false(accepts(&p, MATH_F32));
    assert_true(accepts(&p, MATH_TF32));
}

static void touched_data_are_finite(void **state)
{
    const struct problem *qr = registry_problem("qr");
    const struct qr p = triangle(40, 7);

    (void)state;
    for (uint64_t seed = 0; seed < 1000; seed++) {
        float value = NAN;

        qr->touch(&p, NULL, 0, &value, seed);
        assert_true(isfinite(value));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_answers_pass),
        cmocka_unit_test(no_mistake_passes),
        cmocka_unit_test(either_condition_alone_is_not_enough),
        cmocka_unit_test(rounded_inputs_may_be_off_by_more),
        cmocka_unit_test(touched_data_are_finite),
    };

    return cmocka_run_group_tests_name("qr", tests, NULL, NULL);
}
