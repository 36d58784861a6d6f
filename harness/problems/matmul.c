/* matmul: sizes, data, cost.  common/matmul.h defines the problem; matmul_judge.c is its judge. */
#include "common/matmul.h"

#include <string.h>

#include "harness/base/random.h"
#include "harness/model/problem.h"
#include "harness/problems/matmul.h"

enum { M, N, K };

static const struct member members[] = {
    SCALAR(matmul, m, MEMBER_U8), SCALAR(matmul, n, MEMBER_U8), SCALAR(matmul, k, MEMBER_U8),
    INPUT(matmul, a, MEMBER_F4, "m,k"), INPUT(matmul, b, MEMBER_F4, "k,n"), OUTPUT(matmul, c, MEMBER_F4, "m,n"),
    {.name = NULL},
};

static const struct size check_sizes[] = {
    {"nothing", {0, 0, 0}},
    {"no rows", {0, 5, 3}},
    {"no columns", {5, 0, 3}},
    {"empty sums", {4, 5, 0}},
    {"one", {1, 1, 1}},
    {"two", {2, 2, 2}},
    {"three", {3, 3, 3}},
    {"under a warp", {31, 31, 31}},
    {"a warp", {32, 32, 32}},
    {"over a warp", {33, 33, 33}},
    {"row times column", {1, 1, 1000}},
    {"column times row", {65, 67, 1}},
    {"one row", {1, 129, 127}},
    {"one column", {129, 1, 127}},
    {"under any tile", {5, 7, 300}},
    {"primes", {127, 131, 137}},
    {"flat", {17, 1025, 64}},
    {"tall", {1025, 17, 65}},
    {"deep", {9, 11, 4099}},
    {"over a slice", {100, 257, 513}},
    {"many tiles", {513, 129, 429}},
    {"a long row", {1, 700, 900}},
    {"a long column", {700, 1, 900}},
    {"few rows", {16, 1025, 130}},
    {"few columns", {1029, 3, 1030}},
    {"short sums", {300, 517, 16}},
    {"long sums", {65, 33, 2051}},
    {"sampled", {331, 317, 337}},
    {NULL, {0}},
};

/* S nearly fits a second-level cache; XL is enough for many GPUs. */
static const struct size bench_sizes[] = {
    {"S", {256, 256, 256}},    {"M", {1024, 1024, 1024}}, {"L", {4096, 4096, 4096}},
    {"XL", {8192, 8192, 8192}}, {NULL, {0}},
};

/* Square matrices, 12 KiB to 192 MiB.  4096 takes the fastest CPU seconds. */
static const struct growth growth = {
    .from = {32, 32, 32}, .grows = {true, true, true}, .to = 4096};

static void shape(void *c, const size_t dims[], struct arena *arena)
{
    struct matmul *p = c;

    p->m = dims[M];
    p->n = dims[N];
    p->k = dims[K];
    p->a = arena_input(arena, "a", p->m, p->k, sizeof *p->a);
    p->b = arena_input(arena, "b", p->k, p->n, sizeof *p->b);
    p->c = arena_output(arena, "c", p->m, p->n, sizeof *p->c);
}

static void fill(void *c, uint64_t seed)
{
    struct matmul *p = c;

    random_floats((float *)p->a, p->m * p->k, seed, STREAM_A);
    random_floats((float *)p->b, p->k * p->n, seed, STREAM_B);
}

/* A large element dominates its row and column, and hides errors there.  So the second set of data has
   none; nor has either set if only sums over rows and columns are judged. */
static void trouble(void *c, uint64_t seed)
{
    struct matmul *p = c;

    if (matmul_is_large(p))
        return;
    random_trouble((float *)p->a, p->m * p->k, seed, STREAM_TROUBLE, -12, 12);
    random_trouble((float *)p->b, p->k * p->n, seed, STREAM_TROUBLE + 2, -12, 12);
}

static void touch(const void *c, const struct slot *array, size_t index, void *element, uint64_t seed)
{
    const float value = random_float(seed, 0, 0);

    (void)c, (void)array, (void)index;
    memcpy(element, &value, sizeof value);
}

static struct cost cost(const size_t dims[])
{
    double m = (double)dims[M], n = (double)dims[N], k = (double)dims[K];

    return (struct cost){
        .flops = 2.0 * m * n * k, .bytes = 4.0 * (m * k + k * n + m * n), .items = m * n};
}

PROBLEM(.formula = "C = A*B", .axes = {"m", "n", "k"}, .rate = RATE_FLOPS, .item = "elements",
        .check_sizes = check_sizes, .bench_sizes = bench_sizes,
        .growth = &growth, .case_bytes = sizeof(struct matmul), .members = members, .shape = shape, .fill = fill, .trouble = trouble,
        .solve = matmul_solve, .judge = matmul_judge, .touch = touch, .cost = cost, .data = &matmul_data)
