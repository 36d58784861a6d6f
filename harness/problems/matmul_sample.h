/*
 * matmul: a sample of C in float64, where all of C would take too long: corners, edges and random
 * elements.
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
    double squares; /* the sum of their squares */
    double reach;   /* the largest |partial sum|, checked some 64 times */
};

/* Draws the sample and computes its elements.  False: out of memory. */
bool sample_draw(struct element sample[SAMPLES], const struct matmul *p, uint64_t seed);

/* Computes one element. */
struct element sample_element(const struct matmul *p, size_t row, size_t column);

#endif
