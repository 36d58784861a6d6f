/*
 * stencil / cuda_streams
 *
 * Idea     The bus is the limit, so keep it busy both ways at once.  Bands of rows take turns, each
 *          in a stream of its own: while one is computed, the next comes in and the last goes out.
 *          A band brings a halo along, `sweeps` rows of each neighbour.  Each sweep spoils one row
 *          more of it, and the band itself is right at the end, without any exchange.
 * Against  cuda_naive: everything in, then everything computed, then everything out.
 * Expect   End to end: the image once over the bus; the way back and the kernels hide behind it.
 *          Or the cores' copying to and from page-locked memory, which the copy engines ask for.
 * Try      SLOTS = 1: nothing overlaps.  HALOS = 1, at sweeps = 100: two thirds are halo.
 */
#include <string.h>

#include "common/cuda.h"
#include "common/stencil.h"
#include "common/variant.h"
#include "cuda_kernel.h" /* smooth, blocks_for */

enum {
    BAND = 4 << 20, /* bytes at least: long enough for the bus's full rate */
    HALOS = 8,      /* a band is at least so many times as high as one of its two halos */
    SLOTS = 3,      /* bands: one on its way in, one on its way out, one in the cores' hands */
    PIECE = 1 << 16 /* bytes that a core copies at a time */
};

static struct slot {
    char *h_in, *h_out; /* page-locked memory of the host */
    char *d_image[2];
    cudaStream_t stream;
} slots[SLOTS];

static size_t height, count; /* rows of a band; bands */

template <class pixel>
__global__ static void stencil_streams(size_t rows, size_t cols, const pixel *in, pixel *out)
{
    smooth(rows, cols, in, out);
}

static size_t row_bytes(const struct stencil *p)
{
    return p->cols * (p->bytes ? sizeof(uint8_t) : sizeof(float));
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void prepare(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;
    size_t row = row_bytes(p), sweeps = least(p->sweeps, p->rows); /* no halo is longer */

    height = row > 0 ? BAND / row + 1 : 1;
    height = least(p->rows, height > HALOS * sweeps ? height : HALOS * sweeps);
    count = row > 0 && p->rows > 0 ? (p->rows + height - 1) / height : 0;
    size_t bytes = least(p->rows, height + 2 * sweeps) * row;

    for (struct slot *s = slots; s < slots + least(count, SLOTS); s++) {
        CUDA(cudaMallocHost(&s->h_in, bytes));
        CUDA(cudaMallocHost(&s->h_out, height * row));
        CUDA(cudaMalloc(&s->d_image[0], bytes));
        CUDA(cudaMalloc(&s->d_image[1], bytes));
        CUDA(cudaStreamCreate(&s->stream));
    }
}

/* memcpy by all cores: one alone is slower than the bus. */
static void copy(char *to, const char *from, size_t bytes)
{
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < bytes; i += PIECE)
        memcpy(to + i, from + i, least(bytes - i, PIECE));
}

/* A band into its slot, and all that is to follow into the slot's stream */
static void start(const struct stencil *p, size_t band, const struct slot *s)
{
    const char *in = p->bytes ? (const char *)p->in8 : (const char *)p->in;
    size_t row = row_bytes(p), first = band * height, last = least(p->rows, first + height);
    size_t top = first - least(first, p->sweeps); /* of the band and its halos */
    size_t rows = last + least(p->rows - last, p->sweeps) - top;
    dim3 block(32, 8), grid = blocks_for(rows, p->cols);

    copy(s->h_in, in + top * row, rows * row);
    CUDA(cudaMemcpyAsync(s->d_image[0], s->h_in, rows * row, cudaMemcpyHostToDevice, s->stream));
    for (size_t i = 0; i < p->sweeps; i++) {
        const char *from = s->d_image[i % 2];
        char *to = s->d_image[(i + 1) % 2];

        if (p->bytes)
            stencil_streams<<<grid, block, 0, s->stream>>>(rows, p->cols, (const uint8_t *)from,
                                                           (uint8_t *)to);
        else
            stencil_streams<<<grid, block, 0, s->stream>>>(rows, p->cols, (const float *)from,
                                                           (float *)to);
        CUDA(cudaGetLastError());
    }
    CUDA(cudaMemcpyAsync(s->h_out, s->d_image[p->sweeps % 2] + (first - top) * row,
                         (last - first) * row, cudaMemcpyDeviceToHost, s->stream));
}

static void finish(const struct stencil *p, size_t band, const struct slot *s)
{
    char *out = p->bytes ? (char *)p->out8 : (char *)p->out;
    size_t row = row_bytes(p), first = band * height, last = least(p->rows, first + height);

    CUDA(cudaStreamSynchronize(s->stream));
    copy(out + first * row, s->h_out, (last - first) * row);
}

static void run(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;

    /* A band is finished when the next to use its slot is due, SLOTS steps after its start. */
    for (size_t step = 0; step < count + SLOTS; step++) {
        if (step >= SLOTS && step - SLOTS < count)
            finish(p, step - SLOTS, &slots[step % SLOTS]);
        if (step < count)
            start(p, step, &slots[step % SLOTS]);
    }
}

static void release(void)
{
    for (struct slot *s = slots; s < slots + least(count, SLOTS); s++) {
        CUDA(cudaFreeHost(s->h_in));
        CUDA(cudaFreeHost(s->h_out));
        CUDA(cudaFree(s->d_image[0]));
        CUDA(cudaFree(s->d_image[1]));
        CUDA(cudaStreamDestroy(s->stream));
    }
}

VARIANT(.idea = "page-locked bands; copies both ways and kernels overlap",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .run = run,
        .release = release)
