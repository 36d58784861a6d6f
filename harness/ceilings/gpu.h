/* For the ceilings of a GPU: how many blocks fill it, and how a call reports its work. */
#include <string.h>

#include "common/cuda.h"
#include "harness/ceilings/ceiling.h"

enum { THREADS = 256 }; /* in a block */

/* Returns how many blocks can run at a time. */
static inline unsigned resident_blocks(const void *kernel)
{
    int processors, blocks;

    CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
    CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, THREADS, 0));
    return (unsigned)(processors * blocks);
}

/* For ceilings with a working set: returns why it does not fit, or NULL. */
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
