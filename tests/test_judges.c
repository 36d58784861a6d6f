/* The judges' limits: what is right passes however it was rounded, what is wrong does not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "common/knn.h"
#include "common/saxpy.h"
#include "harness/judge.h"
#include "harness/random.h"
#include "harness/registry.h"

static struct verdict one(double got, double want, double limit)
{
    struct verdict v = verdict_start();

    verdict_see(&v, "z", 0, got, want, limit);
    return v;
}

static void assert_right(double got, double want, double limit)
{
    struct verdict v = one(got, want, limit);

    assert_true(verdict_right(&v));
    assert_int_equal(v.wrong, 0);
}

static void assert_wrong(double got, double want, double limit)
{
    struct verdict v = one(got, want, limit);

    assert_false(verdict_right(&v));
    assert_int_equal(v.wrong, 1);
}

/* --- one value -------------------------------------------------------------------------------- */

static void nothing_seen_is_right(void **state)
{
    struct verdict v = verdict_start();
    char text[128];

    (void)state;
    assert_true(verdict_right(&v));
    assert_int_equal(v.seen, 0);
    verdict_describe(&v, text, sizeof text);
    assert_string_equal(text, "no error found");
}

static void the_limit_is_the_last_that_passes(void **state)
{
    (void)state;
    assert_right(1.5, 1.0, 0.5);
    assert_right(0.5, 1.0, 0.5);
    assert_wrong(nextafter(1.5, 2.0), 1.0, 0.5);
    assert_wrong(0.5 - 0x1p-53, 1.0, 0.5);
    assert_wrong(2.0, 1.0, 0.5);
    assert_true(one(2.0, 1.0, 0.5).error == 2.0);
    assert_true(one(1.25, 1.0, 0.5).error == 0.5);
    assert_true(one(1.0, 1.0, 0.5).error == 0.0);
}

static void a_limit_of_nothing_demands_the_value(void **state)
{
    (void)state;
    assert_right(3.0, 3.0, 0.0);
    assert_right(-0.0, 0.0, 0.0);
    assert_right(0.0, -0.0, 0.0);
    assert_wrong(nextafter(3.0, 4.0), 3.0, 0.0);
    assert_wrong(0x1p-149, 0.0, 0.0);
}

static void the_nearest_float_is_always_right(void **state)
{
    (void)state;
    assert_right((double)(float)0.1, 0.1, 0.0);
    assert_wrong((double)nextafterf(0.1f, 1.0f), 0.1, 0.0);
    assert_right(0.0, 0x1p-160, 0.0); /* underflow */
}

static void what_is_not_finite_fails(void **state)
{
    static const double bad[] = {NAN, -NAN, INFINITY, -INFINITY};

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        struct verdict v = one(bad[i], 1.0, 1e300);
        assert_false(verdict_right(&v));
        assert_false(v.finite);
        assert_int_equal(v.wrong, 1);
        v = one(bad[i], 1.0, INFINITY);
        assert_false(verdict_right(&v));
    }
    assert_wrong(1.0, NAN, 1.0);
    assert_wrong(1.0, NAN, NAN);
    assert_wrong(2.0, 1.0, NAN);
    assert_wrong(2.0, 1.0, -1.0);
}

static void an_overflow_must_be_one(void **state)
{
    (void)state;
    assert_right(INFINITY, 1e39, 1.0);
    assert_right(-INFINITY, -1e39, 1.0);
    assert_wrong(-INFINITY, 1e39, 1.0);
    assert_wrong(INFINITY, 3e38, 1e30); /* fits float32 */
    assert_wrong(3.4e38, 1e39, 1.0);
    assert_right(INFINITY, INFINITY, 0.0);
    assert_wrong(-INFINITY, INFINITY, 0.0);
}

/* --- many values ------------------------------------------------------------------------------ */

static void the_worst_is_kept(void **state)
{
    struct verdict v = verdict_start();
    char text[128];

    (void)state;
    verdict_see(&v, "z", 3, 1.1, 1.0, 0.5);
    verdict_see(&v, "z", 17, 3.0, 4.0, 0.5);
    verdict_see(&v, "z", 18, 4.6, 4.0, 0.5);
    verdict_see(&v, "z", 19, 4.0, 4.0, 0.5);
    assert_true(v.error == 2.0);
    assert_int_equal(v.where, 17);
    assert_int_equal(v.seen, 4);
    assert_int_equal(v.wrong, 2);
    verdict_describe(&v, text, sizeof text);
    assert_string_equal(text, "z[17] is 3, expected 4 +- 5.0e-01 (2 of 4 wrong)");
    v.columns = 5;
    verdict_describe(&v, text, sizeof text);
    assert_string_equal(text, "z[3][2] is 3, expected 4 +- 5.0e-01 (2 of 4 wrong)");
}

/* A NaN after an error without bound is the one to tell of: the judge says `nan`. */
static void the_nan_is_shown(void **state)
{
    struct verdict v = verdict_start();
    char text[128];

    (void)state;
    assert_true(verdict_see(&v, "z", 1, 2.0, 1.0, 0.0));
    assert_false(verdict_see(&v, "z", 2, NAN, 1.0, 1.0));
    verdict_describe(&v, text, sizeof text);
    assert_non_null(strstr(text, "z[2] is"));
    assert_non_null(strstr(text, "nan"));
}

static void a_rejection_is_final(void **state)
{
    struct verdict v = verdict_start();
    char text[128];

    (void)state;
    verdict_reject(&v, "observation %d names reference %d twice", 3, 7);
    verdict_see(&v, "z", 0, 1.0, 1.0, 1.0);
    assert_false(verdict_right(&v));
    verdict_describe(&v, text, sizeof text);
    assert_string_equal(text, "observation 3 names reference 7 twice");
}

static void the_worse_of_two(void **state)
{
    struct verdict good = one(1.25, 1.0, 0.5), bad = one(2.0, 1.0, 0.5), nan = one(NAN, 1.0, 0.5);

    (void)state;
    good.same = 9;
    good.asked = 10;
    bad.same = bad.asked = 30;
    assert_true(verdict_worse(good, bad).error == 2.0);
    assert_true(verdict_worse(bad, good).error == 2.0);
    struct verdict both = verdict_worse(bad, good);
    assert_true(verdict_exact(&both) == 39.0 / 40.0);
    both = verdict_worse(verdict_start(), bad);
    assert_true(verdict_exact(&both) == 1.0);
    assert_false(verdict_worse(nan, bad).finite);
    assert_false(verdict_worse(bad, nan).finite);
}

static void units_are_roundoffs(void **state)
{
    (void)state;
    assert_true(math_unit(MATH_F32) == 0x1p-24); /* half the distance from 1 to the next */
    assert_true((double)nextafterf(1.0f, 2.0f) - 1.0 == 2.0 * math_unit(MATH_F32));
    assert_true(nextafter(1.0, 2.0) - 1.0 == 2.0 * math_unit(MATH_F64));
    assert_true(math_unit(MATH_F32) < math_unit(MATH_FAST));
    assert_true(math_unit(MATH_FAST) < math_unit(MATH_TF32));
    assert_true(math_unit(MATH_TF32) < math_unit(MATH_F16));
    for (enum math m = MATH_F32; m <= MATH_F64; m++)
        assert_non_null(math_names[m]);
}

/* --- saxpy ------------------------------------------------------------------------------------ */

enum { MANY = 100000 };

/* Any float32 at all but NaN and the infinities. */
static float any_float(uint64_t seed, uint64_t i)
{
    uint32_t bits = (uint32_t)random_bits(seed, 9, i);
    float x;

    if ((bits & 0x7F800000U) == 0x7F800000U)
        bits ^= 0x40000000U;
    memcpy(&x, &bits, sizeof x);
    return x;
}

enum rounding { TWICE, ONCE };

static struct verdict judge_saxpy(struct saxpy *p, enum rounding rounding)
{
    const struct problem *saxpy = registry_problem("saxpy");
    void *solution = saxpy->solve(p, 1);

    assert_non_null(solution);
    for (size_t i = 0; i < p->n; i++) {
        volatile float product = p->a * p->x[i]; /* else the compiler may fuse */
        p->z[i] = rounding == TWICE ? product + p->y[i] : fmaf(p->a, p->x[i], p->y[i]);
    }
    struct verdict v = saxpy->judge(p, solution, MATH_F32);
    free(solution);
    return v;
}

static void saxpy_passes_however_it_is_rounded(void **state)
{
    static float x[MANY], y[MANY], z[MANY];

    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        for (size_t i = 0; i < MANY; i++) {
            x[i] = any_float(seed, 3 * i);
            /* every other sum cancels almost */
            y[i] = i % 2 ? any_float(seed, 3 * i + 1) : -x[i] * (1.0f + 0x1p-20f);
        }
        struct saxpy p = {MANY, random_float(seed, 0, 0), x, y, z};
        /* A product may overflow on its own and be brought back by the sum only if fused. */
        struct verdict fused = judge_saxpy(&p, ONCE);
        assert_true(verdict_right(&fused));
        for (size_t i = 0; i < MANY; i++)
            if (fabs((double)p.a * x[i]) > 3e38)
                x[i] = y[i] = 0.0f;
        struct verdict v = judge_saxpy(&p, TWICE);
        if (!verdict_right(&v)) {
            char text[128];
            verdict_describe(&v, text, sizeof text);
            fail_msg("%s", text);
        }
    }
}

/* Sums that cancel, so that float32 has values closer together than the limit is wide. */
static void saxpy_fails_just_beyond_its_limit(void **state)
{
    const struct problem *saxpy = registry_problem("saxpy");
    const float x[] = {1.0f, -3.0f}, y[] = {-0.34f, 1.01f};
    float z[] = {0.0f, 0.0f};
    const struct saxpy p = {2, 1.0f / 3.0f, x, y, z};
    void *solution = saxpy->solve(&p, 1);
    double want[2];

    (void)state;
    assert_non_null(solution);
    for (size_t i = 0; i < 2; i++)
        want[i] = (double)p.a * x[i] + y[i];
    for (size_t i = 0; i < 2; i++) {
        double limit = 0x1p-23 * (fabs((double)p.a * x[i]) + fabs((double)y[i]));
        z[1 - i] = (float)want[1 - i];
        z[i] = (float)(want[i] + 0.98 * limit);
        struct verdict v = saxpy->judge(&p, solution, MATH_F32);
        assert_true(verdict_right(&v));
        z[i] = (float)(want[i] + 1.02 * limit);
        v = saxpy->judge(&p, solution, MATH_F32);
        assert_false(verdict_right(&v));
        assert_int_equal(v.where, i);
        v = saxpy->judge(&p, solution, MATH_FAST); /* which allows eight times as much */
        assert_true(verdict_right(&v));
    }
    free(solution);
}

/* --- knn -------------------------------------------------------------------------------------- */

enum { M = 40, N = 60, K = 3 };

static float obs_lat[M], obs_lon[M], ref_lat[N], ref_lon[N], distance[M * K];
static uint32_t indices[M * K];
static struct knn knn_case = {M, N, K, obs_lat, obs_lon, ref_lat, ref_lon, indices, distance};

/* By the formula of the specification, every step in float32. */
static float haversine(size_t i, size_t j)
{
    float s = sinf((ref_lat[j] - obs_lat[i]) / 2.0f), t = sinf((ref_lon[j] - obs_lon[i]) / 2.0f);
    float h = s * s + cosf(obs_lat[i]) * cosf(ref_lat[j]) * t * t;

    return 2.0f * asinf(sqrtf(fminf(h, 1.0f)));
}

static void answer_knn(void)
{
    for (size_t i = 0; i < M; i++) {
        bool taken[N] = {false};
        for (size_t r = 0; r < K; r++) {
            size_t best = N;
            for (size_t j = 0; j < N; j++)
                if (!taken[j] && (best == N || haversine(i, j) < haversine(i, best)))
                    best = j;
            taken[best] = true;
            indices[i * K + r] = (uint32_t)best;
            distance[i * K + r] = haversine(i, best);
        }
    }
}

static struct verdict judge_knn(void)
{
    const struct problem *knn = registry_problem("knn");
    void *solution = knn->solve(&knn_case, 1);

    assert_non_null(solution);
    struct verdict v = knn->judge(&knn_case, solution, MATH_F32);
    free(solution);
    return v;
}

static void knn_passes_in_float32(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        registry_problem("knn")->fill(&knn_case, seed);
        answer_knn();
        struct verdict v = judge_knn();
        if (!verdict_right(&v)) {
            char text[128];
            verdict_describe(&v, text, sizeof text);
            fail_msg("seed %d: %s", (int)seed, text);
        }
    }
}

static void assert_knn_wrong(void)
{
    struct verdict v = judge_knn();

    assert_false(verdict_right(&v));
    answer_knn();
    v = judge_knn();
    assert_true(verdict_right(&v));
}

static void swap_first_two(size_t at)
{
    uint32_t index = indices[at];
    float nearest = distance[at];

    indices[at] = indices[at + 1];
    distance[at] = distance[at + 1];
    indices[at + 1] = index;
    distance[at + 1] = nearest;
}

static void knn_fails_for_every_mistake(void **state)
{
    size_t at = 7 * K, far = 0;

    (void)state;
    for (size_t i = 0; i < N; i++) { /* no two alike */
        ref_lat[i] = random_float(5, 1, i) / 2.0f;
        ref_lon[i] = random_float(5, 2, i);
    }
    for (size_t i = 0; i < M; i++) {
        obs_lat[i] = random_float(5, 3, i) / 2.0f;
        obs_lon[i] = random_float(5, 4, i);
    }
    answer_knn();
    indices[at] = N; /* out of range */
    assert_knn_wrong();
    indices[at] = UINT32_MAX;
    assert_knn_wrong();
    indices[at + 1] = indices[at]; /* twice the same */
    distance[at + 1] = distance[at];
    assert_knn_wrong();
    distance[at + 2] = NAN;
    assert_knn_wrong();
    distance[at + 2] = INFINITY;
    assert_knn_wrong();
    distance[at] *= 1.001f; /* not the distance of that reference */
    assert_knn_wrong();
    for (size_t j = 0; j < N; j++)
        far = haversine(7, j) > haversine(7, far) ? j : far;
    indices[at + K - 1] = (uint32_t)far; /* its right distance, but not the nearest */
    distance[at + K - 1] = haversine(7, far);
    assert_knn_wrong();
    swap_first_two(at); /* the nearest comes second */
    assert_knn_wrong();

    /* The same with two that are as good as equally far. */
    ref_lat[0] = ref_lat[1] = obs_lat[7] + 0.001f;
    ref_lon[0] = obs_lon[7];
    ref_lon[1] = obs_lon[7] + 1e-6f;
    answer_knn();
    assert_true(indices[at] + indices[at + 1] == 1);
    distance[at + 1] = nextafterf(distance[at], 1.0f);
    swap_first_two(at);
    assert_knn_wrong();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_seen_is_right),
        cmocka_unit_test(the_limit_is_the_last_that_passes),
        cmocka_unit_test(a_limit_of_nothing_demands_the_value),
        cmocka_unit_test(the_nearest_float_is_always_right),
        cmocka_unit_test(what_is_not_finite_fails),
        cmocka_unit_test(an_overflow_must_be_one),
        cmocka_unit_test(the_worst_is_kept),
        cmocka_unit_test(the_nan_is_shown),
        cmocka_unit_test(a_rejection_is_final),
        cmocka_unit_test(the_worse_of_two),
        cmocka_unit_test(units_are_roundoffs),
        cmocka_unit_test(saxpy_passes_however_it_is_rounded),
        cmocka_unit_test(saxpy_fails_just_beyond_its_limit),
        cmocka_unit_test(knn_passes_in_float32),
        cmocka_unit_test(knn_fails_for_every_mistake),
    };

    return cmocka_run_group_tests_name("judges", tests, NULL, NULL);
}
