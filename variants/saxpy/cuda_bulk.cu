/*
 * saxpy / cuda_bulk
 *
 * Idea     Bulk copies ("TMA"): one thread requests all that its block needs, the copy engine
 *          brings it to shared memory, and a barrier there counts the bytes.  Copies in flight take
 *          no registers and no instructions of the other threads, so every block of a
 *          multiprocessor has its tile in flight as soon as it starts.
 * Against  cuda_vector: each thread loads its own elements, into registers.
 * Expect   The rate at which the device copies its own memory.  cuda_vector is within 2 % of that,
 *          so there is no more to gain.  CUB uses the same copies on these devices (cuda_cub).
 * Try      THREADS = 64, 128, 512, 1024: a multiprocessor has as many bytes in flight, in more or
 *          fewer pieces.  Then two float4 per thread in a tile: twice as many bytes in flight.
 * Level    3
 * Read     cuda_buffers.h
 */
#include <stdint.h>

#include "cuda_buffers.h" /* prepare, upload, download, release; d_x, d_y, d_z */

enum {
    THREADS = 256,
    TILE = THREADS * 4, /* elements of a block: 4 KiB of x, and of y */
    BYTES = TILE * sizeof(float)
};

#if __CUDA_ARCH__ >= 900
__device__ static unsigned shared_address(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

/* Makes a barrier that opens when one thread has arrived, and all bytes that it expects. */
__device__ static void barrier_init(uint64_t *barrier)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1; fence.mbarrier_init.release.cluster;"
                 :: "r"(shared_address(barrier)) : "memory");
}

__device__ static void barrier_expect(uint64_t *barrier, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                 :: "r"(shared_address(barrier)), "r"(bytes) : "memory");
}

__device__ static void barrier_wait(uint64_t *barrier)
{
    unsigned open;

    do
        asm volatile("{.reg .pred open; mbarrier.try_wait.parity.shared::cta.b64"
                     " open, [%1], 0; selp.u32 %0, 1, 0, open;}"
                     : "=r"(open) : "r"(shared_address(barrier)) : "memory");
    while (!open);
}

/* Requests contiguous bytes, which will count at the barrier.  Size and addresses are multiples of 16. */
__device__ static void fetch(void *to, const void *from, unsigned bytes, uint64_t *barrier)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
                 " [%0], [%1], %2, [%3];"
                 :: "r"(shared_address(to)), "l"(from), "r"(bytes), "r"(shared_address(barrier))
                 : "memory");
}
#endif

__global__ static void saxpy_bulk(size_t n, float a, const float *x, const float *y, float *z)
{
#if __CUDA_ARCH__ >= 900
    __shared__ alignas(128) float4 xs[THREADS], ys[THREADS];
    __shared__ uint64_t arrived;
    size_t first = (size_t)blockIdx.x * TILE;

    if (n - first < TILE) { /* the last block, a partial tile */
        for (size_t i = first + threadIdx.x; i < n; i += THREADS)
            z[i] = a * x[i] + y[i];
        return;
    }
    if (threadIdx.x == 0) {
        barrier_init(&arrived);
        barrier_expect(&arrived, 2 * BYTES);
        fetch(xs, x + first, BYTES, &arrived);
        fetch(ys, y + first, BYTES, &arrived);
    }
    __syncthreads(); /* the barrier is initialised for all threads */
    barrier_wait(&arrived);
    float4 u = xs[threadIdx.x], v = ys[threadIdx.x];

    ((float4 *)(z + first))[threadIdx.x] =
        make_float4(a * u.x + v.x, a * u.y + v.y, a * u.z + v.z, a * u.w + v.w);
#endif
}

static const char *refuse(const void *problem)
{
    int major;

    (void)problem; /* any size */
    CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    return major >= 9 ? NULL : "needs compute capability 9.0 or more: bulk copies";
}

static void run(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;
    size_t blocks = (p->n + TILE - 1) / TILE;

    if (blocks == 0)
        return;
    saxpy_bulk<<<(unsigned)blocks, THREADS>>>(p->n, p->a, d_x, d_y, d_z);
    CUDA(cudaGetLastError());
}

VARIANT(.idea = "bulk copies: the copy engine brings tiles into shared memory",
        .base = "cuda_vector",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
