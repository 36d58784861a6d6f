/* saxpy: sizes, data, reference, judge, cost.  common/saxpy.h defines the problem. */
#include "common/saxpy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/random.h"
#include "harness/model/problem.h"

enum { N };

static const struct member members[] = {
    SCALAR(saxpy, n, MEMBER_U8), SCALAR(saxpy, a, MEMBER_F4), INPUT(saxpy, x, MEMBER_F4, "n"),
    INPUT(saxpy, y, MEMBER_F4, "n"), OUTPUT(saxpy, z, MEMBER_F4, "n"), {.name = NULL},
};

static const struct size check_sizes[] = {
    {"nothing", {0}},          {"one", {1}},
    {"two", {2}},              {"three", {3}},
    {"under a warp", {31}},    {"a warp", {32}},
    {"over a warp", {33}},     {"prime", {257}},
    {"under a block", {1023}}, {"over a block", {1025}},
    {"prime, long", {104729}}, {"odd, long", {(1 << 18) + 7}},
    {NULL, {0}},
};

/* 3 arrays of 4-byte elements.  S fits a second-level cache, M exceeds most last-level caches, L and
   XL are for GPUs with tens of gigabytes. */
static const struct size bench_sizes[] = {
    {"S", {1 << 16}}, {"M", {1 << 24}}, {"L", {1 << 28}}, {"XL", {1 << 30}}, {NULL, {0}},
};

/* 12 KiB to 768 MiB. */
static const struct growth growth = {.from = {1 << 10}, .grows = {true}, .to = 1 << 26};

static void shape(void *c, const size_t dims[], struct arena *arena)
{
    struct saxpy *p = c;

    p->n = dims[N];
    p->x = arena_input(arena, "x", p->n, 1, sizeof *p->x);
    p->y = arena_input(arena, "y", p->n, 1, sizeof *p->y);
    p->z = arena_output(arena, "z", p->n, 1, sizeof *p->z);
    p->a = NAN; /* a value, not a size, so prepare must not see it */
}

static void fill(void *c, uint64_t seed)
{
    struct saxpy *p = c;

    p->a = random_float(seed, 0, 0);
    random_floats((float *)p->x, p->n, seed, 1);
    random_floats((float *)p->y, p->n, seed, 2);
}

/* Puts in subnormal numbers, and numbers far from the range of the random ones. */
static void trouble(void *c, uint64_t seed)
{
    struct saxpy *p = c;

    random_trouble((float *)p->x, p->n, seed, 3, -147, 100);
    random_trouble((float *)p->y, p->n, seed, 5, -147, 100);
}

static void touch(const void *c, const struct slot *array, size_t index, void *element, uint64_t seed)
{
    const float value = random_float(seed, 0, 0);

    (void)c, (void)array, (void)index;
    memcpy(element, &value, sizeof value);
}

/* Nothing is kept, because computing the expected value takes less time than fetching it. */
static void *solve(const void *c)
{
    (void)c;
    return malloc(1);
}

/*
 * In float64 the product of two float32 is exact and the sum has 29 bits to spare, so `want` is the exact
 * answer but for one rounding.
 *
 * With unit roundoff u, product and sum are rounded once each: computed z = (a*x*(1+d) + y)*(1+e) with
 * |d|, |e| <= u.  So
 *
 *     |error| <= u*|a*x| + u*|a*x + y| + u^2*|a*x| <= 2u * (|a*x| + |y|)
 *
 * A fused multiply-add only lacks the first term.  Below the smallest normal number u no longer bounds
 * the rounding; half the smallest subnormal number does, twice.
 */
struct question {
    const struct saxpy *p;
    double u;
};

static void judge_elements(struct verdict *v, const void *context, size_t begin, size_t end)
{
    enum { ROW = 1024 };
    const struct question *q = context;
    const struct saxpy *p = q->p;
    double want[ROW], tolerance[ROW];

    for (size_t at = begin; at < end; at += ROW) {
        const size_t count = end - at < ROW ? end - at : ROW;

#pragma omp simd
        for (size_t i = 0; i < count; i++) {
            const double ax = (double)p->a * p->x[at + i], y = p->y[at + i];

            want[i] = ax + y;
            tolerance[i] = 2.0 * q->u * (fabs(ax) + fabs(y)) + 0x1p-149;
        }
        if (!verdict_see_row(v, "z", at, count, p->z + at, want, tolerance))
            return;
    }
}

static struct verdict judge(const void *c, const void *solution, enum math math, uint64_t seed)
{
    enum { GRAIN = 1 << 16 };
    const struct saxpy *p = c;
    /* the answer is stored as float32 anyway */
    const struct question q = {p, math_unit(math == MATH_F64 ? MATH_F32 : math)};

    (void)solution;
    (void)seed; /* nothing is sampled */
    return verdict_of(p->n, GRAIN, judge_elements, &q);
}

static struct cost cost(const size_t dims[])
{
    double n = (double)dims[N];

    return (struct cost){.flops = 2.0 * n, .bytes = 12.0 * n, .items = n};
}

PROBLEM(.formula = "z = a*x + y", .axes = {"n"}, .rate = RATE_BYTES, .item = "elements",
        .check_sizes = check_sizes, .bench_sizes = bench_sizes, .growth = &growth,
        .case_bytes = sizeof(struct saxpy), .members = members, .shape = shape, .fill = fill, .trouble = trouble, .solve = solve,
        .judge = judge, .touch = touch, .cost = cost, .data = &saxpy_data)
