/*
 * A graph with a loop: launches before it, then a WHILE node whose body is repeated while a kernel of the body sets the
 * node's condition.  Kernels are recorded by launching them into graph.stream.
 *
 *     while_open(&graph);   kernels before the loop   while_begin(&graph);   the body   while_end(&graph)
 */
#ifndef RUNGS_CG_CUDA_WHILE_H
#define RUNGS_CG_CUDA_WHILE_H

#include <cooperative_groups.h> /* conditional nodes cannot be simulated, and nor can this header */

#include "common/cuda.h"

struct while_graph {
    cudaStream_t stream;              /* records */
    cudaGraph_t whole, body;
    cudaGraphConditionalHandle again; /* the condition; true at the beginning of each launch */
};

static const char *while_missing(const void *problem)
{
    int driver;

    (void)problem;
    CUDA(cudaDriverGetVersion(&driver));
    return driver >= 12040 ? NULL : "conditional nodes of graphs need a driver for CUDA 12.4";
}

static void while_open(struct while_graph *g)
{
    CUDA(cudaStreamCreate(&g->stream));
    CUDA(cudaGraphCreate(&g->whole, 0));
    CUDA(cudaGraphConditionalHandleCreate(&g->again, g->whole, 1, cudaGraphCondAssignDefault));
    CUDA(cudaStreamBeginCaptureToGraph(g->stream, g->whole, NULL, NULL, 0, cudaStreamCaptureModeThreadLocal));
}

static void while_begin(struct while_graph *g)
{
    cudaGraphNodeParams node = {};
    cudaStreamCaptureStatus status;
    const cudaGraphNode_t *before;
    cudaGraph_t recording;
    cudaGraphNode_t loop;
    size_t count;

    /* The nodes that the loop waits for: what the stream recorded last. */
#if CUDART_VERSION >= 13000
    CUDA(cudaStreamGetCaptureInfo(g->stream, &status, NULL, &recording, &before, NULL, &count));
#else
    CUDA(cudaStreamGetCaptureInfo_v2(g->stream, &status, NULL, &recording, &before, &count));
#endif
    node.type = cudaGraphNodeTypeConditional;
    node.conditional.handle = g->again;
    node.conditional.type = cudaGraphCondTypeWhile;
    node.conditional.size = 1;
#if CUDART_VERSION >= 13000
    CUDA(cudaGraphAddNode(&loop, g->whole, before, NULL, count, &node));
#else
    CUDA(cudaGraphAddNode(&loop, g->whole, before, count, &node));
#endif
    g->body = node.conditional.phGraph_out[0];
    CUDA(cudaStreamEndCapture(g->stream, &recording));
    CUDA(cudaStreamBeginCaptureToGraph(g->stream, g->body, NULL, NULL, 0, cudaStreamCaptureModeThreadLocal));
}

static cudaGraphExec_t while_end(struct while_graph *g)
{
    cudaGraph_t recorded;
    cudaGraphExec_t ready;

    CUDA(cudaGetLastError());
    CUDA(cudaStreamEndCapture(g->stream, &recorded));
    CUDA(cudaGraphInstantiate(&ready, g->whole, 0));
    CUDA(cudaGraphDestroy(g->whole));
    CUDA(cudaStreamDestroy(g->stream));
    return ready;
}

#endif
