/*
 * map / cuda_multi
 *
 * Idea     All GPUs, one host thread for each.  The chunks form a queue: each idle GPU takes the next.
 * Against  cuda_vector: the same copies and kernel, on one GPU, for all elements at once.
 * Expect   End to end the rate at which one host core copies ordinary memory to a GPU, times the number of GPUs, until the host's memory
 *          is the limit.  With one GPU as cuda_vector.
 * Try      CHUNK = 2^16: too many starts; 2^28: too few chunks to share.
 * Level    2
 * Read     sine.h, payne_hanek.h, cuda_functions.h, cuda_sine.h, cuda_tile.h
 */
#include <omp.h>

#include "common/variant.h"
#include "cuda_sine.h" /* trig, windows_upload */
#include "cuda_tile.h" /* map_tile */

enum { CHUNK = 4 << 20 }; /* bytes of each array */

static struct gpu {
    void *d_x, *d_y, *d_z; /* [CHUNK] */
} *gpus;

static int count; /* of GPUs */

template <class F> __global__ static void map_multi(size_t n, F f, const void *x, const void *y, void *z)
{
    map_tile(n, f, x, y, z);
}

static void prepare(const void *problem)
{
    (void)problem; /* a chunk's size does not depend on the problem's */
    CUDA(cudaGetDeviceCount(&count));
    gpus = (struct gpu *)malloc((size_t)count * sizeof *gpus);
    for (int g = 0; g < count; g++) {
        CUDA(cudaSetDevice(g));
        windows_upload();
        CUDA(cudaMalloc(&gpus[g].d_x, CHUNK));
        CUDA(cudaMalloc(&gpus[g].d_y, CHUNK));
        CUDA(cudaMalloc(&gpus[g].d_z, CHUNK));
    }
    CUDA(cudaSetDevice(0)); /* the current device is per thread; the harness uses device 0 */
}

template <class F> static void map_chunk(const struct map *p, F f, size_t first, size_t each, const struct gpu *on)
{
    const struct arrays host = arrays_of(p);
    const size_t n = p->n - first < each ? p->n - first : each, bytes = n * host.element, at = first * host.element;

    CUDA(cudaMemcpy(on->d_x, (const char *)host.x + at, bytes, cudaMemcpyHostToDevice));
    if (host.y != NULL)
        CUDA(cudaMemcpy(on->d_y, (const char *)host.y + at, bytes, cudaMemcpyHostToDevice));
    map_multi<<<tile_blocks(f, n), TILE_THREADS>>>(n, f, on->d_x, on->d_y, on->d_z);
    CUDA(cudaGetLastError());
    CUDA(cudaMemcpy((char *)host.z + at, on->d_z, bytes, cudaMemcpyDeviceToHost));
}

static void run(const void *problem)
{
    const struct map *p = (const struct map *)problem;
    const size_t each = CHUNK / arrays_of(p).element;

#pragma omp parallel num_threads(count)
    {
        const struct gpu *mine = &gpus[omp_get_thread_num()];

        CUDA(cudaSetDevice(omp_get_thread_num())); /* thread 0 is the harness's, which uses GPU 0 */
        /* Dynamic: each idle GPU takes the next chunk. */
#pragma omp for schedule(dynamic)
        for (size_t first = 0; first < p->n; first += each)
            for_function(p, trig(), [=](auto f) { map_chunk(p, f, first, each, mine); });
    }
}

static void release(void)
{
    for (int g = 0; g < count; g++) {
        CUDA(cudaSetDevice(g));
        CUDA(cudaFree(gpus[g].d_x));
        CUDA(cudaFree(gpus[g].d_y));
        CUDA(cudaFree(gpus[g].d_z));
    }
    CUDA(cudaSetDevice(0));
    free(gpus);
}

VARIANT(.idea = "one host thread per GPU, chunks from a queue",
        .base = "cuda_vector",
        .device = &device_gpu,
        .math = MATH_F32,
        .traits = TRAIT_ALL_GPUS,
        .prepare = prepare,
        .run = run,
        .release = release)
