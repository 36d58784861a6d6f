/*
 * knn / cuda_tensor
 *
 * Idea     Tensor cores score the pairs.  Each coordinate is split in two halves (16-bit floats), so
 *          that a dot product is one of 16 halves, and almost as exact as one of float32
 *          (cuda_halves.h).  One instruction of a warp makes 16 x 8 scores (mma.h).  What is left to do
 *          is to find the least of each row.
 * Against  cuda_dpx, which spends six multiply-adds on two pairs.  The minimum is the same.
 * Expect   Bound by the tensor cores, as far as mma.sync, the instruction of 2020, can use them.  On
 *          compute capability 9.0, it and its minima came to 51 pairs a clock of 128.
 * Try      In mma.h, ROUNDS = 2, 8: how often is a piece of the references loaded, how many registers
 *          remain?
 * Level    3
 * Read     cuda_buffers.h, cuda_refine.h, cuda_refine_f64.h, cuda_sweep.h, cuda_exact.h, mma.h,
 *          cuda_halves.h, cuda_crowd.h, cuda_ordered_refine.h, cuda_groups.h, cuda_local.h, cuda_ordered.h, cuda_order.h
 */
#include "common/variant.h"
#include "cuda_buffers.h" /* prepare, upload, download, release; d_obs_lat, d_index ... */
#include "cuda_refine.h"  /* refine */
#include "cuda_crowd.h"   /* ordered_sweep, refine_crowd, most_of */
#include "mma.h"          /* sweep_by_mma */

static ordered_sweep d_sweep;
static uint4 *d_rows; /* [chunks][CHUNK][2] */

static const char *refuse(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    return p->k > 1 ? "finds one neighbour; for more there is cuda_topk_tensor" : mma_refuse();
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
    sweep_by_mma((nearest_sweep)d_sweep, d_rows, obs);
    refine(d_sweep, obs, 0, most_of(obs));
    refine_crowd(d_sweep, obs, 0);
}

static void release_sweep(void)
{
    CUDA(cudaFree(d_rows));
    ordered_free(d_sweep);
    release();
}

VARIANT(.idea = "tensor cores score the pairs, in 16-bit halves; float64 decides close calls",
        .base = "cuda_dpx",
        .device = &device_gpu,
        .math = MATH_F32,
        .traits = TRAIT_TENSOR,
        .refuse = refuse,
        .prepare = prepare_sweep,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_sweep)
