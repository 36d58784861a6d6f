/*
 * matmul: some elements of C in float64, where all of them would take too long: corners, edges, and
 * others anywhere.
 */
#ifndef RUNGS_PROBLEMS_MATMUL_SAMPLE_H
#define RUNGS_PROBLEMS_MATMUL_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/matmul.h"

enum { SAMPLES = 2048 };

struct element {
    size_t row, column;
    double want;    /* c[i][j] */
    double size;    /* the sum over l of |a[i][l] * b[l][j]| */
    double squares; /* and of the squares of these */
    double reach;   /* the largest |sum| on the way, looked at some 64 times */
};

/* Draws them, and computes them.  False: no memory. */
bool sample_draw(struct element sample[SAMPLES], const struct matmul *p, uint64_t seed);

/* One, anywhere. */
struct element sample_element(const struct matmul *p, size_t row, size_t column);

#endif
