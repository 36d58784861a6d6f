/*
 * Instructions of compute capability 9.0 for matrices, a function each, for cuda_tensor_*:
 *
 *     fetch, fetch_for                 one thread requests a box of a matrix, the copy engine brings it to shared
 *                                      memory ("TMA")
 *     barrier_*                        barriers in shared memory that also count the bytes that have arrived
 *     products_*, descriptor           products of matrices in shared memory, by 128 threads together ("wgmma");
 *                                      the variant has the product instruction itself
 *
 * Each function contains one PTX instruction or a few; NVIDIA's PTX manual has the details.
 *
 * The Makefile builds what includes this file for sm_90a alone.
 */
#ifndef RUNGS_MATMUL_HOPPER_H
#define RUNGS_MATMUL_HOPPER_H

#include <cuda.h>
#include <stdint.h>

#include "common/cuda.h"

/*
 * Layout of a box in shared memory: rows of 128 bytes, eight of which form a unit.  Piece p, of 16 bytes, of row r lies
 * at place p xor r of its row.  So a column of pieces touches all banks:
 *
 *     place      0 1 2 3 4 5 6 7
 *     row 0      0 1 2 3 4 5 6 7      the number of the piece that lies there
 *     row 1      1 0 3 2 5 4 7 6
 *     row 2      2 3 0 1 6 7 4 5
 *     ...
 */
enum { ROW = 128, UNIT = 8 * ROW, GROUP = 128 /* threads that multiply together */ };

/* --- on the host ------------------------------------------------------------------------------ */

static const char *hopper_missing(void)
{
    int major, minor;

    CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    CUDA(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0));
    return major == 9 && minor == 0 ? NULL : "its instructions are of compute capability 9.0 alone";
}

/* Returns the copy engine's description of a row-major matrix: boxes of box_rows rows by 128 bytes.  Elements of a box
   beyond the matrix are 0.  The matrix's address and the bytes from row to row must be multiples of 16. */
static CUtensorMap tensor_map(CUtensorMapDataType type, size_t size, const void *matrix,
                              size_t rows, size_t columns, size_t row_bytes, unsigned box_rows)
{
    typedef CUresult encode_function(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *,
                                     const cuuint64_t *, const cuuint64_t *, const cuuint32_t *,
                                     const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle,
                                     CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
    const cuuint64_t sides[2] = {columns, rows}, stride[1] = {row_bytes};
    const cuuint32_t box[2] = {(cuuint32_t)(ROW / size), box_rows}, every[2] = {1, 1};
    void *encode = NULL;
    cudaDriverEntryPointQueryResult found;
    CUtensorMap map;
    CUresult result;

    /* A function of the driver, looked up by name, so that the program starts without a driver. */
    CUDA(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode, 12000,
                                          cudaEnableDefault, &found));
    if (encode == NULL)
        cuda_failed(__FILE__, __LINE__, "cuTensorMapEncodeTiled", "not in this driver", 0);
    result = ((encode_function *)encode)(
        &map, type, 2, (void *)matrix, sides, stride, box, every, CU_TENSOR_MAP_INTERLEAVE_NONE,
        CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
        CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (result != CUDA_SUCCESS)
        cuda_failed(__FILE__, __LINE__, "cuTensorMapEncodeTiled", "refused", 0);
    return map;
}

/* --- barriers --------------------------------------------------------------------------------- */

__device__ static unsigned shared_address(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

__device__ static void barrier_init(uint64_t *barrier, unsigned arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;"
                 :: "r"(shared_address(barrier)), "r"(arrivals) : "memory");
}

/* Arrives, and adds a number of bytes that must arrive before the barrier opens. */
__device__ static void barrier_expect(uint64_t *barrier, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                 :: "r"(shared_address(barrier)), "r"(bytes) : "memory");
}

/* Arrives at the barrier in the same place of a block of this cluster.  Without ".release.cluster", which would make
   this thread's writes visible to the whole cluster and wait for all of its memory accesses. */
__device__ static void barrier_arrive(uint64_t *barrier, unsigned block)
{
    asm volatile("{.reg .b32 there; mapa.shared::cluster.u32 there, %0, %1;"
                 " mbarrier.arrive.shared::cluster.b64 _, [there];}"
                 :: "r"(shared_address(barrier)), "r"(block) : "memory");
}

/* Waits until the barrier has completed the phase with this parity; the first phase has parity 0. */
__device__ static void barrier_wait(uint64_t *barrier, unsigned parity)
{
    unsigned open;

    do
        asm volatile("{.reg .pred open; mbarrier.try_wait.parity.shared::cta.b64"
                     " open, [%1], %2; selp.u32 %0, 1, 0, open;}"
                     : "=r"(open) : "r"(shared_address(barrier)), "r"(parity) : "memory");
    while (!open);
}

/* Waits for all threads of all blocks of the cluster.  Barriers that were initialised before are visible after it. */
__device__ static void cluster_wait(void)
{
    asm volatile("fence.mbarrier_init.release.cluster;"
                 " barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
}

__device__ static unsigned cluster_rank(void)
{
    unsigned rank;

    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

/* --- boxes ------------------------------------------------------------------------------------ */

/* Requests the box whose first element is at row, column; its bytes count at the barrier. */
__device__ static void fetch(void *to, const CUtensorMap *map, size_t row, size_t column,
                             uint64_t *barrier)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
                 " [%0], [%1, {%2, %3}], [%4];"
                 :: "r"(shared_address(to)), "l"(map), "r"((int)column), "r"((int)row),
                    "r"(shared_address(barrier))
                 : "memory");
}

/* The same for several blocks of the cluster, one bit per block: the same place and barrier in each of them. */
__device__ static void fetch_for(unsigned blocks, void *to, const CUtensorMap *map, size_t row,
                                 size_t column, uint64_t *barrier)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
                 ".multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;"
                 :: "r"(shared_address(to)), "l"(map), "r"((int)column), "r"((int)row),
                    "r"(shared_address(barrier)), "h"((uint16_t)blocks)
                 : "memory");
}

/* --- products --------------------------------------------------------------------------------- */

/* Threads that only fetch release registers to those that multiply, one warpgroup at a time. */
template <int COUNT> __device__ static void registers_up(void)
{
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" :: "n"(COUNT));
}

template <int COUNT> __device__ static void registers_down(void)
{
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" :: "n"(COUNT));
}

/* Returns the descriptor of a matrix of boxes in shared memory.  far: bytes from one box to the next, for a matrix
   whose rows are summed over and are wider than a box; ignored where columns are summed over. */
__device__ static uint64_t descriptor(const void *matrix, unsigned far = 0)
{
    return (uint64_t)(shared_address(matrix) >> 4 & 0x3fff) | (uint64_t)(far >> 4) << 16 |
           (uint64_t)(UNIT >> 4) << 32 | (uint64_t)1 << 62;
}

/* Begin and end a batch of products, which run asynchronously, one after another. */
__device__ static void products_begin(void)
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

__device__ static void products_end(void)
{
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

/* Waits until at most the last COUNT batches are still running. */
template <int COUNT> __device__ static void products_wait(void)
{
    asm volatile("wgmma.wait_group.sync.aligned %0;" :: "n"(COUNT) : "memory");
}

/* The operands of wgmma: a thread's sums, listed one by one. */
#define SUMS8(s, i)                                                                                \
    "+f"(s[i]), "+f"(s[i + 1]), "+f"(s[i + 2]), "+f"(s[i + 3]), "+f"(s[i + 4]), "+f"(s[i + 5]),    \
        "+f"(s[i + 6]), "+f"(s[i + 7])
#define SUMS32(s, i) SUMS8(s, i), SUMS8(s, i + 8), SUMS8(s, i + 16), SUMS8(s, i + 24)
#define PLACES96                                                                                   \
    "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,"  \
    "%25,%26,%27,%28,%29,%30,%31,%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47," \
    "%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63,%64,%65,%66,%67,%68,%69,%70," \
    "%71,%72,%73,%74,%75,%76,%77,%78,%79,%80,%81,%82,%83,%84,%85,%86,%87,%88,%89,%90,%91,%92,%93," \
    "%94,%95"
#define PLACES128                                                                                  \
    PLACES96                                                                                       \
    ",%96,%97,%98,%99,%100,%101,%102,%103,%104,%105,%106,%107,%108,%109,%110,%111,%112,%113,%114," \
    "%115,%116,%117,%118,%119,%120,%121,%122,%123,%124,%125,%126,%127"

#endif
