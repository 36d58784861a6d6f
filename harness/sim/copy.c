/* Copies and memsets: each is work for a stream, on rows of bytes. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "harness/sim/traffic.h"

struct copy {
    struct sim_work work;
    char *to;
    const char *from;
    char *staged;     /* the content of `from` at the call, for a copy from pageable memory; or NULL */
    size_t to_pitch, from_pitch, width, height;
    bool set; /* set to `value`; there is no `from` */
    int value;
    const char *call;
    const void *at;
};

/* --- doing ------------------------------------------------------------------------------------ */

static bool on_device(const void *p)
{
    return sim_simulated(p) && sim_region(p) < MANAGED;
}

/* Copies between devices may include unwritten bytes, which stay unwritten.  The host's memory has no
   shadow, so copying such bytes there is a mistake. */
static void copy_row(const struct copy *c, char *to, const char *from)
{
    if (on_device(from) && !on_device(to))
        sim_check(from, c->width, false, c->call, c->at);
    memmove(to, from, c->width);
    if (on_device(from) && on_device(to))
        memmove(sim_shadow(to), sim_shadow(from), c->width);
    else if (on_device(to))
        sim_check(to, c->width, true, c->call, c->at);
}

static void act(struct sim_work *w)
{
    const struct copy *c = (const struct copy *)w;
    const char *from = c->staged != NULL ? c->staged : c->from;
    size_t from_pitch = c->staged != NULL ? c->width : c->from_pitch;

    for (size_t row = 0; row < c->height && (sim_watching & WATCH_COPIES) != 0 && !c->set; row++) /* also if it ends the program */
        sim_copies_add(c->to + row * c->to_pitch, c->from + row * c->from_pitch, c->width, c->at);
    for (size_t row = 0; row < c->height && (sim_watching & WATCH_ORDER) != 0; row++) {
        sim_unordered_use(c->to + row * c->to_pitch, c->width, true, NULL);
        if (!c->set)
            sim_unordered_use(from + row * from_pitch, c->width, false, NULL);
    }
    if ((sim_watching & WATCH_USES) != 0)
        sim_uses_copy(c->to, c->set ? NULL : c->from);
    for (size_t row = 0; row < c->height; row++)
        if (!c->set) {
            copy_row(c, c->to + row * c->to_pitch, from + row * from_pitch);
        } else {
            if (sim_simulated(c->to))
                sim_check(c->to + row * c->to_pitch, c->width, true, c->call, c->at);
            memset(c->to + row * c->to_pitch, c->value, c->width);
        }
    if (sim_watching != 0)
        sim_count_copy(c->to, c->set ? NULL : c->from, c->width * c->height);
}

static void end(struct sim_work *w)
{
    free(((struct copy *)w)->staged);
    free(w);
}

/* --- calling ---------------------------------------------------------------------------------- */

static bool pageable(const void *p)
{
    return !sim_simulated(p) && !sim_registered(p, 1);
}

static void check_side(const struct copy *c, const void *p, bool device, const char *side)
{
    if (device && pageable(p))
        sim_fail(c->at, "%s: by its kind the %s is a device's memory, but it is the host's",
                 c->call, side);
    if (!device && on_device(p))
        sim_fail(c->at, "%s: by its kind the %s is the host's memory, but it is of device %d",
                 c->call, side, sim_region(p));
}

static void check_kind(const struct copy *c, enum cudaMemcpyKind kind)
{
    if (kind == cudaMemcpyDefault)
        return;
    check_side(c, c->to, kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice,
               "destination");
    check_side(c, c->from, kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice,
               "source");
}

/* Checks that each row is inside an array now.  (The check is repeated when the copy is executed.) */
static void check_rows(const struct copy *c, const char *start, size_t pitch, bool write)
{
    for (size_t row = 0; row < c->height && sim_simulated(start); row++)
        for (size_t i = 0; i < c->width; i++)
            if (*sim_shadow(start + row * pitch + i) == OUTSIDE)
                sim_fail(c->at, "%s: %s", c->call,
                         sim_describe(start + row * pitch, c->width, write));
}

static void stage(struct copy *c)
{
    c->staged = malloc(c->width * c->height);
    for (size_t row = 0; row < c->height; row++)
        memcpy(c->staged + row * c->width, c->from + row * c->from_pitch, c->width);
}

static enum sim_work_kind kind_of(const struct copy *c)
{
    if (!c->set && on_device(c->to) && on_device(c->from) && sim_region(c->to) != sim_region(c->from))
        return COPY_PEER;
    if (c->set || on_device(c->to) == on_device(c->from))
        return OTHER_WORK;
    if (pageable(on_device(c->to) ? c->from : c->to))
        return OTHER_WORK;
    return on_device(c->to) ? COPY_IN : COPY_OUT;
}

/* As nsys names them. */
static const char *name_of(const struct copy *c)
{
    if (c->set)
        return "set";
    if (kind_of(c) == COPY_PEER)
        return "PtoP";
    return on_device(c->to) == on_device(c->from) ? on_device(c->to) ? "DtoD" : "HtoH"
           : on_device(c->to) ? "HtoD" : "DtoH";
}

/* Copies from pageable memory read it at the call; copies to it are complete when the call returns.  A
   blocking copy is complete then as well, unless it stays on the device. */
static cudaError_t put(struct copy copy, enum cudaMemcpyKind kind, cudaStream_t stream, bool wait)
{
    struct cudasim_stream *s = sim_stream(stream, copy.at);

    if (copy.width == 0 || copy.height == 0)
        return cudaSuccess;
    if (copy.height > 1 && (copy.to_pitch < copy.width ||
                            (!copy.set && copy.from_pitch < copy.width)))
        return cudaErrorInvalidPitchValue;
    if (copy.to == NULL || (copy.from == NULL && !copy.set))
        sim_fail(copy.at, "%s: a null pointer, %zu bytes%s", copy.call, copy.width * copy.height, sim_null_reason());
    if (!copy.set)
        check_kind(&copy, kind);
    else if (pageable(copy.to))
        sim_fail(copy.at, "%s: sets the host's memory", copy.call);
    check_rows(&copy, copy.to, copy.to_pitch, true);
    if (!copy.set)
        check_rows(&copy, copy.from, copy.from_pitch, false);

    struct copy *c = malloc(sizeof *c);
    *c = copy;
    c->work = (struct sim_work){.act = act, .end = end};
    bool to_pageable = pageable(c->to);
    bool stays = on_device(c->to) && (c->set || on_device(c->from));
    if (!c->set && pageable(c->from) && s->capture == NULL && !wait)
        stage(c);
    if (on_device(c->to) != (!c->set && on_device(c->from)) && sim_region(on_device(c->to) ? c->to : c->from) != s->device)
        sim_place_elsewhere(c->at);
    sim_put(s, &c->work);
    sim_overlap_put(s, &c->work, kind_of(c), c->width * c->height, name_of(c));
    if ((wait && !stays) || (to_pageable && s->capture == NULL)) {
        sim_finish(s);
        sim_overlap_host(s);
    }
    return cudaSuccess;
}

static struct copy row(const char *call, void *to, const void *from, size_t bytes, const void *at)
{
    return (struct copy){.to = to, .from = from, .to_pitch = bytes, .from_pitch = bytes,
                         .width = bytes, .height = 1, .call = call, .at = at};
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    sim_enter("cudaMemcpy", CALLER);
    return sim_leave(put(row("cudaMemcpy", to, from, bytes, CALLER), kind, NULL, true));
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    sim_enter("cudaMemcpyAsync", CALLER);
    return sim_leave(put(row("cudaMemcpyAsync", to, from, bytes, CALLER), kind, stream, false));
}

/* Copies of a batch may run in any order or at once, so none may touch what another writes. */
static void check_batch(void *const *to, const void *const *from, const size_t *bytes, size_t count,
                        const void *at)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++) {
            const char *a = to[i];
            if (bytes[i] == 0 || bytes[j] == 0)
                continue;
            bool written = i < j && a < (char *)to[j] + bytes[j] && (char *)to[j] < a + bytes[i];
            bool read = i != j && a < (const char *)from[j] + bytes[j] &&
                        (const char *)from[j] < a + bytes[i];

            if (written || read)
                sim_fail(at, "cudaMemcpyBatchAsync: copies %zu and %zu of a batch have no order, "
                         "and %s", i, j, written ? "both write the same memory"
                                                 : "the second one reads what the first one writes");
        }
}

/* Attributes say when a source may be read, and where memory is.  Here sources are always read in
   stream order, so a source that is overwritten too early is not detected. */
cudaError_t cudaMemcpyBatchAsync(void *const *to, const void *const *from, const size_t *bytes,
                                 size_t count, struct cudaMemcpyAttributes *attributes,
                                 size_t *first, size_t kinds, cudaStream_t stream)
{
    sim_enter("cudaMemcpyBatchAsync", CALLER);
    cudaError_t error = cudaSuccess;

    if (count == 0 || kinds == 0 || kinds > count || attributes == NULL || first == NULL ||
        first[0] != 0 || stream == NULL)
        return sim_leave(cudaErrorInvalidValue);
    for (size_t k = 0; k < kinds; k++)
        if (attributes[k].srcAccessOrder < cudaMemcpySrcAccessOrderStream ||
            attributes[k].srcAccessOrder > cudaMemcpySrcAccessOrderAny ||
            first[k] >= count || (k > 0 && first[k] <= first[k - 1]))
            return sim_leave(cudaErrorInvalidValue);
    check_batch(to, from, bytes, count, CALLER);
    for (size_t i = 0; i < count && error == cudaSuccess; i++)
        error = put(row("cudaMemcpyBatchAsync", (void *)to[i], from[i], bytes[i], CALLER),
                    cudaMemcpyDefault, stream, false);
    return sim_leave(error);
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height, enum cudaMemcpyKind kind)
{
    sim_enter("cudaMemcpy2D", CALLER);
    const struct copy c = {.to = to, .from = from, .to_pitch = to_pitch, .from_pitch = from_pitch,
                           .width = width, .height = height, .call = "cudaMemcpy2D",
                           .at = CALLER};
    return sim_leave(put(c, kind, NULL, true));
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream)
{
    sim_enter("cudaMemcpy2DAsync", CALLER);
    const struct copy c = {.to = to, .from = from, .to_pitch = to_pitch, .from_pitch = from_pitch,
                           .width = width, .height = height, .call = "cudaMemcpy2DAsync",
                           .at = CALLER};
    return sim_leave(put(c, kind, stream, false));
}

/* --- between devices -------------------------------------------------------------------------- */

static void check_owner(const char *call, const void *p, int device, const void *at)
{
    if (on_device(p) && sim_region(p) != device)
        sim_fail(at, "another device: %s is told device %d, but the memory is of device %d", call,
                 device, sim_region(p));
}

cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes)
{
    sim_enter("cudaMemcpyPeer", CALLER);
    check_owner("cudaMemcpyPeer", to, to_device, CALLER);
    check_owner("cudaMemcpyPeer", from, from_device, CALLER);
    return sim_leave(put(row("cudaMemcpyPeer", to, from, bytes, CALLER), cudaMemcpyDefault, NULL,
                         true));
}

cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                size_t bytes, cudaStream_t stream)
{
    sim_enter("cudaMemcpyPeerAsync", CALLER);
    check_owner("cudaMemcpyPeerAsync", to, to_device, CALLER);
    check_owner("cudaMemcpyPeerAsync", from, from_device, CALLER);
    return sim_leave(put(row("cudaMemcpyPeerAsync", to, from, bytes, CALLER), cudaMemcpyDefault,
                         stream, false));
}

/* --- setting ---------------------------------------------------------------------------------- */

static cudaError_t set(const char *call, void *p, size_t pitch, int value, size_t width,
                       size_t height, cudaStream_t stream, const void *at)
{
    const struct copy c = {.to = p, .to_pitch = pitch, .width = width, .height = height,
                           .set = true, .value = value, .call = call, .at = at};

    return put(c, cudaMemcpyDefault, stream, false);
}

cudaError_t cudaMemset(void *p, int value, size_t bytes)
{
    sim_enter("cudaMemset", CALLER);
    return sim_leave(set("cudaMemset", p, bytes, value, bytes, 1, NULL, CALLER));
}

cudaError_t cudaMemsetAsync(void *p, int value, size_t bytes, cudaStream_t stream)
{
    sim_enter("cudaMemsetAsync", CALLER);
    return sim_leave(set("cudaMemsetAsync", p, bytes, value, bytes, 1, stream, CALLER));
}

cudaError_t cudaMemset2D(void *p, size_t pitch, int value, size_t width, size_t height)
{
    sim_enter("cudaMemset2D", CALLER);
    return sim_leave(set("cudaMemset2D", p, pitch, value, width, height, NULL, CALLER));
}

cudaError_t cudaMemset2DAsync(void *p, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream)
{
    sim_enter("cudaMemset2DAsync", CALLER);
    return sim_leave(set("cudaMemset2DAsync", p, pitch, value, width, height, stream, CALLER));
}

/* --- the program's own variables -------------------------------------------------------------- */

cudaError_t cudasim_copy_symbol(void *to, const void *from, size_t bytes, const void *symbol,
                                size_t symbol_bytes)
{
    bool out = (uintptr_t)to - (uintptr_t)symbol < symbol_bytes;
    size_t offset = (size_t)((const char *)(out ? to : from) - (const char *)symbol);

    sim_enter("cudaMemcpyToSymbol", CALLER);
    if (offset + bytes > symbol_bytes)
        sim_fail(CALLER, "out of bounds: copies bytes %zu to %zu of a symbol of %zu bytes", offset,
                 offset + bytes - 1, symbol_bytes);
    return sim_leave(put(row("cudaMemcpyToSymbol", to, from, bytes, CALLER), cudaMemcpyDefault,
                         NULL, true));
}
