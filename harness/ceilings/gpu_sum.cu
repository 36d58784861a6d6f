/* The sum of two arrays into a third: two bytes read for one written, as in most problems here. */
#define ARRAYS 3
#define QUADS 2
#include "gpu_arrays.h"

__global__ static void walk(size_t tiles, int sweeps, const float4 *x, const float4 *y, float4 *z)
{
    for (int sweep = 0; sweep < sweeps; sweep++)
        for (size_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
            const size_t first = tile * TILE + threadIdx.x;
            float4 xs[QUADS], ys[QUADS];
#pragma unroll
            for (int q = 0; q < QUADS; q++) {
                xs[q] = __ldcg(x + first + q * THREADS);
                ys[q] = __ldcg(y + first + q * THREADS);
            }
#pragma unroll
            for (int q = 0; q < QUADS; q++)
                __stcg(z + first + q * THREADS,
                       make_float4(xs[q].x + ys[q].x, xs[q].y + ys[q].y, xs[q].z + ys[q].z,
                                   xs[q].w + ys[q].w));
        }
}

CEILING(RESOURCE_MEMORY, .idea = "sum of two arrays, 16 bytes an access", .device = &device_gpu,
        .refuse = no_room, .prepare = prepare, .run = run, .release = release)
