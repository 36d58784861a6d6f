/*
 * QR of tall matrices by panels of rows (J. Demmel, L. Grigori, M. Hoemmen and J. Langou, SIAM J. Sci. Comput. 34(1), 2012).
 *
 * A panel fits a block's shared memory and has a QR of its own (cuda_panel.h).  The panels' R below each other are a matrix of at
 * most half the height, with panels again: the next level.  The last level is one panel, whose R is the answer.  Q is made
 * downwards.
 *
 *     level 0     A, then reflectors, then Q     in the answer's place
 *     level i     R's, then reflectors, then Q   in level[i].w
 *     the top     R, then the signs of its diagonal
 */
#ifndef RUNGS_QR_CUDA_TREE_H
#define RUNGS_QR_CUDA_TREE_H

#include "common/cuda.h"
#include "common/qr.h"
#include "cuda_panel.h" /* panels_up, panels_down, turn, BLOCK, TALLEST, WIDEST */

enum { TREE_LEVELS = 64 };

struct tree {
    unsigned n, tall; /* rows that a panel may have: at least 2 n, so that a level has half the rows of the one before */
    int levels;
    struct {
        size_t rows, panels;
        float *w; /* [rows][n]; not of level 0 */
    } level[TREE_LEVELS + 1];
};

/* Kernels for as many columns of a warp as n needs. */
struct tree_kernels {
    void (*up)(struct panels, const float *, float *, float *);
    void (*down)(struct panels, const float *, float *);
};

static struct tree_kernels tree_kernels_for(size_t n)
{
    static const struct tree_kernels kernels[] = {{panels_up<2>, panels_down<2>}, {panels_up<4>, panels_down<4>},
                                                  {panels_up<8>, panels_down<8>}, {panels_up<18>, panels_down<18>}};

    return kernels[n <= 2 * WARPS ? 0 : n <= 4 * WARPS ? 1 : n <= 8 * WARPS ? 2 : 3];
}

static size_t tree_bytes(size_t n, size_t tall)
{
    return n * (tall | 1) * sizeof(float);
}

/* The tallest panel for which a block has room, or 0. */
static unsigned tree_tallest(size_t n)
{
    int room;

    CUDA(cudaDeviceGetAttribute(&room, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    const size_t left = (size_t)room - WIDEST * sizeof(float);
    size_t tall = TALLEST;

    while (tall >= 2 * n && tree_bytes(n, tall) > left)
        tall--;
    return tall >= 2 * n ? (unsigned)tall : 0;
}

static const char *tree_refuse(const void *problem)
{
    static char why[128];
    size_t widest = WIDEST;

    while (tree_tallest(widest) == 0)
        widest--;
    if (((const struct qr *)problem)->n <= widest)
        return NULL;
    snprintf(why, sizeof why, "n must be at most %zu: a block's shared memory has to hold two triangles", widest);
    return why;
}

/* For a matrix of `rows` rows, on the current device. */
static void tree_prepare(struct tree *t, size_t rows, size_t n)
{
    const struct tree_kernels kernels = tree_kernels_for(n);

    t->n = (unsigned)n;
    t->levels = 0;
    if (n == 0)
        return;
    t->tall = tree_tallest(n);
    CUDA(cudaFuncSetAttribute((const void *)kernels.up, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)tree_bytes(n, t->tall)));
    CUDA(cudaFuncSetAttribute((const void *)kernels.down, cudaFuncAttributeMaxDynamicSharedMemorySize,
                              (int)tree_bytes(n, t->tall)));
    do {
        t->level[t->levels].rows = rows;
        t->level[t->levels].panels = (rows + t->tall - 1) / t->tall;
        rows = t->level[t->levels++].panels * n;
        CUDA(cudaMalloc(&t->level[t->levels].w, rows * n * sizeof(float)));
    } while (rows > n);
}

static void tree_release(struct tree *t)
{
    for (int i = 0; i < t->levels; i++)
        CUDA(cudaFree(t->level[i + 1].w));
    t->levels = 0;
}

static float *tree_top(const struct tree *t)
{
    return t->level[t->levels].w;
}

/* `count` panels of level 0 from `first` on; a and q begin with row 0. */
static void tree_up_some(const struct tree *t, size_t first, size_t count, const float *a, float *q, cudaStream_t stream)
{
    const struct panels l = {t->level[0].rows, t->level[0].panels, first, t->n, t->tall | 1};

    tree_kernels_for(t->n).up<<<(unsigned)count, BLOCK, tree_bytes(t->n, t->tall), stream>>>(l, a, q, t->level[1].w);
    CUDA(cudaGetLastError());
}

static void tree_down_some(const struct tree *t, size_t first, size_t count, float *q, cudaStream_t stream)
{
    const struct panels l = {t->level[0].rows, t->level[0].panels, first, t->n, t->tall | 1};

    tree_kernels_for(t->n).down<<<(unsigned)count, BLOCK, tree_bytes(t->n, t->tall), stream>>>(l, t->level[1].w, q);
    CUDA(cudaGetLastError());
}

/* The levels above the first. */
static void tree_up_rest(const struct tree *t, cudaStream_t stream)
{
    for (int i = 1; i < t->levels; i++) {
        const struct panels l = {t->level[i].rows, t->level[i].panels, 0, t->n, t->tall | 1};
        float *w = t->level[i].w;

        tree_kernels_for(t->n).up<<<(unsigned)l.panels, BLOCK, tree_bytes(t->n, t->tall), stream>>>(l, w, w, t->level[i + 1].w);
        CUDA(cudaGetLastError());
    }
}

static void tree_down_rest(const struct tree *t, cudaStream_t stream)
{
    for (int i = t->levels; i-- > 1;) {
        const struct panels l = {t->level[i].rows, t->level[i].panels, 0, t->n, t->tall | 1};

        tree_kernels_for(t->n).down<<<(unsigned)l.panels, BLOCK, tree_bytes(t->n, t->tall), stream>>>(l, t->level[i + 1].w,
                                                                                                  t->level[i].w);
        CUDA(cudaGetLastError());
    }
}

/* Writes R with a diagonal that is not negative; the top is then what Q begins with. */
static void tree_turn(const struct tree *t, float *r, cudaStream_t stream)
{
    turn<<<t->n, BLOCK, 0, stream>>>(t->n, tree_top(t), r);
    CUDA(cudaGetLastError());
}

/* All of it: a, q and r on one device. */
[[maybe_unused]] static void tree_run(const struct tree *t, const float *a, float *q, float *r)
{
    if (t->n == 0)
        return;
    tree_up_some(t, 0, t->level[0].panels, a, q, 0);
    tree_up_rest(t, 0);
    tree_turn(t, r, 0);
    tree_down_rest(t, 0);
    tree_down_some(t, 0, t->level[0].panels, q, 0);
}

#endif
