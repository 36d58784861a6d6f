/*
 * stencil / cuda_naive
 *
 * Idea     One GPU thread per pixel: nine reads straight from global memory.  This file spells out
 *          everything that it takes; later variants share its host side.  One kernel serves both
 *          kinds of pixel: bytes are summed in an int, float32 in a float, and each has its mean().
 * Against  cpu_naive: one thread for all pixels.
 * Expect   Caches serve eight of the nine reads, so memory carries 8 bytes per pixel.  Bound by the
 *          number of reads that a multiprocessor can start instead.  End to end: bound by the bus.
 * Try      block = 8 x 32, 256 x 1: which pixels does a second block then fetch once more?
 * Level    1
 * Read     nothing else
 */
#include "common/cuda.h"
#include "common/stencil.h"
#include "common/variant.h"

#define NINTH (1.0f / 9.0f) /* two small roundings, and no division */

static const size_t most_blocks_down = 65535; /* the hardware's limit for gridDim.y */

/* d_: images on the device.  Sweeps alternate between d_out and d_scratch, which is NULL where no sweep needs it.
   d_in is not written, so that the next run finds it unchanged. */
static void *d_in, *d_out, *d_scratch;

__device__ static float mean(float sum) { return sum * NINTH; }
__device__ static uint8_t mean(int sum) { return (uint8_t)(sum / 9); }

template <class pixel>
__global__ static void stencil_naive(size_t rows, size_t cols, const pixel *in, pixel *out)
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

static size_t image_bytes(const struct stencil *p)
{
    return p->rows * p->cols * (p->bytes ? sizeof(uint8_t) : sizeof(float));
}

static void prepare(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;

    CUDA(cudaMalloc(&d_in, image_bytes(p)));
    CUDA(cudaMalloc(&d_out, image_bytes(p)));
    CUDA(cudaMalloc(&d_scratch, p->sweeps > 1 ? image_bytes(p) : 0));
}

static void upload(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;
    const void *in = p->bytes ? (const void *)p->in8 : p->in;

    CUDA(cudaMemcpy(d_in, in, image_bytes(p), cudaMemcpyHostToDevice));
}

static void run(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;
    dim3 block(32, 8); /* a warp reads along a row */
    size_t across = (p->cols + block.x - 1) / block.x, down = (p->rows + block.y - 1) / block.y;
    size_t laps = down / most_blocks_down + 1; /* 1, except for images higher than a grid can be */
    dim3 grid((unsigned)across, (unsigned)(laps > 1 ? most_blocks_down : down), (unsigned)laps);
    const void *from = d_in;

    if (image_bytes(p) == 0)
        return; /* a launch of no blocks is an error */
    if (p->sweeps == 0)
        CUDA(cudaMemcpyAsync(d_out, d_in, image_bytes(p), cudaMemcpyDeviceToDevice));
    for (size_t left = p->sweeps; left > 0; left--) {
        void *to = left % 2 == 1 ? d_out : d_scratch; /* so that the last ends in d_out */

        if (p->bytes)
            stencil_naive<<<grid, block>>>(p->rows, p->cols, (const uint8_t *)from, (uint8_t *)to);
        else
            stencil_naive<<<grid, block>>>(p->rows, p->cols, (const float *)from, (float *)to);
        CUDA(cudaGetLastError()); /* a bad launch is reported here, not by the next copy */
        from = to;
    }
}

static void download(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;
    void *out = p->bytes ? (void *)p->out8 : p->out;

    CUDA(cudaMemcpy(out, d_out, image_bytes(p), cudaMemcpyDeviceToHost));
}

static void release(void)
{
    CUDA(cudaFree(d_in));
    CUDA(cudaFree(d_out));
    CUDA(cudaFree(d_scratch));
}

VARIANT(.idea = "one thread per pixel, all spelled out",
        .base = "cpu_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
