/*
 * knn / cuda_index
 *
 * Idea     Do not look at most pairs at all.  A table of the sphere lists, for each small cell, the
 *          few references that may be nearest to an observation in it: cuda_cells.h makes it, from
 *          the references, in each run, and cuda_lookup.h looks there.
 * Against  cuda_dpx, which scores every pair.
 * Expect   Two or three pairs an observation.  Bound by reading at random: a sector of the table
 *          and some references for each.  The table costs as much as some two million
 *          observations.
 * Try      A tenth of the observations: what does the table cost?
 * Level    3
 * Read     cuda_buffers.h, cuda_lookup.h, cuda_cells.h, cuda_exact.h
 */
#include "common/variant.h"
#include "cuda_buffers.h" /* prepare, upload, download, release; d_obs_lat and all that */
#include "cuda_lookup.h"  /* cells, cells_build, cells_answer */

static cells d_cells;
static unsigned *d_doubt; /* observations, of which there is doubt */

static const char *refuse(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    return cells_refuse(p->m, p->n, p->k);
}

static void prepare_cells(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    prepare(problem);
    d_cells = cells_new(p->n);
    CUDA(cudaMalloc(&d_doubt, (DOUBTS + p->m) * sizeof *d_doubt));
}

static void run(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    if (p->m == 0)
        return;
    cells_build(d_cells, p->n, d_ref_lat, d_ref_lon, 0);
    cells_answer(d_cells, p->n, p->m, d_obs_lat, d_obs_lon, d_index, d_distance, d_doubt, 0);
}

static void release_cells(void)
{
    CUDA(cudaFree(d_doubt));
    cells_free(d_cells);
    release();
}

VARIANT(.idea = "a table of the sphere lists who may be nearest",
        .base = "cuda_dpx",
        .device = &device_gpu,
        .math = MATH_F32,
        .traits = TRAIT_SHORTCUT,
        .refuse = refuse,
        .prepare = prepare_cells,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_cells)
