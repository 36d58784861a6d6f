/*
 * knn / cuda_wgmma
 *
 * Idea     The tensor cores' own instruction: wgmma takes both matrices from shared memory, 64 x
 *          128 scores at a time for four warps together, and it does not wait.  While it makes one
 *          set of sums, the warps look for the least in the other.
 * Against  cuda_tensor: mma.sync, which hands over operands in registers and reaches half the rate.
 * Expect   A product takes 64 clocks, and so do its minima: one instruction for two scores, of which
 *          a multiprocessor starts 64 lanes a clock.  On an H200 the sum of both is what it takes,
 *          not the longer one: docs/limits/knn.md.
 * Try      In hopper.h, without the second set: what is it worth that products are under way
 *          meanwhile?  And BLOCKS = 2.  In arrived(), a fence of all memory (fence.proxy.async).
 * Level    3
 * Read     cuda_buffers.h, hopper.h, cuda_halves.h, cuda_several.h, cuda_crowded.h, cuda_minima.h,
 *          cuda_settle.h, cuda_decide.h, cuda_sweep.h, cuda_exact.h
 */
/* nvcc: sm_90a */
#include "common/variant.h"
#include "cuda_buffers.h" /* prepare, upload, download, release; d_obs_lat and all that */
#include "hopper.h"       /* sweep, knn_halves, answer_by_wgmma */

static sweep d_sweep;
static uint4 *d_rows; /* [chunks][CHUNK][2] */

static const char *refuse(const void *problem)
{
    return wgmma_refuse(((const struct knn *)problem)->k);
}

static void prepare_sweep(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    prepare(problem);
    d_sweep = sweep_new(p->m, p->n, p->k);
    CUDA(cudaMalloc(&d_rows, d_sweep.chunks * CHUNK * 2 * sizeof *d_rows));
}

static void run(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;
    const points all = {p->m, d_obs_lat, d_obs_lon, d_index, d_distance};

    if (p->m == 0)
        return;
    d_sweep.ref = {p->n, d_ref_lat, d_ref_lon, NULL, NULL};
    for (size_t i = 0; i < p->m; i += d_sweep.pass)
        answer_by_wgmma(d_sweep, d_rows, pass_of(d_sweep, all, i), 0);
}

static void release_sweep(void)
{
    CUDA(cudaFree(d_rows));
    sweep_free(d_sweep);
    release();
}

VARIANT(.idea = "wgmma: products under way while the last ones are looked at",
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
