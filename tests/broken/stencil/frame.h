/* A right stencil in parts, for the files of this folder to get one of them wrong. */
#ifndef RUNGS_BROKEN_STENCIL_FRAME_H
#define RUNGS_BROKEN_STENCIL_FRAME_H

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "common/stencil.h"

static inline bool is_border(const struct stencil *p, size_t r, size_t c)
{
    return r == 0 || c == 0 || r == p->rows - 1 || c == p->cols - 1;
}

static inline float sum_of_nine(const struct stencil *p, const float *image, size_t r, size_t c)
{
    float sum = 0.0f;

    for (size_t i = 0; i < 9; i++)
        sum += image[(r + i / 3 - 1) * p->cols + c + i % 3 - 1];
    return sum;
}

/* One pixel of the next image. */
static inline float smooth_pixel(const struct stencil *p, const float *image, size_t r, size_t c)
{
    if (is_border(p, r, c))
        return image[r * p->cols + c];
    float mean = sum_of_nine(p, image, r, c) / 9.0f;
    return p->bytes ? floorf(mean) : mean;
}

/* All sweeps, each over an image of float32 whatever the case has, by the given rule for a pixel. */
static inline void smooth(const struct stencil *p, size_t sweeps,
                          float (*pixel)(const struct stencil *, const float *, size_t, size_t))
{
    size_t count = p->rows * p->cols;
    float *now = malloc((count + 1) * sizeof *now), *next = malloc((count + 1) * sizeof *next);

    for (size_t i = 0; i < count; i++)
        now[i] = p->bytes ? (float)p->in8[i] : p->in[i];
    for (size_t s = 0; s < sweeps; s++) {
        for (size_t i = 0; i < count; i++)
            next[i] = pixel(p, now, i / p->cols, i % p->cols);
        float *swap = now;
        now = next;
        next = swap;
    }
    for (size_t i = 0; i < count && p->bytes; i++)
        p->out8[i] = (uint8_t)now[i];
    for (size_t i = 0; i < count && !p->bytes; i++)
        p->out[i] = now[i];
    free(now);
    free(next);
}

#endif
