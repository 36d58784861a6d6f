/*
 * Programs without a mistake that could easily be accused of one.  `right` lists them; `right NAME` ends
 * with status 0 if the answer is right and the simulator reports nothing.
 */
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <thread>
#include <vector>

static void expect(bool right, const char *what)
{
    if (right)
        return;
    fprintf(stderr, "not right: %s\n", what);
    exit(EXIT_FAILURE);
}

/* --- reductions ------------------------------------------------------------------------------- */

enum { N = 10007, THREADS = 256 };

/* A tree in shared memory; the last block to finish adds the blocks' sums. */
__device__ static unsigned finished;

__global__ static void reduce(int n, const int *x, int *partial, int *total)
{
    __shared__ int sum[THREADS];
    __shared__ bool last;
    int t = threadIdx.x, mine = 0;

    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
        mine += x[i];
    sum[t] = mine;
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half)
            sum[t] += sum[t + half];
    }
    if (t == 0) {
        partial[blockIdx.x] = sum[0];
        __threadfence();
        last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        *total = 0;
        for (unsigned b = 0; b < gridDim.x; b++)
            *total += partial[b];
    }
}

static void reduction(void)
{
    std::vector<int> x(N);
    int *d_x, *d_partial, *d_total, total, expected = 0;

    for (int i = 0; i < N; i++)
        expected += x[i] = i % 17 - 5;
    cudaMalloc(&d_x, N * sizeof(int));
    cudaMalloc(&d_partial, 7 * sizeof(int));
    cudaMalloc(&d_total, sizeof(int));
    cudaMemcpy(d_x, x.data(), N * sizeof(int), cudaMemcpyHostToDevice);
    for (int turn = 0; turn < 2; turn++) {
        reduce<<<7, THREADS>>>(N, d_x, d_partial, d_total);
        cudaMemcpy(&total, d_total, sizeof total, cudaMemcpyDeviceToHost);
        expect(total == expected, "the sum");
    }
    cudaFree(d_x);
    cudaFree(d_partial);
    cudaFree(d_total);
}

/* --- warps ------------------------------------------------------------------------------------ */

__global__ static void warp_operations(unsigned *out)
{
    unsigned lane = threadIdx.x % 32, all = 0xffffffff;
    float sum = (float)lane;

    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_xor_sync(all, sum, step);
    unsigned low = lane < 16 ? __shfl_sync(0x0000ffff, lane, lane ^ 1, 16)
                             : __shfl_sync(0xffff0000, lane, 3, 16); /* halves, by themselves */
    unsigned up = __shfl_up_sync(all, lane, 1), down = __shfl_down_sync(all, lane, 2, 8);
    long long wide = __shfl_sync(all, (long long)lane << 40, 5);
    unsigned even = __ballot_sync(all, lane % 2 == 0), same = __match_any_sync(all, lane / 8);
    int any = __any_sync(all, lane == 31), every = __all_sync(all, lane < 31);

    __syncwarp();
    unsigned ok = sum == 496.0f;
    ok &= low == (lane < 16 ? lane ^ 1 : 19);
    ok &= up == (lane == 0 ? 0 : lane - 1) && down == (lane % 8 < 6 ? lane + 2 : lane);
    ok &= wide == 5ll << 40 && even == 0x55555555 && same == 0xffu << lane / 8 * 8;
    ok &= any == 1 && every == 0;
    out[threadIdx.x] = ok;
}

/* As on GPUs: lanes that have returned need not arrive, if no value is taken from them. */
__global__ static void partial_warp(int n, int *out)
{
    if ((int)threadIdx.x >= n)
        return;
    out[threadIdx.x] = __shfl_sync(0xffffffff, (int)threadIdx.x, 7);
}

static void warps(void)
{
    unsigned *d_out, out[128];

    cudaMalloc(&d_out, sizeof out);
    warp_operations<<<1, 128>>>(d_out);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 128; i++)
        expect(out[i] == 1, "a warp operation");
    partial_warp<<<1, 50>>>(20, (int *)d_out);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 20; i++)
        expect(out[i] == 7, "a shuffle in a warp that is not full");
    cudaFree(d_out);
}

/* --- tiles ------------------------------------------------------------------------------------ */

template <int TILE>
__global__ static void multiply(unsigned n, const float *a, const float *b, float *c)
{
    __shared__ float as[TILE][TILE], bs[TILE][TILE + 1];
    unsigned row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;

    for (unsigned t = 0; t < n; t += TILE) {
        as[threadIdx.y][threadIdx.x] =
            row < n && t + threadIdx.x < n ? a[row * n + t + threadIdx.x] : 0;
        bs[threadIdx.y][threadIdx.x] =
            t + threadIdx.y < n && col < n ? b[(t + threadIdx.y) * n + col] : 0;
        __syncthreads();
        for (int l = 0; l < TILE; l++)
            sum += as[threadIdx.y][l] * bs[l][threadIdx.x];
        __syncthreads();
    }
    if (row < n && col < n)
        c[row * n + col] = sum;
}

static void tiles(void)
{
    const int n = 37, blocks = (n + 15) / 16;
    std::vector<float> a(n * n), b(n * n), c(n * n);
    float *d;

    for (int i = 0; i < n * n; i++) {
        a[i] = (float)(i % 7 - 3);
        b[i] = (float)(i % 5 - 2);
    }
    cudaMalloc(&d, 3 * n * n * sizeof *d);
    cudaMemcpy(d, a.data(), n * n * sizeof *d, cudaMemcpyHostToDevice);
    cudaMemcpy(d + n * n, b.data(), n * n * sizeof *d, cudaMemcpyHostToDevice);
    multiply<16><<<dim3(blocks, blocks), dim3(16, 16)>>>(n, d, d + n * n, d + 2 * n * n);
    cudaMemcpy(c.data(), d + 2 * n * n, n * n * sizeof *d, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int l = 0; l < n; l++)
                sum += a[i * n + l] * b[l * n + j];
            expect(c[i * n + j] == sum, "a product");
        }
    cudaFree(d);
}

/* A tile of dynamic shared memory with a border, and a picture whose rows are padded. */
__global__ static void blur(int rows, int cols, size_t pitch, const unsigned char *in,
                            unsigned char *out)
{
    extern __shared__ unsigned char tile[];
    const int side = blockDim.x + 2;
    int c0 = blockIdx.x * blockDim.x - 1, r0 = blockIdx.y * blockDim.y - 1;

    for (int y = threadIdx.y; y < side; y += blockDim.y)
        for (int x = threadIdx.x; x < side; x += blockDim.x) {
            int r = min(max(r0 + y, 0), rows - 1), c = min(max(c0 + x, 0), cols - 1);
            tile[y * side + x] = in[r * pitch + c];
        }
    __syncthreads();
    int r = r0 + 1 + threadIdx.y, c = c0 + 1 + threadIdx.x, sum = 0;
    if (r >= rows || c >= cols)
        return;
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 3; x++)
            sum += tile[(threadIdx.y + y) * side + threadIdx.x + x];
    out[r * pitch + c] = sum / 9;
}

static void halo(void)
{
    const int rows = 45, cols = 61;
    std::vector<unsigned char> in(rows * cols), out(rows * cols);
    unsigned char *d_in, *d_out;
    size_t pitch;

    for (int i = 0; i < rows * cols; i++)
        in[i] = i * 7 % 251;
    cudaMallocPitch(&d_in, &pitch, cols, rows);
    cudaMallocPitch(&d_out, &pitch, cols, rows);
    cudaMemcpy2D(d_in, pitch, in.data(), cols, cols, rows, cudaMemcpyHostToDevice);
    blur<<<dim3(4, 3), dim3(16, 16), 18 * 18>>>(rows, cols, pitch, d_in, d_out);
    cudaMemcpy2D(out.data(), cols, d_out, pitch, cols, rows, cudaMemcpyDeviceToHost);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++) {
            int sum = 0;
            for (int y = r - 1; y <= r + 1; y++)
                for (int x = c - 1; x <= c + 1; x++)
                    sum += in[(y < 0 ? 0 : y >= rows ? rows - 1 : y) * cols +
                              (x < 0 ? 0 : x >= cols ? cols - 1 : x)];
            expect(out[r * cols + c] == sum / 9, "a pixel");
        }
    cudaFree(d_in);
    cudaFree(d_out);
}

/* --- streams ---------------------------------------------------------------------------------- */

__global__ static void add(int n, float *x, float value)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        x[i] += value;
}

__global__ static void twice(int n, float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        x[i] *= 2;
}

static void streams(void)
{
    cudaStream_t one, two;
    cudaEvent_t ready, start;
    float *x, *d, milliseconds = 7;

    cudaStreamCreate(&one);
    cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
    cudaEventCreate(&start);
    cudaEventCreateWithFlags(&ready, cudaEventDisableTiming);
    cudaMallocHost(&x, N * sizeof *x);
    cudaMalloc(&d, N * sizeof *d);
    for (int i = 0; i < N; i++)
        x[i] = 1;
    cudaEventRecord(start, one);
    cudaMemcpyAsync(d, x, N * sizeof *x, cudaMemcpyHostToDevice, one);
    add<<<(N + 255) / 256, 256, 0, one>>>(N, d, 2);
    cudaEventRecord(ready, one);
    cudaStreamWaitEvent(two, ready);
    twice<<<(N + 255) / 256, 256, 0, two>>>(N, d);
    cudaMemcpyAsync(x, d, N * sizeof *x, cudaMemcpyDeviceToHost, two);
    cudaStreamSynchronize(two);
    for (int i = 0; i < N; i++)
        expect(x[i] == 6, "what went through two streams");
    cudaEventRecord(ready, one);
    cudaEventSynchronize(ready);
    expect(cudaEventQuery(start) == cudaSuccess, "an event that is over");

    /* The legacy stream waits for `one`, and `one` for it. */
    add<<<(N + 255) / 256, 256, 0, one>>>(N, d, 1);
    twice<<<(N + 255) / 256, 256>>>(N, d);
    add<<<(N + 255) / 256, 256, 0, one>>>(N, d, 1);
    cudaMemcpy(x, d, N * sizeof *x, cudaMemcpyDeviceToHost);
    expect(x[N - 1] == 15, "the order with the legacy stream");
    cudaEventRecord(start);
    cudaEventSynchronize(start);
    expect(cudaEventElapsedTime(&milliseconds, start, start) == cudaSuccess && milliseconds == 0,
           "no time");
    cudaEventDestroy(start);
    cudaEventDestroy(ready);
    cudaStreamDestroy(one);
    cudaStreamDestroy(two);
    cudaFreeHost(x);
    cudaFree(d);
}

/* Two copies at once, in their stream's order */
static void batch(void)
{
    cudaStream_t stream;
    float *x, *d;

    cudaStreamCreate(&stream);
    cudaMallocHost(&x, 2 * sizeof *x);
    cudaMalloc(&d, 2 * sizeof *d);
    x[0] = 1;
    x[1] = 2;

    void *const up[] = {d, d + 1}, *const down[] = {x + 1, x};
    const void *const from[] = {x, x + 1}, *const back[] = {d, d + 1};
    const size_t bytes[] = {sizeof *x, sizeof *x};
    cudaMemcpyAttributes attributes = {}, two[2];
    size_t first = 0, both[] = {0, 0};

    expect(cudaMemcpyBatchAsync(up, from, bytes, 2, &attributes, &first, 1, stream) ==
               cudaErrorInvalidValue, "a batch that does not say when its sources may be read");
    attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    expect(cudaMemcpyBatchAsync(up, from, bytes, 2, &attributes, &first, 1, 0) ==
               cudaErrorInvalidValue, "a batch in the legacy stream");
    two[0] = two[1] = attributes;
    expect(cudaMemcpyBatchAsync(up, from, bytes, 2, two, both, 2, stream) == cudaErrorInvalidValue,
           "a batch whose copies have two attributes each");
    cudaMemcpyBatchAsync(up, from, bytes, 2, &attributes, &first, 1, stream);
    add<<<1, 2, 0, stream>>>(2, d, 5);
    cudaMemcpyBatchAsync(down, back, bytes, 2, &attributes, &first, 1, stream);
    cudaStreamSynchronize(stream);
    expect(x[0] == 7 && x[1] == 6, "what a batch took up and another one down");
    cudaStreamDestroy(stream);
    cudaFreeHost(x);
    cudaFree(d);
}

/* Not a reliable answer, but one that a program without a wait may get: the old values. */
static void late(void)
{
    cudaStream_t one, two;
    float *x, *d;

    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
    cudaMallocHost(&x, sizeof *x);
    cudaMalloc(&d, sizeof *d);
    *x = 1;
    cudaMemcpyAsync(d, x, sizeof *x, cudaMemcpyHostToDevice, one);
    cudaStreamSynchronize(one);
    add<<<1, 1, 0, one>>>(1, d, 1); /* and no event for `two` to wait for */
    cudaMemcpyAsync(x, d, sizeof *x, cudaMemcpyDeviceToHost, two);
    *x = 7;
    expect(*x == 7, "a copy without a wait");
    cudaStreamSynchronize(two);
    expect(*x == 1, "a stream that has not waited for the other");
    cudaMemcpyAsync(x, d, sizeof *x, cudaMemcpyDeviceToHost, one);
    cudaStreamSynchronize(one);
    expect(*x == 2, "and in the end");
    cudaStreamDestroy(one);
    cudaStreamDestroy(two);
    cudaFreeHost(x);
    cudaFree(d);
}

/* Recorded once, from two streams, and played three times. */
static void graph(void)
{
    cudaStream_t one, two;
    cudaEvent_t fork, join;
    cudaGraph_t g;
    cudaGraphExec_t exec;
    float *d, x;

    cudaStreamCreate(&one);
    cudaStreamCreate(&two);
    cudaEventCreate(&fork);
    cudaEventCreate(&join);
    cudaMalloc(&d, 2 * sizeof *d);
    cudaMemset(d, 0, 2 * sizeof *d);
    cudaDeviceSynchronize();
    cudaStreamBeginCapture(one, cudaStreamCaptureModeThreadLocal);
    add<<<1, 1, 0, one>>>(1, d, 1);
    cudaEventRecord(fork, one);
    cudaStreamWaitEvent(two, fork);
    add<<<1, 1, 0, two>>>(1, d + 1, 1);
    cudaEventRecord(join, two);
    twice<<<1, 1, 0, one>>>(1, d);
    cudaStreamWaitEvent(one, join);
    cudaStreamEndCapture(one, &g);
    cudaGraphInstantiate(&exec, g, 0);
    cudaGraphDestroy(g);
    for (int turn = 0; turn < 3; turn++)
        cudaGraphLaunch(exec, one);
    cudaGraphExecDestroy(exec);
    cudaStreamSynchronize(one);
    cudaMemcpy(&x, d, sizeof x, cudaMemcpyDeviceToHost);
    expect(x == 14, "what was recorded from the first stream");
    cudaMemcpy(&x, d + 1, sizeof x, cudaMemcpyDeviceToHost);
    expect(x == 3, "what was recorded from the second stream");
    cudaEventDestroy(fork);
    cudaEventDestroy(join);
    cudaStreamDestroy(one);
    cudaStreamDestroy(two);
    cudaFree(d);
}

/* --- memory that both sides see --------------------------------------------------------------- */

static void managed(void)
{
    float *x;

    cudaMallocManaged(&x, N * sizeof *x);
    for (int i = 0; i < N; i++)
        x[i] = (float)i;
    add<<<(N + 255) / 256, 256>>>(N, x, 1);
    cudaDeviceSynchronize();
    for (int i = 0; i < N; i++)
        expect(x[i] == i + 1, "managed memory");
    cudaFree(x);
}

static void mapped(void)
{
    static float x[N];
    float *d;

    for (int i = 0; i < N; i++)
        x[i] = (float)i;
    cudaHostRegister(x, sizeof x, cudaHostRegisterMapped);
    cudaHostGetDevicePointer(&d, x, 0);
    add<<<(N + 255) / 256, 256>>>(N, d, 1);
    cudaDeviceSynchronize();
    cudaHostUnregister(x);
    for (int i = 0; i < N; i++)
        expect(x[i] == i + 1, "registered memory");
}

/* --- several devices -------------------------------------------------------------------------- */

static void on_one_device(int device, std::vector<float> *x)
{
    float *d;
    size_t bytes = x->size() * sizeof *d;

    cudaSetDevice(device);
    cudaMalloc(&d, bytes);
    cudaMemcpy(d, x->data(), bytes, cudaMemcpyHostToDevice);
    for (int turn = 0; turn < 20; turn++)
        add<<<(x->size() + 255) / 256, 256>>>(x->size(), d, (float)device);
    cudaMemcpy(x->data(), d, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d);
}

static void devices(void)
{
    int count;
    std::vector<std::vector<float>> x;
    std::vector<std::thread> threads;

    cudaGetDeviceCount(&count);
    x.resize(count, std::vector<float>(1000, 1.0f));
    for (int device = 0; device < count; device++)
        threads.emplace_back(on_one_device, device, &x[device]);
    for (std::thread &t : threads)
        t.join();
    for (int device = 0; device < count; device++)
        for (float value : x[device])
            expect(value == 1 + 20 * device, "what a device has counted");
}

__global__ static void fetch(const float *from, float *to)
{
    to[threadIdx.x] = from[threadIdx.x];
}

static void peers(void)
{
    int count, can = 0;
    float *d0, *d1, x[32];

    cudaGetDeviceCount(&count);
    if (count < 2)
        return;
    cudaMalloc(&d0, sizeof x);
    cudaSetDevice(1);
    cudaMalloc(&d1, sizeof x);
    for (int i = 0; i < 32; i++)
        x[i] = (float)i;
    cudaMemcpy(d1, x, sizeof x, cudaMemcpyHostToDevice);
    cudaSetDevice(0);
    cudaMemcpyPeer(d0, 0, d1, 1, sizeof x);
    cudaDeviceCanAccessPeer(&can, 0, 1);
    expect(can == 1, "peers");
    cudaDeviceEnablePeerAccess(1, 0);
    fetch<<<1, 32>>>(d1, d0);
    cudaMemcpy(x, d0, sizeof x, cudaMemcpyDeviceToHost);
    expect(x[31] == 31, "a peer's memory");
    cudaFree(d0);
    cudaFree(d1);
}

/* --- variables, vectors, structures ----------------------------------------------------------- */

__constant__ static float weights[4];
__device__ static int hits;

struct pair {
    float4 v;
    int n;
};

__global__ static void mix(struct pair p, const float4 *in, float4 *out)
{
    float4 v = in[threadIdx.x];
    float local[4] = {v.x, v.y, v.z, v.w};

    for (int i = 0; i < 4; i++)
        local[i] = fmaf(local[i], weights[(i + p.n) % 4], p.v.w);
    out[threadIdx.x] = make_float4(local[0], local[1], local[2], local[3]);
    atomicAdd(&hits, 1);
}

static void vectors(void)
{
    const float w[4] = {1, 2, 3, 4};
    float4 x[32], *d;
    int count = 0;

    for (int i = 0; i < 32; i++)
        x[i] = make_float4(1, 1, 1, (float)i);
    cudaMemcpyToSymbol(weights, w, sizeof w);
    cudaMemcpyToSymbol(hits, &count, sizeof count);
    cudaMalloc(&d, 2 * sizeof x);
    cudaMemcpy(d, x, sizeof x, cudaMemcpyHostToDevice);
    mix<<<1, 32>>>({{0, 0, 0, 0.5f}, 1}, d, d + 32);
    cudaMemcpy(x, d + 32, sizeof x, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&count, hits, sizeof count);
    expect(x[9].x == 2.5f && x[9].z == 4.5f && x[9].w == 9.5f, "vectors");
    expect(count == 32, "a device's variable");
    cudaFree(d);
}

/* --- what functions return -------------------------------------------------------------------- */

struct best {
    float distance;
    int index;
};

/* Called twice and with a loop, so that -O1 alone does not inline them. */
__device__ static float4 four(float v)
{
    float sum = 0;

    for (int i = 1; i <= 4; i++)
        sum += v / (float)i * (float)i / 4;
    return make_float4(v, sqrtf(sum * sum), -v, sum);
}

__noinline__ __device__ static int2 two(int v)
{
    int sum = 0;

    for (int i = 1; i < 8; i++)
        sum -= v % i - v * (i == 7 ? 3 : 0) / 3;
    return make_int2(v, sum);
}

__device__ static struct best best_of(int v)
{
    struct best b = {0, 0};

    for (int i = 0; i <= v; i++)
        if ((float)i * (float)i >= b.distance)
            b = {(float)i * (float)i, i};
    return b;
}

__global__ static void store_returned(float4 *x, int2 *y, struct best *z)
{
    __shared__ int2 tile[64];
    int t = threadIdx.x;

    tile[t] = two(t);
    tile[t + 32] = two(t + 32);
    x[t] = four((float)t);
    x[t + 32] = four((float)t + 32);
    z[t] = best_of(t);
    z[t + 32] = best_of(t + 32);
    __syncthreads();
    y[t] = tile[63 - t];
    y[t + 32] = tile[31 - t];
}

static void returned(void)
{
    float4 *d_x, x[64];
    int2 *d_y, y[64];
    struct best *d_z, z[64];

    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_y, sizeof y);
    cudaMalloc(&d_z, sizeof z);
    store_returned<<<1, 32>>>(d_x, d_y, d_z);
    cudaMemcpy(x, d_x, sizeof x, cudaMemcpyDeviceToHost);
    cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost);
    cudaMemcpy(z, d_z, sizeof z, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; i++)
        expect(x[i].x == (float)i && y[i].x == 63 - i && z[i].index == i, "what was returned");
    cudaFree(d_x);
    cudaFree(d_y);
    cudaFree(d_z);
}

static const struct program {
    const char *name;
    void (*run)(void);
} programs[] = {
    {"reduction", reduction}, {"warps", warps},     {"tiles", tiles},     {"halo", halo},
    {"streams", streams},     {"graph", graph},     {"managed", managed}, {"mapped", mapped},
    {"devices", devices},     {"peers", peers},     {"vectors", vectors}, {"late", late},
    {"returned", returned},
};

int main(int argc, char **argv)
{
    for (const struct program &p : programs) {
        if (argc < 2)
            puts(p.name);
        else if (strcmp(p.name, argv[1]) == 0)
            p.run();
    }
    return 0;
}
