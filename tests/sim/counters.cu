/*
 * Kernels whose requests, sectors and wavefronts can be counted by hand.  `counters` lists them, each
 * with the counts that it must have; `counters NAME` runs one.
 */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WARP = 32, N = 1 << 14 };

static char *d_x, *d_y; /* N floats each, and then some */

/* --- global memory ---------------------------------------------------------------------------- */

/* Lane i reads at i * stride + shift, and writes at i; one warp. */
template <class T> __global__ void copy(int stride, int shift, const T *x, T *y)
{
    y[threadIdx.x] = x[(int)threadIdx.x * stride + shift];
}

template <class T> static void copies(int stride, int shift, int threads = WARP)
{
    copy<<<1, threads>>>(stride, shift, (const T *)d_x, (T *)d_y);
}

static void coalesced(void) { copies<float>(1, 0); }
static void stride_2(void) { copies<float>(2, 0); }
static void stride_4(void) { copies<float>(4, 0); }
static void stride_6(void) { copies<float>(6, 0); }
static void stride_10(void) { copies<float>(10, 0); }
static void stride_8(void) { copies<float>(8, 0); }
static void stride_32(void) { copies<float>(32, 0); }
static void misaligned(void) { copies<float>(1, 1); }
static void broadcast(void) { copies<float>(0, 7); }
static void backwards(void) { copies<float>(-1, 31); }
static void bytes(void) { copies<unsigned char>(1, 0); }
static void shorts(void) { copies<short>(1, 0); }
static void doubles(void) { copies<double>(1, 0); }
static void float2s(void) { copies<float2>(1, 0); }
static void float4s(void) { copies<float4>(1, 0); }
static void float3s(void) { copies<float3>(1, 0); }
static void partial_warp(void) { copies<float>(1, 0, 33); }

__global__ static void through_the_cache(const float4 *x, float4 *y)
{
    __stcs(&y[threadIdx.x], __ldg(&x[threadIdx.x]));
}

static void hints(void) { through_the_cache<<<1, WARP>>>((const float4 *)d_x, (float4 *)d_y); }

__global__ static void transpose_naive(int n, const float *x, float *y)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;

    y[col * n + row] = x[row * n + col];
}

static void naive_transpose(void)
{
    transpose_naive<<<dim3(2, 2), dim3(32, 32)>>>(64, (const float *)d_x, (float *)d_y);
}

__global__ static void add_up(float *sum, const float *x)
{
    atomicAdd(&sum[threadIdx.x / 8], x[threadIdx.x]);
}

static void atomics(void) { add_up<<<1, WARP>>>((float *)d_y, (const float *)d_x); }

/* --- shared memory ---------------------------------------------------------------------------- */

/* Lane i writes at i * stride, and reads there. */
template <class T> __global__ void through_shared(int stride, const T *x, T *y)
{
    __shared__ T s[33 * WARP];

    s[threadIdx.x * stride] = x[0];
    __syncthreads();
    y[0] = s[threadIdx.x * stride];
}

template <class T, int stride> static void shared(void)
{
    through_shared<<<1, WARP>>>(stride, (const T *)d_x, (T *)d_y);
}

/* Lane i reads what lane i / divisor * factor + i % rest has written. */
__global__ static void pairs(int divisor, int factor, int rest, const float4 *x, float4 *y)
{
    __shared__ float4 s[WARP];

    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = s[threadIdx.x / divisor * factor + threadIdx.x % rest];
}

static void alike(int divisor, int factor, int rest)
{
    pairs<<<1, WARP>>>(divisor, factor, rest, (const float4 *)d_x, (float4 *)d_y);
}

static void neighbours_alike(void) { alike(2, 1, 1); }
static void two_apart_alike(void) { alike(4, 2, 2); }
static void three_alike(void) { alike(3, 1, 1); }

template <int PAD> __global__ void transpose_tiled(int n, const float *x, float *y)
{
    __shared__ float tile[32][32 + PAD];

    tile[threadIdx.y][threadIdx.x] = x[(blockIdx.y * 32 + threadIdx.y) * n + blockIdx.x * 32 +
                                       threadIdx.x];
    __syncthreads();
    y[(blockIdx.x * 32 + threadIdx.y) * n + blockIdx.y * 32 + threadIdx.x] =
        tile[threadIdx.x][threadIdx.y];
}

template <int PAD> static void tiled_transpose(void)
{
    transpose_tiled<PAD><<<dim3(2, 2), dim3(32, 32)>>>(64, (const float *)d_x, (float *)d_y);
}

__global__ static void histogram(int *y)
{
    __shared__ int count[8];

    if (threadIdx.x < 8)
        count[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&count[threadIdx.x % 8], 1);
    __syncthreads();
    if (threadIdx.x < 8)
        y[threadIdx.x] = count[threadIdx.x];
}

static void shared_atomics(void) { histogram<<<1, 2 * WARP>>>((int *)d_y); }

/* --- lanes that part and meet again ----------------------------------------------------------- */

__global__ static void both_branches(const float *x, float *y)
{
    int i = threadIdx.x;
    float v;

    if (i % 2 == 0)
        v = x[i];
    else
        v = 2 * x[i + 64];
    y[i] = v;
}

static void branches(void) { both_branches<<<1, WARP>>>((const float *)d_x, (float *)d_y); }

__global__ static void one_branch_in_a_loop(const float *x, float *y)
{
    int i = threadIdx.x;
    float v = 0;

    for (int t = 0; t < 8; t++) {
        v += x[t * 32 + i];
        if ((i + t) % 3 == 0)
            v += y[t * 32 + i];
        v *= x[i]; /* loaded once, before the loop */
    }
    y[i] = v;
}

static void branch_in_a_loop(void)
{
    one_branch_in_a_loop<<<1, WARP>>>((const float *)d_x, (float *)d_y);
}

/* Four rounds; in each, lane i goes through the inner loop i + 1 times: 32 requests a round, with as
   many sectors as the remaining lanes fill. */
__global__ static void uneven_loops(const float *x, float *y)
{
    int i = threadIdx.x;
    float v = 0;

    for (int round = 0; round < 4; round++) {
        for (int t = 0; t <= i; t++)
            v += x[t * 32 + i];
        v += y[round * 32 + i];
    }
    y[i] = v;
}

static void uneven(void) { uneven_loops<<<1, WARP>>>((const float *)d_x, (float *)d_y); }

/* The same with the request in front of the loop, and ways out of it. */
__global__ static void loops_that_are_left(const float *x, float *y)
{
    int i = threadIdx.x;
    float v = 0;

    for (int round = 0; round < 4; round++) {
        int t = 0;
        if (round == i % 4)
            continue;
        v += y[round * 32 + i];
        while (true) {
            v += x[t * 32 + i];
            if (t++ == i)
                break;
        }
    }
    do
        v += 1;
    while (v < 10);
    y[i] = v;
}

static void left_loops(void) { loops_that_are_left<<<1, WARP>>>((float *)d_x, (float *)d_y); }

__device__ static float first_above(const float *x, int i, float limit)
{
    for (int t = 0; t < 32; t++)
        if (x[t * 32 + i] >= limit)
            return t;
    return 32;
}

/* All of x is zero, so all 32 are examined, by lanes with an odd number. */
__global__ static void search(const float *x, float *y)
{
    int i = threadIdx.x;

    for (int round = 0; round < 3; round++)
        y[round * 32 + i] = first_above(x, i, (float)(i % 2 == round % 2));
}

static void returns_from_a_loop(void) { search<<<1, WARP>>>((const float *)d_x, (float *)d_y); }

/* More than a lane may be ahead, without a place to meet. */
__global__ static void long_way(const float *x, float *y)
{
    float v = 0;

    for (int t = 0; t < 1000; t++)
        if (t % 7 != 0 || threadIdx.x >= 16)
            v += x[t % 100 * 32 + threadIdx.x];
    y[threadIdx.x] = v;
}

static void long_loop(void) { long_way<<<1, WARP>>>((const float *)d_x, (float *)d_y); }

/* Each half of the warp by itself: both do the same at different times. */
__global__ static void halves(const float *x, float *y)
{
    int i = threadIdx.x;
    unsigned mine = i < 16 ? 0x0000ffff : 0xffff0000;
    float v = 0;

    for (int t = 0; t < 100; t++) {
        v += x[t * 32 + i];
        v += __shfl_xor_sync(mine, v, 1);
    }
    __syncwarp();
    y[i] = v;
}

static void half_masks(void) { halves<<<1, WARP>>>((const float *)d_x, (float *)d_y); }

/* Of 100 threads, those beyond n return: 64 + 6 load, in 3 requests of 4, 4 and 1 sectors. */
__global__ static void guarded(int n, const float *x, float *y)
{
    int i = threadIdx.x;

    if (i >= n)
        return;
    float v = x[i];
    __syncwarp();
    y[i] = v;
}

static void guard(void) { guarded<<<1, 100>>>(70, (const float *)d_x, (float *)d_y); }

/* --- launches --------------------------------------------------------------------------------- */

__global__ static void barriers(float *y)
{
    for (int i = 0; i < 3; i++)
        __syncthreads();
    if (__syncthreads_or(threadIdx.x == 0))
        y[threadIdx.x] = 1;
}

static void two_launches(void)
{
    barriers<<<3, 100>>>((float *)d_y); /* of 4 warps */
    barriers<<<1, 100>>>((float *)d_y);
}

/* --- between host and devices ----------------------------------------------------------------- */

static char pageable[4 * N];

static void copies_by_direction(void)
{
    char *d, *h;

    cudaMalloc(&d, 1000);
    cudaMallocHost(&h, 1000);
    cudaMemcpy(d, pageable, 1000, cudaMemcpyHostToDevice);
    cudaMemcpy2D(d, 100, pageable, 200, 50, 10, cudaMemcpyHostToDevice);
    cudaMemcpyAsync(h, d, 100, cudaMemcpyDeviceToHost);
    cudaMemcpyAsync(d, d + 500, 200, cudaMemcpyDeviceToDevice);
    cudaMemcpy(pageable, d, 30, cudaMemcpyDefault);
    cudaMemset(d, 0, 7);
    cudaDeviceSynchronize();
    cudaFree(d);
    cudaFreeHost(h);
}

__global__ static void add_one(int n, float *x)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        x[i] += 1;
}

__global__ static void read_all(int n, const float *x, float *y)
{
    float sum = 0;

    for (int i = threadIdx.x; i < n; i += blockDim.x)
        sum += x[i];
    y[threadIdx.x] = sum;
}

enum { MANAGED_BYTES = 4 << 16 }; /* four blocks */

/* Two rounds of host, device, host. */
static void back_and_forth(bool prefetch)
{
    const int n = MANAGED_BYTES / sizeof(float);
    float *x, sum = 0;

    cudaMallocManaged(&x, MANAGED_BYTES);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < n; i++)
            x[i] = (float)i;
        if (prefetch)
            cudaMemPrefetchAsync(x, MANAGED_BYTES, 0);
        add_one<<<2, 64>>>(n, x);
        if (prefetch)
            cudaMemPrefetchAsync(x, MANAGED_BYTES, cudaCpuDeviceId);
        cudaDeviceSynchronize();
        for (int i = 0; i < n; i++)
            sum += x[i] - (float)i;
    }
    if (sum != 2.0f * n)
        exit(EXIT_FAILURE);
    cudaFree(x);
}

static void migrations(void) { back_and_forth(false); }
static void prefetches(void) { back_and_forth(true); }

/* The host fills it, the device reads it twice and the host once. */
static void advised(enum cudaMemoryAdvise advice, int place)
{
    const int n = MANAGED_BYTES / sizeof(float);
    float *x, sum = 0;

    cudaMallocManaged(&x, MANAGED_BYTES);
    cudaMemAdvise(x, MANAGED_BYTES, advice, place);
    for (int i = 0; i < n; i++)
        x[i] = 1;
    read_all<<<1, 64>>>(n, x, (float *)d_y);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++)
        sum += x[i];
    read_all<<<1, 64>>>(n, x, (float *)d_y);
    cudaDeviceSynchronize();
    if (sum != n)
        exit(EXIT_FAILURE);
    cudaFree(x);
}

static void not_advised(void) { advised(cudaMemAdviseUnsetReadMostly, 0); }
static void read_mostly(void) { advised(cudaMemAdviseSetReadMostly, 0); }
static void mapped(void) { advised(cudaMemAdviseSetAccessedBy, 0); }
static void preferred_at_home(void)
{
    advised(cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId);
}

/* Two streams, each with 1000 bytes in, a kernel, and 1000 bytes out; in `host` or page-locked. */
enum between { NOTHING, AN_EVENT, THE_HOST };

static void two_streams(enum between between, char *host)
{
    cudaStream_t stream[2];
    cudaEvent_t done;
    char *d, *h = host;

    cudaEventCreate(&done);
    cudaMalloc(&d, 2000);
    if (host == NULL)
        cudaMallocHost(&h, 2000);
    for (int i = 0; i < 2; i++)
        cudaStreamCreate(&stream[i]);
    for (int i = 0; i < 2; i++) {
        cudaMemcpyAsync(d + 1000 * i, h + 1000 * i, 1000, cudaMemcpyHostToDevice, stream[i]);
        add_one<<<1, 64, 0, stream[i]>>>(250, (float *)(d + 1000 * i));
        cudaMemcpyAsync(h + 1000 * i, d + 1000 * i, 1000, cudaMemcpyDeviceToHost, stream[i]);
        if (between == AN_EVENT && i == 0) {
            cudaEventRecord(done, stream[0]);
            cudaStreamWaitEvent(stream[1], done);
        }
        if (between == THE_HOST)
            cudaStreamSynchronize(stream[i]);
    }
    for (int i = 0; i < 2; i++) {
        cudaStreamSynchronize(stream[i]);
        cudaStreamDestroy(stream[i]);
    }
    cudaEventDestroy(done);
    cudaFree(d);
    if (host == NULL)
        cudaFreeHost(h);
}

/* A row goes from device 1 to device 0 beside a kernel of device 0, and another one behind it, in its stream. */
static void peers(void)
{
    cudaStream_t copies, kernels;
    float *here, *there;

    cudaSetDevice(1);
    cudaMalloc(&there, 1000);
    cudaSetDevice(0);
    cudaMalloc(&here, 2000);
    cudaStreamCreate(&copies);
    cudaStreamCreate(&kernels);
    cudaMemset(here, 0, 2000);
    cudaDeviceSynchronize();
    cudaMemcpyPeerAsync(here, 0, there, 1, 600, copies);
    add_one<<<1, 64, 0, kernels>>>(64, here + 250);
    cudaMemcpyPeerAsync(here, 0, there, 1, 400, kernels);
    cudaDeviceSynchronize();
    cudaStreamDestroy(copies);
    cudaStreamDestroy(kernels);
    cudaFree(here);
    cudaFree(there);
}

static cudaError_t brought;

/* One place in the program. */
__attribute__((noinline)) static void bring(void *to, const void *from)
{
    brought = cudaMemcpy(to, from, 400, cudaMemcpyDefault);
}

/* Two copies between the host and device 1 while device 0 is set, and one while device 1 is. */
static void elsewhere(void)
{
    float *there, here[100] = {0};

    cudaSetDevice(1);
    cudaMalloc(&there, sizeof here);
    cudaSetDevice(0);
    bring(there, here);
    bring(here, there);
    cudaSetDevice(1);
    bring(here, there);
    cudaFree(there);
    cudaSetDevice(0);
}

static void overlap(void) { two_streams(NOTHING, NULL); }
static void overlap_pageable(void) { two_streams(NOTHING, pageable); }
static void overlap_event(void) { two_streams(AN_EVENT, NULL); }
static void overlap_host(void) { two_streams(THE_HOST, NULL); }

/* A copy in beside a copy out, and none beside one the same way. */
static void overlap_both_ways(void)
{
    cudaStream_t stream[2];
    char *d, *h;

    cudaMalloc(&d, 3000);
    cudaMallocHost(&h, 3000);
    for (int i = 0; i < 2; i++)
        cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking);
    cudaMemset(d, 0, 3000);
    cudaDeviceSynchronize();
    cudaMemcpyAsync(d, h, 1000, cudaMemcpyHostToDevice, stream[0]);
    cudaMemcpyAsync(d + 1000, h + 1000, 500, cudaMemcpyHostToDevice, stream[1]);
    cudaStreamSynchronize(stream[1]);
    cudaMemcpyAsync(h + 2000, d + 2000, 300, cudaMemcpyDeviceToHost, stream[1]);
    cudaDeviceSynchronize();
    for (int i = 0; i < 2; i++)
        cudaStreamDestroy(stream[i]);
    cudaFree(d);
    cudaFreeHost(h);
}

/* --- the list --------------------------------------------------------------------------------- */

#define LOADS(requests, sectors) GLOBAL("ld", #requests, #sectors)
#define STORES(requests, sectors) GLOBAL("st", #requests, #sectors)
#define GLOBAL(op, requests, sectors)                                                              \
    "\t\"l1tex__t_requests_pipe_lsu_mem_global_op_" op ".sum\":" requests ","                      \
    "\t\"l1tex__t_sectors_pipe_lsu_mem_global_op_" op ".sum\":" sectors ","
#define SHARED_LOADS(requests, wavefronts, conflicts)                                              \
    SHARED("ld", #requests, #wavefronts, #conflicts)
#define SHARED_STORES(requests, wavefronts, conflicts)                                             \
    SHARED("st", #requests, #wavefronts, #conflicts)
#define SHARED(op, requests, wavefronts, conflicts)                                                \
    "\t\"smsp__sass_inst_executed_op_shared_" op ".sum\":" requests ","                            \
    "\t\"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_" op ".sum\":" wavefronts ","               \
    "\t\"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_" op ".sum\":" conflicts ","
#define FLOW(start, name, count, bytes)                                                            \
    "\t" start "\"" name "\":{\"count\":" #count ",\"bytes\":" #bytes "}"
#define ATOMICS(requests, sectors) GLOBAL("atom", #requests, #sectors)

static const struct {
    const char *name, *expected;
    void (*run)(void);
} cases[] = {
    {"coalesced", LOADS(1, 4) STORES(1, 4)
     "\t\"smsp__sass_data_bytes_mem_global_op_ld.sum\":128,", coalesced},
    {"stride 2", LOADS(1, 8) STORES(1, 4), stride_2},
    {"stride 4", LOADS(1, 16), stride_4},
    {"stride 6", LOADS(1, 24), stride_6},
    {"stride 10", LOADS(1, 32), stride_10},
    {"stride 8", LOADS(1, 32), stride_8},
    {"stride 32", LOADS(1, 32), stride_32},
    {"misaligned", LOADS(1, 5), misaligned},
    {"broadcast", LOADS(1, 1) "\t\"smsp__sass_data_bytes_mem_global_op_ld.sum\":4,"
     "\t\"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio\":1.0000", broadcast},
    {"backwards", LOADS(1, 4), backwards},
    {"bytes", LOADS(1, 1) STORES(1, 1), bytes},
    {"shorts", LOADS(1, 2), shorts},
    {"doubles", LOADS(1, 8) STORES(1, 8), doubles},
    {"float2", LOADS(1, 8) STORES(1, 8), float2s},
    {"float4", LOADS(1, 16) STORES(1, 16), float4s},
    {"float3: three of 4 bytes each", LOADS(3, 36) STORES(3, 36), float3s},
    {"a warp and a thread", LOADS(2, 5) STORES(2, 5), partial_warp},
    {"loads and stores with hints", LOADS(1, 16) STORES(1, 16), hints},
    {"transpose", LOADS(128, 512) STORES(128, 4096), naive_transpose},
    {"atomics", LOADS(1, 4) ATOMICS(1, 1) STORES(0, 0), atomics},

    {"shared, stride 1", SHARED_LOADS(1, 1, 0) SHARED_STORES(1, 1, 0), shared<float, 1>},
    {"shared, stride 2", SHARED_LOADS(1, 2, 1) SHARED_STORES(1, 2, 1), shared<float, 2>},
    {"shared, stride 4", SHARED_LOADS(1, 4, 3), shared<float, 4>},
    {"shared, stride 8", SHARED_LOADS(1, 8, 7), shared<float, 8>},
    {"shared, stride 16", SHARED_LOADS(1, 16, 15), shared<float, 16>},
    {"shared, stride 32", SHARED_LOADS(1, 32, 31) SHARED_STORES(1, 32, 31), shared<float, 32>},
    {"shared, stride 33", SHARED_LOADS(1, 1, 0), shared<float, 33>},
    {"shared, broadcast", SHARED_LOADS(1, 1, 0), shared<float, 0>},
    {"shared, bytes", SHARED_LOADS(1, 1, 0), shared<char, 1>},
    {"shared, bytes, stride 4", SHARED_LOADS(1, 1, 0), shared<char, 4>},
    {"shared, bytes, stride 8", SHARED_LOADS(1, 2, 1), shared<char, 8>},
    {"shared, float2", SHARED_LOADS(1, 2, 0), shared<float2, 1>},
    {"shared, float2, stride 2", SHARED_LOADS(1, 4, 2), shared<float2, 2>},
    {"shared, float2, broadcast", SHARED_LOADS(1, 1, 0), shared<float2, 0>},
    {"shared, float4", SHARED_LOADS(1, 4, 0) SHARED_STORES(1, 4, 0), shared<float4, 1>},
    {"shared, float4, stride 2", SHARED_LOADS(1, 8, 4), shared<float4, 2>},
    {"shared, float4, broadcast", SHARED_LOADS(1, 2, 0), shared<float4, 0>},
    {"shared, float4, neighbours alike", SHARED_LOADS(1, 2, 0), neighbours_alike},
    {"shared, float4, two apart alike", SHARED_LOADS(1, 2, 0), two_apart_alike},
    {"shared, float4, three alike", SHARED_LOADS(1, 4, 0), three_alike},
    {"shared, doubles", SHARED_LOADS(1, 2, 0), shared<double, 1>},
    {"tiled transpose", LOADS(128, 512) STORES(128, 512) SHARED_STORES(128, 128, 0)
     SHARED_LOADS(128, 4096, 3968), tiled_transpose<0>},
    {"tiled transpose, padded", LOADS(128, 512) STORES(128, 512) SHARED_STORES(128, 128, 0)
     SHARED_LOADS(128, 128, 0), tiled_transpose<1>},
    {"shared atomics", "\t\"smsp__sass_inst_executed_op_shared_atom.sum\":2}"
     SHARED_STORES(1, 1, 0) SHARED_LOADS(1, 1, 0) "\t\"barriers\":4,", shared_atomics},

    {"both branches", LOADS(2, 8) STORES(1, 4), branches},
    {"a branch in a loop", LOADS(17, 68) STORES(1, 4), branch_in_a_loop},
    {"uneven loops", LOADS(132, 336) STORES(1, 4), uneven},
    {"loops that are left", LOADS(131, 332) STORES(1, 4), left_loops},
    {"a return from a loop", LOADS(96, 384) STORES(3, 12), returns_from_a_loop},
    {"a long loop", LOADS(1000, 3714) STORES(1, 4), long_loop},
    {"half masks", LOADS(100, 400) STORES(1, 4), half_masks},
    {"a guard", LOADS(3, 9) STORES(3, 9), guard},
    {"two launches", STORES(16, 52) "\t\"launches\":2,\t\"barriers\":64,"
     "\t\"launch__grid_size\":4,\t\"launch__thread_count\":400,", two_launches},

    {"copies by direction", FLOW("\"copies\":{", "HtoD", 2, 1500) FLOW("", "DtoH", 2, 130)
     FLOW("", "DtoD", 1, 200) FLOW("", "PtoP", 0, 0) "\t\"overlapping_bytes\":0,"
     FLOW("", "sets", 3, 524295), copies_by_direction},
    {"migrations", FLOW("\"migrations\":{", "HtoD", 8, 524288) "\t,\"DtoH\":{\"count\":8,"
     "\t\"prefetches\":{\"HtoD\":{\"count\":0,", migrations},
    {"prefetches", FLOW("\"prefetches\":{", "HtoD", 8, 524288) FLOW("", "DtoH", 8, 524288)
     "\t\"migrations\":{\"HtoD\":{\"count\":0,\"bytes\":0},\"DtoH\":{\"count\":0,", prefetches},
    {"no advice", "\t\"migrations\":{\"HtoD\":{\"count\":8,\"bytes\":524288},\"DtoH\":{\"count\":4,",
     not_advised},
    {"read mostly", "\t\"migrations\":{\"HtoD\":{\"count\":4,\"bytes\":262144},\"DtoH\":"
     "{\"count\":0,", read_mostly},
    {"accessed by", "\t\"migrations\":{\"HtoD\":{\"count\":0,", mapped},
    {"preferred at home", "\t\"migrations\":{\"HtoD\":{\"count\":0,", preferred_at_home},
    {"two streams", "\t\"overlapping_bytes\":4000,", overlap},
    {"two streams, pageable", "\t\"overlapping_bytes\":0," FLOW("", "HtoD", 2, 2000),
     overlap_pageable},
    {"two streams, one after the other", "\t\"overlapping_bytes\":0,", overlap_event},
    {"two streams, and the host waits", "\t\"overlapping_bytes\":0,", overlap_host},
    {"between devices, beside a kernel or behind it", FLOW("", "PtoP", 2, 1000)
     "\t\"overlapping_bytes\":0,\t\"overlapping_peer_bytes\":600,", peers},
    {"copies for another device", "\t\"elsewhere\":[{\"at\":\"\t\",\"count\":2}],\"migrations\"", elsewhere},
    {"both ways at once", "\t\"overlapping_bytes\":1300,", overlap_both_ways},
};

int main(int argc, char **argv)
{
    const size_t bytes_of_each = 4 * N * sizeof(float);

    if (argc < 2) {
        for (auto &c : cases)
            printf("%s%s\n", c.name, c.expected);
        return 0;
    }
    cudaMalloc(&d_x, bytes_of_each);
    cudaMalloc(&d_y, bytes_of_each);
    cudaMemset(d_x, 0, bytes_of_each);
    cudaMemset(d_y, 0, bytes_of_each);
    for (auto &c : cases)
        if (strcmp(c.name, argv[1]) == 0)
            c.run();
    cudaDeviceSynchronize();
    cudaFree(d_x);
    cudaFree(d_y);
    return cudaGetLastError() != cudaSuccess;
}
