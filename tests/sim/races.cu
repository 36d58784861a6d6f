/*
 * Kernels with one race each, and some that look like a race and are none.  `races` lists them, with a
 * pattern for the simulator's line, or nothing if the kernel is right; `races NAME` runs it.  The
 * patterns contain line numbers of this file.
 */
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 128, BLOCKS = 4, N = THREADS * BLOCKS };

static int *zeros(void)
{
    int *p;

    cudaMalloc(&p, N * sizeof *p);
    cudaMemset(p, 0, N * sizeof *p);
    return p;
}

/* So that values that are read too early were at least written. */
__device__ static void fill(int *tile, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        tile[i] = 0;
    __syncthreads();
}

/* --- between barriers ------------------------------------------------------------------------- */

template <bool WAITS> __global__ static void tree(int *x)
{
    __shared__ int sum[THREADS];
    int t = threadIdx.x;

    sum[t] = x[t];
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (t < half)
            sum[t] += sum[t + half];
        if (WAITS)
            __syncthreads();
    }
    if (t == 0)
        x[0] = sum[0];
}

template <bool FILLED, bool READ> __global__ static void tiles(int *x)
{
    __shared__ int tile[THREADS];
    int t = threadIdx.x, sum = 0;

    fill(tile, THREADS);
    for (int k = 0; k < N; k += THREADS) {
        tile[t] = k + t;
        if (FILLED)
            __syncthreads();
        sum += tile[THREADS - 1 - t];
        if (READ)
            __syncthreads();
    }
    x[t] = sum;
}

/* One barrier a turn is enough for two tiles. */
__global__ static void two_tiles(int *x)
{
    __shared__ int tile[2][THREADS];
    int t = threadIdx.x, sum = 0;

    for (int k = 0; k < BLOCKS; k++) {
        tile[k % 2][t] = k + t;
        __syncthreads();
        sum += tile[k % 2][THREADS - 1 - t];
    }
    x[t] = sum;
}

template <bool WAITS> __global__ static void dynamic_tile(int *x)
{
    extern __shared__ int tile[];

    fill(tile, THREADS);
    tile[threadIdx.x] = 1;
    if (WAITS)
        __syncthreads();
    x[threadIdx.x] = tile[threadIdx.x ^ 64];
}

__global__ static void all_in_one_cell(int *x)
{
    x[7] += 1;
}

/* Thread 0 reads, then another thread writes, which may have read as well. */
template <bool BOTH> __global__ static void written_later(int *x, int other)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, value = 0;

    if (i == 0 || (BOTH && i == other))
        value = x[9];
    if (i == other)
        x[9] = value + 1;
    if (i == 0)
        x[10] = value;
}

__global__ static void bytes(unsigned char *x, int apart)
{
    __shared__ unsigned char tile[4 * THREADS];

    tile[apart * threadIdx.x / 2] = 1;
    __syncthreads();
    x[threadIdx.x] = tile[apart * (threadIdx.x ^ 1) / 2];
}

__global__ static void vectors(const float4 *x, float *y)
{
    __shared__ float4 tile[THREADS];
    const float *of_tile = &tile[0].x;

    fill((int *)tile, 4 * THREADS);
    tile[threadIdx.x] = x[threadIdx.x];
    __syncwarp();
    y[threadIdx.x] = of_tile[threadIdx.x * 2 + 1];
}

/* The next tile arrives while this one is read, so it needs a place of its own. */
template <int TILES> __global__ static void ahead(const int *x, int *y)
{
    __shared__ int tile[TILES][THREADS];
    int t = threadIdx.x, sum = 0;

    __pipeline_memcpy_async(&tile[0][t], &x[t], sizeof *x);
    __pipeline_commit();
    for (int k = 1; k < BLOCKS; k++) {
        __pipeline_wait_prior(0);
        __syncthreads();
        sum += tile[(k - 1) % TILES][THREADS - 1 - t];
        __pipeline_memcpy_async(&tile[k % TILES][t], &x[k * THREADS + t], sizeof *x);
        __pipeline_commit();
        __syncthreads();
    }
    y[t] = sum;
}

/* --- of a warp -------------------------------------------------------------------------------- */

template <bool WAITS> __global__ static void last_warp(int *x)
{
    __shared__ volatile int sum[64];
    int t = threadIdx.x;

    sum[t] = x[t];
    sum[t + 32] = x[t + 32];
    __syncwarp();
    for (int half = 32; half > 0; half /= 2) {
        int more = sum[t + half % 32];
        if (WAITS)
            __syncwarp();
        sum[t] = sum[t] + more;
        if (WAITS)
            __syncwarp();
    }
    x[t] = sum[t];
}

__global__ static void only_shuffled(int *x)
{
    __shared__ int tile[32];
    int t = threadIdx.x;

    fill(tile, 32);
    tile[t] = t;
    int from = __shfl_xor_sync(0xffffffff, t, 1);
    x[t] = tile[from];
}

/* Half-warps that wait for themselves only: `from` is in the same half, or is not. */
__global__ static void halves(int *x, int from)
{
    __shared__ int tile[32];
    int t = threadIdx.x;

    fill(tile, 32);
    tile[t] = t;
    if (t < 16)
        __syncwarp(0x0000ffff);
    else
        __syncwarp(0xffff0000);
    x[t] = tile[t ^ from];
}

/* Lane 0 before lane 1, lane 1 before lane 2, and so lane 0 before lane 2. */
__global__ static void one_after_another(int *x)
{
    __shared__ int cell;
    int t = threadIdx.x;

    if (t == 0)
        cell = 5;
    if (t == 0 || t == 1)
        __syncwarp(0x3);
    if (t == 1 || t == 2)
        __syncwarp(0x6);
    if (t == 2)
        x[0] = cell;
}

/* Other warps are not ordered by a warp's own meeting. */
__global__ static void warps(int *x)
{
    __shared__ int tile[THREADS];

    fill(tile, THREADS);
    tile[threadIdx.x] = 1;
    __syncwarp();
    x[threadIdx.x] = tile[threadIdx.x ^ 32];
}

/* --- of a launch ------------------------------------------------------------------------------ */

__global__ static void same_cells(int *x)
{
    x[threadIdx.x] = blockIdx.x;
}

__global__ static void smooth(const int *x, int *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int left = x[i > 0 ? i - 1 : i], right = x[i + 1 < N ? i + 1 : i];

    __syncthreads();
    y[i] = left + right;
}

static __device__ int hits, total, locked;

__global__ static void count_hits(void)
{
    if (threadIdx.x == 0)
        hits++;
}

/* The block that comes last adds up what all have left. */
template <bool FENCED, bool ATOMIC> __global__ static void last_block(int *x, int *done)
{
    __shared__ bool last;
    int t = threadIdx.x;

    x[blockIdx.x * THREADS + t] = t;
    if (FENCED)
        __threadfence();
    __syncthreads();
    if (t == 0)
        last = (ATOMIC ? atomicAdd(done, 1) : (*done)++) == BLOCKS - 1;
    __syncthreads();
    if (last)
        for (int i = t + THREADS; i < N; i += THREADS)
            x[t] += x[i];
}

/* --- atomic operations ------------------------------------------------------------------------ */

__global__ static void histogram(const int *x, int *y)
{
    __shared__ int bins[16];

    if (threadIdx.x < 16)
        bins[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&bins[x[threadIdx.x] % 16], 1);
    __syncthreads();
    if (threadIdx.x < 16)
        atomicAdd(&y[threadIdx.x], bins[threadIdx.x]);
}

__global__ static void read_while_counting(int *x)
{
    __shared__ int count;

    if (threadIdx.x == 0)
        count = 0;
    __syncthreads();
    atomicAdd(&count, 1);
    x[threadIdx.x] = count;
}

template <bool FENCED> __global__ static void one_at_a_time(void)
{
    while (atomicCAS(&locked, 0, 1) != 0)
        ;
    total += 1;
    if (FENCED)
        __threadfence();
    atomicExch(&locked, 0);
}

__global__ static void flag(volatile int *found, const int *x)
{
    if (x[threadIdx.x] == 0)
        *found = 1;
}

__global__ static void half_volatile(int *found, const int *x)
{
    if (threadIdx.x == 0)
        *(volatile int *)found = 1;
    else
        *found = 1 + x[0];
}

/* --- all of them ------------------------------------------------------------------------------ */

static const struct {
    const char *name, *expected; /* "": it is right */
    void (*run)(int *x, int *y);
} programs[] = {
#define CASE(name, expected, launch)                                                               \
    {name, expected, [](int *x, int *y) { (void)x, (void)y; launch; }}
#define LINE "tests/sim/races\\.cu:[0-9]+"
#define AT(kernel, block)                                                                          \
    "^" LINE ": kernel " kernel ", block \\(" block "\\), thread " NUMBER SEED ": race: "
#define NUMBER "\\([0-9]+,0,0\\)"
#define SEED "(, RUNGS_SIM_SEED=[0-9]+)?"
#define WHO "; thread \\([0-9]+,0,0\\) "
#define LATER(both, block)                                                                         \
    AT("written_later<" #both ">", block ",0,0") "(reads|writes) 4 bytes at byte 36 of an array .*"
#define WARP ", and neither a barrier nor __syncwarp\\(\\) is between them"
#define BLOCK ", and no barrier is between them"
#define LAUNCH ", and the blocks of a launch have no order"
    CASE("a tree without barriers", AT("tree<false>", "0,0,0") "(reads|writes) 4 bytes at byte "
         "[0-9]+ of the shared array sum of 512 bytes" WHO "(reads|writes) them at " LINE,
         (tree<false><<<1, THREADS>>>(x))),
    CASE("a tree", "", (tree<true><<<1, THREADS>>>(x))),
    CASE("no barrier before a tile is read",
         AT("tiles<false, true>", "0,0,0") ".*shared array tile.*",
         (tiles<false, true><<<1, THREADS>>>(x))),
    CASE("no barrier after a tile was read",
         "^tests/sim/races\\.cu:(56: kernel .* writes 4 .* reads them at tests/sim/races\\.cu:59|"
         "59: kernel .* reads 4 .* writes them at tests/sim/races\\.cu:56)"
         BLOCK, (tiles<true, false><<<1, THREADS>>>(x))),
    CASE("tiles", "", (tiles<true, true><<<1, THREADS>>>(x))),
    CASE("two tiles", "", (two_tiles<<<1, THREADS>>>(x))),
    CASE("copied into the tile that is read", AT("ahead<1>", "0,0,0") ".*shared array tile.*",
         (ahead<1><<<1, THREADS>>>(x, y))),
    CASE("copied into another", "", (ahead<2><<<1, THREADS>>>(x, y))),
    CASE("a dynamic tile", AT("dynamic_tile<false>", "0,0,0") ".* at byte [0-9]+ of 512 bytes of "
         "dynamic shared memory" WHO,
         (dynamic_tile<false><<<1, THREADS, THREADS * sizeof(int)>>>(x))),
    CASE("a dynamic tile and a barrier", "",
         (dynamic_tile<true><<<1, THREADS, THREADS * sizeof(int)>>>(x))),
    CASE("all in one cell",
         AT("all_in_one_cell", "0,0,0") "reads 4 bytes at byte 28 of an array of "
         "2048 bytes \\(memory of device 0, from " LINE "\\)" WHO "writes them at " LINE WARP,
         (all_in_one_cell<<<1, 32>>>(x))),
    CASE("written later in the warp", LATER(false, "0") WARP,
         (written_later<false><<<1, 96>>>(x, 3))),
    CASE("written later in the block", LATER(false, "0") BLOCK,
         (written_later<false><<<1, 96>>>(x, 33))),
    CASE("written later in another block", LATER(false, "[012]") LAUNCH,
         (written_later<false><<<3, 32>>>(x, 32))),
    CASE("read by both in the warp", LATER(true, "0") WARP, (written_later<true><<<1, 96>>>(x, 3))),
    CASE("read by both in the block", LATER(true, "0") BLOCK,
         (written_later<true><<<1, 96>>>(x, 33))),
    CASE("read by both in the launch", LATER(true, "[012]") LAUNCH,
         (written_later<true><<<3, 32>>>(x, 32))),
    CASE("one byte of two", AT("bytes", "0,0,0") "writes 1 bytes at byte [0-9]+ of the shared "
         "array tile",
         (bytes<<<1, THREADS>>>((unsigned char *)x, 1))),
    CASE("bytes of one word", "", (bytes<<<1, THREADS>>>((unsigned char *)x, 2))),
    CASE("a vector in two warps", AT("vectors", "0,0,0") ".*shared array tile of 2048 .*" BLOCK,
         (vectors<<<1, 64>>>((const float4 *)x, (float *)y))),
    CASE("a vector in one warp", "", (vectors<<<1, 32>>>((const float4 *)x, (float *)y))),

    CASE("the last warp, volatile", AT("last_warp<false>", "0,0,0") ".*shared array sum.*" WARP,
         (last_warp<false><<<1, 32>>>(x))),
    CASE("the last warp", "", (last_warp<true><<<1, 32>>>(x))),
    CASE("only shuffled", AT("only_shuffled", "0,0,0") ".*shared array tile.*" WARP,
         (only_shuffled<<<1, 32>>>(x))),
    CASE("halves that cross", AT("halves", "0,0,0") ".*shared array tile.*" WARP,
         (halves<<<1, 32>>>(x, 16))),
    CASE("halves", "", (halves<<<1, 32>>>(x, 15))),
    CASE("one after another", "", (one_after_another<<<1, 32>>>(x))),
    CASE("warps", AT("warps", "0,0,0") ".*shared array tile.*" BLOCK, (warps<<<1, THREADS>>>(x))),

    CASE("same cells", AT("same_cells", "[0-3],0,0") "writes 4 bytes at byte [0-9]+ of an array "
         "of 2048 .*; block \\([0-3],0,0\\), thread \\([0-9]+,0,0\\) writes them at " LINE LAUNCH,
         (same_cells<<<BLOCKS, THREADS>>>(x))),
    CASE("in place", AT("smooth", "[0-3],0,0") ".* bytes .*; block \\([0-3],0,0\\)",
         (smooth<<<BLOCKS, THREADS>>>(x, x))),
    CASE("not in place", "", (smooth<<<BLOCKS, THREADS>>>(x, y))),
    CASE("two launches", "",
         (smooth<<<BLOCKS, THREADS>>>(x, y), smooth<<<BLOCKS, THREADS>>>(y, x))),
    CASE("large blocks, and then small ones", "",
         (smooth<<<1, N>>>(x, y), smooth<<<BLOCKS, THREADS>>>(y, x))),
    CASE("a variable", AT("count_hits", "[0-3],0,0") "(reads|writes) 4 bytes at byte 0 of the "
         "variable hits of 4 bytes; block", (count_hits<<<BLOCKS, THREADS>>>())),
    CASE("the last block, without a fence",
         AT("last_block<false, true>", "[0-3],0,0") "reads .*" LAUNCH,
         (last_block<false, true><<<BLOCKS, THREADS>>>(x, y))),
    CASE("the last block, counted", AT("last_block<true, false>", "[0-3],0,0") ".*; block",
         (last_block<true, false><<<BLOCKS, THREADS>>>(x, y))),
    CASE("the last block", "", (last_block<true, true><<<BLOCKS, THREADS>>>(x, y))),

    CASE("histogram", "", (histogram<<<BLOCKS, THREADS>>>(x, y))),
    CASE("read while counting",
         AT("read_while_counting", "0,0,0") "(reads|changes atomically) 4 bytes "
         "at byte 0 of the shared array count of 4 bytes" WHO "(reads|changes atomically) them",
         (read_while_counting<<<1, THREADS>>>(x))),
    CASE("a lock, without a fence", AT("one_at_a_time<false>", "[0-3],0,0") ".* the variable total",
         (one_at_a_time<false><<<BLOCKS, THREADS>>>())),
    CASE("a lock", "", (one_at_a_time<true><<<BLOCKS, THREADS>>>())),
    CASE("a flag", "", (flag<<<BLOCKS, THREADS>>>(x, y))),
    CASE("a flag, half volatile", AT("half_volatile", "0,0,0") "writes 4 bytes",
         (half_volatile<<<1, 32>>>(x, y))),
};

int main(int argc, char **argv)
{
    for (const auto &p : programs) {
        if (argc < 2)
            printf("%s\t%s\n", p.name, p.expected);
        if (argc < 2 || strcmp(p.name, argv[1]) != 0)
            continue;
        int *x = zeros(), *y = zeros();
        p.run(x, y);
        cudaFree(x);
        cudaFree(y);
    }
    return cudaDeviceSynchronize() != cudaSuccess;
}
