/*
 * matmul / cuda_staged
 *
 * Idea     Copies overlap with kernels although the user's memory is not page-locked.  All host
 *          threads copy B through small page-locked buffers.  Then each takes panels of rows of A:
 *          it sends one, has it multiplied by B, and takes the same rows of C, while the panels of
 *          other threads are being multiplied.
 * Against  cuda_streams, which page-locks the matrices themselves.  Here only the buffers are
 *          locked, so the user's matrices may be used once.
 * Expect   Compare end to end: all of it is in `run`.  Bound by the kernel, and before it by the way
 *          of B, which nothing hides: a sixth more than cuda_streams at n = 4096.
 * Try      PANEL = 256 KiB: does one panel still fill its share of the GPU?  8 MiB: how long is the
 *          end, when the last panel is on its way back?
 * Level    2
 * Read     cuda_kernel.h
 */
#include "common/matmul.h"
#include "common/staging.h" /* stage_open, stage_run, stage_close, stage_stream */
#include "common/variant.h"
#include "cuda_kernel.h" /* multiply_tile, TILE, STEP */

#ifndef PANEL_LOG
#define PANEL_LOG 20
#endif
enum { PANEL = 1 << PANEL_LOG }; /* bytes of a panel of A or of C, if these are several rows of tiles */

static float *d_b;
static size_t height; /* rows of a panel */

__global__ static void matmul_staged(size_t m, size_t n, size_t k, const float *a, const float *b,
                                     float *c)
{
    multiply_tile(m, n, k, a, b, c);
}

static void prepare(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;
    const size_t row = (p->k > p->n ? p->k : p->n) * sizeof(float);

    height = row > 0 ? PANEL / row / TILE * TILE : 0;
    height = height > TILE ? height : (size_t)TILE;
    height = height < p->m ? height : p->m;
    const size_t up = height * p->k * sizeof(float);
    CUDA(cudaMalloc(&d_b, p->k * p->n * sizeof(float)));
    stage_open(up > PANEL ? up : (size_t)PANEL, height * p->n * sizeof(float));
}

/* Copies B to the device, all threads together. */
static void send_b(const struct matmul *p)
{
    const size_t bytes = p->k * p->n * sizeof(float);

    auto send = [=](size_t piece, const struct stage *s) {
        const size_t at = piece * PANEL, left = bytes - at, length = left < PANEL ? left : PANEL;

        memcpy(s->up, (const char *)p->b + at, length);
        CUDA(cudaMemcpyAsync((char *)d_b + at, s->up, length, cudaMemcpyHostToDevice, s->stream));
    };
    stage_run((bytes + PANEL - 1) / PANEL, send, [](size_t, const struct stage *) {});
}

static void run(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;

    if (p->m == 0 || p->n == 0)
        return;
    send_b(p);
    auto rows = [=](size_t panel) {
        const size_t left = p->m - panel * height;
        return left < height ? left : height;
    };
    auto send = [=](size_t panel, const struct stage *s) {
        const size_t m = rows(panel), bytes = m * p->k * sizeof(float);
        const size_t tiles = (m + TILE - 1) / TILE * ((p->n + TILE - 1) / TILE);

        memcpy(s->up, p->a + panel * height * p->k, bytes);
        CUDA(cudaMemcpyAsync(s->d_up, s->up, bytes, cudaMemcpyHostToDevice, s->stream));
        matmul_staged<<<(unsigned)tiles, dim3(TILE, STEP), 0, s->stream>>>(
            m, p->n, p->k, (const float *)s->d_up, d_b, (float *)s->d_down);
        CUDA(cudaGetLastError());
        CUDA(cudaMemcpyAsync(s->down, s->d_down, m * p->n * sizeof(float), cudaMemcpyDeviceToHost,
                             s->stream));
    };
    auto take = [=](size_t panel, const struct stage *s) {
        stage_stream(p->c + panel * height * p->n, s->down, rows(panel) * p->n * sizeof(float));
    };
    stage_run((p->m + height - 1) / height, send, take);
}

static void release(void)
{
    stage_close();
    CUDA(cudaFree(d_b));
}

VARIANT(.idea = "ordinary memory: threads copy through small page-locked buffers",
        .base = "cuda_streams",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .run = run,
        .release = release)
