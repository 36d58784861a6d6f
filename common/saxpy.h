/*
 * saxpy: z = a*x + y, in float32.
 *
 * Work   2 flops an element (one multiplication, one addition).
 * Bytes  12 an element: x and y read once, z written once.
 */
#ifndef RUNGS_SAXPY_H
#define RUNGS_SAXPY_H

#include <stddef.h>

struct saxpy {
    size_t n;       /* elements; may be 0 */
    float a;        /* any finite number; NaN during prepare, like the elements of x and y */
    const float *x; /* [n] */
    const float *y; /* [n] */
    float *z;       /* [n] the answer */
};

#endif
