/* saxpy: common/saxpy.h says what is computed; here stand sizes, data, reference, judge, cost. */
#include "common/saxpy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/problem.h"
#include "harness/random.h"

enum { N };

static const struct size check_sizes[] = {
    {"nothing", {0}},          {"one", {1}},
    {"two", {2}},              {"three", {3}},
    {"under a warp", {31}},    {"a warp", {32}},
    {"over a warp", {33}},     {"prime", {257}},
    {"under a block", {1023}}, {"over a block", {1025}},
    {"prime, long", {104729}}, {"odd, long", {(1 << 18) + 7}},
    {NULL, {0}},
};

/* 3 arrays of 4-byte elements: S in a second-level cache, M beyond the last level of most, L and XL
   for devices with tens of gigabytes. */
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
    p->a = NAN; /* a value, not a size: prepare must not see it */
}

static void fill(void *c, uint64_t seed)
{
    struct saxpy *p = c;
    float *x = (float *)p->x, *y = (float *)p->y;

    p->a = random_float(seed, 0, 0);
    for (size_t i = 0; i < p->n; i++) {
        x[i] = random_float(seed, 1, i);
        y[i] = random_float(seed, 2, i);
    }
}

/* In float64 the product of two float32 is exact and the sum has 29 bits to spare, so this is the
   answer but for one last rounding. */
static void *solve(const void *c, uint64_t seed)
{
    const struct saxpy *p = c;
    double *z = malloc((p->n + 1) * sizeof *z);

    (void)seed; /* all of it, nothing is sampled */
    for (size_t i = 0; z != NULL && i < p->n; i++)
        z[i] = (double)p->a * p->x[i] + p->y[i];
    return z;
}

/*
 * With unit roundoff u, product and sum are rounded once each: computed z = (a*x*(1+d) + y)*(1+e)
 * with |d|, |e| <= u.  So
 *
 *     |error| <= u*|a*x| + u*|a*x + y| + u^2*|a*x| <= 2u * (|a*x| + |y|)
 *
 * A fused multiply-add only leaves the first term out.  Below the smallest normal number u no
 * longer bounds the rounding; half the smallest subnormal number does, twice.
 */
static struct verdict judge(const void *c, const void *solution, enum math math)
{
    const struct saxpy *p = c;
    const double *z = solution;
    double u = math_unit(math == MATH_F64 ? MATH_F32 : math); /* stored as float32 all the same */
    struct verdict v = verdict_start();

    for (size_t i = 0; i < p->n; i++) {
        double size = fabs((double)p->a * p->x[i]) + fabs((double)p->y[i]);
        if (!verdict_see(&v, "z", i, p->z[i], z[i], 2.0 * u * size + 0x1p-149))
            break;
    }
    return v;
}

static struct cost cost(const size_t dims[])
{
    double n = (double)dims[N];

    return (struct cost){.flops = 2.0 * n, .bytes = 12.0 * n, .items = n};
}

PROBLEM(.formula = "z = a*x + y", .axes = {"n"}, .rate = RATE_BYTES, .item = "elements",
        .check_sizes = check_sizes, .bench_sizes = bench_sizes, .growth = &growth,
        .case_bytes = sizeof(struct saxpy), .shape = shape, .fill = fill, .solve = solve,
        .judge = judge, .cost = cost, .data = &saxpy_data)
