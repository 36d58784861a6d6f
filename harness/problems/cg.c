/* cg: sizes, data, cost.  common/cg.h defines the problem; cg_judge.c is its judge. */
#include "common/cg.h"

#include <math.h>
#include <string.h>

#include "harness/base/parallel.h"
#include "harness/base/random.h"
#include "harness/problems/cg.h"

enum { N, EVERY };

static const struct member members[] = {
    SCALAR(cg, n, MEMBER_U8),         SCALAR(cg, every, MEMBER_U8),   SCALAR(cg, tol, MEMBER_F4),
    INPUT(cg, a, MEMBER_F4, "n,n"), INPUT(cg, b, MEMBER_F4, "n"), OUTPUT(cg, x, MEMBER_F4, "n"),
    {.name = NULL},
};

static const struct size check_sizes[] = {
    {"nothing", {0, 1}},        {"one", {1, 1}},          {"one, seldom looked at", {1, 10}},
    {"two", {2, 1}},            {"three", {3, 7}},        {"under a warp", {31, 1}},
    {"a warp", {32, 10}},       {"over a warp", {33, 1}}, {"over two warps", {65, 7}},
    {"prime", {127, 10}},       {"over a block", {257, 1}}, {"over two blocks", {514, 25}},
    {"odd", {1001, 10}},        {"prime, long", {1301, 7}},
    {NULL, {0}},
};

/* S fits a second-level cache, M a third-level cache and the shared memory of a large GPU, L and XL neither. */
static const struct size bench_sizes[] = {
    {"S", {512, 10}}, {"M", {2048, 10}}, {"L", {16384, 10}}, {"XL", {65536, 10}}, {NULL, {0}},
};

/* 64 KiB to 1 GiB. */
static const struct growth growth = {.from = {128, 10}, .grows = {true, false}, .to = 16384};

static const char *impossible(const size_t dims[])
{
    return dims[EVERY] < 1 ? "every is less than 1" : NULL;
}

static void shape(void *c, const size_t dims[], struct arena *arena)
{
    struct cg *p = c;

    *p = (struct cg){.n = dims[N], .every = dims[EVERY], .tol = NAN};
    p->a = arena_input(arena, "a", p->n, p->n, sizeof *p->a);
    p->b = arena_input(arena, "b", p->n, 1, sizeof *p->b);
    p->x = arena_output(arena, "x", p->n, 1, sizeof *p->x);
}

/* --- data ------------------------------------------------------------------------------------- */

/*
 * A = D + F F^T, with D between 1 and 100, and F of 8 columns, the squares of each adding up to some 130.  So A is positive
 * definite, its smallest eigenvalue is 1 or more and its largest some 200.  Each element comes from 8 + 1 numbers of its row
 * and column.  Conjugate gradients take some 54 iterations to 1e-4, whatever n is.
 */
enum { COLUMNS = 8, STREAM_F = 0, STREAM_D = STREAM_F + COLUMNS, STREAM_B };

struct filling {
    const struct cg *p;
    uint64_t seed;
    float scale;
};

static void fill_rows(void *context, size_t begin, size_t end)
{
    enum { PIECE = 256 };
    const struct filling *w = context;
    const size_t n = w->p->n;
    float of_column[COLUMNS][PIECE], of_row[COLUMNS];

    for (size_t first = 0; first < n; first += PIECE) {
        const size_t count = n - first < PIECE ? n - first : PIECE;

        for (int k = 0; k < COLUMNS; k++)
            for (size_t j = 0; j < count; j++)
                of_column[k][j] = w->scale * random_float(w->seed, STREAM_F + (uint64_t)k, first + j);
        for (size_t i = begin; i < end; i++) {
            float *row = (float *)w->p->a + i * n + first;

            for (int k = 0; k < COLUMNS; k++)
                of_row[k] = w->scale * random_float(w->seed, STREAM_F + (uint64_t)k, i);
            for (size_t j = 0; j < count; j++) {
                float sum = 0.0f;

                for (int k = 0; k < COLUMNS; k++)
                    sum += of_row[k] * of_column[k][j];
                row[j] = sum;
            }
            if (i >= first && i < first + count)
                row[i - first] += (float)(1.0 + 99.0 * random_unit(w->seed, STREAM_D, i));
        }
    }
}

static void fill(void *c, uint64_t seed)
{
    enum { ROWS = 64 };
    struct cg *p = c;
    struct filling w = {p, seed, 10.0f / sqrtf((float)(p->n > 0 ? p->n : 1))};

    p->tol = 1e-4f;
    parallel_for(p->n, ROWS, fill_rows, &w);
    random_floats((float *)p->b, p->n, seed, STREAM_B);
}

/* Systems on which solvers stumble.  Each size gets one kind. */
static void trouble(void *c, uint64_t seed)
{
    struct cg *p = c;
    float *a = (float *)p->a, *b = (float *)p->b;

    switch ((p->n + p->every + seed) % 4) {
    case 0: break;
    case 1: /* twice the identity: the residual of the second iteration is exactly 0 */
        memset(a, 0, p->n * p->n * sizeof *a);
        for (size_t i = 0; i < p->n; i++)
            a[i * p->n + i] = 2.0f;
        break;
    case 2: /* nothing to do, but x must be 0 */
        memset(b, 0, p->n * sizeof *b);
        break;
    case 3: /* squares of the residual are small, and float32 holds them */
        for (size_t i = 0; i < p->n; i++)
            b[i] *= 0x1p-40f;
        break;
    }
}

/* b may be anything.  A stays symmetric, so only its diagonal changes; and positive definite, so that only grows. */
static void touch(const void *c, const struct slot *array, size_t index, void *element, uint64_t seed)
{
    const struct cg *p = c;
    float value = random_float(seed, 0, 0);

    if (strcmp(array->name, "a") == 0)
        value = index % (p->n + 1) != 0 ? p->a[index] : p->a[index] * (float)(1.0 + random_unit(seed, 1, 0));
    memcpy(element, &value, sizeof value);
}

/* Of one iteration, since how many are needed depends on the method. */
static struct cost cost(const size_t dims[])
{
    const double n = (double)dims[N];

    return (struct cost){.flops = 2.0 * n * n, .bytes = 4.0 * n * n + 8.0 * n, .items = n,
                         .in = 2.0 * n * (n + 1.0) + 4.0 * n, .out = 4.0 * n};
}

PROBLEM(.formula = "A*x = b, to norm2(b - A*x) <= tol norm2(b)", .axes = {"n", "every"}, .rate = RATE_BYTES,
        .item = "unknowns", .check_sizes = check_sizes, .bench_sizes = bench_sizes, .growth = &growth,
        .case_bytes = sizeof(struct cg), .members = members, .impossible = impossible, .shape = shape, .fill = fill,
        .trouble = trouble, .solve = cg_solve, .judge = cg_judge, .touch = touch, .cost = cost, .data = &cg_data,
        .extra = true)
