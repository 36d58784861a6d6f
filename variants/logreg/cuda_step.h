/*
 * logreg: L-BFGS on the device.  One block joins what the blocks of an evaluation have found; then its first warp takes the
 * step.  The method's state stays in device memory from step to step.
 */
#ifndef RUNGS_LOGREG_CUDA_STEP_H
#define RUNGS_LOGREG_CUDA_STEP_H

#include "cuda_lanes.h" /* warp_sum, warp_largest */
#include "cuda_rows.h"  /* and with it lbfgs.h for the host */

/* lbfgs.h once more, for a warp. */
#undef RUNGS_LOGREG_LBFGS_H
#undef LBFGS_FUNCTION
#undef LBFGS_LANE
#undef LBFGS_LANES
#undef LBFGS_SUM
#undef LBFGS_LARGEST
#undef LBFGS_EACH
#define LBFGS_FUNCTION __device__ static inline
#define LBFGS_LANE (threadIdx.x % 32)
#define LBFGS_LANES 32
#define LBFGS_SUM(x) warp_sum(x)
#define LBFGS_LARGEST(x) warp_largest(x)
namespace on_device {
#include "lbfgs.h" /* lbfgs_start, lbfgs_next */
}

enum { STEP_ACROSS = 32, STEP_DOWN = 32, STEP_WIDEST = 257 };

/* What the method keeps, in device memory, and what the host reads in the end. */
struct method {
    on_device::lbfgs l;
    float lambda, tau;
    float size[EVALUATIONS_KEPT]; /* largest components */
};

/* Before the first evaluation, by one warp.  `vectors`: lbfgs_bytes(n + 1) of memory; the points are at its beginning. */
__global__ static void start_method(size_t n, struct method *by, void *vectors)
{
    on_device::lbfgs l;

    on_device::lbfgs_start(&l, n + 1, (double)by->tau, vectors);
    __syncwarp();
    if (threadIdx.x == 0)
        by->l = l;
}

/* By one block of STEP_ACROSS x STEP_DOWN threads.  Returns, to its first warp, whether another evaluation is wanted. */
__device__ static inline int take_step(size_t m, size_t n, unsigned parts, const double *of_block, struct method *by)
{
    __shared__ double g[STEP_WIDEST], mine[STEP_DOWN][STEP_ACROSS + 1];
    const size_t width = n + 1;
    int more = 0;

    for (size_t begin = 0; begin < width; begin += STEP_ACROSS) {
        const size_t column = begin + threadIdx.x;
        double sum = 0.0;
        for (unsigned part = threadIdx.y; part < parts && column < width; part += STEP_DOWN)
            sum += of_block[part * width + column];
        mine[threadIdx.y][threadIdx.x] = sum;
        __syncthreads();
        sum = warp_sum(mine[threadIdx.x][threadIdx.y]); /* a warp a column */
        if (threadIdx.x == 0 && begin + threadIdx.y < width)
            g[begin + threadIdx.y] = sum / (double)m;
        __syncthreads();
    }
    if (threadIdx.y > 0)
        return 0;
    on_device::lbfgs l = by->l;
    for (size_t j = threadIdx.x; j < n; j += 32)
        g[j] += (double)by->lambda * (double)l.trial[j];
    __syncwarp();
    more = on_device::lbfgs_next(&l, g);
    __syncwarp();
    if (threadIdx.x == 0) {
        if (l.evaluations <= EVALUATIONS_KEPT)
            by->size[l.evaluations - 1] = (float)l.size;
        by->l = l;
    }
    return more;
}

#endif
