/* qr: sizes, data, cost.  common/qr.h defines the problem; qr_judge.c is its judge. */
#include "common/qr.h"

#include <math.h>
#include <string.h>

#include "harness/base/parallel.h"
#include "harness/base/random.h"
#include "harness/problems/qr.h"

enum { M, N };

static const struct member members[] = {
    SCALAR(qr, m, MEMBER_U8),          SCALAR(qr, n, MEMBER_U8),          INPUT(qr, a, MEMBER_F4, "m,n"),
    OUTPUT(qr, q, MEMBER_F4, "m,n"), OUTPUT(qr, r, MEMBER_F4, "n,n"), {.name = NULL},
};

static const struct size check_sizes[] = {
    {"nothing", {0, 0}},          {"one", {1, 1}},
    {"no columns", {5, 0}},       {"two", {2, 2}},
    {"one column", {3, 1}},       {"over a warp", {33, 2}},
    {"square", {64, 64}},         {"over a tile", {65, 33}},
    {"over a block", {257, 16}},  {"under a warp", {1000, 31}},
    {"a warp twice", {1025, 64}}, {"prime", {4099, 5}},
    {"square, uneven", {100, 100}}, {"long", {20011, 8}},
    {"wide", {777, 130}},         {NULL, {0}},
};

/* S fits a second-level cache.  L, XL and SQ are for GPUs; SQ is the square matrix of many comparisons. */
static const struct size bench_sizes[] = {
    {"S", {4096, 16}}, {"M", {65536, 32}}, {"L", {1 << 20, 64}}, {"SQ", {4096, 4096}}, {"XL", {1000000, 1000}},
    {NULL, {0}},
};

static const struct growth growth = {.from = {1 << 10, 32}, .grows = {true, false}, .to = 1 << 20};

static const char *impossible(const size_t dims[])
{
    return dims[M] < dims[N] ? "m is less than n" : NULL;
}

static void shape(void *c, const size_t dims[], struct arena *arena)
{
    struct qr *p = c;

    p->m = dims[M];
    p->n = dims[N];
    p->a = arena_input(arena, "a", p->m, p->n, sizeof *p->a);
    p->q = arena_output(arena, "q", p->m, p->n, sizeof *p->q);
    p->r = arena_output(arena, "r", p->n, p->n, sizeof *p->r);
}

/* --- data ------------------------------------------------------------------------------------- */

enum { ELEMENTS = 1, SCALES }; /* streams of random numbers */

struct columns {
    const struct qr *p;
    uint64_t seed;
    double apart; /* how far the columns are from parallel: sqrt(n) over this is about the condition */
};

/* a[i][j] = 2^s (w[i][0] + apart w[i][j]), with s from -10 to 10 for each column. */
static void fill_rows(void *context, size_t begin, size_t end)
{
    const struct columns *to = context;
    const size_t n = to->p->n;
    float *a = (float *)to->p->a;

    for (size_t i = begin; i < end; i++) {
        const double shared = random_float(to->seed, ELEMENTS, i * n);
        for (size_t j = 0; j < n; j++) {
            const double own = random_float(to->seed, ELEMENTS, i * n + j);
            const int s = (int)(random_bits(to->seed, SCALES, j) % 21) - 10;
            a[i * n + j] = (float)ldexp(shared + to->apart * own, s);
        }
    }
}

static void fill_columns(const struct qr *p, uint64_t seed, double apart)
{
    enum { GRAIN = 1 << 16 };
    struct columns to = {p, seed, apart};

    parallel_for(p->m, GRAIN / (p->n + 1) + 1, fill_rows, &to);
}

static void fill(void *c, uint64_t seed)
{
    fill_columns(c, seed, 1.0);
}

/* Columns that are nearly parallel: at 1e-4 the Gram matrix is no longer positive in float32.  Or unit columns, of
   which A is R already. */
static void trouble(void *c, uint64_t seed)
{
    static const double apart[] = {1.0, 1e-2, 1e-4};
    const struct qr *p = c;
    const size_t mood = (p->m + p->n + seed) % 4;

    if (mood < 3)
        fill_columns(p, seed, apart[mood]);
    else
        for (size_t i = 0; i < p->m; i++)
            for (size_t j = 0; j < p->n; j++)
                ((float *)p->a)[i * p->n + j] = i == j ? 1.0f : 0.0f;
}

/* Ordinary elements of a long column would change the answer by less than the tolerance. */
static void touch(const void *c, const struct slot *array, size_t index, void *element, uint64_t seed)
{
    (void)c;
    (void)array;
    (void)index;
    const float value = 4096.0f * random_float(seed, 0, 0);

    memcpy(element, &value, sizeof value);
}

static struct cost cost(const size_t dims[])
{
    const double m = (double)dims[M], n = (double)dims[N];

    return (struct cost){.flops = 4.0 * m * n * n - 4.0 / 3.0 * n * n * n, .bytes = 8.0 * m * n + 4.0 * n * n,
                         .specials = n, .items = m * n};
}

/* Half of a Gram matrix, and half of a product with a triangle. */
static struct cost least(const size_t dims[])
{
    const double m = (double)dims[M], n = (double)dims[N];

    return (struct cost){.flops = 2.0 * m * n * n, .specials = n};
}

PROBLEM(.formula = "A = Q R, Q'Q = I, R upper triangular", .axes = {"m", "n"}, .rate = RATE_FLOPS,
        .item = "elements", .check_sizes = check_sizes, .bench_sizes = bench_sizes, .growth = &growth,
        .case_bytes = sizeof(struct qr), .members = members, .impossible = impossible, .shape = shape, .fill = fill,
        .trouble = trouble, .solve = qr_solve, .judge = qr_judge, .touch = touch, .cost = cost, .least = least,
        .data = &qr_data, .extra = true)
