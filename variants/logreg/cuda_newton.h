/* logreg: the host side of Newton's method on a GPU: cuda_newton, cuda_sampled, cuda_streams. */
#ifndef RUNGS_LOGREG_CUDA_NEWTON_H
#define RUNGS_LOGREG_CUDA_NEWTON_H

#include "cuda_hessian.h" /* launch_curved, launch_join, sums_of */
#include "newton.h"       /* newton_start, newton_next */

enum { MOST_BLOCKS = 1024, EACH = 2, ROWS_EACH = 4 /* blocks per multiprocessor, with and without the Hessian */ };

static double *d_curved, *d_totals, *h_totals; /* [MOST_BLOCKS][sums_of(n)]; [sums_of(n)] */
static double *hessian;                        /* [n + 1][n + 1] */
static void *newton_memory;

static inline const char *refuse_wide(const void *problem)
{
    const struct logreg *p = (const struct logreg *)problem;

    return p->n > MOST_CURVED ? too_wide : NULL;
}

static inline void prepare_newton(const void *problem)
{
    const struct logreg *p = (const struct logreg *)problem;
    const size_t length = sums_of(p->n);

    prepare(problem);
    CUDA(cudaMalloc(&d_curved, MOST_BLOCKS * length * sizeof *d_curved));
    CUDA(cudaMalloc(&d_totals, length * sizeof *d_totals));
    CUDA(cudaMallocHost(&h_totals, length * sizeof *h_totals));
    hessian = (double *)malloc((p->n + 1) * (p->n + 1) * sizeof *hessian);
    newton_memory = malloc(newton_bytes(p->n + 1));
}

static inline void release_newton(void)
{
    CUDA(cudaFree(d_curved));
    CUDA(cudaFree(d_totals));
    CUDA(cudaFreeHost(h_totals));
    free(hessian);
    free(newton_memory);
    release();
}

static inline unsigned blocks_of(size_t rows)
{
    const size_t tiles = (rows + TILE - 1) / TILE, most = (size_t)(processors * EACH);
    const size_t blocks = tiles < most ? tiles : most;

    return (unsigned)(blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS);
}

static inline void send_weights(const struct logreg *p, const float *w)
{
    memcpy(h_w, w, (p->n + 1) * sizeof *w);
    CUDA(cudaMemcpyAsync(d_w, h_w, (p->n + 1) * sizeof *d_w, cudaMemcpyHostToDevice, 0));
}

/* Fetches the totals of this many rows, and finishes gradient and Hessian. */
static inline void fetch_totals(const struct logreg *p, const float *w, size_t rows)
{
    const size_t n = p->n + 1;

    CUDA(cudaMemcpyAsync(h_totals, d_totals, sums_of(p->n) * sizeof *h_totals, cudaMemcpyDeviceToHost, 0));
    CUDA(cudaStreamSynchronize(0));
    for (size_t j = 0; j < n; j++)
        gradient[j] = h_totals[j] / (double)rows + (j + 1 < n ? (double)p->lambda * (double)w[j] : 0.0);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            hessian[i * n + j] = h_totals[n + i * (i + 1) / 2 + j] / (double)rows +
                                 (i == j && i + 1 < n ? (double)p->lambda : 0.0);
}

/* Evaluates on every `step`-th row. */
static inline void evaluate_curved(const struct logreg *p, const float *w, size_t step)
{
    const size_t rows = (p->m + step - 1) / step;
    const unsigned blocks = blocks_of(rows);

    send_weights(p, w);
    launch_curved(blocks, 0, p->m, p->n, step, d_x, d_y, d_w, d_curved);
    launch_join(0, sums_of(p->n), blocks, d_curved, d_totals);
    fetch_totals(p, w, rows);
}

/* Newton's method on every `step`-th row, from answer_w on to there. */
static inline void solve_newton(const struct logreg *p, size_t step, double tau)
{
    struct newton t;
    int more = 1;

    newton_start(&t, p->n + 1, tau, newton_memory);
    memcpy(t.trial, answer_w, (p->n + 1) * sizeof *answer_w);
    while (more) {
        evaluate_curved(p, t.trial, step);
        more = newton_next(&t, gradient, hessian);
        trace_add(1.0 / (double)step, t.size);
    }
    memcpy(answer_w, t.best, (p->n + 1) * sizeof *answer_w);
}

/* The gradient alone, of all rows. */
static void add_up(const struct logreg *p)
{
    const unsigned blocks = blocks_for(p->m, processors, ROWS_EACH);

    launch_rows(blocks, 0, p->m, p->n, d_x, d_y, d_w, d_parts);
    join_parts<<<(unsigned)p->n + 1, JOINERS>>>(p->n + 1, blocks, d_parts, d_sums);
    CUDA(cudaGetLastError());
}

#endif
