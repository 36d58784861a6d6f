/*
 * knn / cuda_topk_wgmma
 *
 * Idea     The sweep of cuda_wgmma, with products under way while the last ones' minima are found; of each
 *          row and tile the best score is written down, as in cuda_topk.
 * Against  cuda_topk_tensor: mma.sync, at half the rate.
 * Expect   At XL and k = 8, 28.2 ms on an H200, where cuda_wgmma takes 18.1 for k = 1 (docs/limits.md): the
 *          sweep takes as long, and what follows is not hidden behind it.
 * Try      --size L, where k = 1, against cuda_wgmma: what does it cost to be ready for more?
 * Level    3
 * Read     cuda_buffers.h, hopper_topk.h, cuda_topk_halves.h, cuda_halves.h, cuda_sweep.h, cuda_exact.h,
 *          cuda_topk_select.h, cuda_topk_limit.h, cuda_topk.h, cuda_topk_overflow.h, hopper.h,
 *          cuda_refine.h, cuda_refine_f64.h
 */
/* nvcc: sm_90a */
#include "common/variant.h"
#include "cuda_buffers.h" /* prepare, upload, download, release; d_obs_lat, d_index ... */
#include "hopper_topk.h"  /* topk_sweep, topk_by_wgmma */

static topk_sweep d_sweep;
static uint4 *d_rows; /* [chunks][CHUNK][2] */

static const char *refuse(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    return p->k > MOST ? "keeps 32 neighbours at most" : wgmma_refuse();
}

static void prepare_sweep(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    prepare(problem);
    d_sweep = topk_new(p->m, p->n, p->k);
    CUDA(cudaMalloc(&d_rows, d_sweep.chunks * CHUNK * 2 * sizeof *d_rows));
}

static void run(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    d_sweep.ref = {p->n, d_ref_lat, d_ref_lon, NULL, NULL};
    topk_by_wgmma(d_sweep, d_rows, {p->m, d_obs_lat, d_obs_lon, d_index, d_distance}, 0);
}

static void release_sweep(void)
{
    CUDA(cudaFree(d_rows));
    topk_free(d_sweep);
    release();
}

VARIANT(.idea = "k neighbours, scored by wgmma",
        .base = "cuda_topk_tensor",
        .device = &device_gpu,
        .math = MATH_F32,
        .traits = TRAIT_TENSOR,
        .refuse = refuse,
        .prepare = prepare_sweep,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_sweep)
