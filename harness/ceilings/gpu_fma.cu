/*
 * Multiply-adds on all lanes, in CHAINS of a thread that do not wait for each other.
 *
 * The factor is in the instruction and the summand always in the same register, so an instruction fetches
 * only a third operand from the register file.
 */
#include "gpu.h"

enum { CHAINS = 16, STEPS = 1 << 14 }; /* 2 ms on a GPU with 128 lanes in a multiprocessor */

__global__ static void multiply_add(float summand, float *out)
{
    float value[CHAINS], sum = 0.0f;

#pragma unroll
    for (int c = 0; c < CHAINS; c++)
        value[c] = summand * (float)(threadIdx.x + c + 1);
#pragma unroll 4
    for (int i = 0; i < STEPS; i++)
#pragma unroll
        for (int c = 0; c < CHAINS; c++)
            value[c] = fmaf(value[c], 0.99896514f, summand);
#pragma unroll
    for (int c = 0; c < CHAINS; c++)
        sum += value[c];
    if (sum == 0.0f) /* never true, but the compiler cannot know that */
        *out = sum;
}

static void run(const void *problem)
{
    const unsigned blocks = resident_blocks((const void *)multiply_add);

    multiply_add<<<blocks, THREADS>>>(0.00117f, NULL);
    CUDA(cudaGetLastError());
    report(problem, 2.0 * CHAINS * STEPS * THREADS * blocks);
}

CEILING(RESOURCE_ARITHMETIC, .idea = "multiply-adds on all lanes", .device = &device_gpu,
        .run = run)
