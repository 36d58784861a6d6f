/*
 * reduce / cuda_streams
 *
 * Idea     Chunks take turns, each in its own stream: while one is added up, the next comes in.  The array is
 *          page-locked, so copies need no help from the host.
 * Against  cuda_single from page-locked memory: all copies first, then the kernel.
 * Expect   End to end the time of the bus.  The kernel is so much faster than the copies that only its last chunk shows:
 *          a little better than one copy and one kernel, and the same as cuda_mapped.
 * Try      CHUNK = 2^18, 2^24.
 * Level    2
 * Read     cuda_block.h, cuda_buffers.h
 */
#include "cuda_block.h"

enum {
    THREADS = 256,
    QUADS = 4,
    CHUNK = 1 << 21, /* elements: 8 MiB, long enough for the bus's full rate */
    BLOCKS = 128,    /* that add up a chunk; each keeps totals for the whole call */
    SLOTS = 3        /* chunks: one on its way in, one waiting, one being added up */
};

static void *locked; /* the problem's x; NULL: empty, or not lockable */

static struct slot {
    float *d_x;
    cudaStream_t stream;
} slots[SLOTS];

/* Adds a chunk to the totals of this slot's blocks. */
__global__ static void add_chunk(size_t n, const float *x, totals *of_block, bool first)
{
    totals mine = block_totals(thread_totals<THREADS, QUADS>(n, x));

    if (threadIdx.x != 0)
        return;
    if (!first)
        add(&mine, of_block[blockIdx.x]);
    of_block[blockIdx.x] = mine;
}

__global__ static void finish(unsigned blocks, const totals *of_block, float *sum_and_norm)
{
    totals mine = {0.0, 0.0};

    for (unsigned b = threadIdx.x; b < blocks; b += THREADS)
        add(&mine, of_block[b]);
    mine = block_totals(mine);
    if (threadIdx.x == 0)
        answer(mine, sum_and_norm);
}

static void prepare_slots(const void *problem)
{
    const struct reduce *p = (const struct reduce *)problem;
    const struct reduce none = {.n = 0, .x = NULL, .sum = NULL, .norm = NULL};

    prepare(&none); /* the array never is on the device as a whole */
    locked = p->n > 0 ? (void *)p->x : NULL;
    if (locked != NULL && cudaHostRegister(locked, p->n * sizeof *p->x, cudaHostRegisterReadOnly) != cudaSuccess) {
        (void)cudaGetLastError(); /* clears the error: no later check must report it */
        locked = NULL;            /* copies still work, but do not overlap */
    }
    for (struct slot *s = slots; s < slots + SLOTS; s++) {
        CUDA(cudaMalloc(&s->d_x, CHUNK * sizeof *s->d_x));
        CUDA(cudaStreamCreate(&s->stream));
    }
}

static void run(const void *problem)
{
    const struct reduce *p = (const struct reduce *)problem;
    size_t chunks = 0;

    for (size_t first = 0; first < p->n; first += CHUNK, chunks++) {
        const size_t left = p->n - first, n = left < CHUNK ? left : (size_t)CHUNK, at = chunks % SLOTS;
        const struct slot *s = &slots[at];

        CUDA(cudaMemcpyAsync(s->d_x, p->x + first, n * sizeof *p->x, cudaMemcpyHostToDevice, s->stream));
        add_chunk<<<BLOCKS, THREADS, 0, s->stream>>>(n, s->d_x, d_totals + at * BLOCKS, chunks < SLOTS);
        CUDA(cudaGetLastError());
    }
    CUDA(cudaDeviceSynchronize());
    finish<<<1, THREADS>>>((unsigned)(chunks < SLOTS ? chunks : SLOTS) * BLOCKS, d_totals, d_answer);
    CUDA(cudaGetLastError());
    download(problem);
}

static void release_slots(void)
{
    for (struct slot *s = slots; s < slots + SLOTS; s++) {
        CUDA(cudaStreamDestroy(s->stream));
        CUDA(cudaFree(s->d_x));
    }
    if (locked != NULL)
        CUDA(cudaHostUnregister(locked));
    release();
}

VARIANT(.idea = "chunks in streams: copies and kernels overlap",
        .base = "cuda_single",
        .device = &device_gpu,
        .math = MATH_F64,
        .prepare = prepare_slots,
        .run = run,
        .release = release_slots)
