/*
 * Streams: which work must precede which.
 *
 * Work is executed only when a host thread waits for it, and then only what must precede.  A GPU may use
 * this order, and it turns each forgotten wait into a wrong answer.
 */
#include <stdlib.h>

#include "harness/sim/sim.h"

static struct cudasim_stream *streams, *legacy[MAX_DEVICES];
static unsigned long orders, acting; /* of the newest work, and of that being done */
static int acting_device = -1;
bool sim_blocking;

/* --- doing ------------------------------------------------------------------------------------ */

int sim_acting_phase;

unsigned long sim_acting_order(void)
{
    return acting;
}

int sim_acting_device(void)
{
    return acting_device;
}

static void act(struct sim_work *w)
{
    const int outer = sim_acting_phase;
    const unsigned long outer_order = acting;
    const int outer_device = acting_device;

    sim_acting_phase = w->phase;
    acting = w->order;
    acting_device = w->device;
    if (w->act != NULL) {
        sim_faults_enter();
        sim_memory_open();
        w->act(w);
        sim_memory_close();
        sim_faults_leave();
    }
    w->end(w);
    sim_acting_phase = outer;
    acting = outer_order;
    acting_device = outer_device;
}

/* Executes all of a stream's work that was queued before `order`, and what must precede it: the legacy
   stream waits for all other streams of its device, except nonblocking ones, and they for it. */
void sim_finish_before(struct cudasim_stream *s, unsigned long order)
{
    while (s->first != NULL && s->first->order < order) {
        struct sim_work *w = s->first;
        if (s->legacy) {
            for (struct cudasim_stream *t = streams; t != NULL; t = t->next)
                if (t->device == s->device && !t->legacy && !t->nonblocking)
                    sim_finish_before(t, w->order);
        } else if (!s->nonblocking && legacy[s->device] != NULL) {
            sim_finish_before(legacy[s->device], w->order);
        }
        s->first = w->next;
        act(w);
    }
}

void sim_finish(struct cudasim_stream *s)
{
    sim_finish_before(s, orders + 1);
}

static void finish_of(struct cudasim_stream *s, int device)
{
    if (s->device != device)
        return;
    sim_finish(s);
    sim_overlap_host(s);
}

static void finish_oldest_first(struct cudasim_stream *s, int device)
{
    if (s == NULL)
        return;
    finish_oldest_first(s->next, device);
    finish_of(s, device);
}

/* Streams have no order between them: the newest is done first or, with a seed, the oldest. */
void sim_finish_device(int device)
{
    if (sim_seed != 0) {
        finish_oldest_first(streams, device);
        return;
    }
    for (struct cudasim_stream *s = streams; s != NULL; s = s->next)
        finish_of(s, device);
}

bool sim_has_earlier_work(int device)
{
    for (const struct cudasim_stream *s = streams; s != NULL; s = s->next)
        if (s->device == device && s->first != NULL && s->first->order < acting)
            return true;
    return false;
}

void sim_put(struct cudasim_stream *s, struct sim_work *w)
{
    w->device = s->device;
    w->phase = sim_phase_now();
    w->next = NULL;
    if (s->capture != NULL) {
        sim_record(s->capture, w);
        return;
    }
    w->order = ++orders;
    if (s->first == NULL)
        s->first = w;
    else
        s->last->next = w;
    s->last = w;
    if (sim_blocking && (sim_watching & WATCH_ORDER) == 0) /* else when it has a number: sim_overlap_put */
        sim_finish(s);
}

void sim_free_work(struct sim_work *w)
{
    free(w);
}

/* --- streams ---------------------------------------------------------------------------------- */

static struct cudasim_stream *make_stream(int device, bool is_legacy, bool nonblocking)
{
    struct cudasim_stream *s = malloc(sizeof *s);

    *s = (struct cudasim_stream){.next = streams, .device = device, .legacy = is_legacy,
                                 .nonblocking = nonblocking};
    streams = s;
    return s;
}

struct cudasim_stream *sim_stream(cudaStream_t handle, const void *at)
{
    int device = sim_device();

    if (handle == NULL || handle == cudaStreamLegacy || handle == cudaStreamPerThread) {
        if (legacy[device] == NULL)
            legacy[device] = make_stream(device, true, false);
        return legacy[device];
    }
    for (struct cudasim_stream *s = streams; s != NULL; s = s->next)
        if (s == handle && !s->dead)
            return s;
    sim_fail(at, "not a stream, or one that was destroyed");
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    sim_enter("cudaStreamCreateWithFlags", CALLER);
    *stream = make_stream(sim_device(), false, (flags & cudaStreamNonBlocking) != 0);
    return sim_leave(cudaSuccess);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority)
{
    (void)priority;
    return cudaStreamCreateWithFlags(stream, flags);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    sim_enter("cudaStreamDestroy", CALLER);
    struct cudasim_stream *s = sim_stream(stream, CALLER);
    if (s->legacy)
        return sim_leave(cudaErrorInvalidResourceHandle);
    sim_finish(s);
    s->dead = true; /* events may still refer to it */
    return sim_leave(cudaSuccess);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    sim_enter("cudaStreamSynchronize", CALLER);
    struct cudasim_stream *s = sim_stream(stream, CALLER);
    if (s->capture != NULL)
        return sim_leave(cudaErrorStreamCaptureUnsupported);
    sim_finish(s);
    sim_overlap_host(s);
    return sim_leave(cudaSuccess);
}

/* A query executes one piece of work. */
cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    sim_enter("cudaStreamQuery", CALLER);
    struct cudasim_stream *s = sim_stream(stream, CALLER);
    if (s->first == NULL) {
        sim_overlap_host(s);
        return sim_leave(cudaSuccess);
    }
    sim_finish_before(s, s->first->order + 1);
    sim_leave(cudaSuccess);
    return cudaErrorNotReady; /* not an error for cudaGetLastError */
}

cudaError_t cudaDeviceSynchronize(void)
{
    sim_enter("cudaDeviceSynchronize", CALLER);
    sim_finish_device(sim_device());
    return sim_leave(cudaSuccess);
}

/* --- being recorded --------------------------------------------------------------------------- */

void sim_end_capture(const struct cudasim_graph *g)
{
    for (struct cudasim_stream *s = streams; s != NULL; s = s->next)
        if (s->capture == g)
            s->capture = NULL;
}

/* --- functions of the host -------------------------------------------------------------------- */

struct call {
    struct sim_work work;
    cudaHostFn_t function;
    void *data;
};

static void call_host(struct sim_work *w)
{
    const struct call *call = (const struct call *)w;

    sim_memory_close();
    call->function(call->data);
    sim_memory_open();
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data)
{
    sim_enter("cudaLaunchHostFunc", CALLER);
    struct call *c = malloc(sizeof *c);
    *c = (struct call){.work = {.act = call_host, .end = sim_free_work}, .function = function,
                       .data = data};
    sim_put(sim_stream(stream, CALLER), &c->work);
    return sim_leave(cudaSuccess);
}

/* --- what is left ----------------------------------------------------------------------------- */

unsigned sim_left_streams(unsigned *waiting)
{
    unsigned there = 0;

    *waiting = 0;
    for (const struct cudasim_stream *s = streams; s != NULL; s = s->next) {
        for (const struct sim_work *w = s->first; w != NULL; w = w->next)
            *waiting += w->act != NULL;
        there += !s->legacy && !s->dead;
    }
    return there;
}
