/* fft: sizes, data, cost.  common/fft.h defines the problem; fft_judge.c is its judge. */
#include "common/fft.h"

#include <math.h>
#include <string.h>

#include "harness/base/parallel.h"
#include "harness/base/random.h"
#include "harness/model/problem.h"
#include "harness/problems/fft.h"

enum { BATCH, N };

static const struct member members[] = {
    SCALAR(fft, batch, MEMBER_U8), SCALAR(fft, n, MEMBER_U8), INPUT(fft, x, MEMBER_C8, "batch,n"),
    OUTPUT(fft, X, MEMBER_C8, "batch,n"), {.name = NULL},
};

static const struct size check_sizes[] = {
    {"no signals", {0, 1024}},        {"one point", {17, 1}},
    {"radix 2", {3, 2}},              {"radix 3", {17, 3}},
    {"radix 4", {2, 4}},              {"radix 5", {3, 5}},
    {"two factors", {17, 6}},         {"radix 7", {2, 7}},
    {"2 cubed", {17, 8}},             {"3 squared", {3, 9}},
    {"2, 3 and 5", {17, 30}},         {"a warp", {3, 32}},
    {"5 and 7, odd", {17, 35}},       {"all four factors", {3, 210}},
    {"7 cubed", {2, 343}},            {"a million's root", {17, 1000}},
    {"2 to the 10th", {3, 1024}},     {"3 to the 7th", {2, 2187}},
    {"2 to the 12th", {3, 4096}},     {"all four, long", {3, 5040}},
    {"11 and 13", {3, 143}},          {"the first prime above", {17, 17}},
    {"a prime", {17, 101}},           {"twice a prime", {3, 2 * 211}},
    {"a prime squared", {2, 37 * 37}}, {"2 to 11, once each", {3, 2310}},
    {"a long prime", {1, 8209}},      {"two primes", {1, 101 * 103}},
    {NULL, {0}},
};

/* S fits a second-level cache, M a third-level cache; L and XL are for GPUs. */
static const struct size bench_sizes[] = {
    {"S", {64, 1024}},    {"M", {1, 1000000}},   {"L", {64, 1 << 20}},
    {"XL", {4096, 16384}}, {NULL, {0}},
};

/* One transform of growing length: 4 KiB to 256 MiB. */
static const struct growth growth = {
    .from = {1, 1 << 8}, .grows = {false, true}, .to = 1 << 24};

static const char *impossible(const size_t dims[])
{
    return dims[N] > 0 ? NULL : "n = 0: a signal has at least one number";
}

static void shape(void *c, const size_t dims[], struct arena *arena)
{
    struct fft *p = c;

    p->batch = dims[BATCH];
    p->n = dims[N];
    p->x = arena_input(arena, "x", p->batch, p->n, sizeof *p->x);
    p->X = arena_output(arena, "X", p->batch, p->n, sizeof *p->X);
}

struct filling {
    struct cpx *x;
    uint64_t seed;
};

static void fill_numbers(void *context, size_t begin, size_t end)
{
    const struct filling *f = context;

    for (size_t i = begin; i < end; i++)
        f->x[i] = (struct cpx){random_float(f->seed, 0, i), random_float(f->seed, 1, i)};
}

static void fill(void *c, uint64_t seed)
{
    enum { GRAIN = 1 << 15 };
    struct fft *p = c;
    struct filling f = {(struct cpx *)p->x, seed};

    parallel_for(p->batch * p->n, GRAIN, fill_numbers, &f);
}

/* Scales whole transforms up or down, so that no bin's relative error grows.  The first is
   scaled by 2^-12. */
static void trouble(void *c, uint64_t seed)
{
    enum { SOME = 64, MOST = 12 };
    struct fft *p = c;
    struct cpx *x = (struct cpx *)p->x;

    for (size_t b = 0; b < p->batch && b < SOME; b++) {
        const int power = b == 0 ? -MOST : (int)(random_bits(seed, 2, b) % (2 * MOST + 1)) - MOST;
        const float scale = ldexpf(1.0f, power);
        for (size_t i = b * p->n; i < (b + 1) * p->n; i++)
            x[i] = (struct cpx){x[i].re * scale, x[i].im * scale};
    }
}

static void touch(const void *c, const struct slot *array, size_t index, void *element, uint64_t seed)
{
    const struct cpx value = {random_float(seed, 0, 0), random_float(seed, 1, 0)};

    (void)c, (void)array, (void)index;
    memcpy(element, &value, sizeof value);
}

static struct cost cost(const size_t dims[])
{
    const double n = (double)dims[N], items = (double)dims[BATCH] * n;

    return (struct cost){.flops = items > 0.0 ? 5.0 * items * log2(n) : 0.0, .bytes = 16.0 * items, .items = items};
}

PROBLEM(.formula = "X[f] = sum of x[t] exp(-2 pi i f t / n)", .axes = {"batch", "n"},
        .rate = RATE_FLOPS, .item = "numbers", .check_sizes = check_sizes,
        .bench_sizes = bench_sizes, .growth = &growth, .case_bytes = sizeof(struct fft), .members = members,
        .impossible = impossible, .shape = shape, .fill = fill, .trouble = trouble, .solve = fft_solve, .judge = fft_judge,
        .touch = touch, .cost = cost, .data = &fft_data)
