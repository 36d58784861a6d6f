/* reduce: sizes, data, cost.  common/reduce.h defines the problem; reduce_judge.c is its judge. */
#include "common/reduce.h"

#include <math.h>
#include <string.h>

#include "harness/base/parallel.h"
#include "harness/base/random.h"
#include "harness/problems/reduce.h"

enum { N };

static const struct member members[] = {
    SCALAR(reduce, n, MEMBER_U8), INPUT(reduce, x, MEMBER_F4, "n"), OUTPUT(reduce, sum, MEMBER_F4, "1"),
    OUTPUT(reduce, norm, MEMBER_F4, "1"), {.name = NULL},
};

static const struct size check_sizes[] = {
    {"nothing", {0}},            {"one", {1}},
    {"two", {2}},                {"three", {3}},
    {"under a warp", {31}},      {"a warp", {32}},
    {"over a warp", {33}},       {"prime", {257}},
    {"under a block", {1023}},   {"over a block", {1025}},
    {"under a page", {4095}},    {"a large head", {65537}},
    {"prime, long", {104729}},   {"odd, long", {(1 << 18) + 7}},
    {NULL, {0}},
};

/* S fits a second-level cache, M exceeds most last-level caches, L and XL are for GPUs. */
static const struct size bench_sizes[] = {
    {"S", {1 << 16}}, {"M", {1 << 25}}, {"L", {1 << 28}}, {"XL", {1 << 30}}, {NULL, {0}},
};

/* 4 KiB to 512 MiB. */
static const struct growth growth = {.from = {1 << 10}, .grows = {true}, .to = 1 << 27};

static void shape(void *c, const size_t dims[], struct arena *arena)
{
    struct reduce *p = c;

    p->n = dims[N];
    p->x = arena_input(arena, "x", p->n, 1, sizeof *p->x);
    p->sum = arena_output(arena, "sum", 1, 1, sizeof *p->sum);
    p->norm = arena_output(arena, "norm", 1, 1, sizeof *p->norm);
}

/* --- data ------------------------------------------------------------------------------------- */

enum { ORDINARY = 1, SIGNS, PLACES, HEIGHTS, HEAD }; /* streams of random numbers */
enum { PARTS = 64 };

/* The mean is far from 0, so that a long total in float32 loses what it is given: one number in 16 is
   negative. */
static float ordinary(uint64_t seed, size_t i)
{
    const float size = fabsf(random_float(seed, ORDINARY, i));

    return random_bits(seed, SIGNS, i) % 16 == 0 ? -size : size;
}

/* A number that shows when it is left out: at least five times the tolerance of a sum of n. */
static float sentinel(size_t n, double height)
{
    return (float)(fmax(4.0, (double)n * 0x1p-15) * (1.0 + height));
}

struct numbers {
    float *x;
    uint64_t seed;
};

static void fill_range(void *context, size_t begin, size_t end)
{
    const struct numbers *to = context;

    for (size_t i = begin; i < end; i++)
        to->x[i] = ordinary(to->seed, i);
}

/* Sentinels lie where mistakes are likely: at the ends, and in each of 64 parts at a lane's first or last
   place, at the part's last one, or anywhere. */
static void place_sentinels(float *x, size_t n, uint64_t seed)
{
    for (size_t part = 0; part < PARTS && n >= PARTS; part++) {
        const size_t each = n / PARTS > 0 ? n / PARTS : 1, first = each * part;
        const size_t offsets[] = {0, 31, 32, 33, each - 1, random_bits(seed, PLACES, part) % each};
        const size_t at = offsets[random_bits(seed, PLACES, PARTS + part) % 6];
        x[first + at % each] = sentinel(n, random_unit(seed, HEIGHTS, part));
    }
    if (n > 0)
        x[0] = x[n - 1] = sentinel(n, random_unit(seed, HEIGHTS, PARTS));
}

static void fill(void *c, uint64_t seed)
{
    enum { GRAIN = 1 << 16 };
    const struct reduce *p = c;
    struct numbers to = {(float *)p->x, seed};

    parallel_for(p->n, GRAIN, fill_range, &to);
    place_sentinels(to.x, p->n, seed);
}

static void scale(float *x, size_t n, float factor)
{
    for (size_t i = 0; i < n; i++)
        x[i] *= factor;
}

/* Numbers on which usual ways go wrong.  Each size up to 2^18 + 7 gets one kind. */
static void trouble(void *c, uint64_t seed)
{
    const struct reduce *p = c;
    float *x = (float *)p->x;

    if (p->n < 2 || p->n > (1 << 18) + 7)
        return;
    if (p->n > 65536 && p->n % 4 == 1) {
        /* A float32 total that holds x[0] loses all that comes after it. */
        for (size_t i = 0; i < p->n; i++)
            x[i] = (float)(0.25 + 0.25 * random_unit(seed, HEAD, i));
        x[0] = 64.0f * (float)(1 << 18);
        return;
    }
    switch ((p->n + seed) % 4) {
    case 0: break;
    case 1: scale(x, p->n, 0x1p70f); break;  /* squares beyond float32 */
    case 2: scale(x, p->n, 0x1p-75f); break; /* squares below it */
    case 3:                                  /* a sum far below its terms */
        for (size_t i = 1; i < p->n; i += 2)
            x[i] = -x[i - 1];
        break;
    }
}

/* Other numbers would change the answer by less than the tolerance. */
static void touch(const void *c, const struct slot *array, size_t index, void *element, uint64_t seed)
{
    (void)c;
    (void)index;
    const float value = sentinel(array->bytes / sizeof value, 3.0 + random_unit(seed, 0, 0));

    memcpy(element, &value, sizeof value);
}

static struct cost cost(const size_t dims[])
{
    const double n = (double)dims[N];

    return (struct cost){.flops = 3.0 * n, .bytes = 4.0 * n + 8.0, .specials = 1.0, .items = n};
}

PROBLEM(.formula = "sum of x, and the root of the sum of x*x", .axes = {"n"}, .rate = RATE_BYTES,
        .item = "elements", .check_sizes = check_sizes, .bench_sizes = bench_sizes, .growth = &growth,
        .case_bytes = sizeof(struct reduce), .members = members, .shape = shape, .fill = fill,
        .trouble = trouble, .solve = reduce_solve, .judge = reduce_judge, .touch = touch, .cost = cost,
        .data = &reduce_data, .extra = true)
