/* logreg: what all lanes of a warp learn of their numbers. */
#ifndef RUNGS_LOGREG_CUDA_LANES_H
#define RUNGS_LOGREG_CUDA_LANES_H

__device__ static inline double warp_sum(double x)
{
#pragma unroll
    for (int apart = 16; apart > 0; apart /= 2)
        x += __shfl_xor_sync(0xffffffffu, x, apart);
    return x;
}

__device__ static inline double warp_largest(double x)
{
#pragma unroll
    for (int apart = 16; apart > 0; apart /= 2)
        x = fmax(x, __shfl_xor_sync(0xffffffffu, x, apart));
    return x;
}

#endif
