/*
 * reduce / cuda_bulk
 *
 * Idea     Bulk copies ("TMA"): one thread requests whole tiles ahead of their use, and the copy engine brings them to
 *          shared memory.  Loads in flight then take no registers.
 * Against  cuda_vector, whose threads hold four loads each in registers.
 * Expect   The same rate at L: 64 KiB in flight per multiprocessor are more than enough either way.
 * Try      STAGES = 2, 8.  With 1, a block waits for each tile.
 * Level    3
 * Read     cuda_block.h, cuda_buffers.h
 *
 *     stage      0        1        2        3        0 ...
 *     engine     tile 0   tile 1   tile 2   tile 3   tile 4    each as soon as its stage is empty
 *     threads    waits    tile 0   tile 1   tile 2   tile 3
 */
#include <stdint.h>

#include "cuda_block.h"

enum {
    THREADS = 256,
    STAGES = 4,
    TILE = THREADS * 4 * 2, /* elements: two float4 per thread, 8 KiB */
    BYTES = TILE * sizeof(float)
};

static const int each = 2; /* blocks per multiprocessor */

#if __CUDA_ARCH__ >= 900
__device__ static unsigned shared_address(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

/* A barrier that opens when one thread has arrived, and all bytes that it expects. */
__device__ static void barrier_init(uint64_t *barrier)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1; fence.mbarrier_init.release.cluster;"
                 :: "r"(shared_address(barrier)) : "memory");
}

/* Requests a tile, which will count at the barrier. */
__device__ static void fetch(float4 *to, const float *from, uint64_t *barrier)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                 :: "r"(shared_address(barrier)), "r"((unsigned)BYTES) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                 :: "r"(shared_address(to)), "l"(from), "r"((unsigned)BYTES), "r"(shared_address(barrier))
                 : "memory");
}

__device__ static void barrier_wait(uint64_t *barrier, unsigned phase)
{
    unsigned open;

    do
        asm volatile("{.reg .pred open; mbarrier.try_wait.parity.shared::cta.b64"
                     " open, [%1], %2; selp.u32 %0, 1, 0, open;}"
                     : "=r"(open) : "r"(shared_address(barrier)), "r"(phase) : "memory");
    while (!open);
}
#endif

__global__ static void add_blocks(size_t n, const float *x, totals *of_block)
{
#if __CUDA_ARCH__ >= 900
    __shared__ alignas(128) float4 tile[STAGES][TILE / 4];
    __shared__ uint64_t full[STAGES];
    const size_t tiles = n / TILE, stride = gridDim.x;
    totals mine = {0.0, 0.0};

    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++)
            barrier_init(&full[s]);
        for (int s = 0; s < STAGES; s++)
            if (blockIdx.x + s * stride < tiles)
                fetch(tile[s], x + (blockIdx.x + s * stride) * TILE, &full[s]);
    }
    __syncthreads(); /* the barriers are initialised for all threads */
    for (size_t t = blockIdx.x, turn = 0; t < tiles; t += stride, turn++) {
        const int s = (int)(turn % STAGES);

        barrier_wait(&full[s], (unsigned)(turn / STAGES) & 1);
        for (int q = 0; q < 2; q++) {
            const float4 v = tile[s][q * THREADS + threadIdx.x];
            add(&mine, v.x);
            add(&mine, v.y);
            add(&mine, v.z);
            add(&mine, v.w);
        }
        __syncthreads(); /* all have read the stage */
        if (threadIdx.x == 0 && t + STAGES * stride < tiles)
            fetch(tile[s], x + (t + STAGES * stride) * TILE, &full[s]);
    }
    for (size_t i = tiles * TILE + (size_t)blockIdx.x * THREADS + threadIdx.x; i < n; i += stride * THREADS)
        add(&mine, x[i]);
    mine = block_totals(mine);
    if (threadIdx.x == 0)
        of_block[blockIdx.x] = mine;
#endif
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

static const char *refuse(const void *problem)
{
    int major;

    (void)problem;
    CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    return major >= 9 ? NULL : "needs compute capability 9.0 or more: bulk copies";
}

static void run(const void *problem)
{
    const struct reduce *p = (const struct reduce *)problem;
    const unsigned blocks = blocks_for(p->n, TILE, each);

    add_blocks<<<blocks, THREADS>>>(p->n, d_x, d_totals);
    CUDA(cudaGetLastError());
    finish<<<1, THREADS>>>(blocks, d_totals, d_answer);
    CUDA(cudaGetLastError());
}

VARIANT(.idea = "bulk copies: tiles requested ahead of their use",
        .base = "cuda_vector",
        .device = &device_gpu,
        .math = MATH_F64,
        .refuse = refuse,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
