/*
 * Shared by cpu_openmp, cpu_simd and cpu_simd_openmp: QR of tall matrices by blocks of rows (J. Demmel, L. Grigori,
 * M. Hoemmen and J. Langou, SIAM J. Sci. Comput. 34(1), 2012).
 *
 * A block fits a cache and has a QR of its own, by reflections.  The blocks' R below each other are a matrix of at most
 * half the height, with blocks again: the next level.  The last level is one block, whose R is the answer.  Q is made
 * downwards: n rows of a level's Q belong to a block of the level below, which reflects them, and zeros below them,
 * backwards.
 *
 * Rows are padded with zeros to whole vectors.  Reflectors have 1 on the diagonal and no element above 1, so nothing
 * overflows that fits.
 */
#ifndef RUNGS_QR_TSQR_H
#define RUNGS_QR_TSQR_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/qr.h"

enum {
    TSQR_LANES = 8,
    TSQR_BLOCK = 1 << 15, /* floats of a block, 128 KiB: with its part of Q it fits a second-level cache */
    TSQR_LEVELS = 64      /* each level has at most half the rows of the one before */
};

/* Columns from `from` on, of rows of `stride` floats: w less factor v (v'w).  v has the same stride. */
typedef void tsqr_reflect(const float *v, float factor, float *w, size_t rows, size_t stride, size_t from);

struct tsqr_level {
    size_t rows, blocks;
    float *w;   /* [rows][stride] the matrix, then reflectors on and below the blocks' diagonals */
    float *q;   /* [rows][stride] */
    float *tau; /* [blocks][n] */
};

static struct tsqr_level tsqr_levels[TSQR_LEVELS];
static size_t tsqr_count, tsqr_stride;
static float *tsqr_r; /* [n][stride] R of the last level */

static void tsqr_prepare(const void *problem)
{
    const struct qr *p = (const struct qr *)problem;
    const size_t stride = (p->n + TSQR_LANES - 1) / TSQR_LANES * TSQR_LANES;
    const size_t fitting = TSQR_BLOCK / (stride + 1), least = fitting > 2 * p->n ? fitting : 2 * p->n;
    size_t rows = p->m;

    tsqr_stride = stride;
    tsqr_count = 0;
    tsqr_r = (float *)calloc(p->n * stride + 1, sizeof *tsqr_r);
    do {
        struct tsqr_level *l = &tsqr_levels[tsqr_count++];
        l->rows = rows;
        l->blocks = rows > least ? rows / least : 1;
        l->w = (float *)calloc(rows * stride + 1, sizeof *l->w);
        l->q = (float *)calloc(rows * stride + 1, sizeof *l->q);
        l->tau = (float *)calloc(l->blocks * p->n + 1, sizeof *l->tau);
        rows = l->blocks * p->n;
    } while (tsqr_levels[tsqr_count - 1].blocks > 1);
}

static void tsqr_release(void)
{
    for (size_t i = 0; i < tsqr_count; i++) {
        free(tsqr_levels[i].w);
        free(tsqr_levels[i].q);
        free(tsqr_levels[i].tau);
    }
    free(tsqr_r);
}

/* Column k of w from row k on becomes a reflector.  Returns R's element; *tau is 0 where there is nothing to reflect. */
static inline float tsqr_reflector(float *w, size_t rows, size_t k, float *tau)
{
    const size_t stride = tsqr_stride;
    float *x = w + k * stride + k;
    const double head = x[0];
    double squares = 0.0;

    for (size_t i = 0; i < rows - k; i++)
        squares += (double)x[i * stride] * x[i * stride];
    x[0] = 1.0f;
    *tau = 0.0f;
    if (!(squares > 0.0))
        return 0.0f;
    const double image = head > 0.0 ? -sqrt(squares) : sqrt(squares), scale = 1.0 / (head - image);
    for (size_t i = 1; i < rows - k; i++)
        x[i * stride] = (float)(x[i * stride] * scale);
    *tau = (float)((image - head) / image);
    return (float)image;
}

/* r: [n][stride], zeros below the diagonal. */
static inline void tsqr_factor(float *w, size_t rows, size_t n, float *tau, float *r, tsqr_reflect *reflect)
{
    const size_t stride = tsqr_stride;

    for (size_t k = 0; k < n; k++) {
        float *row = w + k * stride;
        const float diagonal = tsqr_reflector(w, rows, k, &tau[k]);
        if (k + 1 < n)
            reflect(row + k, tau[k], row, rows - k, stride, k + 1);
        for (size_t j = 0; j < n; j++)
            r[k * stride + j] = j < k ? 0.0f : j == k ? diagonal : row[j];
    }
}

/* q: its first n rows are those of the level above. */
static inline void tsqr_form(const float *w, float *q, size_t rows, size_t n, const float *tau, tsqr_reflect *reflect)
{
    const size_t stride = tsqr_stride;

    memset(q + n * stride, 0, (rows - n) * stride * sizeof *q);
    for (size_t k = n; k-- > 0;)
        reflect(w + k * stride + k, tau[k], q + k * stride, rows - k, stride, 0);
}

static inline size_t tsqr_begin(const struct tsqr_level *l, size_t block)
{
    return l->rows * block / l->blocks;
}

static inline void tsqr_copy(float *to, size_t to_stride, const float *from, size_t from_stride, size_t rows, size_t n)
{
    for (size_t i = 0; i < rows; i++)
        memcpy(to + i * to_stride, from + i * from_stride, n * sizeof *to);
}

static inline void tsqr_up(const struct qr *p, int threads, tsqr_reflect *reflect)
{
    const size_t n = p->n, stride = tsqr_stride;

    (void)threads; /* without OpenMP */
    for (size_t i = 0; i < tsqr_count; i++) {
        const struct tsqr_level *l = &tsqr_levels[i];
        float *r = i + 1 < tsqr_count ? l[1].w : tsqr_r;
#pragma omp parallel for num_threads(threads) schedule(dynamic)
        for (size_t b = 0; b < l->blocks; b++) {
            const size_t begin = tsqr_begin(l, b), rows = tsqr_begin(l, b + 1) - begin;
            float *w = l->w + begin * stride;
            if (i == 0)
                tsqr_copy(w, stride, p->a + begin * n, n, rows, n);
            tsqr_factor(w, rows, n, l->tau + b * n, r + b * n * stride, reflect);
        }
    }
}

static inline void tsqr_down(const struct qr *p, int threads, tsqr_reflect *reflect)
{
    const size_t n = p->n, stride = tsqr_stride;

    (void)threads;
    for (size_t i = tsqr_count; i-- > 0;) {
        const struct tsqr_level *l = &tsqr_levels[i];
#pragma omp parallel for num_threads(threads) schedule(dynamic)
        for (size_t b = 0; b < l->blocks; b++) {
            const size_t begin = tsqr_begin(l, b), rows = tsqr_begin(l, b + 1) - begin;
            float *q = l->q + begin * stride;
            if (i + 1 < tsqr_count) {
                memcpy(q, l[1].q + b * n * stride, n * stride * sizeof *q);
            } else { /* the identity, and -1 where a row of R is turned */
                memset(q, 0, n * stride * sizeof *q);
                for (size_t k = 0; k < n; k++)
                    q[k * stride + k] = tsqr_r[k * stride + k] < 0.0f ? -1.0f : 1.0f;
            }
            tsqr_form(l->w + begin * stride, q, rows, n, l->tau + b * n, reflect);
            if (i == 0)
                tsqr_copy(p->q + begin * n, n, q, stride, rows, n);
        }
    }
}

static inline void tsqr(const struct qr *p, int threads, tsqr_reflect *reflect)
{
    tsqr_up(p, threads, reflect);
    tsqr_down(p, threads, reflect);
    for (size_t k = 0; k < p->n; k++) {
        const float *row = tsqr_r + k * tsqr_stride, sign = row[k] < 0.0f ? -1.0f : 1.0f;
        for (size_t j = 0; j < p->n; j++)
            p->r[k * p->n + j] = j < k ? 0.0f : sign * row[j];
    }
}

#endif
