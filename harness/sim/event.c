/* Events: places in a stream's work that another stream or the host can wait for. */
#include <stdlib.h>

#include "harness/sim/sim.h"

/* A recorded event stands for all work put into its stream before. */
struct cudasim_event {
    struct cudasim_event *next;
    bool dead;
    struct cudasim_stream *stream; /* NULL: never recorded */
    unsigned long order;
    struct cudasim_graph *capture; /* recorded in a stream that is being captured */
    const void *made;
};

static struct cudasim_event *events;

static struct cudasim_event *find_event(cudaEvent_t handle, const void *at)
{
    for (struct cudasim_event *e = events; e != NULL; e = e->next)
        if (e == handle && !e->dead)
            return e;
    sim_fail(at, "not an event, or one that was destroyed");
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    (void)flags;
    sim_enter("cudaEventCreate", CALLER);
    struct cudasim_event *e = NULL;
    for (e = events; e != NULL && !e->dead; e = e->next)
        continue;
    if (e == NULL) {
        e = malloc(sizeof *e);
        e->next = events;
        events = e;
    }
    *e = (struct cudasim_event){.next = e->next, .made = CALLER};
    *event = e;
    return sim_leave(cudaSuccess);
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    sim_enter("cudaEventDestroy", CALLER);
    find_event(event, CALLER)->dead = true;
    return sim_leave(cudaSuccess);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    sim_enter("cudaEventRecord", CALLER);
    struct cudasim_event *e = find_event(event, CALLER);
    struct cudasim_stream *s = sim_stream(stream, CALLER);
    e->stream = s;
    e->capture = s->capture;
    if (s->capture == NULL) {
        struct sim_work *w = malloc(sizeof *w);
        *w = (struct sim_work){.end = sim_free_work};
        sim_put(s, w);
        e->order = w->order;
        sim_overlap_mark(s, e->order);
    }
    return sim_leave(cudaSuccess);
}

static bool pending(const struct cudasim_event *e)
{
    return e->stream != NULL && e->stream->first != NULL && e->stream->first->order <= e->order;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    sim_enter("cudaEventSynchronize", CALLER);
    struct cudasim_event *e = find_event(event, CALLER);
    if (e->stream != NULL)
        sim_finish_before(e->stream, e->order + 1);
    sim_overlap_host_event(e->order);
    return sim_leave(cudaSuccess);
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    sim_enter("cudaEventQuery", CALLER);
    struct cudasim_event *e = find_event(event, CALLER);
    if (!pending(e)) {
        sim_overlap_host_event(e->order);
        return sim_leave(cudaSuccess);
    }
    sim_finish_before(e->stream, e->stream->first->order + 1);
    sim_leave(cudaSuccess);
    return cudaErrorNotReady;
}

/* There is no clock: the time between any two events is 0. */
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to)
{
    sim_enter("cudaEventElapsedTime", CALLER);
    const struct cudasim_event *a = find_event(from, CALLER), *b = find_event(to, CALLER);
    if (a->stream == NULL || b->stream == NULL)
        return sim_leave(cudaErrorInvalidResourceHandle);
    if (pending(a) || pending(b))
        return sim_leave(cudaErrorNotReady);
    *milliseconds = 0.0f;
    return sim_leave(cudaSuccess);
}

struct wait {
    struct sim_work work;
    struct cudasim_stream *stream;
    unsigned long order;
};

static void wait_for_event(struct sim_work *w)
{
    const struct wait *wait = (const struct wait *)w;

    sim_finish_before(wait->stream, wait->order + 1);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    (void)flags;
    sim_enter("cudaStreamWaitEvent", CALLER);
    struct cudasim_stream *s = sim_stream(stream, CALLER);
    const struct cudasim_event *e = find_event(event, CALLER);
    if (e->capture != NULL) {
        s->capture = e->capture; /* the stream joins the capture; what follows is recorded in the order
                                    of the calls */
    } else if (e->stream != NULL) {
        struct wait *w = malloc(sizeof *w);
        *w = (struct wait){.work = {.act = wait_for_event, .end = sim_free_work},
                           .stream = e->stream,
                           .order = e->order};
        sim_put(s, &w->work);
        sim_overlap_wait(s, e->order);
    }
    return sim_leave(cudaSuccess);
}

/* Events recorded in the graph have become part of it. */
void sim_forget_events(const struct cudasim_graph *g)
{
    for (struct cudasim_event *e = events; e != NULL; e = e->next)
        if (e->capture == g) {
            e->capture = NULL;
            e->stream = NULL;
        }
}

unsigned sim_left_events(void)
{
    unsigned count = 0;

    for (const struct cudasim_event *e = events; e != NULL; e = e->next)
        count += !e->dead;
    return count;
}
