/*
 * logreg: rows in parts for whichever core is free.  Each part has sums of its own, which are added in the order of the
 * parts: the answer has the same bits whatever the threads did, and however many.
 */
#ifndef RUNGS_LOGREG_PARTS_H
#define RUNGS_LOGREG_PARTS_H

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"  /* add_all_rows */
#include "solve.h" /* solve, finish_gradient */

enum {
    LINE = 16,            /* float32 in a cache line */
    MOST_PARTS = 512,
    PART_BYTES = 1 << 17, /* at least: some 10 us of one core */
    ALONE = 1 << 18       /* bytes of a table that one core reads faster than the threads start */
};

static float *weights, *scratch; /* [padded n]; the scratch of each thread */
static double *sums, *all;       /* [parts][stride]; [n + 1] */
static double *gradient;         /* [n + 1] */
static void *memory;

static inline size_t stride_of(size_t n)
{
    return (n + 1 + LINE - 1) / LINE * LINE;
}

/* Returns how many float32 a thread's vectors take: whole cache lines, and at least one. */
static inline size_t width_of(size_t n)
{
    return (padded(n) + LINE) / LINE * LINE;
}

static inline size_t parts_of(const struct logreg *p)
{
    const size_t parts = p->m * (p->n + 1) * sizeof(float) / PART_BYTES;

    return parts < 1 ? 1 : parts < MOST_PARTS ? parts : MOST_PARTS;
}

static void prepare(const void *problem)
{
    const struct logreg *p = (const struct logreg *)problem;
    const size_t width = width_of(p->n), threads = (size_t)omp_get_max_threads();

    weights = (float *)aligned_alloc(64, width * sizeof *weights);
    scratch = (float *)aligned_alloc(64, threads * width * sizeof *scratch);
    sums = (double *)aligned_alloc(64, parts_of(p) * stride_of(p->n) * sizeof *sums);
    all = (double *)malloc((p->n + 1) * sizeof *all);
    gradient = (double *)malloc((p->n + 1) * sizeof *gradient);
    memory = malloc(lbfgs_bytes(p->n + 1));
}

static void evaluate(const struct logreg *p, const float *w, double *g)
{
    const size_t n = p->n, parts = parts_of(p), stride = stride_of(n);
    const size_t width = width_of(n);

    memset(weights, 0, padded(n) * sizeof *weights);
    memcpy(weights, w, n * sizeof *w);
#pragma omp parallel for schedule(dynamic) if (p->m * n * sizeof(float) > ALONE)
    for (size_t part = 0; part < parts; part++) {
        /* whole vectors of rows in all parts but the last */
        const size_t begin = p->m * part / parts / ROWS * ROWS;
        const size_t end = part + 1 < parts ? p->m * (part + 1) / parts / ROWS * ROWS : p->m;
        double *own = sums + part * stride;
        memset(own, 0, (n + 1) * sizeof *own);
        add_all_rows(n, p->x + begin * n, p->y + begin, end - begin, weights, w[n],
                     scratch + (size_t)omp_get_thread_num() * width, own);
    }
    for (size_t j = 0; j <= n; j++) {
        all[j] = 0.0;
        for (size_t part = 0; part < parts; part++)
            all[j] += sums[part * stride + j];
    }
    finish_gradient(p, w, all, g);
}

static void run(const void *problem)
{
    const struct logreg *p = (const struct logreg *)problem;

    solve(p, evaluate, gradient, memory, p->w);
}

static void release(void)
{
    free(weights);
    free(scratch);
    free(sums);
    free(all);
    free(gradient);
    free(memory);
}

#endif
