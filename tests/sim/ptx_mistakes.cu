/*
 * Programs with one PTX mistake each, which the simulator must name.  As in mistakes.cu: without a name
 * it lists them, with a pattern for the last line of their errors.
 */
#include "ptx.h"

enum { N = 4096 };

static float *device_array(void)
{
    float *p;

    cudaMalloc(&p, N * sizeof *p);
    cudaMemset(p, 0, N * sizeof *p);
    return p;
}

/* --- mma.sync, ldmatrix ----------------------------------------------------------------------- */

__device__ static void multiply(float (&d)[4])
{
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32"
                 " {%0, %1, %2, %3}, {%4, %4}, {%4}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(0));
}

__global__ static void product_of_some(unsigned n, float *y)
{
    float d[4] = {};

    if (threadIdx.x < n)
        multiply(d);
    y[threadIdx.x] = d[0];
}

static void product_of_half_a_warp(void)
{
    product_of_some<<<1, 32>>>(16, device_array());
    cudaDeviceSynchronize();
}

static void product_of_a_small_block(void)
{
    product_of_some<<<1, 24>>>(24, device_array());
    cudaDeviceSynchronize();
}

__global__ static void product_or_barrier(float *y)
{
    float d[4] = {};

    if (threadIdx.x < 40)
        multiply(d);
    __syncthreads();
    y[threadIdx.x] = d[0];
}

static void product_beside_a_barrier(void)
{
    product_or_barrier<<<1, 64>>>(device_array());
    cudaDeviceSynchronize();
}

__global__ static void load_rows(unsigned bytes, unsigned written, unsigned *y)
{
    __shared__ uint4 rows[8];

    if (threadIdx.x < written)
        rows[threadIdx.x] = make_uint4(1, 2, 3, 4);
    __syncthreads();
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
                 : "=r"(y[threadIdx.x]) : "r"(address(rows) + threadIdx.x * bytes));
}

static void matrix_of_short_rows(void)
{
    load_rows<<<1, 32>>>(8, 8, (unsigned *)device_array());
    cudaDeviceSynchronize();
}

static void matrix_past_the_array(void)
{
    load_rows<<<1, 32>>>(32, 8, (unsigned *)device_array());
    cudaDeviceSynchronize();
}

static void matrix_never_written(void)
{
    load_rows<<<1, 32>>>(16, 7, (unsigned *)device_array());
    cudaDeviceSynchronize();
}

/* --- mbarriers and copies --------------------------------------------------------------------- */

enum wrong { NO_EXPECT, TOO_MUCH, NO_ARRIVAL, NO_INIT, NO_BARRIER, NO_WAIT, OFTEN, EARLY, CROOKED,
             PAST };

/* Fetches 32 floats, and adds them up. */
template <wrong WRONG> __global__ static void fetch_and_add(const float *x, float *y)
{
    __shared__ alignas(128) float buffer[32];
    __shared__ uint64_t full;
    float sum = 0;

    if (threadIdx.x == 0 && WRONG != NO_INIT)
        barrier_init(&full, 1);
    if (WRONG != NO_BARRIER)
        __syncthreads();
    if (threadIdx.x == 0) {
        if (WRONG == NO_EXPECT)
            barrier_arrive(&full);
        else if (WRONG != NO_ARRIVAL)
            barrier_expect(&full, sizeof buffer + (WRONG == TOO_MUCH ? 16 : 0));
        if (WRONG == OFTEN)
            barrier_arrive(&full);
        fetch_bytes(buffer, x + (WRONG == CROOKED ? 1 : WRONG == PAST ? N - 16 : 0),
                    sizeof buffer, &full);
    }
    if (WRONG != NO_WAIT)
        barrier_wait(&full, WRONG == EARLY);
    for (unsigned i = 0; i < 32 && WRONG != NO_WAIT; i++)
        sum += buffer[i];
    y[threadIdx.x] = sum;
}

template <wrong WRONG> static void fetch_wrongly(void)
{
    fetch_and_add<WRONG><<<1, 64>>>(device_array(), device_array());
    cudaDeviceSynchronize();
}

/* One thread notifies another, which does not wait. */
__global__ static void do_not_listen(unsigned *y)
{
    __shared__ unsigned news;
    __shared__ uint64_t told;

    if (threadIdx.x == 0)
        barrier_init(&told, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        news = 1;
        barrier_arrive(&told);
    } else {
        y[0] = news;
    }
}

static void not_listened_to(void)
{
    do_not_listen<<<1, 2>>>((unsigned *)device_array());
    cudaDeviceSynchronize();
}

__global__ static void fetch_box(const __grid_constant__ CUtensorMap map, unsigned blocks,
                                 unsigned at, float *y)
{
    __shared__ alignas(1024) float buffer[64][32];
    __shared__ uint64_t full;

    barrier_init(&full, 1);
    barrier_expect(&full, 16 * 128);
    if (blocks == 0)
        fetch(buffer[0] + at, &map, 0, 0, &full);
    else
        fetch_for(blocks, buffer[0] + at, &map, 0, 0, &full);
    barrier_wait(&full, 0);
    y[0] = buffer[0][0];
}

static CUtensorMap some_map(void)
{
    return map_of(device_array(), 64, 32, 128, 16, 32, CU_TENSOR_MAP_SWIZZLE_128B);
}

static void box_between(void)
{
    fetch_box<<<1, 1>>>(some_map(), 0, 4, device_array());
    cudaDeviceSynchronize();
}

static void box_past_the_array(void)
{
    fetch_box<<<1, 1>>>(some_map(), 0, 56 * 32, device_array());
    cudaDeviceSynchronize();
}

static void box_for_no_block(void)
{
    fetch_box<<<1, 1>>>(some_map(), 2, 0, device_array());
    cudaDeviceSynchronize();
}

static void box_of_nothing(void)
{
    fetch_box<<<1, 1>>>(CUtensorMap{}, 0, 0, device_array());
    cudaDeviceSynchronize();
}

static void box_without_subnormals(void)
{
    map_of(device_array(), 64, 32, 128, 16, 32, CU_TENSOR_MAP_SWIZZLE_128B,
           CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ);
}

static void box_of_freed_memory(void)
{
    float *x = device_array();
    const CUtensorMap map = map_of(x, 64, 32, 128, 16, 32, CU_TENSOR_MAP_SWIZZLE_128B);

    cudaFree(x);
    fetch_box<<<1, 1>>>(map, 0, 0, device_array());
    cudaDeviceSynchronize();
}

/* --- clusters --------------------------------------------------------------------------------- */

/* Block 1 notifies block 0; then both wait for each other, or do not. */
template <bool BEFORE, bool AFTER>
__global__ static void __cluster_dims__(2, 1, 1) tell(unsigned *y)
{
    __shared__ uint64_t told;
    const unsigned rank = cluster_rank();

    if (threadIdx.x == 0)
        barrier_init(&told, 1);
    if (BEFORE) {
        cluster_arrive();
        cluster_wait();
    }
    if (rank == 1 - BEFORE && threadIdx.x == 0)
        barrier_arrive_at(&told, rank ^ 1);
    if (rank == 0 && !AFTER)
        return;
    if (rank == 0)
        barrier_wait(&told, 0);
    cluster_arrive();
    cluster_wait();
    y[blockIdx.x] = rank;
}

static void tells_who_has_ended(void)
{
    tell<false, false><<<2, 32>>>((unsigned *)device_array());
    cudaDeviceSynchronize();
}

static void tells_the_wrong_one(void)
{
    tell<true, true><<<2, 32>>>((unsigned *)device_array());
    cudaDeviceSynchronize();
}

static void half_a_cluster(void)
{
    tell<true, true><<<3, 32>>>((unsigned *)device_array());
    cudaDeviceSynchronize();
}

__global__ static void __cluster_dims__(2, 1, 1) half_arrive(void)
{
    if (cluster_rank() == 0 || threadIdx.x < 16)
        cluster_arrive();
    else
        __syncthreads();
    cluster_wait();
}

static void not_all_at_the_clusters_barrier(void)
{
    half_arrive<<<2, 32>>>();
    cudaDeviceSynchronize();
}

__global__ static void __cluster_dims__(2, 1, 1) arrive_twice(void)
{
    cluster_arrive();
    cluster_arrive();
    cluster_wait();
}

static void arrives_twice(void)
{
    arrive_twice<<<2, 32>>>();
    cudaDeviceSynchronize();
}

__global__ static void far_away(void)
{
    __shared__ uint64_t barrier;

    barrier_init(&barrier, 1);
    barrier_arrive_at(&barrier, 1);
}

static void outside_the_cluster(void)
{
    far_away<<<1, 1>>>();
    cudaDeviceSynchronize();
}

/* --- wgmma ------------------------------------------------------------------------------------ */

enum forgotten { A_FENCE, A_WAIT, A_BARRIER, A_WARP, THE_ARRAY };

template <forgotten WHAT> __global__ static void group_product(float *y)
{
    __shared__ alignas(1024) uint4 rows[64 * 2];
    float s[4] = {};

    if (threadIdx.x < 128 && WHAT != THE_ARRAY)
        rows[threadIdx.x] = make_uint4(0, 0, 0, 0);
    if (WHAT != A_BARRIER)
        __syncthreads();
    if (WHAT == A_WARP && threadIdx.x >= 96)
        return;
    if (WHAT != A_FENCE)
        products_begin();
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16"
                 " {%0, %1, %2, %3}, %4, %4, 1, 1, 1, 0, 0;"
                 : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
                 : "l"(descriptor(rows, 128, 256, 0)));
    if (WHAT != A_WAIT)
        products_end();
    y[threadIdx.x] = s[0];
}

template <forgotten WHAT> static void forget(void)
{
    group_product<WHAT><<<1, 128>>>(device_array());
    cudaDeviceSynchronize();
}

/* ---------------------------------------------------------------------------------------------- */

static const struct mistake {
    const char *name, *expected;
    void (*make)(void);
} mistakes[] = {
#define AT(kernel, block, thread)                                                                  \
    "^tests/sim/ptx(_mistakes\\.cu|\\.h):[0-9]+: kernel " kernel ", block \\(" block               \
    "\\), thread \\(" thread "\\): "
    {"mma.sync by half a warp", AT("product_of_some", "0,0,0", "0,0,0") "missing lane: "
     "mma\\.sync.* "
     "waits for thread 16, which has returned$", product_of_half_a_warp},
    {"mma.sync in a small block", AT("product_of_some", "0,0,0", "0,0,0") "missing lane: "
     "mma\\.sync.* is for 32 threads, but the block ends before$", product_of_a_small_block},
    {"mma.sync beside a barrier", AT("product_or_barrier", "0,0,0", "32,0,0") "missing lane: "
     "mma\\.sync.* waits for thread 40, which waits in __syncthreads "
     "\\(tests/sim/ptx_mistakes.cu:[0-9]+\\)$", product_beside_a_barrier},
    {"ldmatrix of short rows", AT("load_rows", "0,0,0", "1,0,0") "misaligned: reads 16 bytes",
     matrix_of_short_rows},
    {"ldmatrix past the array", AT("load_rows", "0,0,0", "4,0,0") "out of bounds: reads 16 "
     "bytes, 0 "
     "past the end of the shared array rows of 128 bytes$", matrix_past_the_array},
    {"ldmatrix of unwritten memory", AT("load_rows", "0,0,0", "7,0,0") "never written: reads 16 "
     "bytes of shared memory", matrix_never_written},

    {"bytes not expected", AT("fetch_and_add<.*>", "0,0,0", "0,0,0") "never written: reads 4 "
     "bytes of "
     "shared memory", fetch_wrongly<NO_EXPECT>},
    {"more bytes expected", AT("fetch_and_add<.*>", "0,0,0", "0,0,0") "deadlock: waits at an "
     "mbarrier "
     "for the end of a phase, but 0 of 1 arrivals are missing, and 16 bytes are still to come$",
     fetch_wrongly<TOO_MUCH>},
    {"no thread arrives", AT("fetch_and_add<.*>", "0,0,0", "0,0,0") "deadlock: waits at an mbarrier "
     "for "
     "the end of a phase, but 1 of 1 arrivals are missing, and 128 bytes came that are not "
     "expected$", fetch_wrongly<NO_ARRIVAL>},
    {"no mbarrier.init", AT("fetch_and_add<.*>", "0,0,0", "0,0,0") "never written: reads 8 bytes",
     fetch_wrongly<NO_INIT>},
    {"no barrier after mbarrier.init", AT("fetch_and_add<.*>", "0,0,0", "1,0,0") "race: changes "
     "atomically 8 bytes at byte 0 of the shared array full", fetch_wrongly<NO_BARRIER>},
    {"no wait for a copy", "^tests/sim/ptx\\.h:[0-9]+: unfinished: cp\\.async\\.bulk.* to "
     "block "
     "\\(0,0,0\\), which has ended", fetch_wrongly<NO_WAIT>},
    {"arrives too often", AT("fetch_and_add<.*>", "0,0,0", "0,0,0") "mbarrier\\.arrive: more "
     "than the "
     "1 arrivals that the mbarrier expects", fetch_wrongly<OFTEN>},
    {"waits for the wrong phase", AT("fetch_and_add<.*>", "0,0,0", "0,0,0") "never written: "
     "reads 4 "
     "bytes of shared memory", fetch_wrongly<EARLY>},
    {"bytes that are not aligned", AT("fetch_and_add<.*>", "0,0,0", "0,0,0") "misaligned: "
     "cp\\.async\\.bulk.* of addresses and bytes that are no multiples of 16$",
     fetch_wrongly<CROOKED>},
    {"bytes past the array", AT("fetch_and_add<.*>", "0,0,0", "0,0,0") "cp\\.async\\.bulk.*: "
     "out of bounds: reads 64 bytes, 0 past the end of an array of 16384 bytes",
     fetch_wrongly<PAST>},
    {"does not wait at an mbarrier", AT("do_not_listen", "0,0,0", "1,0,0") "race: reads 4 bytes "
     "at byte "
     "0 of the shared array news", not_listened_to},
    {"a box that is not aligned", AT("fetch_box", "0,0,0", "0,0,0") "misaligned: cp\\.async.* to "
     "an "
     "address that is no multiple of 128$", box_between},
    {"a box past the array", AT("fetch_box", "0,0,0", "0,0,0") "out of bounds: copies 16 bytes "
     "to the shared "
     "address", box_past_the_array},
    {"a box for a block that is not there", AT("fetch_box", "0,0,0", "0,0,0") "out of bounds: "
     "cp.* to "
     "block 1 of a cluster of 1$", box_for_no_block},
    {"a box of nothing", AT("fetch_box", "0,0,0", "0,0,0") "cp.* of what is no CUtensorMap$",
     box_of_nothing},
    {"a box of freed memory", "use after free", box_of_freed_memory},
    {"a box of a type that makes zeros of subnormals", "cuTensorMapEncodeTiled cannot be simulated "
     "with .* or for types that make zeros of subnormals$", box_without_subnormals},

    {"a block that has ended", AT("tell<.*>", "1,0,0", "0,0,0") "use after free: an mbarrier of "
     "block "
     "\\(0,0,0\\) of the cluster, which has ended$", tells_who_has_ended},
    {"an arrival at the wrong block", AT("tell<.*>", "0,0,0", "0,0,0") "deadlock: waits at an "
     "mbarrier",
     tells_the_wrong_one},
    {"half a cluster", "^tests/sim/ptx_mistakes\\.cu:[0-9]+: launch of tell<.*>: a grid of 3x1x1 "
     "blocks, "
     "which are not whole clusters of 2x1x1$", half_a_cluster},
    {"not all at the cluster's barrier", AT("half_arrive", "1,0,0", "16,0,0") "divergent "
     "barrier: 16 "
     "threads wait in __syncthreads, but thread 0 waits in barrier\\.cluster\\.wait.*ptx.h:",
     not_all_at_the_clusters_barrier},
    {"arrives twice at the cluster's barrier", AT("arrive_twice", "0,0,0", "0,0,0") "deadlock: "
     "barrier\\.cluster\\.arrive once more", arrives_twice},
    {"outside the cluster", AT("far_away", "0,0,0", "0,0,0") "out of bounds: mapa to block 1 of a "
     "cluster of 1$", outside_the_cluster},

    {"no wgmma.fence", AT("group_product<.*>", "0,0,0", "0,0,0") "wgmma\\.mma_async without a "
     "wgmma\\.fence", forget<A_FENCE>},
    {"wgmma, not waited for", AT("group_product<.*>", "0,0,0", "[0-9]+,0,0") "unfinished: wgmma",
     forget<A_WAIT>},
    {"wgmma of what others have just written", AT("group_product<.*>", "0,0,0", "127,0,0") "race: "
     "reads 16 bytes at byte 0 of the shared array rows", forget<A_BARRIER>},
    {"wgmma by three warps", AT("group_product<.*>", "0,0,0", "0,0,0") "missing lane: wgmma.* "
     "waits for "
     "thread 96, which has returned$", forget<A_WARP>},
    {"wgmma of unwritten memory", AT("group_product<.*>", "0,0,0", "127,0,0") "never written: "
     "reads 16 "
     "bytes", forget<THE_ARRAY>},
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
