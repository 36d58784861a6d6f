/*
 * matmul / cuda_tensor_bf16
 *
 * Idea     Tensor cores on bfloat16.  Of a block's 12 warps, four fetch and eight multiply, and
 *          they meet only at barriers in shared memory: the copy engine fills a ring of slices
 *          while earlier slices are multiplied.  Two blocks share the fetching of B.
 * Against  cuda_async, where each thread copies, waits for all others, and multiplies.
 * Expect   Rounding A and B to bfloat16 comes first, and is part of the time.  Then bound by the
 *          tensor cores, or by the power that the card may take: random numbers take more than
 *          zeros and are slower.
 * Try      STAGES = 2.  Or BAND = 1: how much more comes from memory, and does it matter?
 * Level    3
 * Read     cuda_bf16.h, cuda_buffers.h, hopper.h, ring.h
 */
/* nvcc: sm_90a */
#include "common/variant.h"
#include "cuda_bf16.h"    /* shorten_both, d_a_short, d_b_short */
#include "cuda_buffers.h" /* prepare, upload, download, release; d_a, d_b, d_c */
#include "hopper.h"       /* tensor_map, fetch, products_begin, ... */
#include "ring.h"         /* how fetching and multiplying threads meet; BLOCKS, THREADS; put */

/*
 *     tile of C, 256 x 256, for a cluster of two blocks
 *     +---------------------+
 *     | block 0, warps 4-7  |  64 x 256 sums: 128 in each thread
 *     |          warps 8-11 |
 *     | block 1, warps 4-7  |  each block fetches its part of A, 128 x 64 at a time, and half of
 *     |          warps 8-11 |  B, 64 x 256, for both
 *     +---------------------+
 */
enum {
    TILE_M = 128,
    TILE_N = 256,
    SLICE = ROW / 2, /* of k: a row of a box */
    BOXES = TILE_N / SLICE, /* of B, side by side */
    STAGES = 4,
    BAND = 8 /* rows of tiles that are done column by column */
};

struct slices {
    __nv_bfloat16 a[TILE_M][SLICE], b[BOXES][SLICE][SLICE];
};

typedef ring_of<slices, STAGES> slice_ring;

/* A slice: A's rows for this block, and half of B's columns for both. */
__device__ static void fetch_slice(struct slices *to, const CUtensorMap *a_map,
                                   const CUtensorMap *b_map, size_t i, size_t j, size_t l,
                                   uint64_t *full)
{
    const unsigned half = BOXES / BLOCKS, first = cluster_rank() * half;

    fetch(to->a, a_map, i, l, full);
    for (unsigned box = first; box < first + half; box++)
        fetch_for((1 << BLOCKS) - 1, to->b[box], b_map, l, j + box * SLICE, full);
}

/* sum += 64 rows of A, 16 columns, times 16 rows of B */
__device__ static void multiply(float sum[128], uint64_t a, uint64_t b)
{
    asm volatile("{.reg .pred add; setp.eq.u32 add, 1, 1; "
                 "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 " PLACES128
                 "}, %128, %129, add, 1, 1, 0, 1;}"
                 : SUMS32(sum, 0), SUMS32(sum, 32), SUMS32(sum, 64), SUMS32(sum, 96)
                 : "l"(a), "l"(b));
}

__global__ static void __cluster_dims__(BLOCKS, 1, 1) __launch_bounds__(THREADS, 1)
    matmul_tensor_bf16(size_t m, size_t n, size_t k, const __grid_constant__ CUtensorMap a_map,
                       const __grid_constant__ CUtensorMap b_map, float *c)
{
    extern __shared__ __align__(UNIT) unsigned char memory[];
    slice_ring *ring = (slice_ring *)memory;
    const tiles_of<TILE_M, TILE_N, BAND> tiles(m, n);
    const size_t count = (k + SLICE - 1) / SLICE;
    const unsigned group = threadIdx.x / GROUP, t = threadIdx.x % GROUP;
    struct turn turn = {};
    size_t i0, j0;

    ring_init(ring);

    if (group == 0) {
        registers_down<40>();
        if (t == 0)
            ring_fill(ring, tiles, count, [&](struct slices *to, size_t i, size_t j, size_t slice,
                                              uint64_t *full) {
                fetch_slice(to, &a_map, &b_map, i, j, slice * SLICE, full);
            });
    } else {
        registers_up<232>();
        for (size_t tile = blockIdx.x / BLOCKS; tile < tiles.down * tiles.across;
             tile += gridDim.x / BLOCKS) {
            float sum[128];
            unsigned before = 0;

#pragma unroll
            for (unsigned q = 0; q < 128; q++)
                sum[q] = 0;
            for (size_t slice = 0; slice < count; slice++) {
                const struct slices *now = ring_take(ring, turn);

                products_begin();
#pragma unroll
                for (unsigned l = 0; l < SLICE; l += 16)
                    multiply(sum, descriptor(&now->a[(group - 1) * 64][l]),
                             descriptor(now->b[0][l], sizeof now->b[0]));
                products_end();
                /* With only this batch still running, the slice before has been read. */
                products_wait<1>();
                if (slice > 0)
                    ring_release(ring, before, t);
                before = turn.at;
                next(ring, &turn);
            }
            products_wait<0>();
            ring_release(ring, before, t);

            tiles.place(tile, &i0, &j0);
            /* A warp has 16 rows; a lane two of them, and of every eight columns two. */
            for (unsigned half = 0; half < 2; half++) {
                const size_t i = i0 + (group - 1) * 64 + t / 32 * 16 + half * 8 + t % 32 / 4;

                if (i < m)
#pragma unroll
                    for (unsigned q = 0; q < TILE_N / 8; q++)
                        put(c + i * n, j0 + q * 8 + t % 4 * 2, n, sum[q * 4 + half * 2],
                            sum[q * 4 + half * 2 + 1]);
            }
        }
    }
    cluster_wait(); /* the other block may still write here */
}

static CUtensorMap a_map, b_map;
static int blocks; /* one per multiprocessor */

static const char *refuse(const void *problem)
{
    (void)problem;
    return hopper_missing();
}

static void prepare_tensor(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;
    const CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;

    prepare(problem);
    prepare_short(p);
    CUDA(cudaDeviceGetAttribute(&blocks, cudaDevAttrMultiProcessorCount, 0));
    CUDA(cudaFuncSetAttribute(matmul_tensor_bf16, cudaFuncAttributeMaxDynamicSharedMemorySize,
                              sizeof(slice_ring)));
    if (p->m == 0 || p->n == 0 || p->k == 0)
        return;
    a_map = tensor_map(type, 2, d_a_short, p->m, p->k, 2 * short_stride(p->k), TILE_M);
    b_map = tensor_map(type, 2, d_b_short, p->k, p->n, 2 * short_stride(p->n), SLICE);
}

static void run(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;

    if (p->m == 0 || p->n == 0)
        return;
    if (p->k == 0) { /* nothing to fetch */
        CUDA(cudaMemset(d_c, 0, p->m * p->n * sizeof(float)));
        return;
    }
    shorten_both(p, d_a, d_b);
    matmul_tensor_bf16<<<blocks / BLOCKS * BLOCKS, THREADS, sizeof(slice_ring)>>>(
        p->m, p->n, p->k, a_map, b_map, d_c);
    CUDA(cudaGetLastError());
}

static void release_tensor(void)
{
    release_short();
    release();
}

VARIANT(.idea = "tensor cores, bfloat16: warps that fetch, warps that multiply",
        .base = "cuda_async",
        .device = &device_gpu,
        .math = MATH_F16,
        .refuse = refuse,
        .prepare = prepare_tensor,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_tensor)
