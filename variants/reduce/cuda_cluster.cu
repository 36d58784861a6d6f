/*
 * reduce / cuda_cluster
 *
 * Idea     Eight blocks of a cluster add up through each other's shared memory first.  Only one block in eight then
 *          writes totals and takes a ticket.
 * Against  cuda_single, whose every block takes a ticket.
 * Expect   Fewer tickets, which are taken one after the other.  It was slower on an H200: at S there are few blocks, and
 *          the launch of clusters and two barriers across them cost 2 us.  Clusters pay where blocks share more data.
 * Try      CLUSTER = 2, 4, 16 (16 needs cudaFuncAttributeNonPortableClusterSizeAllowed).
 * Level    3
 * Read     cuda_block.h, cuda_buffers.h
 */
#include <cooperative_groups.h>

#include "cuda_block.h"

enum { THREADS = 256, QUADS = 4, CLUSTER = 8 };

static const int each = 4; /* blocks per multiprocessor */

#if __CUDA_ARCH__ >= 900
/* Thread 0 of the cluster's first block returns the totals of the cluster. */
__device__ static totals cluster_totals(totals of_block)
{
    __shared__ totals mine;
    cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();

    if (threadIdx.x == 0)
        mine = of_block;
    cluster.sync(); /* all blocks have written theirs */
    if (cluster.block_rank() == 0 && threadIdx.x == 0)
        for (unsigned b = 1; b < CLUSTER; b++)
            add(&of_block, *cluster.map_shared_rank(&mine, b));
    cluster.sync(); /* no block ends while its shared memory is read */
    return of_block;
}
#endif

__global__ static void add_all(size_t n, const float *x, totals *of_cluster, unsigned *done,
                               float *sum_and_norm)
{
#if __CUDA_ARCH__ >= 900
    const unsigned clusters = gridDim.x / CLUSTER;
    __shared__ bool last;
    totals mine = cluster_totals(block_totals(thread_totals<THREADS, QUADS>(n, x)));

    if (blockIdx.x % CLUSTER != 0)
        return;
    if (threadIdx.x == 0) {
        of_cluster[blockIdx.x / CLUSTER] = mine;
        __threadfence(); /* the totals are written before the ticket is taken */
        last = atomicInc(done, clusters - 1) == clusters - 1;
    }
    __syncthreads();
    if (!last)
        return;
    __threadfence();
    mine = {0.0, 0.0};
    for (unsigned c = threadIdx.x; c < clusters; c += THREADS) {
        const volatile totals *other = &of_cluster[c];
        add(&mine, totals{other->sum, other->squares});
    }
    mine = block_totals(mine);
    if (threadIdx.x == 0)
        answer(mine, sum_and_norm);
#endif
}

static const char *refuse(const void *problem)
{
    int major;

    (void)problem;
    CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    return major >= 9 ? NULL : "needs compute capability 9.0 or more: clusters of blocks";
}

static void run(const void *problem)
{
    const struct reduce *p = (const struct reduce *)problem;
    const unsigned blocks = blocks_for(p->n, THREADS * QUADS * 4, each);
    cudaLaunchAttribute clusters = {};
    cudaLaunchConfig_t config = {};

    clusters.id = cudaLaunchAttributeClusterDimension; /* <<< >>> has no place for it */
    clusters.val.clusterDim.x = CLUSTER;
    clusters.val.clusterDim.y = clusters.val.clusterDim.z = 1;
    config.gridDim = (blocks + CLUSTER - 1) / CLUSTER * CLUSTER;
    config.blockDim = THREADS;
    config.attrs = &clusters;
    config.numAttrs = 1;
    CUDA(cudaLaunchKernelEx(&config, add_all, p->n, (const float *)d_x, d_totals, d_done, d_answer));
}

VARIANT(.idea = "clusters of eight blocks add up in shared memory first",
        .base = "cuda_single",
        .device = &device_gpu,
        .math = MATH_F64,
        .refuse = refuse,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
