/*
 * knn / cuda_topk_tensor
 *
 * Idea     Tensor cores make the scores, as in cuda_tensor; of each row and tile the best one is written
 *          down, as in cuda_topk.
 * Against  cuda_topk, whose scores are multiply-adds of float32.
 * Expect   Half as long again for k = 8 as cuda_tensor takes for k = 1.  The sweep takes no longer, but
 *          the tiles within the limit are scored again, and about nine references of each observation
 *          get the haversine formula in float64.
 * Try      --size M, where k = 1, against cuda_tensor: what does it cost to be ready for more?
 * Level    3
 * Read     cuda_buffers.h, cuda_topk_halves.h, cuda_halves.h, cuda_sweep.h, cuda_exact.h,
 *          cuda_topk_select.h, cuda_topk_limit.h, cuda_topk.h, cuda_topk_overflow.h, mma.h
 */
#include "common/variant.h"
#include "cuda_buffers.h"     /* prepare, upload, download, release; d_obs_lat, d_index ... */
#include "cuda_topk_halves.h" /* topk_sweep, topk_select_halves */
#include "mma.h"              /* sweep_by_mma */

static topk_sweep d_sweep;
static uint4 *d_rows; /* [chunks][CHUNK][2] */

static const char *refuse(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    return p->k > MOST ? "keeps 32 neighbours at most" : mma_refuse();
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
    const points all = {p->m, d_obs_lat, d_obs_lon, d_index, d_distance};

    d_sweep.ref = {p->n, d_ref_lat, d_ref_lon, NULL, NULL};
    for (size_t i = 0; i < p->m; i += d_sweep.pass) {
        const points obs = pass_of(d_sweep, all, i);

        sweep_by_mma(d_sweep, d_rows, obs);
        topk_select_halves(d_sweep, obs, 0);
    }
}

static void release_sweep(void)
{
    CUDA(cudaFree(d_rows));
    topk_free(d_sweep);
    release();
}

VARIANT(.idea = "k neighbours, scored by tensor cores in 16-bit halves",
        .base = "cuda_topk",
        .device = &device_gpu,
        .math = MATH_F32,
        .traits = TRAIT_TENSOR,
        .refuse = refuse,
        .prepare = prepare_sweep,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_sweep)
