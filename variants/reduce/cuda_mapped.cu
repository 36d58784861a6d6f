/*
 * reduce / cuda_mapped
 *
 * Idea     No copy: the kernel reads the host's own memory across the bus, page-locked and mapped for the device.  Each
 *          number is used once, so bringing it to the device first gains nothing.
 * Against  cuda_single, whose upload copies the array, and whose kernel then reads it again.
 * Expect   End to end the time of the bus alone, and 8 bytes back.  The copy is not faster, and the kernel no longer
 *          waits for its end.  The locking is in prepare, as in saxpy's cuda_pinned.
 * Try      The same for saxpy, which writes as well.  And for knn, which reads each reference often.
 * Level    2
 * Read     cuda_block.h, cuda_buffers.h
 */
#include "cuda_block.h"

enum { THREADS = 256, QUADS = 4 };

static const int each = 2; /* blocks per multiprocessor */

static void *locked;  /* the problem's x; NULL: it is empty */
static float *mapped; /* the device's address of it */

__global__ static void add_blocks(size_t n, const float *x, totals *of_block)
{
    const totals mine = block_totals(thread_totals<THREADS, QUADS>(n, x));

    if (threadIdx.x == 0)
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

static void prepare_mapped(const void *problem)
{
    const struct reduce *p = (const struct reduce *)problem;

    prepare(problem);
    locked = p->n > 0 ? (void *)p->x : NULL;
    if (locked == NULL)
        return;
    CUDA(cudaHostRegister(locked, p->n * sizeof *p->x, cudaHostRegisterMapped | cudaHostRegisterReadOnly));
    CUDA(cudaHostGetDevicePointer((void **)&mapped, locked, 0));
}

static void run(const void *problem)
{
    const struct reduce *p = (const struct reduce *)problem;
    const unsigned blocks = blocks_for(p->n, THREADS * QUADS * 4, each);

    add_blocks<<<blocks, THREADS>>>(p->n, mapped, d_totals);
    CUDA(cudaGetLastError());
    finish<<<1, THREADS>>>(blocks, d_totals, d_answer);
    CUDA(cudaGetLastError());
    download(problem);
}

static void release_mapped(void)
{
    if (locked != NULL)
        CUDA(cudaHostUnregister(locked));
    release();
}

VARIANT(.idea = "the kernel reads page-locked host memory itself",
        .base = "cuda_single",
        .device = &device_gpu,
        .math = MATH_F64,
        .prepare = prepare_mapped,
        .run = run,
        .release = release_mapped)
