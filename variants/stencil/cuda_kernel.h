/*
 * The kernel of cuda_naive as a function, for the variants whose idea is the host side: cuda_managed,
 * cuda_unified, cuda_multi, cuda_streams and cuda_graph.  cuda_naive explains it.
 */
#ifndef RUNGS_STENCIL_CUDA_KERNEL_H
#define RUNGS_STENCIL_CUDA_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#define NINTH (1.0f / 9.0f) /* two small roundings, and no division */

__device__ static inline float mean(float sum) { return sum * NINTH; }
__device__ static inline uint8_t mean(int sum) { return (uint8_t)(sum / 9); }

/* Returns the grid for blocks of 32 x 8 threads, as in cuda_naive: y goes down, and z counts laps of 65535 blocks,
   the most that y can have. */
static inline dim3 blocks_for(size_t rows, size_t cols)
{
    size_t across = (cols + 31) / 32, down = (rows + 7) / 8, laps = down / 65535 + 1;

    return dim3((unsigned)across, (unsigned)(laps > 1 ? 65535 : down), (unsigned)laps);
}

/* Computes this thread's pixel, in such a grid. */
template <class pixel>
__device__ static void smooth(size_t rows, size_t cols, const pixel *in, pixel *out)
{
    size_t c = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t r = ((size_t)blockIdx.z * gridDim.y + blockIdx.y) * blockDim.y + threadIdx.y;
    size_t i = r * cols + c;

    if (r >= rows || c >= cols)
        return;
    if (r == 0 || c == 0 || r == rows - 1 || c == cols - 1) {
        out[i] = in[i];
        return;
    }
    const pixel *mid = in + i, *up = mid - cols, *down = mid + cols;
    out[i] = mean(up[-1] + up[0] + up[1] +
                  mid[-1] + mid[0] + mid[1] +
                  down[-1] + down[0] + down[1]);
}

#endif
