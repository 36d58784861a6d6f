/* Included by hopper.cu and ptx_mistakes.cu: PTX of compute capability 9.0, one function for each
   instruction. */
#ifndef TESTS_SIM_PTX_H
#define TESTS_SIM_PTX_H

#include <cuda.h>
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__device__ static unsigned address(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

/* --- barriers --------------------------------------------------------------------------------- */

__device__ static void barrier_init(uint64_t *barrier, unsigned arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;\n\tfence.mbarrier_init.release.cluster;"
                 ::"r"(address(barrier)), "r"(arrivals)
                 : "memory");
}

[[maybe_unused]] __device__ static void barrier_arrive(uint64_t *barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address(barrier)) : "memory");
}

__device__ static void barrier_expect(uint64_t *barrier, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address(barrier)),
                 "r"(bytes)
                 : "memory");
}

/* At the one in the same place of another block of the cluster. */
__device__ static void barrier_arrive_at(uint64_t *barrier, unsigned block)
{
    asm volatile("{\n\t.reg .b32 there;\n\tmapa.shared::cluster.u32 there, %0, %1;\n\t"
                 "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there];\n\t}" ::"r"(
                     address(barrier)),
                 "r"(block)
                 : "memory");
}

__device__ static void barrier_wait(uint64_t *barrier, unsigned parity)
{
    unsigned over;

    do
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;"
                     " selp.u32 %0, 1, 0, p; }"
                     : "=r"(over)
                     : "r"(address(barrier)), "r"(parity)
                     : "memory");
    while (over == 0);
}

__device__ static void cluster_arrive(void)
{
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
}

__device__ static void cluster_wait(void)
{
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

__device__ static unsigned cluster_rank(void)
{
    unsigned rank;

    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

/* --- copies ----------------------------------------------------------------------------------- */

__device__ static void fetch(void *to, const CUtensorMap *map, int column, int row,
                             uint64_t *barrier)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
                 " [%0], [%1, {%2, %3}], [%4];" ::"r"(address(to)),
                 "l"(map), "r"(column), "r"(row), "r"(address(barrier))
                 : "memory");
}

__device__ static void fetch_for(unsigned blocks, void *to, const CUtensorMap *map, int column,
                                 int row, uint64_t *barrier)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
                 ".multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(address(to)),
                 "l"(map), "r"(column), "r"(row), "r"(address(barrier)), "h"((uint16_t)blocks)
                 : "memory");
}

__device__ static void fetch_bytes(void *to, const void *from, unsigned bytes, uint64_t *barrier)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
                 " [%0], [%1], %2, [%3];" ::"r"(address(to)),
                 "l"(from), "r"(bytes), "r"(address(barrier))
                 : "memory");
}

/* In boxes; of float32, if nothing else is said */
static CUtensorMap map_of(const float *matrix, unsigned rows, unsigned columns, unsigned row_bytes,
                          unsigned box_rows, unsigned box_columns, CUtensorMapSwizzle swizzle,
                          CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_FLOAT32)
{
    const cuuint64_t sides[2] = {columns, rows}, stride[1] = {row_bytes};
    const cuuint32_t box[2] = {box_columns, box_rows}, every[2] = {1, 1};
    void *encode = NULL;
    cudaDriverEntryPointQueryResult found;
    CUtensorMap map;

    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode, 12000, cudaEnableDefault,
                                     &found);
    if (((decltype(&cuTensorMapEncodeTiled))encode)(
            &map, type, 2, (void *)matrix, sides, stride, box, every,
            CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
            CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS) {
        fprintf(stderr, "cuTensorMapEncodeTiled refuses\n");
        exit(EXIT_FAILURE);
    }
    return map;
}

/* --- products --------------------------------------------------------------------------------- */

/* Makes what this thread has written visible to tensor cores, after a barrier. */
__device__ static void written(void)
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

__device__ static void products_begin(void)
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

__device__ static void products_end(void)
{
    asm volatile("wgmma.commit_group.sync.aligned;\n\twgmma.wait_group.sync.aligned 0;" ::
                     : "memory");
}

/* swizzle: 0 none, 1 of 128 bytes, 2 of 64, 3 of 32 */
__device__ static uint64_t descriptor(const void *start, unsigned lead, unsigned stride,
                                      unsigned swizzle)
{
    return (uint64_t)(address(start) >> 4) | (uint64_t)(lead >> 4) << 16 |
           (uint64_t)(stride >> 4) << 32 | (uint64_t)swizzle << 62;
}

#endif
