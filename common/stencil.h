/*
 * stencil: the 3x3 mean of an image, applied `sweeps` times.
 *
 *     out[r][c] = (sum of the nine pixels around in[r][c], itself among them) / 9
 *
 * The border (first and last row and column) keeps its values.  Each sweep smooths the result of the
 * one before; with 0 sweeps the output is a copy.  Pixels are float32 or bytes.  For bytes, each sweep's
 * division rounds down, and the answer must be exact.
 *
 * Work   9 flops a pixel and sweep (8 additions, 1 multiplication).
 * Bytes  a pixel read and a pixel written, each sweep: 8 for float32, 2 for bytes.
 */
#ifndef RUNGS_STENCIL_H
#define RUNGS_STENCIL_H

#include <stddef.h>
#include <stdint.h>

struct stencil {
    size_t rows, cols;  /* any may be 0; an image with fewer than 3 of either is all border */
    size_t sweeps;      /* may be 0 */
    int bytes;          /* 0: float32, in `in` and `out`; 1: bytes, in `in8` and `out8` */
    const float *in;    /* [rows][cols] */
    float *out;         /* [rows][cols] the answer */
    const uint8_t *in8; /* [rows][cols] */
    uint8_t *out8;      /* [rows][cols] the answer */
};

#endif
