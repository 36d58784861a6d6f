/*
 * stencil / cuda_multi
 *
 * Idea     All GPUs, a thread of the host for each.  A GPU has a band of rows and, above and below
 *          it, a halo: the nearest row of its neighbour's band, fetched again before each sweep.
 * Against  cuda_naive: the same kernel, on one GPU, for the whole image.
 * Expect   Kernels: a GPU's share of the time.  A halo is two rows, far less than the band, so what
 *          each sweep adds is mostly the waiting for each other.  End to end: what ordinary memory
 *          is copied at, which takes a core's help, times the GPUs.
 * Try      sweeps = 1, 10, 100: from where on are the copies no longer what counts?
 */
#include <omp.h>

#include "common/cuda.h"
#include "common/stencil.h"
#include "common/variant.h"

#define NINTH (1.0f / 9.0f)

/* Of a GPU: rows [first, last) of the image are its own, rows [top, bottom) are there. */
static struct band {
    size_t first, last, top, bottom;
    char *d_image[2]; /* sweeps go back and forth between the two */
} *bands;

static int count; /* of bands: of GPUs, or fewer where there are fewer rows */

__device__ static float mean(float sum) { return sum * NINTH; }
__device__ static uint8_t mean(int sum) { return (uint8_t)(sum / 9); }

template <class pixel>
__global__ static void stencil_multi(size_t rows, size_t cols, const pixel *in, pixel *out)
{
    size_t c = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t r = (size_t)blockIdx.y * blockDim.y + threadIdx.y;

    for (; r < rows && c < cols; r += (size_t)gridDim.y * blockDim.y) {
        size_t i = r * cols + c;

        if (r == 0 || c == 0 || r == rows - 1 || c == cols - 1) {
            out[i] = in[i];
            continue;
        }
        const pixel *mid = in + i, *up = mid - cols, *down = mid + cols;
        out[i] = mean(up[-1] + up[0] + up[1] +
                      mid[-1] + mid[0] + mid[1] +
                      down[-1] + down[0] + down[1]);
    }
}

static size_t row_bytes(const struct stencil *p)
{
    return p->cols * (p->bytes ? sizeof(uint8_t) : sizeof(float));
}

/* Where this machine lets one GPU read another's memory, copies between them take the short way;
   elsewhere the same calls go through the host. */
static void link_neighbours(bool wanted)
{
    for (int from = 0; from < count; from++)
        for (int to = from - 1; to <= from + 1; to += 2) {
            int able = 0;

            if (to >= 0 && to < count)
                CUDA(cudaDeviceCanAccessPeer(&able, from, to));
            CUDA(cudaSetDevice(from));
            if (able && wanted)
                CUDA(cudaDeviceEnablePeerAccess(to, 0));
            else if (able)
                CUDA(cudaDeviceDisablePeerAccess(to));
        }
    CUDA(cudaSetDevice(0)); /* the current device is a thread's own; the harness's is this one */
}

static void prepare(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;
    int gpus;

    CUDA(cudaGetDeviceCount(&gpus));
    bands = (struct band *)calloc((size_t)gpus, sizeof *bands);
    size_t share = (p->rows + (size_t)gpus - 1) / (size_t)gpus;
    count = 0;
    for (size_t first = 0; first < p->rows; first += share) {
        struct band *b = &bands[count];

        b->first = b->top = first;
        b->last = b->bottom = p->rows - first < share ? p->rows : first + share;
        if (b->first > 0)
            b->top--;
        if (b->last < p->rows)
            b->bottom++;
        CUDA(cudaSetDevice(count++));
        CUDA(cudaMalloc(&b->d_image[0], (b->bottom - b->top) * row_bytes(p)));
        CUDA(cudaMalloc(&b->d_image[1], (b->bottom - b->top) * row_bytes(p)));
    }
    link_neighbours(true);
}

/* One row, from the band that owns it into the halo of band g.  What does g's kernel next waits. */
static void fetch_row(int g, int owner, size_t r, int now, size_t bytes)
{
    CUDA(cudaMemcpyPeerAsync(bands[g].d_image[now] + (r - bands[g].top) * bytes, g,
                             bands[owner].d_image[now] + (r - bands[owner].top) * bytes, owner,
                             bytes));
}

static void sweep(const struct stencil *p, const struct band *b, int now)
{
    size_t rows = b->bottom - b->top, down = (rows + 7) / 8;
    dim3 block(32, 8), grid((unsigned)((p->cols + 31) / 32), down < 65535 ? (unsigned)down : 65535);
    const char *from = b->d_image[now];
    char *to = b->d_image[!now];

    /* Halos count as border here: kept, and fetched anew before the next sweep. */
    if (p->bytes)
        stencil_multi<<<grid, block>>>(rows, p->cols, (const uint8_t *)from, (uint8_t *)to);
    else
        stencil_multi<<<grid, block>>>(rows, p->cols, (const float *)from, (float *)to);
    CUDA(cudaGetLastError());
    CUDA(cudaDeviceSynchronize());
}

static void run(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;
    const char *in = p->bytes ? (const char *)p->in8 : (const char *)p->in;
    char *out = p->bytes ? (char *)p->out8 : (char *)p->out;
    size_t row = row_bytes(p);

    if (count == 0 || row == 0)
        return;
    /* A loop ends when all have done theirs, so that no GPU is more than a sweep ahead. */
#pragma omp parallel num_threads(count)
    {
#pragma omp for schedule(static, 1)
        for (int g = 0; g < count; g++) {
            const struct band *b = &bands[g];

            CUDA(cudaSetDevice(g));
            CUDA(cudaMemcpy(b->d_image[0], in + b->top * row, (b->bottom - b->top) * row,
                            cudaMemcpyHostToDevice));
        }
        for (size_t s = 0; s < p->sweeps; s++) {
#pragma omp for schedule(static, 1)
            for (int g = 0; g < count; g++) {
                CUDA(cudaSetDevice(g));
                if (s > 0 && g > 0)
                    fetch_row(g, g - 1, bands[g].top, s % 2, row);
                if (s > 0 && g < count - 1)
                    fetch_row(g, g + 1, bands[g].last, s % 2, row);
                sweep(p, &bands[g], s % 2);
            }
        }
#pragma omp for schedule(static, 1)
        for (int g = 0; g < count; g++) {
            const struct band *b = &bands[g];

            CUDA(cudaSetDevice(g));
            CUDA(cudaMemcpy(out + b->first * row,
                            b->d_image[p->sweeps % 2] + (b->first - b->top) * row,
                            (b->last - b->first) * row, cudaMemcpyDeviceToHost));
        }
    }
    CUDA(cudaSetDevice(0));
}

static void release(void)
{
    link_neighbours(false);
    for (int g = 0; g < count; g++) {
        CUDA(cudaSetDevice(g));
        CUDA(cudaFree(bands[g].d_image[0]));
        CUDA(cudaFree(bands[g].d_image[1]));
    }
    CUDA(cudaSetDevice(0));
    free(bands);
}

VARIANT(.idea = "a band a GPU, halos exchanged before each sweep",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .run = run,
        .release = release)
