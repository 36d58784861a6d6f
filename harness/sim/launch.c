/* Launches: checks the shape, then queues the kernel. */
#include <stdlib.h>
#include <string.h>

#include "harness/sim/sim.h"

/* Settings made with cudaFuncSetAttribute. */
static struct asked {
    struct asked *next;
    const void *kernel;
    size_t shared;
} *asked;

unsigned sim_launched[MANAGED];

struct kernel_work {
    struct sim_work work;
    struct cudasim_launch *launch;
};

static void run_kernel(struct sim_work *w)
{
    sim_run(((struct kernel_work *)w)->launch, w->device);
}

static void end_kernel(struct sim_work *w)
{
    struct cudasim_launch *launch = ((struct kernel_work *)w)->launch;

    launch->end(launch);
    free(w);
}

static size_t shared_limit(const void *kernel)
{
    for (const struct asked *a = asked; a != NULL; a = a->next)
        if (a->kernel == kernel)
            return a->shared;
    return kernel == NULL && asked != NULL ? SHARED_BYTES_ASKED : SHARED_BYTES;
}

static void check_shape(const struct cudasim_launch *l, const void *at)
{
    const struct cudasim_shape g = l->grid, b = l->block, c = l->cluster;
    int length = (int)strlen(l->name) - 2;
    const char *name = l->name + 1; /* in parentheses */
    size_t limit = shared_limit(l->kernel);

    if (g.x == 0 || g.y == 0 || g.z == 0)
        sim_fail(at, "launch of %.*s: no blocks: the grid is %ux%ux%u", length, name, g.x, g.y,
                 g.z);
    if (b.x == 0 || b.y == 0 || b.z == 0)
        sim_fail(at, "launch of %.*s: no threads: a block is %ux%ux%u", length, name, b.x, b.y,
                 b.z);
    if (b.x > MAX_THREADS || b.y > MAX_THREADS || b.z > 64 ||
        (size_t)b.x * b.y * b.z > MAX_THREADS)
        sim_fail(at, "launch of %.*s: a block of %ux%ux%u threads; 1024 in all and 64 in z are "
                     "possible", length, name, b.x, b.y, b.z);
    if (g.x > 0x7fffffff || g.y > 65535 || g.z > 65535)
        sim_fail(at, "launch of %.*s: a grid of %ux%ux%u blocks; 2147483647x65535x65535 are "
                     "possible", length, name, g.x, g.y, g.z);
    if (c.x == 0 || c.y == 0 || c.z == 0 || (size_t)c.x * c.y * c.z > MAX_CLUSTER)
        sim_fail(at, "launch of %.*s: clusters of %ux%ux%u blocks; 8 blocks are possible", length,
                 name, c.x, c.y, c.z);
    if (g.x % c.x != 0 || g.y % c.y != 0 || g.z % c.z != 0)
        sim_fail(at, "launch of %.*s: a grid of %ux%ux%u blocks, which are not whole clusters of "
                     "%ux%ux%u", length, name, g.x, g.y, g.z, c.x, c.y, c.z);
    if (l->shared > limit)
        sim_fail(at, "launch of %.*s: %zu bytes of dynamic shared memory, %zu are possible%s",
                 length, name, l->shared, limit,
                 limit == SHARED_BYTES ? " (more only with cudaFuncSetAttribute)" : "");
    const struct sim_symbol *large = sim_shared_too_large(name, strcspn(name, "<)"));
    if (large != NULL)
        sim_fail(at, "launch of %.*s: the shared array %s has %zu bytes, %d are possible", length, name,
                 sim_symbol_name(large), large->bytes, SHARED_BYTES);
}

void cudasim_enqueue(struct cudasim_launch *launch)
{
    sim_enter("a launch", CALLER);
    check_shape(launch, CALLER);
    struct cudasim_stream *s = sim_stream(launch->stream, CALLER);
    if (s->device != sim_device())
        sim_fail(CALLER, "launch of %.*s: its stream is of device %d, but device %d is current",
                 (int)strlen(launch->name) - 2, launch->name + 1, s->device, sim_device());
    struct kernel_work *w = malloc(sizeof *w);
    *w = (struct kernel_work){.work = {.act = run_kernel, .end = end_kernel}, .launch = launch};
    sim_launched[s->device]++;
    sim_put(s, &w->work);
    sim_overlap_put(s, &w->work, KERNEL, 0, launch->name);
    sim_leave(cudaSuccess);
}

/* --- what is known of a kernel ---------------------------------------------------------------- */

cudaError_t cudaFuncSetAttribute(const void *kernel, enum cudaFuncAttribute attribute, int value)
{
    sim_enter("cudaFuncSetAttribute", CALLER);
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize)
        return sim_leave(cudaSuccess);
    if (value < 0 || value > SHARED_BYTES_ASKED)
        return sim_leave(cudaErrorInvalidValue);
    struct asked *a = asked;
    while (a != NULL && a->kernel != kernel)
        a = a->next;
    if (a == NULL) {
        a = malloc(sizeof *a);
        a->next = asked;
        a->kernel = kernel;
        asked = a;
    }
    a->shared = value > SHARED_BYTES ? (size_t)value : SHARED_BYTES;
    return sim_leave(cudaSuccess);
}

cudaError_t cudaFuncSetCacheConfig(const void *kernel, enum cudaFuncCache preference)
{
    (void)kernel;
    (void)preference;
    return cudaSuccess;
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *kernel)
{
    sim_enter("cudaFuncGetAttributes", CALLER);
    *attributes = (struct cudaFuncAttributes){
        .maxThreadsPerBlock = MAX_THREADS,
        .numRegs = 32,
        .maxDynamicSharedSizeBytes = (int)shared_limit(kernel),
    };
    return sim_leave(cudaSuccess);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel,
                                                          int threads, size_t shared_bytes)
{
    struct cudaDeviceProp p;

    sim_enter("cudaOccupancyMaxActiveBlocksPerMultiprocessor", CALLER);
    size_t limit = shared_limit(kernel);
    sim_leave(cudaSuccess);
    cudaGetDeviceProperties(&p, 0);
    if (threads < 1)
        return cudaErrorInvalidValue;
    int warps = (threads + WARP - 1) / WARP;
    *blocks = p.maxThreadsPerMultiProcessor / WARP / warps;
    if (*blocks > p.maxBlocksPerMultiProcessor)
        *blocks = p.maxBlocksPerMultiProcessor;
    if (shared_bytes > 0 && (size_t)*blocks > p.sharedMemPerMultiprocessor / shared_bytes)
        *blocks = (int)(p.sharedMemPerMultiprocessor / shared_bytes);
    if (threads > MAX_THREADS || shared_bytes > limit)
        *blocks = 0;
    return cudaSuccess;
}
