/*
 * matmul / cpu_blocked
 *
 * Idea     Cut the loops into blocks, so that a piece of B stays in the cache while all rows of A
 *          pass over it.
 * Against  cpu_reorder, which reads all of B for each row of C.
 * Expect   B comes from memory once instead of m times, so the loop no longer waits for memory.
 *          Little gain where all of B fits in the cache, since two loads and a store per addition
 *          remain.
 * Try      BLOCK_L x BLOCK_J of 16 x 64 or 1024 x 1024.  When does a block stop fitting, and in
 *          which cache?
 * Level    1
 * Read     nothing else
 */
#include "common/matmul.h"
#include "common/variant.h"

/* 128 x 512 floats of B are 256 KiB: half a typical second-level cache, and wide enough that the
   inner loop is long. */
enum { BLOCK_L = 128, BLOCK_J = 512 };

static size_t min(size_t x, size_t y)
{
    return x < y ? x : y;
}

static void run(const void *problem)
{
    const struct matmul *p = problem;
    const size_t n = p->n, k = p->k;

    for (size_t i = 0; i < p->m * n; i++)
        p->c[i] = 0;
    for (size_t l0 = 0; l0 < k; l0 += BLOCK_L)
        for (size_t j0 = 0; j0 < n; j0 += BLOCK_J) {
            const size_t l1 = min(l0 + BLOCK_L, k), j1 = min(j0 + BLOCK_J, n);

            for (size_t i = 0; i < p->m; i++) {
                float *c = &p->c[i * n];

                for (size_t l = l0; l < l1; l++) {
                    const float a = p->a[i * k + l];
                    const float *b = &p->b[l * n];

                    for (size_t j = j0; j < j1; j++)
                        c[j] += a * b[j];
                }
            }
        }
}

VARIANT(.idea = "blocks of B stay in the cache", .base = "cpu_reorder", .run = run)
