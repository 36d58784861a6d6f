/*
 * matmul: sums of C that can be computed without C.
 *
 * With a random vector r, C*r is A*(B*r) and r*C is (r*A)*B: two matrix-vector products each (R.
 * Freivalds, "Probabilistic Machines Can Use Less Running Time", IFIP Congress 1977).  They are taken
 * over strips of STRIP columns or rows, because a wrong element could hide in the rounding errors of a
 * whole row.
 *
 * r has random signs.  Wrong elements can cancel each other in a sum, so there are VECTORS of them, and
 * neighbouring rows (columns) use different ones.
 *
 * The magnitude of r[j] is one over the length of column j of B (of r[i]: of row i of A).  A relevant
 * error is as large as length of row times length of column.  So all elements of a strip weigh the same,
 * however different the columns are.
 */
#ifndef RUNGS_PROBLEMS_MATMUL_PROBE_H
#define RUNGS_PROBLEMS_MATMUL_PROBE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/matmul.h"

enum { STRIP = 256, VECTORS = 8 };

struct probe {
    size_t across, down; /* strips in a row and in a column of C */
    double *a_norm;       /* [m] lengths of the rows of A, above 0 */
    double *b_norm;       /* [n] lengths of the columns of B, above 0 */
    double *row_scale;    /* [across] the sum of 1 / b_norm over a strip, without columns of zeros */
    double *column_scale; /* [down] the sum of 1 / a_norm over a strip */

    /* of the last draw */
    double *row_weight;    /* [VECTORS][n] r, for the rows i with i % VECTORS = 0, 1, ... */
    double *column_weight; /* [m][VECTORS] r, for the columns j with j % VECTORS = 0, 1, ... */
    double *row_sum;       /* [m][across] for row i in strip q: the sum over its columns j of r[j] *
                              c[i][j] */
    double *column_sum;    /* [down][n] for column j in strip q: the sum over its rows i of r[i] *
                              c[i][j] */
};

/* Returns how many doubles a probe needs. */
size_t probe_numbers(const struct matmul *p);

/* Lays the probe out in an array of that many, and computes what does not depend on the draw. */
void probe_begin(struct probe *probe, const struct matmul *p, double numbers[]);

/* Draws the vectors and computes the sums.  False: out of memory. */
bool probe_draw(struct probe *probe, const struct matmul *p, uint64_t seed);

#endif
