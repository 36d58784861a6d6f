/*
 * compact / cuda_cub
 *
 * Idea     The library: CUB's DeviceSelect, which looks back as well.
 * Against  cuda_lookback and the variants after it.
 * Expect   Half of the memory's rate at L.  Its threads load, look back and write in turn, so each waits for its own tile.
 * Try      cub::DeviceSelect::Flagged, with flags made by another kernel.
 * Level    2
 * Read     cuda_buffers.h
 */
#include <cub/device/device_select.cuh>

#include "cuda_buffers.h" /* prepare, upload, download, release; d_x, d_kept, d_count, keeps */

static void *d_scratch;
static size_t scratch;

struct is_kept {
    __device__ bool operator()(float x) const { return keeps(x); }
};

/* Without scratch memory, CUB writes how much it needs. */
static void select(const struct compact *p, void *space)
{
    CUDA(cub::DeviceSelect::If(space, scratch, d_x, d_kept, d_count, p->n, is_kept()));
}

static void prepare_scratch(const void *problem)
{
    const struct compact *p = (const struct compact *)problem;

    prepare(problem);
    select(p, NULL);
    CUDA(cudaMalloc(&d_scratch, scratch + 1));
}

static void run(const void *problem)
{
    select((const struct compact *)problem, d_scratch);
}

static void release_scratch(void)
{
    CUDA(cudaFree(d_scratch));
    release();
}

VARIANT(.idea = "the library: cub::DeviceSelect",
        .base = "cuda_lookback",
        .device = &device_gpu,
        .prepare = prepare_scratch,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_scratch)
