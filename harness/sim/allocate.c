/* cudaMalloc and related functions. */
#include <stdio.h>
#include <stdlib.h>

#include "harness/sim/sim.h"

enum { HOST_STACK = 8 << 20 };

/* The last call that put an address into a variable of a function: once that has ended, the address is lost. */
static const void *put_on_stack;

const char *sim_null_reason(void)
{
    static char text[200];

    if (put_on_stack == NULL)
        return "";
    snprintf(text, sizeof text, "; the memory that was made at %s has its address in a variable of that function only, which ends with it",
             sim_line(put_on_stack));
    return text;
}

/* A size of 0 gives a null pointer and no error.  Managed memory may exceed a device's memory. */
static cudaError_t allocate(void **p, size_t bytes, int region, const void *at)
{
    bool fits = region >= MANAGED || bytes <= sim_memory_free(region);
    struct sim_array *a = bytes > 0 && fits ? sim_array_make(region, bytes, at) : NULL;

    *p = a != NULL ? a->start : NULL;
    if (a != NULL && (size_t)((const char *)p - (const char *)__builtin_frame_address(0)) < HOST_STACK)
        put_on_stack = at;
    return bytes == 0 || a != NULL ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t cudaMalloc(void **p, size_t bytes)
{
    sim_enter("cudaMalloc", CALLER);
    return sim_leave(allocate(p, bytes, sim_device(), CALLER));
}

cudaError_t cudaMallocPitch(void **p, size_t *pitch, size_t width, size_t height)
{
    sim_enter("cudaMallocPitch", CALLER);
    *pitch = (width + 511) / 512 * 512;
    return sim_leave(allocate(p, *pitch * height, sim_device(), CALLER));
}

cudaError_t cudaMallocAsync(void **p, size_t bytes, cudaStream_t stream)
{
    sim_enter("cudaMallocAsync", CALLER);
    return sim_leave(allocate(p, bytes, sim_stream(stream, CALLER)->device, CALLER));
}

cudaError_t cudaMallocManaged(void **p, size_t bytes, unsigned flags)
{
    (void)flags;
    sim_enter("cudaMallocManaged", CALLER);
    if (bytes == 0)
        return sim_leave(cudaErrorInvalidValue);
    return sim_leave(allocate(p, bytes, MANAGED, CALLER));
}

cudaError_t cudaHostAlloc(void **p, size_t bytes, unsigned flags)
{
    (void)flags;
    sim_enter("cudaHostAlloc", CALLER);
    return sim_leave(allocate(p, bytes, PINNED, CALLER));
}

cudaError_t cudaMallocHost(void **p, size_t bytes)
{
    sim_enter("cudaMallocHost", CALLER);
    return sim_leave(allocate(p, bytes, PINNED, CALLER));
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags)
{
    (void)flags;
    sim_enter("cudaHostGetDevicePointer", CALLER);
    *device = host;
    bool known = (sim_simulated(host) && sim_region(host) == PINNED) || sim_registered(host, 1);
    return sim_leave(known ? cudaSuccess : cudaErrorInvalidValue);
}

/* --- freeing ---------------------------------------------------------------------------------- */

/* Says why nothing can be freed there. */
static const char *not_free(const void *p)
{
    static char text[300];
    const struct sim_array *a = sim_array_near(p);
    const size_t behind = a != NULL && (const char *)p >= a->start ? (size_t)((const char *)p - a->start) : SIZE_MAX;

    if (a != NULL && behind == 0 && a->freed != NULL)
        snprintf(text, sizeof text, "not an array, or one that was freed already, at %s", sim_line(a->freed));
    else if (a != NULL && behind > 0 && behind < a->bytes)
        snprintf(text, sizeof text, "not an array, or one that was freed already: it is a place inside of one, %zu bytes behind its start", behind);
    else
        snprintf(text, sizeof text, "not an array, or one that was freed already");
    return text;
}

/* Freeing waits for all work that might still use the memory. */
static void release(const char *call, void *p, bool host, const void *at)
{
    if (p == NULL)
        return;
    struct sim_array *a = sim_array_at(p);
    if (a == NULL)
        sim_fail(at, "%s: %s", call, not_free(p));
    if (host != (a->region == PINNED))
        sim_fail(at, "%s: memory that comes from %s", call,
                 host ? "cudaMalloc" : "cudaMallocHost; cudaFreeHost frees it");
    for (int device = 0; device < sim_devices(); device++)
        sim_finish_device(device);
    sim_array_free(a, at);
}

cudaError_t cudaFree(void *p)
{
    sim_enter("cudaFree", CALLER);
    release("cudaFree", p, false, CALLER);
    return sim_leave(cudaSuccess);
}

cudaError_t cudaFreeHost(void *p)
{
    sim_enter("cudaFreeHost", CALLER);
    release("cudaFreeHost", p, true, CALLER);
    return sim_leave(cudaSuccess);
}

struct freeing {
    struct sim_work work;
    struct sim_array *array;
    const void *at;
};

static void free_array(struct sim_work *w)
{
    const struct freeing *f = (const struct freeing *)w;

    sim_array_free(f->array, f->at);
}

static void free_freeing(struct sim_work *w)
{
    free(w);
}

cudaError_t cudaFreeAsync(void *p, cudaStream_t stream)
{
    sim_enter("cudaFreeAsync", CALLER);
    struct cudasim_stream *s = sim_stream(stream, CALLER);
    struct sim_array *a = sim_array_at(p);
    if (p == NULL)
        return sim_leave(cudaSuccess);
    if (a == NULL)
        sim_fail(CALLER, "cudaFreeAsync: %s", not_free(p));
    struct freeing *f = malloc(sizeof *f);
    *f = (struct freeing){.work = {.act = free_array, .end = free_freeing}, .array = a,
                          .at = CALLER};
    sim_put(s, &f->work);
    return sim_leave(cudaSuccess);
}

cudaError_t cudaDeviceReset(void)
{
    sim_enter("cudaDeviceReset", CALLER);
    sim_finish_device(sim_device());
    return sim_leave(cudaSuccess);
}

/* --- asking and advising ---------------------------------------------------------------------- */

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *p)
{
    sim_enter("cudaPointerGetAttributes", CALLER);
    *attributes = (struct cudaPointerAttributes){.hostPointer = (void *)p, .device = -1};
    if (sim_registered(p, 1) || (sim_simulated(p) && sim_region(p) == PINNED)) {
        attributes->type = cudaMemoryTypeHost;
        attributes->devicePointer = (void *)p;
    } else if (sim_simulated(p) && sim_region(p) == MANAGED) {
        attributes->type = cudaMemoryTypeManaged;
        attributes->devicePointer = (void *)p;
    } else if (sim_simulated(p)) {
        attributes->type = cudaMemoryTypeDevice;
        attributes->device = sim_region(p);
        attributes->devicePointer = (void *)p;
        attributes->hostPointer = NULL;
    }
    return sim_leave(cudaSuccess);
}

/* Managed memory is accessible everywhere here, so nothing moves, but calls can be wrong.  For the
   counters, moves are noted. */
static cudaError_t check_managed(const void *p, struct cudaMemLocation where)
{
    if (!sim_simulated(p) || sim_region(p) != MANAGED)
        return cudaErrorInvalidValue;
    if (where.type == cudaMemLocationTypeDevice && (where.id < 0 || where.id >= sim_devices()))
        return cudaErrorInvalidDevice;
    return cudaSuccess;
}

static int place_of(struct cudaMemLocation where)
{
    return where.type == cudaMemLocationTypeDevice ? where.id : -1;
}

struct prefetching {
    struct sim_work work;
    const void *p;
    size_t bytes;
    int place;
};

static void prefetch(struct sim_work *w)
{
    const struct prefetching *p = (const struct prefetching *)w;

    sim_managed_prefetch(p->p, p->bytes, p->place);
}

cudaError_t cudasim_prefetch(const void *p, size_t bytes, struct cudaMemLocation where,
                             cudaStream_t stream)
{
    sim_enter("cudaMemPrefetchAsync", CALLER);
    struct cudasim_stream *s = sim_stream(stream, CALLER);
    cudaError_t status = bytes == 0 ? cudaErrorInvalidValue : check_managed(p, where);
    if (status == cudaSuccess && sim_watching != 0) {
        struct prefetching *w = malloc(sizeof *w);
        *w = (struct prefetching){.work = {.act = prefetch, .end = sim_free_work}, .p = p,
                                  .bytes = bytes, .place = place_of(where)};
        sim_put(s, &w->work);
    }
    return sim_leave(status);
}

cudaError_t cudasim_advise(const void *p, size_t bytes, enum cudaMemoryAdvise advice,
                           struct cudaMemLocation where)
{
    sim_enter("cudaMemAdvise", CALLER);
    cudaError_t status = bytes == 0 ? cudaErrorInvalidValue : check_managed(p, where);
    if (status == cudaSuccess && sim_watching != 0)
        sim_managed_advise(p, bytes, advice, place_of(where));
    return sim_leave(status);
}
