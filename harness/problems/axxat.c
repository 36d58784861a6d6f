/* axxat: sizes, data, cost.  common/axxat.h defines the problem; axxat_judge.c is its judge. */
#include "common/axxat.h"

#include <string.h>

#include "harness/base/random.h"
#include "harness/problems/axxat.h"

enum { N, SYMMETRIC };

static const struct member members[] = {
    SCALAR(axxat, n, MEMBER_U8),         SCALAR(axxat, symmetric, MEMBER_I4), INPUT(axxat, a, MEMBER_F4, "n,n"),
    INPUT(axxat, x, MEMBER_F4, "n,n"), OUTPUT(axxat, y, MEMBER_F4, "n,n"),   {.name = NULL},
};

static const char *const answers[] = {"no", "yes", NULL};

#define BOTH(label, n) {label, {n, 0}}, {label, {n, 1}}
static const struct size check_sizes[] = {
    BOTH("nothing", 0),       BOTH("one", 1),          BOTH("two", 2),   BOTH("three", 3),
    BOTH("under a warp", 31), BOTH("a warp", 32),      BOTH("over a warp", 33), BOTH("over two warps", 65),
    BOTH("prime", 127),       BOTH("over a tile", 200), BOTH("over two tiles", 257), BOTH("sampled", 331),
    {NULL, {0}},
};
#undef BOTH

/* S fits a second-level cache, L and XL are for GPUs.  S1, M1 and L1 are the same with a symmetric X. */
static const struct size bench_sizes[] = {
    {"S", {128, 0}},  {"M", {512, 0}},  {"L", {4096, 0}},  {"XL", {8192, 0}},
    {"S1", {128, 1}}, {"M1", {512, 1}}, {"L1", {4096, 1}}, {NULL, {0}},
};

/* Square matrices, 12 KiB to 192 MiB. */
static const struct growth growth = {.from = {32, 0}, .grows = {true, false}, .to = 4096};

static const char *impossible(const size_t dims[])
{
    return dims[SYMMETRIC] > 1 ? "symmetric is no (0) or yes (1)" : NULL;
}

static void shape(void *c, const size_t dims[], struct arena *arena)
{
    struct axxat *p = c;

    p->n = dims[N];
    p->symmetric = (int)dims[SYMMETRIC];
    p->a = arena_input(arena, "a", p->n, p->n, sizeof *p->a);
    p->x = arena_input(arena, "x", p->n, p->n, sizeof *p->x);
    p->y = arena_output(arena, "y", p->n, p->n, sizeof *p->y);
}

enum { STREAM_A, STREAM_X, STREAM_TROUBLE };

static void mirror(struct axxat *p)
{
    float *x = (float *)p->x;

    for (size_t i = 1; i < p->n; i++)
        for (size_t j = 0; j < i; j++)
            x[i * p->n + j] = x[j * p->n + i];
}

static void fill(void *c, uint64_t seed)
{
    struct axxat *p = c;

    random_floats((float *)p->a, p->n * p->n, seed, STREAM_A);
    random_floats((float *)p->x, p->n * p->n, seed, STREAM_X);
    if (p->symmetric)
        mirror(p);
}

/* Sums over strips of rows, which judge large answers, do not see an error beside an element that is 2^12 times
   larger.  So large matrices have none. */
static void trouble(void *c, uint64_t seed)
{
    struct axxat *p = c;

    if (p->n > 256)
        return;
    random_trouble((float *)p->a, p->n * p->n, seed, STREAM_TROUBLE, -12, 12);
    random_trouble((float *)p->x, p->n * p->n, seed, STREAM_TROUBLE + 2, -12, 12);
    if (p->symmetric)
        mirror(p);
}

/* A symmetric X stays symmetric: only elements of its diagonal change, because one touch is one element. */
static void touch(const void *c, const struct slot *array, size_t index, void *element, uint64_t seed)
{
    const struct axxat *p = c;
    const bool fixed = p->symmetric && strcmp(array->name, "x") == 0 && index % (p->n + 1) != 0;
    const float value = fixed ? p->x[index] : random_float(seed, 0, 0);

    memcpy(element, &value, sizeof value);
}

static struct cost cost(const size_t dims[])
{
    const double n = (double)dims[N];

    return (struct cost){.flops = 4.0 * n * n * n, .bytes = 12.0 * n * n, .items = n * n};
}

static struct cost least(const size_t dims[])
{
    struct cost least = cost(dims);

    if (dims[SYMMETRIC])
        least.flops /= 2.0;
    return least;
}

PROBLEM(.formula = "Y = A*X + X*A^T", .axes = {"n", "symmetric"}, .words = {[SYMMETRIC] = answers},
        .rate = RATE_FLOPS, .item = "elements", .check_sizes = check_sizes, .bench_sizes = bench_sizes,
        .growth = &growth, .case_bytes = sizeof(struct axxat), .members = members, .impossible = impossible,
        .shape = shape, .fill = fill, .trouble = trouble, .solve = axxat_solve, .judge = axxat_judge,
        .touch = touch, .cost = cost, .least = least, .data = &axxat_data, .extra = true)
