/*
 * stencil / cuda_staged
 *
 * Idea     The rate of page-locked memory, from memory that is not.  Host threads copy bands of the
 *          image into small page-locked buffers and bands of the answer out of them, while the bus
 *          carries other bands in both directions.  As in cuda_streams, a band brings a halo.
 * Against  cuda_streams, which page-locks the images themselves.  That takes longer than a plain
 *          call, and it needs images that are used again.  Here only the buffers are locked.
 * Expect   End to end: the rate of cuda_streams, if the cores copy faster than the bus: 50 GB/s each
 *          way takes some five of them each way.
 * Try      STAGE_THREADS = 1, 2, 4 (common/staging.h): from how many on is the bus the bottleneck?
 *          BAND = 256 KiB: halos and starts cost more; 16 MiB: the buffers leave the caches.
 * Level    2
 * Read     cuda_kernel.h
 */
#include "common/staging.h" /* stage_open, stage_run, stage_close, stage_stream */
#include "common/stencil.h"
#include "common/variant.h"
#include "cuda_kernel.h" /* smooth, blocks_for */

enum {
    BAND = 2 << 20, /* bytes at least */
    HALOS = 8       /* a band is at least so many times as high as one of its two halos */
};

static size_t height, count; /* rows of a band; bands */

template <class pixel>
__global__ static void stencil_staged(size_t rows, size_t cols, const pixel *in, pixel *out)
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

/* A band and its halos */
struct rows {
    size_t first, last; /* the band: rows first to last - 1 */
    size_t top, count;  /* with halos: `count` rows from `top` on */
};

static rows rows_of(const struct stencil *p, size_t band)
{
    size_t first = band * height, last = least(p->rows, first + height);
    size_t top = first - least(first, p->sweeps);

    return {first, last, top, last + least(p->rows - last, p->sweeps) - top};
}

static void prepare(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;
    size_t row = row_bytes(p), sweeps = least(p->sweeps, p->rows); /* no halo is longer */

    height = row > 0 ? BAND / row + 1 : 1;
    height = least(p->rows, height > HALOS * sweeps ? height : HALOS * sweeps);
    count = row > 0 && p->rows > 0 ? (p->rows + height - 1) / height : 0;
    size_t bytes = least(p->rows, height + 2 * sweeps) * row;
    stage_open(bytes, bytes);
}

/* Queues all sweeps of a band, which alternate between d_up and d_down.  Returns where the last one is. */
static const char *sweep(const struct stencil *p, size_t rows, const struct stage *s)
{
    dim3 block(32, 8), grid = blocks_for(rows, p->cols);
    char *from = s->d_up, *to = s->d_down;

    for (size_t i = 0; i < p->sweeps; i++) {
        if (p->bytes)
            stencil_staged<<<grid, block, 0, s->stream>>>(rows, p->cols, (const uint8_t *)from,
                                                          (uint8_t *)to);
        else
            stencil_staged<<<grid, block, 0, s->stream>>>(rows, p->cols, (const float *)from,
                                                          (float *)to);
        CUDA(cudaGetLastError());
        char *made = to;
        to = from;
        from = made;
    }
    return from;
}

static void run(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;
    const char *in = p->bytes ? (const char *)p->in8 : (const char *)p->in;
    char *out = p->bytes ? (char *)p->out8 : (char *)p->out;
    const size_t row = row_bytes(p);

    auto send = [=](size_t band, const struct stage *s) {
        const rows r = rows_of(p, band);

        memcpy(s->up, in + r.top * row, r.count * row);
        CUDA(cudaMemcpyAsync(s->d_up, s->up, r.count * row, cudaMemcpyHostToDevice, s->stream));
        CUDA(cudaMemcpyAsync(s->down, sweep(p, r.count, s) + (r.first - r.top) * row,
                             (r.last - r.first) * row, cudaMemcpyDeviceToHost, s->stream));
    };
    auto take = [=](size_t band, const struct stage *s) {
        const rows r = rows_of(p, band);

        stage_stream(out + r.first * row, s->down, (r.last - r.first) * row);
    };
    stage_run(count, send, take);
}

static void release(void)
{
    stage_close();
}

VARIANT(.idea = "ordinary memory: threads copy through small page-locked buffers",
        .base = "cuda_streams",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .run = run,
        .release = release)
