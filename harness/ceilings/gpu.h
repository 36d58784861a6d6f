/* For the ceilings of a GPU: how many blocks fill it, and what a call was. */
#include <string.h>

#include "common/cuda.h"
#include "harness/ceilings/ceiling.h"

enum { THREADS = 256 }; /* of a block */

/* As many blocks as run at a time. */
static inline unsigned resident_blocks(const void *kernel)
{
    int processors, blocks;

    CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
    CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, THREADS, 0));
    return (unsigned)(processors * blocks);
}

/* For those with a working set. */
static inline const char *no_room(const void *problem)
{
    const struct ceiling_case *p = (const struct ceiling_case *)problem;
    size_t available, all;

    CUDA(cudaMemGetInfo(&available, &all));
    return p->bytes < available ? NULL : "the device has no room for a working set of this size";
}

static inline void report(const void *problem, double work)
{
    const struct ceiling_case *p = (const struct ceiling_case *)problem;
    int gpus;

    CUDA(cudaGetDeviceCount(&gpus));
    p->work[0] = work;
    p->work[1] = gpus;
}
