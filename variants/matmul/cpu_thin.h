/*
 * Products with one short side on the CPU, for cpu_any_shape: pieces of C by one thread, straight from A and B.
 *
 *     few rows              few columns
 *     C = A * B             C   = A   * B
 *     -   -   ###           |     ###   |
 *             ###           |     ###   |
 *     B is read, in place   A is read, in place
 *
 * Packing would read the large matrix, write a copy and read that: three times the traffic of memory, which is what
 * bounds these shapes.
 */
#ifndef RUNGS_MATMUL_CPU_THIN_H
#define RUNGS_MATMUL_CPU_THIN_H

#include <string.h>

#include "packing.h"

enum { THIN = 16 }; /* the longest short side */

/* A piece of a product: C's rows and columns, and products l0 to l1 - 1 of each sum. */
struct piece {
    size_t i0, i1, j0, j1, l0, l1;
};

/* --- few rows --------------------------------------------------------------------------------- */

enum {
    ROWS_AT_ONCE = 8,     /* of B: C is loaded and stored once for each eight */
    STRIP = 256,          /* columns: eight rows of B stay in L1 for all rows of C */
    C_FLOATS = 1 << 16    /* of C that stay in L2 */
};

/* C's row += `count` factors times as many rows of B. */
static inline __attribute__((always_inline)) void add_rows(size_t width, unsigned count, const float *a,
                                                           const float *b, size_t b_row, float *c)
{
    if (count == ROWS_AT_ONCE) {
#pragma omp simd
        for (size_t j = 0; j < width; j++) {
            float sum = c[j];

#pragma GCC unroll 8
            for (unsigned l = 0; l < ROWS_AT_ONCE; l++)
                sum += a[l] * b[l * b_row + j];
            c[j] = sum;
        }
        return;
    }
    for (unsigned l = 0; l < count; l++)
#pragma omp simd
        for (size_t j = 0; j < width; j++)
            c[j] += a[l] * b[l * b_row + j];
}

/* Rows of B pass by from end to end, eight at a time, as wide as C's part of L2. */
static inline __attribute__((always_inline)) void few_rows(const struct matmul *p, struct piece piece)
{
    const size_t n = p->n, k = p->k, wide = C_FLOATS / p->m / STRIP * STRIP;

    for (size_t j0 = piece.j0; j0 < piece.j1; j0 += wide) {
        const size_t j1 = min(j0 + wide, piece.j1);

        for (size_t i = 0; i < p->m; i++)
            memset(&p->c[i * n + j0], 0, (j1 - j0) * sizeof(float));
        for (size_t l = piece.l0; l < piece.l1; l += ROWS_AT_ONCE)
            for (size_t j = j0; j < j1; j += STRIP)
                for (size_t i = 0; i < p->m; i++)
                    add_rows(min(STRIP, j1 - j), (unsigned)min(ROWS_AT_ONCE, piece.l1 - l),
                             &p->a[i * k + l], &p->b[l * n + j], n, &p->c[i * n + j]);
    }
}

/* --- few columns ------------------------------------------------------------------------------ */

enum {
    LANES = 8,   /* columns at a time: 32 bytes, in AVX2's registers and AVX-512's */
    GROUP = 8,   /* rows at a time */
    DEPTH = 1024 /* rows of B, widened to LANES: 32 KiB */
};

typedef float lanes __attribute__((vector_size(LANES * sizeof(float))));

/* C's rows i to i + GROUP - 1, but not beyond i1, and columns from j on, += A's times a block of B. */
static inline __attribute__((always_inline)) void group_of_rows(const struct matmul *p, size_t i, size_t i1,
                                                                size_t j, size_t l0, size_t depth,
                                                                const lanes *b, bool add)
{
    const float *a[GROUP];
    lanes sum[GROUP];

#pragma GCC unroll 8
    for (size_t r = 0; r < GROUP; r++) {
        a[r] = &p->a[min(i + r, i1 - 1) * p->k + l0]; /* rows beyond are not stored */
        sum[r] = (lanes){0};
    }
    for (size_t l = 0; l < depth; l++)
#pragma GCC unroll 8
        for (size_t r = 0; r < GROUP; r++)
            sum[r] += a[r][l] * b[l];
    for (size_t r = 0; r < GROUP && i + r < i1; r++) {
        float *c = &p->c[(i + r) * p->n + j];

        for (size_t q = 0; q < min(LANES, p->n - j); q++)
            c[q] = (add ? c[q] : 0) + sum[r][q];
    }
}

/* Groups of A's rows pass by, for one block of B after the other.  If C has more than LANES columns, the group is in
   L1 when it is read again. */
static inline __attribute__((always_inline)) void few_columns(const struct matmul *p, struct piece piece)
{
    lanes b[THIN / LANES][DEPTH];

    for (size_t l0 = piece.l0; l0 < piece.l1; l0 += DEPTH) {
        const size_t depth = min(DEPTH, piece.l1 - l0);

        for (size_t j = 0; j < p->n; j += LANES)
            for (size_t l = 0; l < depth; l++) {
                b[j / LANES][l] = (lanes){0};
                memcpy(&b[j / LANES][l], &p->b[(l0 + l) * p->n + j], min(LANES, p->n - j) * sizeof(float));
            }
        for (size_t i = piece.i0; i < piece.i1; i += GROUP)
            for (size_t j = 0; j < p->n; j += LANES)
                group_of_rows(p, i, piece.i1, j, l0, depth, b[j / LANES], l0 > piece.l0);
    }
}

#endif
