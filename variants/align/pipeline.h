/*
 * The three steps of real.h with a lane for each row, or column: no butterfly needs a shuffle (../fft/lanes.h).
 *
 *     pipeline_rows      LANES rows of a + ib at a time; leaves A and B
 *     pipeline_columns   LANES columns: A, B, R and back; leaves K in A
 *     pipeline_back      2 LANES rows: LANES complex transforms, each of two rows of g.  g itself is not kept, only where
 *                        it is highest
 *     pipeline_answer    transforms three rows once more, for the parabola
 *
 * Between the steps lies a spectrum as [groups][pitch]: group j has columns j * LANES and on, one per lane, row after row.
 * So the columns read and write whole lines, one after another, and the rows pieces of LANES lines.
 *
 * Before this header a variant includes ../fft/avx2.h or ../fft/avx512.h, and defines VEC_SQRT, VEC_LOAD and VEC_ZERO.
 */
#ifndef RUNGS_ALIGN_PIPELINE_H
#define RUNGS_ALIGN_PIPELINE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../fft/lanes.h" /* lanes_transform, vec_add, ... */
#include "common/align.h"
#include "peak.h" /* shift_of */

typedef int whole __attribute__((vector_size(sizeof(REGISTER))));

struct pipeline {
    size_t rows, cols, half;       /* half: columns of a spectrum, cols/2 + 1 */
    size_t groups, bands;          /* of LANES columns, of LANES rows; the last ones may have idle lanes */
    size_t pitch;                  /* vectors of a group: all bands, and one more, so that groups do not share sets */
    struct cpx *of_rows, *of_cols; /* roots of unity */
    struct vec *A, *B;             /* [spectra][groups][pitch] */
    size_t numbers;                /* vectors of a thread's part of `work` */
    struct vec *work;              /* [threads][numbers] */
};

/* The highest g so far, and where. */
struct highest {
    float g;
    size_t at;
};

static struct cpx *pipeline_roots(size_t n)
{
    struct cpx *w = malloc(n * sizeof *w);

    for (size_t k = 0; k < n; k++) {
        const double angle = -2 * M_PI * (double)k / (double)n;
        w[k] = (struct cpx){(float)cos(angle), (float)sin(angle)};
    }
    return w;
}

static struct vec *pipeline_alloc(size_t count)
{
    return aligned_alloc(sizeof(struct vec), count * sizeof(struct vec));
}

/* spectra: pairs that are in work at a time */
static void pipeline_prepare(struct pipeline *s, const struct align *p, size_t spectra, size_t threads)
{
    s->rows = p->rows;
    s->cols = p->cols;
    s->half = p->cols / 2 + 1;
    s->groups = (s->half + LANES - 1) / LANES;
    s->bands = (p->rows + LANES - 1) / LANES;
    s->pitch = s->bands * LANES + 1;
    s->of_rows = pipeline_roots(p->rows);
    s->of_cols = pipeline_roots(p->cols);
    s->A = pipeline_alloc(spectra * s->groups * s->pitch);
    s->B = pipeline_alloc(spectra * s->groups * s->pitch);
    s->numbers = 2 * (p->rows > p->cols + LANES ? p->rows : p->cols + LANES);
    s->work = pipeline_alloc(threads * s->numbers);
}

static void pipeline_release(struct pipeline *s)
{
    free(s->of_rows);
    free(s->of_cols);
    free(s->A);
    free(s->B);
    free(s->work);
}

/* --- rows ------------------------------------------------------------------------------------------ */

SIMD_INLINE REGISTER load_part(const float *x, size_t count)
{
    float some[LANES] = {0};

    memcpy(some, x, count * sizeof *some);
    return VEC_LOAD(some);
}

/* LANES columns of LANES rows of an image, from column c on: lane i is row i of the band. */
SIMD_INLINE void load_block(const struct pipeline *s, const float *image, size_t first, size_t c, REGISTER block[LANES])
{
    for (size_t i = 0; i < LANES; i++) {
        const size_t row = first + i < s->rows ? first + i : first; /* beyond the last row: any will do */
        const float *x = image + row * s->cols + c;

        block[i] = s->cols - c < LANES ? load_part(x, s->cols - c) : VEC_LOAD(x);
    }
    transpose(block);
}

SIMD static void pipeline_rows(const struct pipeline *s, size_t band, const float *a, const float *b, struct vec *A,
                               struct vec *B, struct vec *work)
{
    const size_t cols = s->cols, first = band * LANES;

    for (size_t c = 0; c < cols; c += LANES) {
        REGISTER re[LANES], im[LANES];

        load_block(s, a, first, c, re);
        load_block(s, b, first, c, im);
        for (size_t i = 0; i < LANES; i++)
            work[c + i] = (struct vec){re[i], im[i]};
    }

    const struct vec *Z = lanes_transform(cols, s->of_cols, work, work + cols + LANES, work);
    const REGISTER half = VEC_ZERO + 0.5f;

    for (size_t group = 0; group < s->groups; group++) {
        REGISTER re_A[LANES], im_A[LANES], re_B[LANES], im_B[LANES];

        for (size_t i = 0; i < LANES; i++) {
            const size_t v = group * LANES + i < s->half ? group * LANES + i : 0; /* beyond: any column will do */
            const struct vec here = Z[v], there = Z[v == 0 ? 0 : cols - v];

            re_A[i] = half * (here.re + there.re);
            im_A[i] = half * (here.im - there.im);
            re_B[i] = half * (here.im + there.im);
            im_B[i] = half * (there.re - here.re);
        }
        transpose(re_A);
        transpose(im_A);
        transpose(re_B);
        transpose(im_B);
        for (size_t i = 0; i < LANES; i++) {
            A[group * s->pitch + first + i] = (struct vec){re_A[i], im_A[i]};
            B[group * s->pitch + first + i] = (struct vec){re_B[i], im_B[i]};
        }
    }
}

/* --- columns --------------------------------------------------------------------------------------- */

SIMD static void pipeline_columns(const struct pipeline *s, size_t group, float eps, struct vec *A, struct vec *B,
                                  struct vec *work)
{
    const size_t rows = s->rows;
    struct vec *a = A + group * s->pitch, *b = B + group * s->pitch, *R = work + rows;
    const struct vec *X = lanes_transform(rows, s->of_rows, a, work, a);
    const struct vec *Y = lanes_transform(rows, s->of_rows, b, R, b);

    for (size_t u = 0; u < rows; u++) {
        const struct vec x = X[u], y = Y[u];
        const REGISTER size = VEC_SQRT(x.re * x.re + x.im * x.im) * VEC_SQRT(y.re * y.re + y.im * y.im) + eps;

        R[u] = (struct vec){(x.re * y.re + x.im * y.im) / size, (x.re * y.im - x.im * y.re) / size};
    }

    const struct vec *K = lanes_transform(rows, s->of_rows, R, work, R);

    memcpy(a, K, rows * sizeof *a);
}

/* --- rows, back ------------------------------------------------------------------------------------ */

/* Transforms 2 LANES rows of K.  Lane i of the result has |g| N of row[i] as its real part, of row[LANES + i] as its
   imaginary one. */
SIMD static const struct vec *rows_of_g(const struct pipeline *s, const struct vec *K, const size_t row[2 * LANES],
                                        struct vec *work)
{
    const whole size = (whole)VEC_ZERO + INT32_MAX; /* all bits but the sign */
    struct vec *other = work + s->cols + LANES, *X;

    for (size_t group = 0; group < s->groups; group++) {
        REGISTER re_1[LANES], im_1[LANES], re_2[LANES], im_2[LANES];

        for (size_t i = 0; i < LANES; i++) {
            const struct vec one = K[group * s->pitch + row[i]], two = K[group * s->pitch + row[LANES + i]];

            re_1[i] = one.re;
            im_1[i] = one.im;
            re_2[i] = two.re;
            im_2[i] = two.im;
        }
        transpose(re_1);
        transpose(im_1);
        transpose(re_2);
        transpose(im_2);
        for (size_t i = 0; i < LANES && group * LANES + i < s->half; i++) {
            const size_t v = group * LANES + i;

            if (v > 0)
                work[s->cols - v] = (struct vec){re_1[i] - im_2[i], -im_1[i] - re_2[i]};
            work[v] = (struct vec){re_1[i] + im_2[i], im_1[i] - re_2[i]};
        }
    }
    X = (struct vec *)lanes_transform(s->cols, s->of_cols, work, other, work);
    for (size_t c = 0; c < s->cols; c++)
        X[c] = (struct vec){(REGISTER)((whole)X[c].re & size), (REGISTER)((whole)X[c].im & size)};
    return X;
}

static void take_higher(struct highest *best, struct highest other)
{
    if (other.g > best->g || (other.g == best->g && other.at < best->at))
        *best = other;
}

/* Returns the highest of 2 LANES rows, times N. */
SIMD static struct highest pipeline_back(const struct pipeline *s, size_t first, const struct vec *K, struct vec *work)
{
    size_t row[2 * LANES];
    struct highest best = {-1.0f, 0};

    for (size_t i = 0; i < 2 * LANES; i++)
        row[i] = first + i < s->rows ? first + i : first; /* beyond the last row: any will do */

    const struct vec *X = rows_of_g(s, K, row, work);
    REGISTER high[2] = {VEC_ZERO - 1.0f, VEC_ZERO - 1.0f};
    whole at[2] = {(whole)VEC_ZERO, (whole)VEC_ZERO}, here = (whole)VEC_ZERO;

    for (size_t c = 0; c < s->cols; c++, here += 1) {
        const REGISTER g[2] = {X[c].re, X[c].im};

        for (int i = 0; i < 2; i++) {
            const whole higher = (whole)(g[i] > high[i]);

            high[i] = (REGISTER)((higher & (whole)g[i]) | (~higher & (whole)high[i]));
            at[i] = (higher & here) | (~higher & at[i]);
        }
    }
    for (size_t i = 0; i < 2 * LANES; i++)
        take_higher(&best, (struct highest){high[i / LANES][i % LANES], row[i] * s->cols + (unsigned)at[i / LANES][i % LANES]});
    return best;
}

SIMD static void pipeline_answer(const struct pipeline *s, const struct align *p, size_t pair, struct highest best,
                                 const struct vec *K, struct vec *work)
{
    const size_t r = best.at / s->cols, c = best.at % s->cols, cols = s->cols;
    size_t row[2 * LANES];

    for (size_t i = 0; i < 2 * LANES; i++)
        row[i] = r;
    row[0] = r > 0 ? r - 1 : s->rows - 1;
    row[2] = r + 1 < s->rows ? r + 1 : 0;

    const struct vec *X = rows_of_g(s, K, row, work);
    const float here = X[c].re[1];

    p->peak[pair] = (uint32_t)best.at;
    p->height[pair] = best.g / (float)(s->rows * cols);
    p->shift[2 * pair] = shift_of(r, s->rows, X[c].re[0], here, X[c].re[2]);
    p->shift[2 * pair + 1] = shift_of(c, cols, X[(c + cols - 1) % cols].re[1], here, X[(c + 1) % cols].re[1]);
}

/* --- all of it, by one thread ---------------------------------------------------------------------- */

/* spectrum: which part of A and B; me: which part of work */
SIMD static void pipeline_pair(const struct pipeline *s, const struct align *p, size_t pair, size_t spectrum, size_t me)
{
    const size_t pixels = pair * s->rows * s->cols;
    struct vec *A = s->A + spectrum * s->groups * s->pitch, *B = s->B + spectrum * s->groups * s->pitch;
    struct vec *work = s->work + me * s->numbers;
    struct highest best = {-1.0f, 0};

    for (size_t band = 0; band < s->bands; band++)
        pipeline_rows(s, band, p->a + pixels, p->b + pixels, A, B, work);
    for (size_t group = 0; group < s->groups; group++)
        pipeline_columns(s, group, p->eps[pair], A, B, work);
    for (size_t first = 0; first < s->rows; first += 2 * LANES)
        take_higher(&best, pipeline_back(s, first, A, work));
    pipeline_answer(s, p, pair, best, A, work);
}

#endif
