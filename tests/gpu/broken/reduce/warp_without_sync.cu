/* The last steps of the tree without a barrier, as if the lanes of a warp always ran in step: the habit of 2010. */
/* expected: racecheck */
#include "common/cuda.h"
#include "common/reduce.h"
#include "common/variant.h"

enum { THREADS = 256 };

__global__ static void add_all(size_t n, const float *x, float *sum_and_norm)
{
    __shared__ double sums[THREADS], squares[THREADS];
    const unsigned t = threadIdx.x;

    sums[t] = squares[t] = 0.0;
    for (size_t i = t; i < n; i += THREADS) {
        sums[t] += x[i];
        squares[t] += (double)x[i] * x[i];
    }
    __syncthreads();
    for (unsigned half = THREADS / 2; half > 0; half /= 2) {
        if (t < half) {
            sums[t] += sums[t + half];
            squares[t] += squares[t + half];
        }
        if (half > 32)
            __syncthreads();
    }
    if (t == 0) {
        sum_and_norm[0] = (float)sums[0];
        sum_and_norm[1] = (float)sqrt(squares[0]);
    }
}

static void run(const void *problem)
{
    const struct reduce *p = (const struct reduce *)problem;
    float *d_x, *d_answer, answer[2];

    CUDA(cudaMalloc(&d_x, p->n * sizeof *d_x));
    CUDA(cudaMalloc(&d_answer, sizeof answer));
    CUDA(cudaMemcpy(d_x, p->x, p->n * sizeof *d_x, cudaMemcpyHostToDevice));
    add_all<<<1, THREADS>>>(p->n, d_x, d_answer);
    CUDA(cudaGetLastError());
    CUDA(cudaMemcpy(answer, d_answer, sizeof answer, cudaMemcpyDeviceToHost));
    *p->sum = answer[0];
    *p->norm = answer[1];
    CUDA(cudaFree(d_x));
    CUDA(cudaFree(d_answer));
}

VARIANT(.idea = "no barrier within a warp", .device = &device_gpu, .math = MATH_F64, .run = run)
