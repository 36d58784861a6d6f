/* The judges' tolerances: right answers pass however they were rounded, wrong ones do not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "common/fft.h"
#include "common/knn.h"
#include "common/matmul.h"
#include "common/saxpy.h"
#include "common/stencil.h"
#include "harness/base/random.h"
#include "harness/model/judge.h"
#include "harness/model/registry.h"
#include "harness/problems/knn.h"
#include "harness/problems/knn_tree.h"

static struct verdict one(double got, double want, double tolerance)
{
    struct verdict v = verdict_start();

    verdict_see(&v, "z", 0, got, want, tolerance);
    return v;
}

static void assert_right(double got, double want, double tolerance)
{
    struct verdict v = one(got, want, tolerance);

    assert_true(verdict_right(&v));
    assert_int_equal(v.wrong, 0);
}

static void assert_wrong(double got, double want, double tolerance)
{
    struct verdict v = one(got, want, tolerance);

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

/* A NaN after an infinite error is the one to report: the judge says `nan`. */
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

/* Any float32 except NaN and the infinities. */
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
    void *solution = saxpy->solve(p);

    assert_non_null(solution);
    for (size_t i = 0; i < p->n; i++) {
        volatile float product = p->a * p->x[i]; /* else the compiler may fuse */
        p->z[i] = rounding == TWICE ? product + p->y[i] : fmaf(p->a, p->x[i], p->y[i]);
    }
    struct verdict v = saxpy->judge(p, solution, MATH_F32, 1);
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
        /* A product may overflow by itself and be brought back by the sum, but only if fused. */
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

/* Sums that cancel, so that float32 has values closer together than the tolerance. */
static void saxpy_fails_just_beyond_its_limit(void **state)
{
    const struct problem *saxpy = registry_problem("saxpy");
    const float x[] = {1.0f, -3.0f}, y[] = {-0.34f, 1.01f};
    float z[] = {0.0f, 0.0f};
    const struct saxpy p = {2, 1.0f / 3.0f, x, y, z};
    void *solution = saxpy->solve(&p);
    double want[2];

    (void)state;
    assert_non_null(solution);
    for (size_t i = 0; i < 2; i++)
        want[i] = (double)p.a * x[i] + y[i];
    for (size_t i = 0; i < 2; i++) {
        double tolerance = 0x1p-23 * (fabs((double)p.a * x[i]) + fabs((double)y[i]));
        z[1 - i] = (float)want[1 - i];
        z[i] = (float)(want[i] + 0.98 * tolerance);
        struct verdict v = saxpy->judge(&p, solution, MATH_F32, 1);
        assert_true(verdict_right(&v));
        z[i] = (float)(want[i] + 1.02 * tolerance);
        v = saxpy->judge(&p, solution, MATH_F32, 1);
        assert_false(verdict_right(&v));
        assert_int_equal(v.where, i);
        v = saxpy->judge(&p, solution, MATH_FAST, 1); /* which allows eight times as much */
        assert_true(verdict_right(&v));
    }
    free(solution);
}

/* --- knn -------------------------------------------------------------------------------------- */

enum { M = 40, N = 60, K = 3 };

static float obs_lat[M], obs_lon[M], ref_lat[N], ref_lon[N], distance[M * K];
static uint32_t indices[M * K];
static struct knn_case knn_case = {.knn = {M, N, K, obs_lat, obs_lon, ref_lat, ref_lon, indices, distance}};

/* By the formula of the specification, each step in float32. */
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
    void *solution = knn->solve(&knn_case);

    assert_non_null(solution);
    struct verdict v = knn->judge(&knn_case, solution, MATH_F32, 1);
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

    /* The same with two that are nearly equally far. */
    ref_lat[0] = ref_lat[1] = obs_lat[7] + 0.001f;
    ref_lon[0] = obs_lon[7];
    ref_lon[1] = obs_lon[7] + 1e-6f;
    answer_knn();
    assert_true(indices[at] + indices[at + 1] == 1);
    distance[at + 1] = nextafterf(distance[at], 1.0f);
    swap_first_two(at);
    assert_knn_wrong();
}

/* --- knn, large ------------------------------------------------------------------------------- */

static int by_distance(const void *left, const void *right)
{
    const struct neighbour *a = left, *b = right;

    if (a->distance != b->distance)
        return a->distance < b->distance ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

static void place_crowd(float *lat, float *lon, uint64_t i)
{
    *lat = 0.8f + 1e-5f * (float)random_unit(3, 1, i);
    *lon = 0.1f + 1e-5f * (float)random_unit(3, 2, i);
}

static void place_lattice(float *lat, float *lon, uint64_t i)
{
    *lat = 0.25f * (float)((int)(random_bits(3, 1, i) % 13) - 6);
    *lon = 0.25f * (float)((int)(random_bits(3, 2, i) % 25) - 12);
}

static void place_copies(float *lat, float *lon, uint64_t i)
{
    place_crowd(lat, lon, i % 16);
}

static void place_anywhere(float *lat, float *lon, uint64_t i)
{
    *lat = asinf(2.0f * (float)random_unit(3, 1, i) - 1.0f);
    *lon = 9.4f * (float)random_unit(3, 2, i) - 3.14f;
}

static void place_at_poles(float *lat, float *lon, uint64_t i)
{
    place_anywhere(lat, lon, i);
    *lat = i % 2 ? 1.57079637f : -1.57079625f;
}

static void put_place(struct knn_place *to, void place(float *, float *, uint64_t), uint64_t i, double fine)
{
    float lat, lon;

    place(&lat, &lon, i);
    *to = (struct knn_place){lat + fine * (random_unit(4, 1, i) - 0.5), lon + fine * (random_unit(4, 2, i) - 0.5)};
}

/* The tree compared with a sort of all pairs.  `fine` moves each point by up to 3e-9 radians, a tenth of what float32
   resolves. */
static void the_tree_is_exact(void **state)
{
    enum { OBSERVED = 100, PLACES = 400 };
    static void (*const place[])(float *, float *, uint64_t) = {
        place_anywhere, place_crowd, place_lattice, place_copies, place_at_poles};
    static const size_t wanted[] = {1, 7, PLACES};
    static struct knn_place from[PLACES], to[PLACES];
    static struct neighbour all[PLACES], found[PLACES];

    (void)state;
    for (size_t kind = 0; kind < 50; kind++) {
        const double fine = kind < 25 ? 0.0 : 3e-9;

        for (size_t i = 0; i < PLACES; i++) {
            put_place(&from[i], place[kind % 5], i + 1000, fine);
            put_place(&to[i], place[kind / 5 % 5], i, fine);
        }
        struct knn_tree *tree = knn_tree_plant(PLACES, to);
        assert_non_null(tree);
        for (size_t i = 0; i < OBSERVED; i++) {
            for (size_t j = 0; j < PLACES; j++)
                all[j] = (struct neighbour){knn_haversine(from[i], to[j]), (uint32_t)j};
            qsort(all, PLACES, sizeof *all, by_distance);
            for (size_t w = 0; w < 3; w++) {
                knn_tree_nearest(tree, from[i], wanted[w], found);
                for (size_t r = 0; r < wanted[w]; r++) {
                    assert_int_equal(found[r].index, all[r].index);
                    assert_true(found[r].distance == all[r].distance);
                }
            }
        }
        knn_tree_fell(tree);
    }
}

/* One of 2^15 observations, any of them, has its second nearest. */
static void knn_looks_at_every_observation(void **state)
{
    enum { OBSERVED = 1 << 15, PLACES = 1 << 11, TRIALS = 20 };
    static float lat[OBSERVED], lon[OBSERVED], to_lat[PLACES], to_lon[PLACES], away[OBSERVED];
    static uint32_t first[OBSERVED];
    const struct problem *knn = registry_problem("knn");
    static struct knn_place to[PLACES];
    struct knn p = {OBSERVED, PLACES, 1, lat, lon, to_lat, to_lon, first, away};
    struct neighbour nearest[2];

    (void)state;
    for (size_t i = 0; i < OBSERVED; i++)
        place_anywhere(&lat[i], &lon[i], i + PLACES);
    for (size_t j = 0; j < PLACES; j++) {
        place_anywhere(&to_lat[j], &to_lon[j], j);
        to[j] = (struct knn_place){to_lat[j], to_lon[j]};
    }
    struct knn_tree *tree = knn_tree_plant(PLACES, to);
    void *solution = knn->solve(&p);
    assert_non_null(tree);
    assert_non_null(solution);
    for (size_t i = 0; i < OBSERVED; i++) {
        knn_tree_nearest(tree, (struct knn_place){lat[i], lon[i]}, 2, nearest);
        first[i] = nearest[0].index;
        away[i] = (float)nearest[0].distance;
    }
    struct verdict v = knn->judge(&p, solution, MATH_F32, 1);
    assert_true(verdict_right(&v));
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        const size_t i = random_bits(trial, 7, 0) % OBSERVED;
        const uint32_t right = first[i];
        const float distance_of_it = away[i];

        knn_tree_nearest(tree, (struct knn_place){lat[i], lon[i]}, 2, nearest);
        first[i] = nearest[1].index;
        away[i] = (float)nearest[1].distance;
        v = knn->judge(&p, solution, MATH_F32, trial);
        assert_false(verdict_right(&v));
        first[i] = right;
        away[i] = distance_of_it;
    }
    free(solution);
    knn_tree_fell(tree);
}

/* --- matmul, large ---------------------------------------------------------------------------- */

/* Larger than what is compared element by element. */
enum { ROWS = 520, COLUMNS = 500, DEPTH = 200, DRAWS = 40 };

static float a[ROWS * DEPTH], b[DEPTH * COLUMNS], c[ROWS * COLUMNS], right[ROWS * COLUMNS];
static const struct matmul product = {.m = ROWS, .n = COLUMNS, .k = DEPTH, .a = a, .b = b, .c = c};

/* Rounds to this many bits, to nearest; 24 are all. */
static float to_bits(float value, int bits)
{
    int exponent;
    const float mantissa = frexpf(value, &exponent);

    return ldexpf(rintf(ldexpf(mantissa, bits)), exponent - bits);
}

/* Multiplies in float32; sums of every `lanes`-th product first. */
static void multiply(int bits, size_t lanes)
{
    static float a_rounded[ROWS * DEPTH], b_rounded[DEPTH * COLUMNS], lane[COLUMNS];

    for (size_t i = 0; i < ROWS * DEPTH; i++)
        a_rounded[i] = to_bits(a[i], bits);
    for (size_t i = 0; i < DEPTH * COLUMNS; i++)
        b_rounded[i] = to_bits(b[i], bits);
    memset(c, 0, sizeof c);
    for (size_t i = 0; i < ROWS; i++)
        for (size_t first = 0; first < lanes; first++) {
            memset(lane, 0, sizeof lane);
            for (size_t l = first; l < DEPTH; l += lanes)
                for (size_t j = 0; j < COLUMNS; j++)
                    lane[j] += a_rounded[i * DEPTH + l] * b_rounded[l * COLUMNS + j];
            for (size_t j = 0; j < COLUMNS; j++)
                c[i * COLUMNS + j] += lane[j];
        }
}

/* Returns in how many of DRAWS draws the answer is accepted. */
static size_t accepted(const void *solution, enum math math)
{
    size_t count = 0;

    for (uint64_t draw = 0; draw < DRAWS; draw++) {
        struct verdict v = registry_problem("matmul")->judge(&product, solution, math, draw);
        count += verdict_right(&v);
    }
    return count;
}

static void matmul_passes_in_any_order_and_its_own_arithmetic(void **state)
{
    const struct problem *matmul = registry_problem("matmul");

    (void)state;
    matmul->fill((void *)&product, 1);
    void *solution = matmul->solve(&product);
    assert_non_null(solution);
    for (size_t lanes = 1; lanes <= 64; lanes *= 4) {
        multiply(24, lanes);
        assert_int_equal(accepted(solution, MATH_F32), DRAWS);
    }
    multiply(11, 1);
    assert_int_equal(accepted(solution, MATH_TF32), DRAWS);
    assert_int_equal(accepted(solution, MATH_F32), 0);
    multiply(8, 1);
    assert_int_equal(accepted(solution, MATH_F16), DRAWS);
    assert_int_equal(accepted(solution, MATH_TF32), 0);
    multiply(13, 1); /* which no single element shows */
    assert_int_equal(accepted(solution, MATH_F32), 0);
    free(solution);
}

static void add(size_t top, size_t left, size_t rows, size_t columns, float error)
{
    memcpy(c, right, sizeof c);
    for (size_t i = top; i < top + rows; i++)
        for (size_t j = left; j < left + columns; j++)
            c[i * COLUMNS + j] += error;
}

/* Errors of a hundred times an element's tolerance, alone and where they can cancel. */
static void matmul_finds_what_is_wrong_anywhere(void **state)
{
    const struct problem *matmul = registry_problem("matmul");
    const double size = DEPTH * 1.03 * 1.03, allowed = 8.0 * sqrt(DEPTH) * 0x1p-24 * size;
    const float error = (float)(100.0 * allowed);

    (void)state;
    matmul->fill((void *)&product, 2);
    void *solution = matmul->solve(&product);
    assert_non_null(solution);
    multiply(24, 1);
    memcpy(right, c, sizeof c);
    add(311, 77, 1, 1, error); /* one */
    assert_int_equal(accepted(solution, MATH_F32), 0);
    add(311, 76, 1, 2, error); /* two in a row: no sum over the row shows them, every other time */
    assert_int_equal(accepted(solution, MATH_F32), 0);
    add(310, 77, 2, 1, error); /* in a column */
    assert_int_equal(accepted(solution, MATH_F32), 0);
    add(304, 64, 16, 16, error / 10.0f); /* a tile, all alike */
    assert_int_equal(accepted(solution, MATH_F32), 0);
    memcpy(c, right, sizeof c); /* a tile that misses a product */
    for (size_t i = 304; i < 320; i++)
        for (size_t j = 64; j < 80; j++)
            c[i * COLUMNS + j] -= a[i * DEPTH + 99] * b[99 * COLUMNS + j];
    assert_int_equal(accepted(solution, MATH_F32), 0);
    free(solution);
}

/* A column a million times as large as its neighbours must not hide them, nor one of zeros. */
static void matmul_weighs_columns_alike(void **state)
{
    const struct problem *matmul = registry_problem("matmul");

    (void)state;
    matmul->fill((void *)&product, 3);
    for (size_t l = 0; l < DEPTH; l++) {
        b[l * COLUMNS + 5] *= 1e6f;
        b[l * COLUMNS + 6] = 0.0f;
    }
    for (size_t l = 0; l < DEPTH; l++)
        a[9 * DEPTH + l] *= 1e6f;
    void *solution = matmul->solve(&product);
    assert_non_null(solution);
    multiply(24, 1);
    memcpy(right, c, sizeof c);
    assert_int_equal(accepted(solution, MATH_F32), DRAWS);
    add(311, 77, 1, 1, 0.5f);
    assert_int_equal(accepted(solution, MATH_F32), 0);
    add(311, 6, 1, 1, 1e-20f); /* where nothing but 0 is right */
    assert_int_equal(accepted(solution, MATH_F32), 0);
    free(solution);
}

/* --- stencil, of subnormal numbers -------------------------------------------------------------- */

/* Smooths an image of 3 rows in two products per mean, as the vector variants do, off by `add`. */
static bool stencil_accepts(float add)
{
    enum { WIDTH = 1000 };
    static float in[3 * WIDTH], out[3 * WIDTH];
    const struct problem *stencil = registry_problem("stencil");
    const struct stencil p = {.rows = 3, .cols = WIDTH, .sweeps = 1, .in = in, .out = out};

    for (size_t i = 0; i < 3 * WIDTH; i++)
        in[i] = (float)(random_bits(5, 0, i) % 64) * 0x1p-149f;
    memcpy(out, in, sizeof out);
    for (size_t i = WIDTH + 1; i + 1 < 2 * WIDTH; i++) {
        const float middle = in[i - WIDTH] + in[i] + in[i + WIDTH];
        float sides = 0.0f;

        for (int row = -WIDTH; row <= WIDTH; row += WIDTH)
            sides += in[(int)i + row - 1] + in[(int)i + row + 1];
        out[i] = fmaf(sides, 1.0f / 9.0f, middle * (1.0f / 9.0f)) + add;
    }
    void *solution = stencil->solve(&p);
    assert_non_null(solution);
    const struct verdict v = stencil->judge(&p, solution, MATH_F32, 1);
    free(solution);
    return verdict_right(&v);
}

static void stencil_of_subnormals_may_round_twice(void **state)
{
    (void)state;
    assert_true(stencil_accepts(0.0f));
    assert_false(stencil_accepts(0x1p-149f));
    assert_false(stencil_accepts(-0x1p-149f));
}

/* --- stencil and fft, large ------------------------------------------------------------------- */

/* More pixels than the reference is kept for; one of them is wrong. */
static void stencil_looks_at_every_pixel(void **state)
{
    enum { SIDE = 4100, TRIALS = 3 };
    const struct problem *stencil = registry_problem("stencil");
    const size_t pixels = (size_t)SIDE * SIDE;
    float *in = malloc(pixels * sizeof *in), *out = malloc(pixels * sizeof *out);
    struct stencil p = {.rows = SIDE, .cols = SIDE, .sweeps = 1, .in = in, .out = out};

    (void)state;
    assert_non_null(in);
    assert_non_null(out);
    stencil->fill(&p, 1);
    memcpy(out, in, pixels * sizeof *out);
    for (size_t r = 1; r + 1 < SIDE; r++)
        for (size_t i = r * SIDE + 1; i + 1 < (r + 1) * SIDE; i++) {
            const float *x = in + i;
            out[i] = (x[-SIDE - 1] + x[-SIDE] + x[-SIDE + 1] + x[-1] + x[0] + x[1] + x[SIDE - 1] +
                      x[SIDE] + x[SIDE + 1]) / 9.0f;
        }
    void *solution = stencil->solve(&p);
    assert_non_null(solution);
    struct verdict v = stencil->judge(&p, solution, MATH_F32, 1);
    assert_true(verdict_right(&v));
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        const size_t i = random_bits(trial, 8, 0) % pixels;
        const float was = out[i];

        out[i] += 2e-4f + 100.0f * 6e-7f * fabsf(was);
        v = stencil->judge(&p, solution, MATH_F32, trial);
        assert_false(verdict_right(&v));
        assert_int_equal(v.where, i);
        out[i] = was;
    }
    free(solution);
    free(in);
    free(out);
}

/* The transform of a single 1 is known; one bin of it is wrong.  65537 is a prime. */
static void fft_looks_at_every_bin(void **state)
{
    enum { MOST = 65537, AT = 12345, TRIALS = 20 };
    static struct cpx x[MOST], X[MOST];
    const struct problem *fft = registry_problem("fft");

    (void)state;
    x[AT].re = 1.0f;
    for (size_t n = MOST - 1; n <= MOST; n++) {
        const struct fft p = {.batch = 1, .n = n, .x = x, .X = X};
        const float allowed = 4.0f * 0x1p-24f * 17.0f;

        for (size_t f = 0; f < n; f++) {
            const double angle = -2.0 * 3.14159265358979323846 * (double)(f * AT % n) / (double)n;
            X[f] = (struct cpx){(float)cos(angle), (float)sin(angle)};
        }
        void *solution = fft->solve(&p);
        assert_non_null(solution);
        struct verdict v = fft->judge(&p, solution, MATH_F32, 1);
        assert_true(verdict_right(&v));
        for (uint64_t trial = 0; trial < TRIALS; trial++) {
            const size_t f = random_bits(trial, 8, 0) % n;

            X[f].im += 100.0f * allowed;
            v = fft->judge(&p, solution, MATH_F32, trial);
            assert_false(verdict_right(&v));
            X[f].im -= 100.0f * allowed;
        }
        free(solution);
    }
}

/* Transforms numbers near 2^-140 by the definition in float32.  `add` goes to one part of one bin. */
static bool fft_accepts_tiny(float scale, float add)
{
    enum { LENGTH = 500 };
    static struct cpx x[LENGTH], X[LENGTH];
    const struct problem *fft = registry_problem("fft");
    const struct fft p = {.batch = 1, .n = LENGTH, .x = x, .X = X};

    for (size_t t = 0; t < LENGTH; t++)
        x[t] = (struct cpx){random_float(3, 0, t) * 0x1p-140f, random_float(3, 1, t) * 0x1p-140f};
    for (size_t f = 0; f < LENGTH; f++) {
        struct cpx sum = {0.0f, 0.0f};

        for (size_t t = 0; t < LENGTH; t++) {
            const double angle = -2.0 * 3.14159265358979323846 * (double)(f * t % LENGTH) / LENGTH;
            const float re = (float)cos(angle), im = (float)sin(angle);
            sum.re += x[t].re * re - x[t].im * im;
            sum.im += x[t].re * im + x[t].im * re;
        }
        X[f] = (struct cpx){scale * sum.re, scale * sum.im};
    }
    X[LENGTH / 3].im += add;
    void *solution = fft->solve(&p);
    assert_non_null(solution);
    const struct verdict v = fft->judge(&p, solution, MATH_F32, 1);
    free(solution);
    return verdict_right(&v);
}

static void fft_of_subnormals_may_round_each_product(void **state)
{
    (void)state;
    assert_true(fft_accepts_tiny(1.0f, 0.0f));
    assert_false(fft_accepts_tiny(0.0f, 0.0f)); /* flushed to zero */
    assert_false(fft_accepts_tiny(1.0f, 0x1p-140f));
}

/* --- the draw --------------------------------------------------------------------------------- */

static void no_seed_comes_twice(void **state)
{
    const uint64_t first = judge_seed(), second = judge_seed();

    (void)state;
    assert_true(first != second); /* with a probability of all but 2^-53 */
    assert_true(first < (uint64_t)1 << 53 && second < (uint64_t)1 << 53);
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
        cmocka_unit_test(the_tree_is_exact),
        cmocka_unit_test(knn_looks_at_every_observation),
        cmocka_unit_test(matmul_passes_in_any_order_and_its_own_arithmetic),
        cmocka_unit_test(matmul_finds_what_is_wrong_anywhere),
        cmocka_unit_test(matmul_weighs_columns_alike),
        cmocka_unit_test(stencil_of_subnormals_may_round_twice),
        cmocka_unit_test(stencil_looks_at_every_pixel),
        cmocka_unit_test(fft_looks_at_every_bin),
        cmocka_unit_test(fft_of_subnormals_may_round_each_product),
        cmocka_unit_test(no_seed_comes_twice),
    };

    return cmocka_run_group_tests_name("judges", tests, NULL, NULL);
}
