/*
 * The factors of the one product that Y is, packed for matmul's micro-kernels:
 *
 *     (A, X) * ( X   )      term 0: A times X
 *              ( A^T )      term 1: X times A^T
 *
 * A slice is at most `depth` products of one term.  Panels of A^T are columns of A^T, which are rows of A, so they are
 * packed as panels of rows are, only wider.  ../matmul/packing.h explains panels and slices.
 */
#ifndef RUNGS_AXXAT_PACKED_H
#define RUNGS_AXXAT_PACKED_H

#include "../matmul/packing.h"
#include "common/axxat.h"

/* A term as a product for matmul's functions; they read only what pack_right does not. */
static struct matmul term_of(const struct axxat *p, int term)
{
    return (struct matmul){p->n, p->n, p->n, term == 0 ? p->a : p->x, term == 0 ? p->x : p->a, p->y};
}

static void packed_alloc(const struct kernel *kernel, const struct axxat *p)
{
    const struct matmul term = term_of(p, 0);

    packing_alloc(kernel, &term);
}

/* Packs the panel whose first row is i of the left factor of `term`. */
static void pack_left(const struct kernel *kernel, const struct axxat *p, int term, size_t i, size_t l, size_t depth)
{
    const struct matmul product = term_of(p, term);

    pack_a(kernel, &product, i, l, depth, &a_packed[i * depth]);
}

/* Packs the panel whose first column is j of the right factor of `term`. */
static void pack_right(const struct kernel *kernel, const struct axxat *p, int term, size_t j, size_t l, size_t depth)
{
    const struct kernel columns = {.rows = kernel->cols};
    const struct matmul product = term_of(p, 0);

    if (term == 0)
        pack_b(kernel, &product, j, l, depth, &b_packed[j * depth]);
    else
        pack_a(&columns, &product, j, l, depth, &b_packed[j * depth]);
}

/* Computes, or adds to, rows i0 to i1 - 1 and columns j0 to j1 - 1 of Y, from panels of one slice. */
static void add_block(const struct kernel *kernel, const struct axxat *p, size_t i0, size_t i1, size_t j0, size_t j1,
                      size_t depth, bool add)
{
    const struct matmul product = term_of(p, 0);

    multiply_block(kernel, &product, i0, i1, j0, j1, depth, add, &a_packed[i0 * depth], &b_packed[j0 * depth]);
}

#endif
