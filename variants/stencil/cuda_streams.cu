/*
 * stencil / cuda_streams
 *
 * Idea     The bus is the bottleneck, so use it in both directions at once.  Bands of rows take
 *          turns, each in its own stream: while one is computed, the next comes in and the one
 *          before goes out.  A band brings a halo, `sweeps` rows of each neighbour.  Each sweep
 *          makes one more row of the halo wrong, and the band itself is right at the end, without
 *          any exchange.
 * Against  cuda_naive: everything in, then everything computed, then everything out.
 * Expect   End to end: the time of the image's way in.  The way out and the kernels hide behind it,
 *          except for the first band's way in and the last one's way out.  The copy engines need no
 *          help from the host, because the images are page-locked.  cuda_naive's copies pass
 *          through the driver's own buffer.
 * Try      SLOTS = 1: nothing overlaps.  HALOS = 1, at sweeps = 100: two thirds are halo.
 * Level    2
 * Read     cuda_kernel.h
 */
#include "common/cuda.h"
#include "common/stencil.h"
#include "common/variant.h"
#include "cuda_kernel.h" /* smooth, blocks_for */

enum {
    BAND = 4 << 20, /* bytes at least: long enough for the bus's full rate */
    HALOS = 8,      /* a band is at least so many times as high as one of its two halos */
    SLOTS = 4       /* bands: two on their way in, one being computed, one on its way out */
};

static struct slot {
    char *d_image[2]; /* a band and its halos: sweeps alternate between the two */
    cudaStream_t stream;
} slots[SLOTS];

static size_t height, count;         /* rows of a band; bands */
static void *locked_in, *locked_out; /* the images, page-locked; NULL: empty, or not lockable */

template <class pixel>
__global__ static void stencil_streams(size_t rows, size_t cols, const pixel *in, pixel *out)
{
    smooth(rows, cols, in, out);
}

static const char *input(const struct stencil *p)
{
    return p->bytes ? (const char *)p->in8 : (const char *)p->in;
}

static char *output(const struct stencil *p)
{
    return p->bytes ? (char *)p->out8 : (char *)p->out;
}

static size_t row_bytes(const struct stencil *p)
{
    return p->cols * (p->bytes ? sizeof(uint8_t) : sizeof(float));
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void *lock(const void *image, size_t bytes, unsigned flags)
{
    if (bytes > 0 && cudaHostRegister((void *)image, bytes, flags) == cudaSuccess)
        return (void *)image;
    (void)cudaGetLastError(); /* clears the error: no later check must report it */
    return NULL; /* copies still work, but do not overlap */
}

static void prepare(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;
    size_t row = row_bytes(p), sweeps = least(p->sweeps, p->rows); /* no halo is longer */

    height = row > 0 ? BAND / row + 1 : 1;
    height = least(p->rows, height > HALOS * sweeps ? height : HALOS * sweeps);
    count = row > 0 && p->rows > 0 ? (p->rows + height - 1) / height : 0;
    for (struct slot *s = slots; s < slots + least(count, SLOTS); s++) {
        size_t bytes = least(p->rows, height + 2 * sweeps) * row;

        CUDA(cudaMalloc(&s->d_image[0], bytes));
        CUDA(cudaMalloc(&s->d_image[1], bytes));
        CUDA(cudaStreamCreate(&s->stream));
    }
    locked_in = lock(input(p), p->rows * row, cudaHostRegisterReadOnly); /* read-only */
    locked_out = lock(output(p), p->rows * row, cudaHostRegisterDefault);
}

/* Queues all work on a band in its slot's stream. */
static void start(const struct stencil *p, size_t band, const struct slot *s)
{
    size_t row = row_bytes(p), first = band * height, last = least(p->rows, first + height);
    size_t top = first - least(first, p->sweeps); /* of the band and its halos */
    size_t rows = last + least(p->rows - last, p->sweeps) - top;
    dim3 block(32, 8), grid = blocks_for(rows, p->cols);

    CUDA(cudaMemcpyAsync(s->d_image[0], input(p) + top * row, rows * row, cudaMemcpyHostToDevice,
                         s->stream));
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
    CUDA(cudaMemcpyAsync(output(p) + first * row, s->d_image[p->sweeps % 2] + (first - top) * row,
                         (last - first) * row, cudaMemcpyDeviceToHost, s->stream));
}

static void run(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;

    /* A stream works in order, so a slot is not filled again before its last copy has ended. */
    for (size_t band = 0; band < count; band++)
        start(p, band, &slots[band % SLOTS]);
    CUDA(cudaDeviceSynchronize()); /* the calls above only queued work */
}

static void release(void)
{
    for (struct slot *s = slots; s < slots + least(count, SLOTS); s++) {
        CUDA(cudaStreamDestroy(s->stream));
        CUDA(cudaFree(s->d_image[0]));
        CUDA(cudaFree(s->d_image[1]));
    }
    if (locked_in != NULL)
        CUDA(cudaHostUnregister(locked_in));
    if (locked_out != NULL)
        CUDA(cudaHostUnregister(locked_out));
}

VARIANT(.idea = "bands in streams: copies both ways and kernels overlap",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .run = run,
        .release = release)
