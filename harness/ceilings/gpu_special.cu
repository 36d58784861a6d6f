/* Powers of two on the special-function units, which compute sines, cosines, logarithms, reciprocals
   and roots at the same rate. */
#include "gpu.h"

enum { CHAINS = 8, STEPS = 1 << 11 }; /* 1 ms on a GPU with 16 units in a multiprocessor */

__global__ static void powers(float start, float *out)
{
    float value[CHAINS], sum = 0.0f;

#pragma unroll
    for (int c = 0; c < CHAINS; c++)
        value[c] = start * (float)(threadIdx.x + c + 1);
#pragma unroll 4
    for (int i = 0; i < STEPS; i++)
#pragma unroll
        for (int c = 0; c < CHAINS; c++) /* 2^-x: the minus is free, and no value can grow */
            asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(value[c]) : "f"(-value[c]));
#pragma unroll
    for (int c = 0; c < CHAINS; c++)
        sum += value[c];
    if (sum == 0.0f) /* never true, but the compiler cannot know that */
        *out = sum;
}

static void run(const void *problem)
{
    const unsigned blocks = resident_blocks((const void *)powers);

    powers<<<blocks, THREADS>>>(0.00117f, NULL);
    CUDA(cudaGetLastError());
    report(problem, 1.0 * CHAINS * STEPS * THREADS * blocks);
}

CEILING(RESOURCE_SPECIAL, .idea = "powers of two by the special-function units",
        .device = &device_gpu, .run = run)
