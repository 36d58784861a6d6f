/*
 * align / cuda_dropin
 *
 * Idea     A drop-in replacement: each transform becomes a call that copies its image to the GPU, transforms it by cuFFT, and
 *          copies the result back.  Everything else stays on the CPU, as it was.
 * Against  cpu_naive, in which only the transform is exchanged.
 * Expect   The bus: three times 16 bytes a pixel, there and back, for 8 that had to travel.  The transforms hardly count.
 * Try      cuda_cufft, which leaves the numbers where they are.
 * Level    1
 * Read     peak.h
 */
#include <cufft.h>
#include <limits.h>
#include <math.h>

#include "common/align.h"
#include "common/cuda.h"
#include "common/variant.h"
#include "peak.h" /* shift_of */

static cufftHandle plan;
static float2 *d_x, *A, *B; /* [rows][cols]: on the device, and two on the host */

static const char *refuse(const void *problem)
{
    const struct align *p = (const struct align *)problem;

    return p->rows * p->cols > INT_MAX ? "cuFFT's plan counts in int" : NULL;
}

static void prepare(const void *problem)
{
    const struct align *p = (const struct align *)problem;
    const size_t n = p->rows * p->cols;

    CUFFT(cufftPlan2d(&plan, (int)p->rows, (int)p->cols, CUFFT_C2C));
    CUDA(cudaMalloc(&d_x, n * sizeof *d_x));
    A = (float2 *)malloc(n * sizeof *A);
    B = (float2 *)malloc(n * sizeof *B);
}

/* The call that a library for the CPU has as well: an array on the host is transformed. */
static void transform(size_t n, float2 *x, int direction)
{
    CUDA(cudaMemcpy(d_x, x, n * sizeof *x, cudaMemcpyHostToDevice));
    CUFFT(cufftExecC2C(plan, d_x, d_x, direction));
    CUDA(cudaMemcpy(x, d_x, n * sizeof *x, cudaMemcpyDeviceToHost));
}

static float g_at(const struct align *p, size_t row, size_t col)
{
    const float2 x = A[row * p->cols + col];

    return sqrtf(x.x * x.x + x.y * x.y) / (float)(p->rows * p->cols);
}

static void find_peak(const struct align *p, size_t pair)
{
    const size_t rows = p->rows, cols = p->cols;
    size_t r = 0, c = 0;

    for (size_t row = 0; row < rows; row++)
        for (size_t col = 0; col < cols; col++)
            if (g_at(p, row, col) > g_at(p, r, c)) {
                r = row;
                c = col;
            }
    p->peak[pair] = (uint32_t)(r * cols + c);
    p->height[pair] = g_at(p, r, c);
    p->shift[2 * pair] = shift_of(r, rows, g_at(p, (r + rows - 1) % rows, c), g_at(p, r, c), g_at(p, (r + 1) % rows, c));
    p->shift[2 * pair + 1] = shift_of(c, cols, g_at(p, r, (c + cols - 1) % cols), g_at(p, r, c), g_at(p, r, (c + 1) % cols));
}

static void run(const void *problem)
{
    const struct align *p = (const struct align *)problem;
    const size_t n = p->rows * p->cols;

    for (size_t pair = 0; pair < p->pairs; pair++) {
        for (size_t i = 0; i < n; i++) {
            A[i] = make_float2(p->a[pair * n + i], 0);
            B[i] = make_float2(p->b[pair * n + i], 0);
        }
        transform(n, A, CUFFT_FORWARD);
        transform(n, B, CUFFT_FORWARD);
        for (size_t k = 0; k < n; k++) {
            const float2 a = A[k], b = B[k];
            const float size = sqrtf(a.x * a.x + a.y * a.y) * sqrtf(b.x * b.x + b.y * b.y) + p->eps[pair];

            A[k] = make_float2((a.x * b.x + a.y * b.y) / size, (a.y * b.x - a.x * b.y) / size);
        }
        transform(n, A, CUFFT_INVERSE);
        find_peak(p, pair);
    }
}

static void release(void)
{
    CUFFT(cufftDestroy(plan));
    CUDA(cudaFree(d_x));
    free(A);
    free(B);
}

VARIANT(.idea = "each transform a call to the GPU, with copies both ways",
        .base = "cpu_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = release)
