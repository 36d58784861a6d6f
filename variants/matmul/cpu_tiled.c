/*
 * matmul / cpu_tiled
 *
 * Idea     Keep a small tile of C in registers: 4 x 8 sums that stay there for a whole block of l.
 *          Each element of A is then used for 8 of them, each element of B for 4.
 * Against  cpu_blocked, which loads and stores an element of C for each multiplication.
 * Expect   12 loads for 32 multiplications, instead of 64 loads and 32 stores.  Bound by
 *          arithmetic, as far as the compiler gets with the instructions that every x86-64 CPU has.
 * Try      Tiles of 2 x 8, 4 x 4 and 8 x 8.  How many of the 16 vector registers does each need?
 * Level    2
 * Read     nothing else
 */
#include "common/matmul.h"
#include "common/variant.h"

/* 8 vectors of 4 sums, 2 of B, 1 of A: what 16 registers hold. */
enum { TILE_ROWS = 4, TILE_COLS = 8 };

/* 128 x 512 floats of B are 256 KiB: half a typical second-level cache. */
enum { BLOCK_L = 128, BLOCK_J = 512 };

static size_t min(size_t x, size_t y)
{
    return x < y ? x : y;
}

/* c += a*b, for a whole tile.  All loops but the first have fixed lengths: the compiler unrolls
   them and gives each vector of sum a register.  The pragma says along which loop vectors run. */
static void add_tile(size_t depth, const float *a, size_t k, const float *b, size_t n, float *c)
{
    float sum[TILE_ROWS][TILE_COLS] = {{0}};

    for (size_t l = 0; l < depth; l++)
        for (size_t r = 0; r < TILE_ROWS; r++)
#pragma omp simd
            for (size_t q = 0; q < TILE_COLS; q++)
                sum[r][q] += a[r * k + l] * b[l * n + q];

    for (size_t r = 0; r < TILE_ROWS; r++)
        for (size_t q = 0; q < TILE_COLS; q++)
            c[r * n + q] += sum[r][q];
}

/* The same for the part of a tile that lies inside C. */
static void add_edge(size_t rows, size_t cols, size_t depth, const float *a, size_t k,
                     const float *b, size_t n, float *c)
{
    for (size_t r = 0; r < rows; r++)
        for (size_t l = 0; l < depth; l++)
            for (size_t q = 0; q < cols; q++)
                c[r * n + q] += a[r * k + l] * b[l * n + q];
}

static void run(const void *problem)
{
    const struct matmul *p = problem;
    const size_t m = p->m, n = p->n, k = p->k;

    for (size_t i = 0; i < m * n; i++)
        p->c[i] = 0;
    for (size_t l = 0; l < k; l += BLOCK_L)
        for (size_t j0 = 0; j0 < n; j0 += BLOCK_J)
            for (size_t i = 0; i < m; i += TILE_ROWS)
                for (size_t j = j0; j < min(j0 + BLOCK_J, n); j += TILE_COLS) {
                    const size_t rows = min(TILE_ROWS, m - i), cols = min(TILE_COLS, n - j);
                    const size_t depth = min(BLOCK_L, k - l);
                    const float *a = &p->a[i * k + l], *b = &p->b[l * n + j];
                    float *c = &p->c[i * n + j];

                    if (rows == TILE_ROWS && cols == TILE_COLS)
                        add_tile(depth, a, k, b, n, c);
                    else
                        add_edge(rows, cols, depth, a, k, b, n, c);
                }
}

VARIANT(.idea = "a tile of C stays in registers", .base = "cpu_blocked", .run = run)
