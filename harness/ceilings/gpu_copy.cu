/* A copy within the GPU's memory, 16 bytes for each access, four accesses of a thread in flight. */
#define ARRAYS 2
#define QUADS 4
#include "gpu_arrays.h"

/* cg: bypasses the first-level cache, which would otherwise serve the next sweep. */
__global__ static void walk(size_t tiles, int sweeps, const float4 *x, const float4 *y, float4 *z)
{
    for (int sweep = 0; sweep < sweeps; sweep++)
        for (size_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
            const size_t first = tile * TILE + threadIdx.x;
            float4 quads[QUADS];
#pragma unroll
            for (int q = 0; q < QUADS; q++)
                quads[q] = __ldcg(x + first + q * THREADS);
#pragma unroll
            for (int q = 0; q < QUADS; q++)
                __stcg(z + first + q * THREADS, quads[q]);
        }
}

CEILING(RESOURCE_MEMORY, .idea = "copy, 16 bytes an access", .device = &device_gpu,
        .refuse = no_room, .prepare = prepare, .run = run, .release = release)
