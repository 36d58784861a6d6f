/*
 * Clusters, mbarriers, the copy engine and wgmma, compared with plain C.  The place of each element in
 * shared memory follows the manual: pieces of 8 rows by 16 bytes.
 */
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "ptx.h"

static int wrong;

static void is(const char *what, double got, double expected)
{
    if (got == expected)
        return;
    wrong++;
    fprintf(stderr, "%s: %.9g, expected %.9g\n", what, got, expected);
}

template <class T> static T *on_device(const T *from, size_t count)
{
    T *p;

    cudaMalloc(&p, count * sizeof *p);
    cudaMemcpy(p, from, count * sizeof *p, cudaMemcpyHostToDevice);
    return p;
}

template <class T> static void back(T *to, T *from, size_t count)
{
    cudaMemcpy(to, from, count * sizeof *to, cudaMemcpyDeviceToHost);
    cudaFree(from);
}

/* --- clusters --------------------------------------------------------------------------------- */

enum { WIDE = 2, HIGH = 2, ROUNDS = 5, CLUSTER_THREADS = 64 };

/* In each round, all blocks of a cluster wait for an arrival from each; out: how many rounds the
   slowest had finished. */
template <unsigned ARRIVALS>
__global__ static void __cluster_dims__(WIDE, HIGH, 1) __launch_bounds__(CLUSTER_THREADS)
    meet(unsigned *rank, unsigned *size, unsigned *done, unsigned *slowest)
{
    __shared__ uint64_t barrier;
    const unsigned block = blockIdx.y * gridDim.x + blockIdx.x;
    const unsigned x0 = blockIdx.x / WIDE * WIDE, y0 = blockIdx.y / HIGH * HIGH;
    unsigned blocks;

    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(blocks));
    rank[block] = cluster_rank();
    size[block] = blocks;
    if (threadIdx.x == 0)
        barrier_init(&barrier, ARRIVALS);
    cluster_arrive();
    cluster_wait();
    for (unsigned round = 0; round < ROUNDS; round++) {
        if (threadIdx.x == 0)
            done[block] = round + 1;
        __syncthreads();
        if (threadIdx.x < blocks)
            barrier_arrive_at(&barrier, threadIdx.x);
        barrier_wait(&barrier, round & 1);
        if (threadIdx.x == 0) {
            unsigned least = ROUNDS;
            for (unsigned b = 0; b < WIDE * HIGH; b++)
                least = min(least, done[(y0 + b / WIDE) * gridDim.x + x0 + b % WIDE]);
            slowest[block * ROUNDS + round] = least;
        }
        cluster_arrive();
        cluster_wait();
    }
}

static void test_clusters(void)
{
    enum { ACROSS = 2 * WIDE, DOWN = HIGH, BLOCKS = ACROSS * DOWN };
    unsigned rank[BLOCKS] = {}, size[BLOCKS] = {}, done[BLOCKS] = {}, slowest[BLOCKS][ROUNDS] = {};
    unsigned *d_rank = on_device(rank, BLOCKS), *d_size = on_device(size, BLOCKS);
    unsigned *d_done = on_device(done, BLOCKS), *d_slowest = on_device(slowest[0], BLOCKS * ROUNDS);

    meet<WIDE * HIGH><<<dim3(ACROSS, DOWN), CLUSTER_THREADS>>>(d_rank, d_size, d_done, d_slowest);
    back(rank, d_rank, BLOCKS);
    back(size, d_size, BLOCKS);
    back(slowest[0], d_slowest, BLOCKS * ROUNDS);
    cudaFree(d_done);
    for (unsigned b = 0; b < BLOCKS; b++) {
        is("cluster_ctarank", rank[b], b / ACROSS % HIGH * WIDE + b % ACROSS % WIDE);
        is("cluster_nctarank", size[b], WIDE * HIGH);
        for (unsigned round = 0; round < ROUNDS; round++)
            is("a round that all have done", slowest[b][round], round + 1);
    }
}

/* One warp writes what another reads, in turns, with only mbarriers between them: no race. */
__global__ static void hand_over(unsigned *sums)
{
    __shared__ unsigned stage[32];
    __shared__ uint64_t full, empty;
    const unsigned lane = threadIdx.x % 32;
    unsigned sum = 0;

    if (threadIdx.x == 0) {
        barrier_init(&full, 32);
        barrier_init(&empty, 32);
    }
    __syncthreads();
    for (unsigned round = 0; round < ROUNDS; round++) {
        if (threadIdx.x < 32) {
            barrier_wait(&empty, ~round & 1);
            stage[lane] = round + 1;
            barrier_arrive(&full);
        } else {
            barrier_wait(&full, round & 1);
            sum += stage[31 - lane];
            barrier_arrive(&empty);
        }
    }
    sums[threadIdx.x] = sum;
}

static void test_hand_over(void)
{
    unsigned sums[64] = {}, *d = on_device(sums, 64);

    hand_over<<<1, 64>>>(d);
    back(sums, d, 64);
    for (unsigned t = 0; t < 64; t++)
        is("handed over", sums[t], t < 32 ? 0 : ROUNDS * (ROUNDS + 1) / 2);
}

/* --- copies ----------------------------------------------------------------------------------- */

enum { ROWS = 20, COLUMNS = 50, PITCH = 52, BOX_ROWS = 16, BOX_COLUMNS = 32 };

__global__ static void __cluster_dims__(2, 1, 1)
    copy_boxes(const __grid_constant__ CUtensorMap map, const float *bytes, float *out)
{
    __shared__ alignas(1024) float mine[BOX_ROWS][BOX_COLUMNS], both[2][BOX_ROWS][BOX_COLUMNS];
    __shared__ alignas(16) float plain[16];
    __shared__ uint64_t barrier;
    const unsigned rank = cluster_rank();

    if (threadIdx.x == 0)
        barrier_init(&barrier, 1);
    cluster_arrive();
    cluster_wait();
    if (threadIdx.x == 0) {
        barrier_expect(&barrier, sizeof mine + sizeof both + sizeof plain);
        fetch(mine, &map, rank == 0 ? 0 : 24, rank == 0 ? 0 : 10, &barrier);
        fetch_for(3, both[rank], &map, -4, rank == 0 ? -2 : 8, &barrier);
        fetch_bytes(plain, bytes + 16 * rank, sizeof plain, &barrier);
    }
    barrier_wait(&barrier, 0);
    for (unsigned i = threadIdx.x; i < 3 * BOX_ROWS * BOX_COLUMNS + 16; i += blockDim.x) {
        const unsigned piece = i / (BOX_ROWS * BOX_COLUMNS), at = i % (BOX_ROWS * BOX_COLUMNS);
        out[rank * (3 * BOX_ROWS * BOX_COLUMNS + 16) + i] =
            piece == 0 ? mine[0][at] : piece < 3 ? both[piece - 1][0][at] : plain[at];
    }
    cluster_arrive();
    cluster_wait();
}

static float element(int row, int column)
{
    return row < 0 || row >= ROWS || column < 0 || column >= COLUMNS ? 0 : 1 + row * 100 + column;
}

/* swizzle: so many 16-byte pieces of a row change places */
static void test_boxes(const char *what, CUtensorMapSwizzle swizzle, unsigned pieces)
{
    enum { BOX = BOX_ROWS * BOX_COLUMNS, ALL = 3 * BOX + 16 };
    static float matrix[ROWS][PITCH], bytes[32], out[2][ALL];
    const unsigned columns = pieces > 0 ? 4 * pieces : BOX_COLUMNS;
    const int first_row[2][3] = {{0, -2, 8}, {10, -2, 8}};
    const int first_column[2][3] = {{0, -4, -4}, {24, -4, -4}};

    for (unsigned i = 0; i < ROWS * PITCH; i++)
        matrix[i / PITCH][i % PITCH] = element((int)(i / PITCH), (int)(i % PITCH));
    for (unsigned i = 0; i < 32; i++)
        bytes[i] = i;
    float *d_matrix = on_device(matrix[0], ROWS * PITCH), *d_bytes = on_device(bytes, 32);
    float *d_out = on_device(out[0], 2 * ALL);
    copy_boxes<<<2, 32>>>(map_of(d_matrix, ROWS, COLUMNS, PITCH * sizeof(float),
                                 BOX_ROWS * BOX_COLUMNS / columns, columns, swizzle),
                          d_bytes, d_out);
    back(out[0], d_out, 2 * ALL);
    cudaFree(d_matrix);
    cudaFree(d_bytes);
    for (unsigned b = 0; b < 2; b++) {
        for (unsigned box = 0; box < 3; box++)
            for (unsigned i = 0; i < BOX; i++) {
                const unsigned row = i / columns, line = i * 4 / 128; /* of 128 bytes */
                unsigned piece = i % columns / 4;
                if (pieces > 0)
                    piece ^= line % pieces;
                is(what, out[b][box * BOX + i],
                   element(first_row[b][box] + (int)row,
                           first_column[b][box] + (int)(piece * 4 + i % 4)));
            }
        for (unsigned i = 0; i < 16; i++)
            is("cp.async.bulk", out[b][3 * BOX + i], b * 16 + i);
    }
}

/* A box of numbers of the type TFLOAT32: what arrives is rounded. */
enum { NUMBERS = 16 };

__global__ static void copy_numbers(const __grid_constant__ CUtensorMap map, unsigned *out)
{
    __shared__ alignas(128) unsigned numbers[NUMBERS];
    __shared__ uint64_t barrier;

    if (threadIdx.x == 0) {
        barrier_init(&barrier, 1);
        barrier_expect(&barrier, sizeof numbers);
        fetch(numbers, &map, 0, 0, &barrier);
    }
    __syncthreads();
    barrier_wait(&barrier, 0);
    out[threadIdx.x] = numbers[threadIdx.x];
}

static void test_rounding(void)
{
    static const unsigned from_to[NUMBERS][2] = {
        {0x3f800000, 0x3f800000}, {0x3f800fff, 0x3f800000}, /* down */
        {0x3f801000, 0x3f800000}, {0x3f803000, 0x3f804000}, /* in the middle: to the even one */
        {0x3f801001, 0x3f802000}, {0xbf801001, 0xbf802000}, /* up, in size */
        {0x3fffffff, 0x40000000}, {0x7f7fffff, 0x7f800000}, /* the exponent grows */
        {0x00001001, 0x00002000}, {0x80000fff, 0x80000000}, /* subnormal */
        {0x7f800000, 0x7f800000}, {0xff800000, 0xff800000}, /* infinite */
    };
    float numbers[NUMBERS];
    unsigned out[NUMBERS] = {};

    for (unsigned i = 0; i < NUMBERS; i++)
        memcpy(&numbers[i], &from_to[i][0], sizeof numbers[i]);
    float *d_numbers = on_device(numbers, NUMBERS);
    unsigned *d_out = on_device(out, NUMBERS);
    copy_numbers<<<1, NUMBERS>>>(map_of(d_numbers, 1, NUMBERS, sizeof numbers, 1, NUMBERS,
                                        CU_TENSOR_MAP_SWIZZLE_NONE,
                                        CU_TENSOR_MAP_DATA_TYPE_TFLOAT32),
                                 d_out);
    back(out, d_out, NUMBERS);
    cudaFree(d_numbers);
    for (unsigned i = 0; i < NUMBERS; i++)
        is("rounded to TF32", out[i], from_to[i][1]);
}

/* --- wgmma ------------------------------------------------------------------------------------ */

enum { M = 64, N = 32, MOST_K = 16, THREADS = 128 };

struct product {
    float a[M][MOST_K], b[N][MOST_K], c[M][N], d[M][N];
};

#define SUMS4(i) "+f"(s[i]), "+f"(s[i + 1]), "+f"(s[i + 2]), "+f"(s[i + 3])
#define SUMS16 SUMS4(0), SUMS4(4), SUMS4(8), SUMS4(12)
#define PLACES16 "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15}"

template <class T> struct is_tf32 { static constexpr bool value = false; };
template <> struct is_tf32<float> { static constexpr bool value = true; };

/* Where element l of a row is, in elements.  Pieces: 8 rows of 16 bytes. */
template <class T, unsigned SWIZZLE>
__device__ static unsigned place(unsigned row, unsigned l)
{
    const unsigned in_piece = 16 / sizeof(T), piece = l / in_piece;

    if (SWIZZLE == 0) /* pieces along, 256 bytes apart; down, 512 + 128 */
        return (row / 8 * 640 + piece * 256 + row % 8 * 16) / sizeof(T) + l % in_piece;
    const unsigned width = 256u >> SWIZZLE; /* rows of 128, 64, 32 bytes */
    const unsigned line = row * width / 128;
    return (row * width + (piece ^ line % (width / 16)) * 16) / sizeof(T) + l % in_piece;
}

/* Where it is if rows lie side by side, 64 of them in boxes of 128 bytes. */
template <class T> __device__ static unsigned place_across(unsigned row, unsigned l)
{
    return row / 64 * 1024 + l * 64 + (row % 64 / 8 ^ l % 8) * 8 + row % 8;
}

template <class T, unsigned SWIZZLE, bool ACROSS>
__global__ static void __launch_bounds__(THREADS)
    multiply(product *p, unsigned said /* as the swizzle */, unsigned add)
{
    __shared__ alignas(1024) T a[M * 64], b[M * 64];
    const unsigned k = 32 / sizeof(T), t = threadIdx.x;
    float s[16];

    for (unsigned i = t; i < M * 64; i += THREADS)
        a[i] = b[i] = T(0.0f);
    __syncthreads();
    for (unsigned i = t; i < M * k; i += THREADS)
        a[ACROSS ? place_across<T>(i / k, i % k) : place<T, SWIZZLE>(i / k, i % k)] =
            T(p->a[i / k][i % k]);
    for (unsigned i = t; i < N * k; i += THREADS)
        b[ACROSS ? place_across<T>(i / k, i % k) : place<T, SWIZZLE>(i / k, i % k)] =
            T(p->b[i / k][i % k]);
    const unsigned row = t / 32 * 16 + t % 32 / 4, column = t % 4 * 2;
    for (unsigned i = 0; i < 16; i++)
        s[i] = p->c[row + i / 2 % 2 * 8][i / 4 * 8 + column + i % 2];
    written();
    __syncthreads();

    const unsigned lead = SWIZZLE == 0 ? 256 : 2048;
    const unsigned stride = ACROSS ? 1024 : SWIZZLE == 0 ? 640 : 8 * (256u >> SWIZZLE);
    const uint64_t of_a = descriptor(a, lead, stride, said);
    const uint64_t of_b = descriptor(b, lead, stride, said);
    products_begin();
    if constexpr (is_tf32<T>::value)
        asm volatile("{.reg .pred p; setp.ne.b32 p, %18, 0;"
                     "wgmma.mma_async.sync.aligned.m64n32k8.f32.tf32.tf32 " PLACES16
                     ", %16, %17, p, 1, 1;}" : SUMS16 : "l"(of_a), "l"(of_b), "r"(add));
    else if constexpr (sizeof(T) == 2 && ACROSS)
        asm volatile("{.reg .pred p; setp.ne.b32 p, %18, 0;"
                     "wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16 " PLACES16
                     ", %16, %17, p, 1, 1, 1, 1;}" : SUMS16 : "l"(of_a), "l"(of_b), "r"(add));
    else
        asm volatile("{.reg .pred p; setp.ne.b32 p, %18, 0;"
                     "wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 " PLACES16
                     ", %16, %17, p, 1, -1, 0, 0;}" : SUMS16 : "l"(of_a), "l"(of_b), "r"(add));
    products_end();
    for (unsigned i = 0; i < 16; i++)
        p->d[row + i / 2 % 2 * 8][i / 4 * 8 + column + i % 2] = s[i];
}

/* A from registers; the sums' registers in no order. */
__global__ static void __launch_bounds__(THREADS) multiply_registers(product *p)
{
    __shared__ alignas(1024) float b[N * 64];
    const unsigned t = threadIdx.x, group = t % 32 / 4, in_group = t % 4;
    const unsigned row = t / 32 * 16 + group;
    uint32_t a[4];
    float s[4];

    for (unsigned i = t; i < 8 * 8; i += THREADS)
        b[place<float, 1>(i / 8, i % 8)] = p->b[i / 8][i % 8];
    for (unsigned i = 0; i < 4; i++) {
        a[i] = __float_as_uint(p->a[row + i % 2 * 8][in_group + i / 2 * 4]);
        s[i] = p->c[row + i / 2 * 8][in_group * 2 + i % 2];
    }
    written();
    __syncthreads();
    products_begin();
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32"
                 " {%3, %1, %2, %0}, {%4, %5, %6, %7}, %8, 1, 1, 1;"
                 : "+f"(s[3]), "+f"(s[1]), "+f"(s[2]), "+f"(s[0])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(descriptor(b, 0, 1024, 1)));
    products_end();
    for (unsigned i = 0; i < 4; i++)
        p->d[row + i / 2 * 8][in_group * 2 + i % 2] = s[i];
}

enum { WIDE_N = 72 };

struct wide_product {
    float a[M][MOST_K], b[WIDE_N][MOST_K], d[M][WIDE_N];
};

/* B's columns are contiguous, in more than one box. */
__global__ static void __launch_bounds__(THREADS) multiply_wide(wide_product *p)
{
    __shared__ alignas(1024) __nv_bfloat16 a[1024], b[2 * 1024];
    const unsigned t = threadIdx.x, row = t / 32 * 16 + t % 32 / 4, column = t % 4 * 2;
    float s[36] = {};

    for (unsigned i = t; i < 2 * 1024; i += THREADS)
        b[i] = 0.0f;
    __syncthreads();
    for (unsigned i = t; i < M * MOST_K; i += THREADS)
        a[place_across<__nv_bfloat16>(i / MOST_K, i % MOST_K)] = p->a[i / MOST_K][i % MOST_K];
    for (unsigned i = t; i < WIDE_N * MOST_K; i += THREADS)
        b[place_across<__nv_bfloat16>(i / MOST_K, i % MOST_K)] = p->b[i / MOST_K][i % MOST_K];
    written();
    __syncthreads();
    products_begin();
    asm volatile("wgmma.mma_async.sync.aligned.m64n72k16.f32.bf16.bf16 {%0,%1,%2,%3,%4,%5,%6,%7,"
                 "%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,"
                 "%28,%29,%30,%31,%32,%33,%34,%35}, %36, %37, 0, -1, 1, 1, 1;"
                 : SUMS16, SUMS4(16), SUMS4(20), SUMS4(24), SUMS4(28), SUMS4(32)
                 : "l"(descriptor(a, 0, 1024, 1)), "l"(descriptor(b, 2048, 1024, 1)));
    products_end();
    for (unsigned i = 0; i < 36; i++)
        p->d[row + i / 2 % 2 * 8][i / 4 * 8 + column + i % 2] = s[i];
}

static void test_wgmma_wide(void)
{
    static wide_product p;

    for (unsigned i = 0; i < M * MOST_K; i++)
        p.a[i / MOST_K][i % MOST_K] = (float)(rand() % 33 - 16) / 8;
    for (unsigned i = 0; i < WIDE_N * MOST_K; i++)
        p.b[i / MOST_K][i % MOST_K] = (float)(rand() % 33 - 16) / 4;
    wide_product *d = on_device(&p, 1);
    multiply_wide<<<1, THREADS>>>(d);
    back(&p, d, 1);
    for (unsigned i = 0; i < M; i++)
        for (unsigned j = 0; j < WIDE_N; j++) {
            float sum = 0;
            for (unsigned l = 0; l < MOST_K; l++)
                sum -= p.a[i][l] * p.b[j][l];
            is("wgmma, boxes across", p.d[i][j], sum);
        }
}

static product small_numbers(void)
{
    product p;

    for (unsigned i = 0; i < M * MOST_K; i++)
        p.a[i / MOST_K][i % MOST_K] = (float)(rand() % 33 - 16) / 8;
    for (unsigned i = 0; i < N * MOST_K; i++)
        p.b[i / MOST_K][i % MOST_K] = (float)(rand() % 33 - 16) / 4;
    for (unsigned i = 0; i < M * N; i++)
        p.c[i / N][i % N] = (float)(rand() % 100);
    return p;
}

/* So many elements of d are c + sign * a * b. */
static unsigned right_ones(const product *p, unsigned k, unsigned columns, float sign, bool add)
{
    unsigned right = 0;

    for (unsigned i = 0; i < M; i++)
        for (unsigned j = 0; j < columns; j++) {
            float sum = add ? p->c[i][j] : 0;
            for (unsigned l = 0; l < k; l++)
                sum += sign * p->a[i][l] * p->b[j][l];
            right += p->d[i][j] == sum;
        }
    return right;
}

static void test_wgmma(const char *what, void (*kernel)(product *, unsigned, unsigned), unsigned k,
                       unsigned swizzle, float sign)
{
    for (unsigned add = 0; add < 2; add++) {
        product p = small_numbers(), *d = on_device(&p, 1);

        kernel<<<1, THREADS>>>(d, swizzle, add);
        back(&p, d, 1);
        is(what, right_ones(&p, k, N, sign, add != 0), M * N);
    }
}

static void test_wgmma_registers(void)
{
    product p = small_numbers(), *d = on_device(&p, 1);

    multiply_registers<<<1, THREADS>>>(d);
    back(&p, d, 1);
    is("wgmma, registers", right_ones(&p, 8, 8, 1, true), M * 8);
}

/* Rows of 128 bytes do not match a descriptor for rows of 64. */
static void test_wrong_swizzle(void)
{
    product p = small_numbers(), *d = on_device(&p, 1);

    multiply<__half, 1, false><<<1, THREADS>>>(d, 2, 1);
    back(&p, d, 1);
    is("a wrong descriptor gives wrong sums", right_ones(&p, 16, N, -1, true) < M * N / 2, 1);
}

/* ---------------------------------------------------------------------------------------------- */

int main(void)
{
    test_clusters();
    test_hand_over();
    test_boxes("boxes", CU_TENSOR_MAP_SWIZZLE_NONE, 0);
    test_boxes("boxes, 128 bytes swizzled", CU_TENSOR_MAP_SWIZZLE_128B, 8);
    test_boxes("boxes, 64 bytes swizzled", CU_TENSOR_MAP_SWIZZLE_64B, 4);
    test_boxes("boxes, 32 bytes swizzled", CU_TENSOR_MAP_SWIZZLE_32B, 2);
    test_rounding();
    test_wgmma("wgmma, f16", multiply<__half, 0, false>, 16, 0, -1);
    test_wgmma("wgmma, f16, 128 bytes", multiply<__half, 1, false>, 16, 1, -1);
    test_wgmma("wgmma, f16, 64 bytes", multiply<__half, 2, false>, 16, 2, -1);
    test_wgmma("wgmma, f16, 32 bytes", multiply<__half, 3, false>, 16, 3, -1);
    test_wgmma("wgmma, tf32", multiply<float, 0, false>, 8, 0, 1);
    test_wgmma("wgmma, tf32, 128 bytes", multiply<float, 1, false>, 8, 1, 1);
    test_wgmma("wgmma, bf16, across", multiply<__nv_bfloat16, 1, true>, 16, 1, 1);
    test_wgmma_registers();
    test_wgmma_wide();
    test_wrong_swizzle();
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
