/*
 * Where two photographs overlap, and both in one frame.
 *
 * A phase correlation goes around the edges, so that a shift of 30 rows up is one of 70 down in a frame of 100.  And it
 * always has a highest place, even if the images have nothing in common.  Both are decided by the pixels: of the four
 * shifts that a peak may mean, the one at which the details of both images agree best, if they agree at all.
 */
#ifndef RUNGS_DATA_ALIGN_OVERLAP_H
#define RUNGS_DATA_ALIGN_OVERLAP_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/files/image.h"

struct gray {
    size_t rows, cols;
    float *pixel; /* [rows][cols] */
};

/* B moved by so much lies on A. */
struct placed {
    bool overlaps;
    long row, col;
    size_t pixels;   /* that both have, without a margin of one */
    double agreement; /* correlation of the details in them: 1 if equal, 0 if unrelated */
};

/* Returns where B lies on A.  row, col: a shift, to which whole frames of rows and cols may be added. */
struct placed align_place(const struct gray *a, const struct gray *b, long row, long col, long rows, long cols);

/* Sets `to` to both images in one frame, and to their mean where both are.  image_free frees it. */
bool align_mosaic(const struct image *a, const struct image *b, const struct placed *at, struct image *to, struct error *error);

/* Returns brightness, with colours weighted as in ITU-R BT.601, and without transparency. */
bool align_gray(const struct image *image, struct gray *to, struct error *error);

#endif
