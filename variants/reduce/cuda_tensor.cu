/*
 * reduce / cuda_tensor
 *
 * Idea     Sums on tensor cores: a matrix of ones times a tile of numbers has the sums of its columns in each row.  The
 *          numbers are rounded to TF32 on the way, 10 bits of mantissa; squares stay with the ordinary units.
 * Against  cuda_vector, which adds with ordinary instructions.
 * Expect   Nothing: the memory is the limit, and the additions hid behind it already.  Fifteen of sixteen rows of the
 *          product are thrown away.  A unit that is fast is no gain where it is not the one that is waited for.
 * Try      rungs profile: which pipe is busy?
 * Level    3
 * Read     cuda_block.h, cuda_buffers.h
 */
#include "cuda_block.h"

enum {
    THREADS = 256,
    TILE = 8 * 8,              /* elements of a product's right side: 8 rows, 8 columns */
    RUN = 64,                  /* products before the float32 sums go into float64 */
    BLOCK = THREADS / 32 * TILE
};

static const int each = 8; /* blocks per multiprocessor */

/* d += ones * b.  Lane l holds b[l % 4][l / 4] and b[l % 4 + 4][l / 4], and of d the columns 2 (l % 4) and the next. */
__device__ static void multiply(float d[4], float b0, float b1)
{
#if __CUDA_ARCH__ >= 800
    const unsigned one = 0x3f800000u; /* the numbers are rounded to 10 bits of mantissa, halves away from zero */
    const unsigned t0 = (__float_as_uint(b0) + 0x1000u) & ~0x1fffu, t1 = (__float_as_uint(b1) + 0x1000u) & ~0x1fffu;

    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, {%5, %6},"
        " {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(one), "r"(t0), "r"(t1));
#endif
}

__global__ static void add_blocks(size_t n, const float *x, totals *of_block)
{
    const size_t whole = n / BLOCK * BLOCK, stride = (size_t)gridDim.x * BLOCK;
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float columns[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    totals mine = {0.0, 0.0};
    int products = 0;

    /* Any element may stand anywhere in the tile: two that lie side by side for each lane. */
    for (size_t first = (size_t)blockIdx.x * BLOCK + warp * TILE; first < whole; first += stride) {
        const float2 pair = *(const float2 *)(x + first + 2 * lane);

        multiply(columns, pair.x, pair.y);
        mine.squares += (double)pair.x * pair.x + (double)pair.y * pair.y;
        if (++products % RUN == 0) {
            mine.sum += (double)columns[0] + columns[1];
            columns[0] = columns[1] = columns[2] = columns[3] = 0.0f;
        }
    }
    mine.sum += (double)columns[0] + columns[1];
    /* All eight rows of lanes hold the same columns.  One of them counts. */
    if (lane >= 4)
        mine.sum = 0.0;
    for (size_t i = whole + (size_t)blockIdx.x * THREADS + threadIdx.x; i < n; i += (size_t)gridDim.x * THREADS)
        add(&mine, x[i]);
    mine = block_totals(mine);
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

static const char *refuse(const void *problem)
{
    int major;

    (void)problem;
    CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    return major >= 8 ? NULL : "needs compute capability 8.0 or more: TF32";
}

static void run(const void *problem)
{
    const struct reduce *p = (const struct reduce *)problem;
    const unsigned blocks = blocks_for(p->n, BLOCK, each);

    add_blocks<<<blocks, THREADS>>>(p->n, d_x, d_totals);
    CUDA(cudaGetLastError());
    finish<<<1, THREADS>>>(blocks, d_totals, d_answer);
    CUDA(cudaGetLastError());
}

VARIANT(.idea = "ones times the numbers on tensor cores",
        .base = "cuda_vector",
        .device = &device_gpu,
        .math = MATH_TF32,
        .refuse = refuse,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
