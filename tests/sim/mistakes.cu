/*
 * Programs with one mistake each, which the simulator must name.  `mistakes` lists them with a pattern
 * for the last line of their errors; `mistakes NAME` makes that mistake.
 */
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1000, THREADS = 256, BLOCKS = (N + THREADS - 1) / THREADS };

static float host[N];

static float *device_array(size_t count)
{
    float *p;

    cudaMalloc(&p, count * sizeof *p);
    cudaMemset(p, 0, count * sizeof *p);
    return p;
}

/* --- addresses -------------------------------------------------------------------------------- */

__global__ static void copy_all(const float *from, float *to)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    to[i] = from[i]; /* if (i < n) is missing */
}

static void reads_past_the_end(void)
{
    float *x = device_array(N), *y = device_array(BLOCKS * THREADS);

    copy_all<<<BLOCKS, THREADS>>>(x, y);
    cudaDeviceSynchronize();
}

static void writes_past_the_end(void)
{
    float *x = device_array(BLOCKS * THREADS), *y = device_array(N);

    copy_all<<<BLOCKS, THREADS>>>(x, y);
    cudaDeviceSynchronize();
}

__global__ static void difference(size_t n, const float *x, float *y)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        y[i] = x[i] - x[(long)i - 1];
}

static void reads_before_the_start(void)
{
    difference<<<BLOCKS, THREADS>>>(N, device_array(N), device_array(N));
    cudaDeviceSynchronize();
}

static void null_pointer(void)
{
    copy_all<<<1, 1>>>(NULL, device_array(N));
    cudaDeviceSynchronize();
}

static void host_pointer_in_a_kernel(void)
{
    float *x = (float *)calloc(N, sizeof *x);

    copy_all<<<1, THREADS>>>(x, device_array(N));
    cudaDeviceSynchronize();
}

static void host_reads_device_memory(void)
{
    float *x = device_array(N);

    printf("%g\n", x[3]);
}

static void host_writes_device_memory(void)
{
    float *x = device_array(N);

    x[3] = 1;
    printf("%g\n", x[3]);
}

static void device_memory_of_another(void)
{
    float *x = device_array(N);

    cudaSetDevice(1);
    copy_all<<<1, THREADS>>>(x, device_array(N));
    cudaDeviceSynchronize();
}

static void freed_memory(void)
{
    float *x = device_array(N);

    cudaFree(x);
    copy_all<<<1, THREADS>>>(x, device_array(N));
    cudaDeviceSynchronize();
}

static void freed_inside(void)
{
    cudaFree(device_array(N) + 1);
}

static void freed_twice(void)
{
    float *x = device_array(N);

    cudaFree(x);
    cudaFree(x);
}

__global__ static void sum_vectors(const float *x, float *y)
{
    float4 v = *(const float4 *)(x + threadIdx.x);

    y[threadIdx.x] = v.x + v.y + v.z + v.w;
}

static void misaligned_vector(void)
{
    sum_vectors<<<1, 8>>>(device_array(N), device_array(N));
    cudaDeviceSynchronize();
}

__global__ static void dynamic_array(float *y)
{
    extern __shared__ float s[];

    s[threadIdx.x] = 1;
    y[threadIdx.x] = s[threadIdx.x];
}

static void past_the_dynamic_array(void)
{
    dynamic_array<<<1, THREADS, 100 * sizeof(float)>>>(device_array(N));
    cudaDeviceSynchronize();
}

/* Two arrays of a block: an access beyond the first must not pass as one to the second. */
__global__ static void neighbours(float *y, int shift)
{
    __shared__ float left[THREADS], right[THREADS];
    int t = threadIdx.x;

    left[t] = right[t] = 0;
    __syncthreads();
    left[t + shift] = 1;
    __syncthreads();
    y[t] = left[t] + right[t];
}

static void past_a_shared_array(void)
{
    neighbours<<<1, THREADS>>>(device_array(N), 1);
    cudaDeviceSynchronize();
}

template <class T> __global__ static void reads_ahead(T *y)
{
    __shared__ T tile[8][THREADS];

    tile[7][threadIdx.x] = 0;
    __syncthreads();
    y[threadIdx.x] = tile[7][threadIdx.x + 4];
}

static void past_a_templates_shared_array(void)
{
    reads_ahead<<<1, THREADS>>>(device_array(N));
    cudaDeviceSynchronize();
}

__device__ static float deep(float *x, int depth)
{
    volatile float local[256];

    for (int i = 0; i < 256; i++)
        local[i] = x[i] + depth;
    return depth == 0 ? local[7] : deep(x, depth - 1) + local[depth];
}

__global__ static void recurse(float *x)
{
    x[0] = deep(x, 200);
}

static void stack_overflow(void)
{
    recurse<<<1, 1>>>(device_array(N));
    cudaDeviceSynchronize();
}

/* --- memory that was never written ------------------------------------------------------------- */

static void never_written(void)
{
    float *x;

    cudaMalloc(&x, N * sizeof *x);
    cudaMemset(x, 0, 40);
    copy_all<<<1, THREADS>>>(x, device_array(N));
    cudaDeviceSynchronize();
}

__global__ static void half_tile(float *y)
{
    __shared__ float tile[THREADS];

    if (threadIdx.x % 2 == 0)
        tile[threadIdx.x] = 1;
    __syncthreads();
    y[threadIdx.x] = tile[threadIdx.x];
}

static void never_written_shared(void)
{
    half_tile<<<1, THREADS>>>(device_array(N));
    cudaDeviceSynchronize();
}

__global__ static void too_early(const float *from, float *to)
{
    __shared__ float tile[THREADS];

    __pipeline_memcpy_async(tile + threadIdx.x, from + threadIdx.x, sizeof(float));
    __pipeline_commit();
    __pipeline_wait_prior(1); /* for all but the last batch, and there is only that one */
    to[threadIdx.x] = tile[threadIdx.x];
}

static void not_waited_for(void)
{
    too_early<<<1, THREADS>>>(device_array(THREADS), device_array(THREADS));
    cudaDeviceSynchronize();
}

__global__ static void tile_of_block(float *y)
{
    __shared__ float tile[THREADS];

    if (blockIdx.x == 0)
        tile[threadIdx.x] = 1;
    __syncthreads();
    y[threadIdx.x] = tile[threadIdx.x];
}

static void shared_of_another_block(void)
{
    tile_of_block<<<2, THREADS>>>(device_array(N));
    cudaDeviceSynchronize();
}

static void never_written_copied(void)
{
    float *x;

    cudaMalloc(&x, sizeof host);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
}

static void not_waited_for_on_its_gpu(void)
{
    float *x = device_array(N), *y;

    cudaMalloc(&y, N * sizeof *y);
    copy_all<<<1, THREADS>>>(x, y);
    cudaSetDevice(1); /* so the copy waits for work of device 1 */
    cudaMemcpy(host, y, N * sizeof *y, cudaMemcpyDeviceToHost);
}

/* --- barriers --------------------------------------------------------------------------------- */

__global__ static void barrier_in_if(float *x)
{
    if (threadIdx.x < 40) {
        x[threadIdx.x] = 1;
        __syncthreads();
    }
    x[threadIdx.x] += 1;
}

__global__ static void barrier_behind_return(float *x)
{
    if (threadIdx.x % 2 == 1 && threadIdx.x != 61)
        return;
    x[threadIdx.x] = 1;
    __syncthreads();
}

static void barrier_for_even(void)
{
    barrier_behind_return<<<1, 64>>>(device_array(N));
    cudaDeviceSynchronize();
}

static void barrier_for_some(void)
{
    barrier_in_if<<<1, 64>>>(device_array(N));
    cudaDeviceSynchronize();
}

__global__ static void barriers_of_two_branches(float *x)
{
    if (threadIdx.x < 40) {
        x[threadIdx.x] = 1;
        __syncthreads();
    } else {
        x[threadIdx.x] = 2;
        __syncthreads();
    }
}

static void two_barriers(void)
{
    barriers_of_two_branches<<<1, 64>>>(device_array(N));
    cudaDeviceSynchronize();
}

/* --- warps ------------------------------------------------------------------------------------ */

__global__ static void shuffle_in_if(int *x)
{
    int lane = threadIdx.x, v = lane;

    if (lane < 16)
        v = __shfl_sync(0xffffffff, v, 0);
    __syncthreads();
    x[lane] = v;
}

static void missing_lane(void)
{
    shuffle_in_if<<<1, 32>>>((int *)device_array(N));
    cudaDeviceSynchronize();
}

__global__ static void half_mask(int *x)
{
    if (threadIdx.x < 16)
        x[threadIdx.x] = __shfl_sync(0x0000ffff, (int)threadIdx.x, threadIdx.x + 16);
}

static void lane_outside_the_mask(void)
{
    half_mask<<<1, 32>>>((int *)device_array(N));
    cudaDeviceSynchronize();
}

__global__ static void reduce_some(unsigned n, int *x)
{
    if (threadIdx.x >= n)
        return;
    int v = x[threadIdx.x];
    for (int step = 16; step > 0; step /= 2)
        v += __shfl_down_sync(0xffffffff, v, step);
    x[threadIdx.x] = v;
}

__global__ static void shuffle_in_branch(int *x)
{
    if (threadIdx.x < 10)
        x[threadIdx.x] = __shfl_sync(0xffffffff, (int)threadIdx.x, 0);
    else
        x[threadIdx.x] = __shfl_sync(0xffffffff, (int)threadIdx.x, 1);
}

static void lanes_in_two_places(void)
{
    shuffle_in_branch<<<1, 32>>>((int *)device_array(N));
    cudaDeviceSynchronize();
}

static void lane_that_returned(void)
{
    reduce_some<<<1, 32>>>(20, (int *)device_array(N));
    cudaDeviceSynchronize();
}

__global__ static void foreign_mask(int *x)
{
    x[threadIdx.x] = __any_sync(0x0000ffff, threadIdx.x == 3);
}

static void mask_without_itself(void)
{
    foreign_mask<<<1, 32>>>((int *)device_array(N));
    cudaDeviceSynchronize();
}

__global__ static void active(unsigned *x)
{
    x[threadIdx.x] = __activemask();
}

static void active_mask(void)
{
    active<<<1, 32>>>((unsigned *)device_array(N));
    cudaDeviceSynchronize();
}

/* --- launches and copies ---------------------------------------------------------------------- */

static void block_too_large(void)
{
    copy_all<<<1, dim3(64, 32)>>>(device_array(N), device_array(N));
}

static void no_blocks(void)
{
    copy_all<<<0, THREADS>>>(device_array(N), device_array(N));
}

static void grid_too_high(void)
{
    copy_all<<<dim3(1, 70000), 1>>>(device_array(N), device_array(N));
}

__global__ static void large_array(float *to)
{
    __shared__ float large[12289]; /* 4 bytes too many */

    large[threadIdx.x] = 1;
    to[threadIdx.x] = large[threadIdx.x];
}

static void too_large_an_array(void)
{
    large_array<<<1, 32>>>(device_array(32));
}

static void too_much_shared_memory(void)
{
    dynamic_array<<<1, THREADS, 100000>>>(device_array(N));
}

static void stream_of_another_device(void)
{
    cudaStream_t stream;

    cudaStreamCreate(&stream);
    cudaSetDevice(1);
    copy_all<<<1, 1, 0, stream>>>(device_array(N), device_array(N));
}

static void stream_that_is_gone(void)
{
    cudaStream_t stream;

    cudaStreamCreate(&stream);
    cudaStreamDestroy(stream);
    copy_all<<<1, 1, 0, stream>>>(device_array(N), device_array(N));
}

static void copy_too_long(void)
{
    cudaMemcpy(device_array(N / 2), host, sizeof host, cudaMemcpyHostToDevice);
}

static void copy_the_wrong_way(void)
{
    cudaMemcpy(host, device_array(N), sizeof host, cudaMemcpyHostToDevice);
}

/* The second copy reads what the first one writes, and copies of a batch have no order. */
static void batch_in_order(void)
{
    float *x = device_array(N), *y = device_array(N), *z = device_array(N);
    void *const to[] = {y, z};
    const void *const from[] = {x, y};
    const size_t bytes[] = {sizeof host, sizeof host};
    cudaMemcpyAttributes attributes = {};
    cudaStream_t stream;
    size_t first = 0;

    attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    cudaStreamCreate(&stream);
    cudaMemset(x, 0, sizeof host);
    cudaMemcpyBatchAsync(to, from, bytes, 2, &attributes, &first, 1, stream);
}

/* --- what is left ----------------------------------------------------------------------------- */

static void leak(void)
{
    device_array(N);
    cudaDeviceSynchronize();
}

static void leaked_event(void)
{
    cudaEvent_t event;

    cudaEventCreate(&event);
}

__global__ static void say(void)
{
    printf("thread %u\n", threadIdx.x);
}

static void no_wait(void)
{
    say<<<1, 4>>>();
}

static const struct mistake {
    const char *name, *expected;
    void (*make)(void);
} mistakes[] = {
#define AT(kernel, block, thread)                                                                  \
    "^tests/sim/mistakes\\.cu:[0-9]+: kernel " kernel ", block \\(" block "\\), thread \\(" thread  \
    "\\): "
#define BY_HOST "^tests/sim/mistakes\\.cu:[0-9]+: "
    {"reads past the end", AT("copy_all", "3,0,0", "232,0,0") "out of bounds: reads 4 bytes, 0 "
     "past "
     "the end of an array of 4000 bytes \\(memory of device 0, from tests/sim/mistakes\\.cu:19\\)$",
     reads_past_the_end},
    {"writes past the end", AT("copy_all", "3,0,0", "232,0,0") "out of bounds: writes 4 bytes, 0 "
     "past",
     writes_past_the_end},
    {"reads before the start", AT("difference", "0,0,0", "0,0,0") "out of bounds: reads 4 bytes, 4 "
     "before the start of an array of 4000 bytes", reads_before_the_start},
    {"null pointer", AT("copy_all", "0,0,0", "0,0,0") "null pointer: reads 4 .* has its address in a variable "
     "of that function only", null_pointer},
    {"host pointer in a kernel", AT("copy_all", "0,0,0", "0,0,0") "host memory: reads 4 bytes",
     host_pointer_in_a_kernel},
    {"host reads device memory", BY_HOST "device memory: the host reads memory of device 0",
     host_reads_device_memory},
    {"host writes device memory", BY_HOST "device memory: the host writes memory of device 0",
     host_writes_device_memory},
    {"device memory of another", AT("copy_all", "0,0,0", "0,0,0") "another device: reads memory of "
     "device 0 on device 1, without peer access$", device_memory_of_another},
    {"freed memory", AT("copy_all", "0,0,0", "0,0,0") "use after free: reads 4 bytes of an array "
     "of "
     "4000 bytes that was freed at tests/sim/mistakes\\.cu:[0-9]+ ", freed_memory},
    {"freed inside", BY_HOST "cudaFree: not an array, or one that was freed already: it is a place inside of one, 4 bytes behind its start$", freed_inside},
    {"freed twice", BY_HOST "cudaFree: not an array, or one that was freed already, at tests/sim/mistakes\\.cu:[0-9]+$", freed_twice},
    {"misaligned vector", AT("sum_vectors", "0,0,0", "1,0,0") "misaligned: reads 16 bytes",
     misaligned_vector},
    {"past the dynamic array", AT("dynamic_array", "0,0,0", "100,0,0") "out of bounds: writes "
     "bytes "
     "400 to 403 of 400 bytes of dynamic shared memory$", past_the_dynamic_array},
    {"past a shared array", AT("neighbours", "0,0,0", "255,0,0") "out of bounds: writes 4 bytes, 0 "
     "past the end of the shared array left of 1024 bytes$", past_a_shared_array},
    {"past a template's shared array", AT("reads_ahead", "0,0,0", "252,0,0") "out of bounds: reads "
     "4 bytes, 0 past the end of the shared array tile of 8192 bytes$",
     past_a_templates_shared_array},
    {"stack overflow", AT("recurse", "0,0,0", "0,0,0") "stack overflow: ", stack_overflow},
    {"never written", AT("copy_all", "0,0,0", "10,0,0") "never written: reads byte 40 of an "
     "array of "
     "4000 bytes", never_written},
    {"never written, shared", AT("half_tile", "0,0,0", "1,0,0") "never written: reads 4 bytes of "
     "shared memory .*; 128 of its 256 elements are written, the last of them number 254, at tests/sim/mistakes",
     never_written_shared},
    {"not waited for", AT("too_early", "0,0,0", "0,0,0") "never written: reads 4 bytes of shared "
     "memory", not_waited_for},
    {"shared of another block", AT("tile_of_block", "1,0,0", "0,0,0") "never written: ",
     shared_of_another_block},
    {"never written, copied", BY_HOST "cudaMemcpy: never written: reads byte 0 of an array .*; nothing in it was written; "
     "no kernel was launched$", never_written_copied},
    {"not waited for on its GPU", BY_HOST "cudaMemcpy: never written: reads byte 0 of an array of 4000 bytes, with work "
     "left on device 0 ", not_waited_for_on_its_gpu},
    {"barrier for some", AT("barrier_in_if", "0,0,0", "0,0,0") "divergent barrier: 40 threads "
     "wait in "
     "__syncthreads, but 24 have returned at the end of the kernel; those that have returned: 40 to 63$", barrier_for_some},
    {"barrier behind a return", AT("barrier_behind_return", "0,0,0", "0,0,0") "divergent barrier: 33 threads wait in "
     "__syncthreads, but 31 have returned by the return in line [0-9]+; those that have returned: 1, 3, 5, 7 and more$",
     barrier_for_even},
    {"two barriers", AT("barriers_of_two_branches", "0,0,0", "0,0,0") "divergent barrier: 40 "
     "threads "
     "wait in __syncthreads, but thread 40 waits in __syncthreads "
     "\\(tests/sim/mistakes\\.cu:[0-9]+",
     two_barriers},
    {"missing lane", AT("shuffle_in_if", "0,0,0", "0,0,0") "missing lane: __shfl_sync waits for "
     "lane "
     "16 of its mask 0xffffffff, which waits in __syncthreads", missing_lane},
    {"lane outside the mask", AT("half_mask", "0,0,0", "0,0,0") "missing lane: in __shfl_sync "
     "lane 0 "
     "takes its value from lane 16, which is not in the mask 0xffff$", lane_outside_the_mask},
    {"lane that returned", AT("reduce_some", "0,0,0", "4,0,0") "missing lane: in "
     "__shfl_down_sync lane "
     "4 takes its value from lane 20, which has returned; lanes that call it: 0 to 19; lanes that do not: 20 to 31. These have left by "
     "the return in line [0-9]+$", lane_that_returned},
    {"lanes in two places", AT("shuffle_in_branch", "0,0,0", "(31|0),0,0") "missing lane: lanes of one mask meet in different places: "
     "__shfl_sync here and __shfl_sync \\(tests/sim/mistakes\\.cu:[0-9]+\\); lanes here: (0 to 9|10 to 31), lanes there: (10 to 31|0 to 9)$",
     lanes_in_two_places},
    {"mask without itself", AT("foreign_mask", "0,0,0", "16,0,0") "missing lane: lane 16 calls "
     "__any_sync with a mask 0xffff that does not name it$", mask_without_itself},
    {"active mask", AT("active", "0,0,0", "0,0,0") "__activemask\\(\\) depends on", active_mask},
    {"block too large", BY_HOST "launch of copy_all: a block of 64x32x1 threads", block_too_large},
    {"no blocks", BY_HOST "launch of copy_all: no blocks: the grid is 0x1x1$", no_blocks},
    {"grid too high", BY_HOST "launch of copy_all: a grid of 1x70000x1 blocks", grid_too_high},
    {"too much shared memory", BY_HOST "launch of dynamic_array: 100000 bytes of dynamic shared "
     "memory, 49152 are possible \\(more only with cudaFuncSetAttribute\\)$",
     too_much_shared_memory},
    {"too large a shared array", BY_HOST "launch of large_array: the shared array large has 49156 bytes, 49152 are "
     "possible$", too_large_an_array},
    {"stream of another device", BY_HOST "launch of copy_all: its stream is of device 0, but "
     "device 1 "
     "is current$", stream_of_another_device},
    {"stream that is gone", BY_HOST "not a stream, or one that was destroyed$",
     stream_that_is_gone},
    {"copy too long", BY_HOST "cudaMemcpy: out of bounds: writes 2000 bytes, 0 past the end of an "
     "array of 2000 bytes", copy_too_long},
    {"copy the wrong way", BY_HOST "cudaMemcpy: by its kind the destination is a device's "
     "memory, but "
     "it is the host's$", copy_the_wrong_way},
    {"a batch in order", BY_HOST "cudaMemcpyBatchAsync: copies 0 and 1 of a batch have no order, "
     "and the second one reads what the first one writes$", batch_in_order},
    {"leak", "^leak: 4000 bytes in 1 array never freed, the first from tests/sim/mistakes\\.cu:19$",
     leak},
    {"leaked event", "^leak: 0 streams and 1 events never destroyed$", leaked_event},
    {"no wait", "^unfinished: no call has waited for the last 1 launches and copies$",
     no_wait},
};

int main(int argc, char **argv)
{
    for (const struct mistake &m : mistakes) {
        if (argc < 2)
            printf("%s\t%s\n", m.name, m.expected);
        else if (strcmp(m.name, argv[1]) == 0)
            m.make();
    }
    return 0;
}
