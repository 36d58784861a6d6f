/*
 * align / cuda_streams
 *
 * Idea     Chunks of pairs take turns, each in its own stream: while one is aligned, the next comes in.  The images are
 *          page-locked, so copies need no help from the host.
 * Against  cuda_fused: all images in, then all kernels.
 * Expect   End to end the time of the bus, 8 bytes a pixel: the kernels are several times as fast and hide behind it.  One
 *          pair is one chunk, and nothing overlaps.
 * Try      SLOTS = 1: the same copies, no overlap.
 * Level    3
 * Read     ../fft/butterflies.h, ../fft/cuda_pass.h, ../fft/passes.h, cuda_buffers.h, cuda_fused.h, cuda_fused_host.h, peak.h
 */
#include "common/variant.h"
#include "cuda_fused_host.h" /* the three kernels; job_make, job_launch, job_free, refuse_lengths */

enum {
    CHUNK = 1 << 20, /* pixels: 8 MiB of both images, long enough for the bus's full rate */
    SLOTS = 3        /* chunks: one on its way in, one waiting, one being aligned */
};

static struct slot {
    job chunk;
    cudaStream_t stream;
} slots[SLOTS];

static size_t chunk; /* pairs in one */
static void *locked[2]; /* a and b, page-locked; NULL: empty, or not lockable */

static void *lock(const float *array, size_t bytes)
{
    if (bytes > 0 && cudaHostRegister((void *)array, bytes, cudaHostRegisterReadOnly) == cudaSuccess)
        return (void *)array;
    (void)cudaGetLastError(); /* clears the error: no later check must report it */
    return NULL;              /* copies still work, but do not overlap */
}

static void prepare(const void *problem)
{
    const struct align *p = (const struct align *)problem;
    const size_t pixels = p->rows * p->cols;

    buffers_prepare(problem);
    locked[0] = lock(p->a, p->pairs * pixels * sizeof *p->a);
    locked[1] = lock(p->b, p->pairs * pixels * sizeof *p->b);
    chunk = pixels < CHUNK ? CHUNK / pixels : 1;
    chunk = p->pairs < chunk ? p->pairs : chunk;
    for (struct slot *s = slots; s < slots + SLOTS; s++) {
        s->chunk = job_make(p, chunk);
        CUDA(cudaStreamCreate(&s->stream));
    }
}

/* Queues the copies and kernels of a chunk.  Each has its own place in the arrays of the device. */
static void start(const struct align *p, size_t first, const struct slot *s)
{
    const size_t pixels = p->rows * p->cols, at = first * pixels, pairs = p->pairs - first < chunk ? p->pairs - first : chunk;
    job j = s->chunk;

    j.pairs = (unsigned)pairs;
    j.a = d_a + at;
    j.b = d_b + at;
    j.eps = d_eps + first;
    j.to = {d_answers.peak + first, d_answers.height + first, d_answers.shift + 2 * first};
    CUDA(cudaMemcpyAsync(d_a + at, p->a + at, pairs * pixels * sizeof *d_a, cudaMemcpyHostToDevice, s->stream));
    CUDA(cudaMemcpyAsync(d_b + at, p->b + at, pairs * pixels * sizeof *d_b, cudaMemcpyHostToDevice, s->stream));
    CUDA(cudaMemcpyAsync(d_eps + first, p->eps + first, pairs * sizeof *d_eps, cudaMemcpyHostToDevice, s->stream));
    job_launch(j, s->stream);
}

static void run(const void *problem)
{
    const struct align *p = (const struct align *)problem;

    /* A stream works in order, so a slot's spectra are not used again before its last kernel has ended. */
    for (size_t i = 0; i * chunk < p->pairs; i++)
        start(p, i * chunk, &slots[i % SLOTS]);
    CUDA(cudaDeviceSynchronize()); /* the calls above only queued work */
    download(problem);
}

static void release(void)
{
    for (struct slot *s = slots; s < slots + SLOTS; s++) {
        CUDA(cudaStreamDestroy(s->stream));
        job_free(&s->chunk);
    }
    for (void *array : locked)
        if (array != NULL)
            CUDA(cudaHostUnregister(array));
    buffers_release();
}

VARIANT(.idea = "chunks of pairs in streams: copies and kernels overlap",
        .base = "cuda_fused",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse_lengths,
        .prepare = prepare,
        .run = run,
        .release = release)
