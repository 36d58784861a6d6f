/*
 * Graphs: work that is recorded instead of executed, to be executed any number of times.
 *
 * Work recorded from several streams keeps the order of the calls, which is one of the allowed orders.
 */
#include <stdlib.h>

#include "harness/sim/sim.h"

struct cudasim_graph {
    struct sim_work *first, *last;
    unsigned users; /* the handle, the executables, and launches not yet executed */
};

struct cudasim_graph_exec {
    struct cudasim_graph *graph;
};

struct graph_launch {
    struct sim_work work;
    struct cudasim_graph *graph;
};

void sim_record(struct cudasim_graph *g, struct sim_work *w)
{
    if (g->first == NULL)
        g->first = w;
    else
        g->last->next = w;
    g->last = w;
}

static void drop(struct cudasim_graph *g)
{
    if (--g->users > 0)
        return;
    for (struct sim_work *w = g->first, *next; w != NULL; w = next) {
        next = w->next;
        w->end(w);
    }
    free(g);
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    (void)mode;
    sim_enter("cudaStreamBeginCapture", CALLER);
    struct cudasim_stream *s = sim_stream(stream, CALLER);
    if (s->legacy || s->capture != NULL)
        return sim_leave(cudaErrorStreamCaptureUnsupported);
    s->capture = calloc(1, sizeof *s->capture);
    s->capture->users = 1;
    return sim_leave(cudaSuccess);
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    sim_enter("cudaStreamEndCapture", CALLER);
    *graph = sim_stream(stream, CALLER)->capture;
    if (*graph == NULL)
        return sim_leave(cudaErrorInvalidValue);
    sim_end_capture(*graph);
    sim_forget_events(*graph);
    return sim_leave(cudaSuccess);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
    sim_enter("cudaStreamIsCapturing", CALLER);
    *status = sim_stream(stream, CALLER)->capture != NULL ? cudaStreamCaptureStatusActive
                                                          : cudaStreamCaptureStatusNone;
    return sim_leave(cudaSuccess);
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags)
{
    (void)flags;
    sim_enter("cudaGraphInstantiate", CALLER);
    *exec = malloc(sizeof **exec);
    (*exec)->graph = graph;
    graph->users++;
    return sim_leave(cudaSuccess);
}

static void run_graph(struct sim_work *w)
{
    const struct graph_launch *launch = (const struct graph_launch *)w;

    for (struct sim_work *step = launch->graph->first; step != NULL; step = step->next)
        step->act(step);
}

static void end_graph(struct sim_work *w)
{
    drop(((struct graph_launch *)w)->graph);
    free(w);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    sim_enter("cudaGraphLaunch", CALLER);
    struct graph_launch *l = malloc(sizeof *l);
    *l = (struct graph_launch){.work = {.act = run_graph, .end = end_graph}, .graph = exec->graph};
    exec->graph->users++;
    sim_put(sim_stream(stream, CALLER), &l->work);
    sim_overlap_put(sim_stream(stream, CALLER), &l->work, KERNEL, 0, "(graph)");
    return sim_leave(cudaSuccess);
}

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream)
{
    (void)exec;
    (void)stream;
    return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    sim_enter("cudaGraphExecDestroy", CALLER);
    drop(exec->graph);
    free(exec);
    return sim_leave(cudaSuccess);
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    sim_enter("cudaGraphDestroy", CALLER);
    drop(graph);
    return sim_leave(cudaSuccess);
}
