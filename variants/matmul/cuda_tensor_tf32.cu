/*
 * matmul / cuda_tensor_tf32
 *
 * Idea     Tensor cores on float32 as it lies in memory.  For TF32 they want both matrices in
 *          shared memory by rows of l, and B is not; but what they take from registers may come
 *          from anywhere.  So C is computed lying across: B's columns from registers times A's rows
 *          from shared memory.
 * Against  cuda_tensor_bf16: half the bits of each product more, and no pass over A and B before.
 * Expect   Half its speed, which is what the tensor cores have for TF32.
 * Try      Leave out the rounding in `rounded`: what does the judge say, and at which k?
 */
#include "common/variant.h"
#include "cuda_buffers.h" /* prepare, upload, download, release; d_a, d_b, d_c */
#include "hopper.h"       /* fetch, barrier_wait, products_begin, ... */

/*
 *     tile of C, 512 x 128, for a cluster of two blocks      Each block fetches its rows of A,
 *     +---------------------+---------------------+          256 x 32 at a time, and half of B,
 *     | block 0, warps 4-7  | block 0, warps 8-11 |          32 x 64, for both.
 *     | block 1, warps 4-7  | block 1, warps 8-11 |
 *     +---------------------+---------------------+
 */
enum {
    TILE_M = 256,
    TILE_N = 128,
    SLICE = ROW / 4, /* of k: a row of a box */
    BOXES = TILE_N / SLICE, /* of B, side by side */
    STAGES = 4,
    BLOCKS = 2, /* in a cluster */
    BAND = 4, /* rows of tiles that are gone through column by column: they share B in the cache */
    THREADS = 3 * GROUP
};

struct slices {
    float a[TILE_M][SLICE], b[BOXES][SLICE][SLICE];
};

struct ring {
    struct slices stage[STAGES];
    uint64_t full[STAGES], empty[STAGES];
};

/*
 * Tensor cores cut TF32 from a float32: the last 13 bits are taken for zero, so that an element of
 * A loses up to 2^-10 of itself, and half of that in the middle.  B's, which pass through
 * registers, can make up for it: each is made larger by 2^-11 and rounded to nearest.  The product
 * is off by 2^-10 at most, either way, as if both had been rounded to nearest.
 */
__device__ static unsigned rounded(float b)
{
    return __float_as_uint(b * (1 + 0x1p-11f)) + 0x1000;
}

/* sum += 64 columns of B, 8 rows, times 8 columns of A */
__device__ static void multiply(float sum[128], const unsigned b[4], uint64_t a)
{
    asm volatile("{.reg .pred add; setp.eq.u32 add, 1, 1; "
                 "wgmma.mma_async.sync.aligned.m64n256k8.f32.tf32.tf32 " PLACES128
                 "}, {%128,%129,%130,%131}, %132, add, 1, 1;}"
                 : SUMS32(sum, 0), SUMS32(sum, 32), SUMS32(sum, 64), SUMS32(sum, 96)
                 : "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "l"(a));
}

/*
 * The column of B, of the tile's, that is the first of this lane's two.  A warp has half of a box's
 * columns.  Of each row of a box, eight lanes read 8 bytes each, four rows at once: for that to
 * touch each bank once, the lanes' pieces must differ in whether they are in the upper half of the
 * row, and in nothing that rows differ in (hopper.h).
 */
__device__ static unsigned column(unsigned t)
{
    const unsigned warp = t / 32, lane = t % 32 / 4;
    const unsigned piece = lane / 2 % 2 * 4 + warp % 2 * 2 + lane / 4;

    return warp / 2 * SLICE + piece * 4 + lane % 2 * 2;
}

/* What this thread needs of B for a slice: of two columns, rows l and l + 4 of every eight. */
__device__ static void load(unsigned b[SLICE / 8][4], const struct slices *from, unsigned at)
{
    const unsigned l = threadIdx.x % 4, box = at / SLICE, piece = at % SLICE / 4, rest = at % 4;

#pragma unroll
    for (unsigned step = 0; step < SLICE / 8; step++)
#pragma unroll
        for (unsigned half = 0; half < 2; half++) {
            const unsigned row = step * 8 + half * 4 + l;
            const float2 two =
                *(const float2 *)&from->b[box][row][(piece ^ (half * 4 + l)) * 4 + rest];

            b[step][2 * half] = rounded(two.x);
            b[step][2 * half + 1] = rounded(two.y);
        }
    /* They must be there before the products begin, which the compiler would not know. */
#pragma unroll
    for (unsigned q = 0; q < SLICE / 2; q++)
        asm volatile("" : "+r"(b[q / 4][q % 4]));
}

/* The tiles, in the order in which clusters take them. */
__device__ static void place(size_t tile, size_t down, size_t across, size_t *i0, size_t *j0)
{
    const size_t band = tile / (BAND * across), in_band = tile % (BAND * across);
    const size_t high = min((size_t)BAND, down - band * BAND);

    *i0 = (band * BAND + in_band % high) * BLOCKS * TILE_M + cluster_rank() * TILE_M;
    *j0 = in_band / high * TILE_N;
}

/* C's elements at j and j + 1 of a row; j is even */
__device__ static void put(float *row, size_t j, size_t n, float x, float y)
{
    if (n % 2 == 0 && j < n) {
        *(float2 *)(row + j) = make_float2(x, y);
        return;
    }
    if (j < n)
        row[j] = x;
    if (j + 1 < n)
        row[j + 1] = y;
}

__global__ static void __cluster_dims__(BLOCKS, 1, 1) __launch_bounds__(THREADS, 1)
    matmul_tensor_tf32(size_t m, size_t n, size_t k, const __grid_constant__ CUtensorMap a_map,
                       const __grid_constant__ CUtensorMap b_map, float *c)
{
    extern __shared__ __align__(UNIT) unsigned char memory[];
    struct ring *ring = (struct ring *)memory;
    const size_t down = (m + BLOCKS * TILE_M - 1) / (BLOCKS * TILE_M);
    const size_t across = (n + TILE_N - 1) / TILE_N;
    const size_t slices = (k + 2 * SLICE - 1) / (2 * SLICE) * 2; /* even: the last may be zeros */
    const unsigned group = threadIdx.x / GROUP, t = threadIdx.x % GROUP, rank = cluster_rank();
    unsigned at = 0, round = 0; /* of the ring */
    size_t i0, j0;

    if (threadIdx.x == 0)
        for (unsigned s = 0; s < STAGES; s++) {
            barrier_init(&ring->full[s], 1);
            barrier_init(&ring->empty[s], 2 * BLOCKS); /* groups that must have done with it */
        }
    cluster_wait();

    if (group == 0) {
        registers_down<40>();
        if (t == 0)
            for (size_t tile = blockIdx.x / BLOCKS; tile < down * across;
                 tile += gridDim.x / BLOCKS) {
                place(tile, down, across, &i0, &j0);
                for (size_t slice = 0; slice < slices; slice++) {
                    struct slices *to = &ring->stage[at];
                    uint64_t *full = &ring->full[at];

                    barrier_wait(&ring->empty[at], ~round & 1);
                    barrier_expect(full, sizeof *to);
                    fetch(to->a, &a_map, i0, slice * SLICE, full);
                    for (unsigned box = rank * BOXES / BLOCKS; box < (rank + 1) * BOXES / BLOCKS;
                         box++)
                        fetch_for((1 << BLOCKS) - 1, to->b[box], &b_map, slice * SLICE,
                                  j0 + box * SLICE, full);
                    at = at + 1 < STAGES ? at + 1 : 0;
                    round += at == 0;
                }
            }
    } else {
        const unsigned mine = (group - 1) * (TILE_N / 2) + column(t);

        registers_up<232>();
        for (size_t tile = blockIdx.x / BLOCKS; tile < down * across; tile += gridDim.x / BLOCKS) {
            unsigned b[2][SLICE / 8][4]; /* of this slice, and of the one still under way */
            float sum[128];
            unsigned before = 0;

#pragma unroll
            for (unsigned q = 0; q < 128; q++)
                sum[q] = 0;
            for (size_t slice = 0; slice < slices; slice += 2)
#pragma unroll
                for (unsigned odd = 0; odd < 2; odd++) {
                    const struct slices *now = &ring->stage[at];

                    barrier_wait(&ring->full[at], round & 1);
                    load(b[odd], now, mine);
                    products_begin();
#pragma unroll
                    for (unsigned step = 0; step < SLICE / 8; step++)
                        multiply(sum, b[odd][step], descriptor(&now->a[0][step * 8]));
                    products_end();
                    /* The slice before is done with when no more than this one is under way. */
                    products_wait<1>();
                    if (slice + odd > 0 && t < BLOCKS)
                        barrier_arrive(&ring->empty[before], t);
                    before = at;
                    at = at + 1 < STAGES ? at + 1 : 0;
                    round += at == 0;
                }
            products_wait<0>();
            if (t < BLOCKS)
                barrier_arrive(&ring->empty[before], t);

            place(tile, down, across, &i0, &j0);
            /* A lane has two columns of C; of every eight rows, two. */
#pragma unroll
            for (unsigned q = 0; q < TILE_M / 8; q++)
#pragma unroll
                for (unsigned e = 0; e < 2; e++) {
                    const size_t i = i0 + q * 8 + t % 4 * 2 + e;

                    if (i < m)
                        put(c + i * n, j0 + mine, n, sum[q * 4 + e], sum[q * 4 + 2 + e]);
                }
        }
    }
    cluster_wait(); /* the other block may still write here */
}

static CUtensorMap a_map, b_map;
static float *a_wide, *b_wide; /* copies whose rows are whole 16 bytes; NULL where A's, B's are */
static int blocks;             /* that can be resident */

static const char *refuse(const void *problem)
{
    (void)problem;
    return hopper_missing();
}

static size_t wide(size_t columns)
{
    return (columns + 3) / 4 * 4;
}

/* How the copy engine sees a matrix: where it is, or in a copy, which `run` makes. */
static CUtensorMap map_or_widen(const float *d_matrix, size_t rows, size_t columns,
                                unsigned box_rows, float **copy)
{
    const size_t row_bytes = wide(columns) * sizeof(float);

    *copy = NULL;
    if (columns % 4 != 0)
        CUDA(cudaMalloc(copy, rows * row_bytes));
    return tensor_map(CU_TENSOR_MAP_DATA_TYPE_FLOAT32, sizeof(float),
                      *copy != NULL ? *copy : d_matrix, rows, columns, row_bytes, box_rows);
}

static void widen(float *copy, const float *d_matrix, size_t rows, size_t columns)
{
    const size_t width = columns * sizeof(float);

    if (copy != NULL)
        CUDA(cudaMemcpy2DAsync(copy, wide(columns) * sizeof(float), d_matrix, width, width, rows,
                               cudaMemcpyDeviceToDevice));
}

static void prepare_tensor(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;

    prepare(problem);
    CUDA(cudaDeviceGetAttribute(&blocks, cudaDevAttrMultiProcessorCount, 0));
    CUDA(cudaFuncSetAttribute(matmul_tensor_tf32, cudaFuncAttributeMaxDynamicSharedMemorySize,
                              sizeof(struct ring)));
    if (p->m == 0 || p->n == 0 || p->k == 0)
        return;
    a_map = map_or_widen(d_a, p->m, p->k, TILE_M, &a_wide);
    b_map = map_or_widen(d_b, p->k, p->n, SLICE, &b_wide);
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
    widen(a_wide, d_a, p->m, p->k);
    widen(b_wide, d_b, p->k, p->n);
    matmul_tensor_tf32<<<blocks / BLOCKS * BLOCKS, THREADS, sizeof(struct ring)>>>(
        p->m, p->n, p->k, a_map, b_map, d_c);
    CUDA(cudaGetLastError());
}

static void release_tensor(void)
{
    CUDA(cudaFree(a_wide));
    CUDA(cudaFree(b_wide));
    a_wide = b_wide = NULL;
    release();
}

VARIANT(.idea = "tensor cores, TF32: B through registers, so that nothing is transposed",
        .base = "cuda_tensor_bf16",
        .device = &device_gpu,
        .math = MATH_TF32,
        .refuse = refuse,
        .prepare = prepare_tensor,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_tensor)
