/*
 * knn / cuda_wgmma
 *
 * Idea     The tensor cores' own instruction of compute capability 9.0, wgmma: four warps together give
 *          it, it reads both matrices from shared memory, makes 64 x 128 scores at a time, and does not
 *          block.  While it makes one set of sums, the warps find the minima of the other (hopper.h).
 * Against  cuda_tensor: mma.sync, which takes operands from registers and reaches half the rate.
 * Expect   A product takes 64 clocks, and so do its minima: there is one instruction for two scores, and
 *          a multiprocessor starts 64 lanes of it a clock.  On an H200 a product and its minima take as
 *          long as the sum of both, not as the longer one: docs/limits/knn.md.
 * Try      In hopper.h, only one set of sums: what is it worth that products are under way meanwhile?
 *          And BLOCKS = 2.  In arrived(), a fence of all memory (fence.proxy.async).
 * Level    3
 * Read     cuda_buffers.h, hopper.h, cuda_halves.h, cuda_sweep.h, cuda_exact.h, cuda_refine.h,
 *          cuda_refine_f64.h, cuda_crowd.h, cuda_ordered_refine.h, cuda_groups.h, cuda_local.h, cuda_ordered.h, cuda_order.h
 */
/* nvcc: sm_90a */
#include "common/variant.h"
#include "cuda_buffers.h" /* prepare, upload, download, release; d_obs_lat, d_index ... */
#include "hopper.h"       /* nearest_by_wgmma */
#include "cuda_crowd.h"   /* ordered_sweep, refine_crowd, most_of */

static ordered_sweep d_sweep;
static uint4 *d_rows; /* [chunks][CHUNK][2] */

static const char *refuse(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    return p->k > 1 ? "finds one neighbour; for more there is cuda_topk_wgmma" : wgmma_refuse();
}

static void prepare_sweep(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    prepare(problem);
    d_sweep = ordered_new(p->m, p->n);
    CUDA(cudaMalloc(&d_rows, d_sweep.chunks * CHUNK * 2 * sizeof *d_rows));
}

static void run(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;
    const points obs = {p->m, d_obs_lat, d_obs_lon, d_index, d_distance};

    if (p->m == 0)
        return;
    d_sweep.ref = {p->n, d_ref_lat, d_ref_lon, NULL, NULL};
    nearest_by_wgmma(d_sweep, d_rows, obs, 0, most_of(obs));
    refine_crowd(d_sweep, obs, 0);
}

static void release_sweep(void)
{
    CUDA(cudaFree(d_rows));
    ordered_free(d_sweep);
    release();
}

VARIANT(.idea = "wgmma: tensor cores multiply while the warps find the last product's minima",
        .base = "cuda_tensor",
        .device = &device_gpu,
        .math = MATH_F32,
        .traits = TRAIT_TENSOR,
        .refuse = refuse,
        .prepare = prepare_sweep,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_sweep)
