/*
 * compact / cuda_naive
 *
 * Idea     A thread packs 1024 consecutive elements by itself.  Where they go depends on all elements before them, so
 *          there are three kernels: count, add up the counts, pack.  One thread adds them up.
 * Against  cpu_naive, one loop.
 * Expect   Neighbouring threads read addresses that are 4 KiB apart, so each load of a warp requests 32 lines for 128
 *          bytes.  And one thread alone needs some milliseconds for the 2^18 counts of size L.
 * Try      PART = 64, 16384.  rungs profile compact/cuda_naive --size L: which kernel takes the time?
 * Level    1
 * Read     cuda_buffers.h
 */
#include "cuda_buffers.h" /* prepare, upload, download, release; d_x, d_kept, d_count, keeps */

enum { PART = 1024, THREADS = 128 };

static uint64_t *d_places; /* [parts] first the counts of the parts, then where they go */

__global__ static void count_parts(size_t parts, const float *x, uint64_t *counts)
{
    const size_t part = (size_t)blockIdx.x * THREADS + threadIdx.x;
    unsigned count = 0;

    if (part >= parts)
        return;
    for (size_t i = part * PART; i < (part + 1) * PART; i++)
        count += keeps(x[i]);
    counts[part] = count;
}

__global__ static void add_up(size_t parts, uint64_t *places, uint64_t *count)
{
    uint64_t before = 0;

    for (size_t part = 0; part < parts; part++) {
        const uint64_t own = places[part];
        places[part] = before;
        before += own;
    }
    *count = before;
}

__global__ static void pack_parts(size_t parts, const float *x, const uint64_t *places, float *kept)
{
    const size_t part = (size_t)blockIdx.x * THREADS + threadIdx.x;

    if (part >= parts)
        return;
    float *to = kept + places[part];

    for (size_t i = part * PART; i < (part + 1) * PART; i++)
        if (keeps(x[i]))
            *to++ = x[i];
}

static void prepare_places(const void *problem)
{
    const struct compact *p = (const struct compact *)problem;

    prepare(problem);
    CUDA(cudaMalloc(&d_places, tiles_of(p->n, PART) * sizeof *d_places));
}

static void run(const void *problem)
{
    const struct compact *p = (const struct compact *)problem;
    const size_t parts = tiles_of(p->n, PART);
    const unsigned blocks = (unsigned)tiles_of(parts, THREADS);

    count_parts<<<blocks, THREADS>>>(parts, d_x, d_places);
    CUDA(cudaGetLastError());
    add_up<<<1, 1>>>(parts, d_places, d_count);
    CUDA(cudaGetLastError());
    pack_parts<<<blocks, THREADS>>>(parts, d_x, d_places, d_kept);
    CUDA(cudaGetLastError());
}

static void release_places(void)
{
    CUDA(cudaFree(d_places));
    release();
}

VARIANT(.idea = "a thread packs 1024 elements; one thread adds up the counts",
        .base = "cpu_naive",
        .device = &device_gpu,
        .prepare = prepare_places,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_places)
