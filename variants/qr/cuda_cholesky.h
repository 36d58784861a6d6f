/* The host side of Cholesky's QR in float32.  The file that includes this has LEAST, the least number of passes. */
#ifndef RUNGS_QR_CUDA_CHOLESKY_H
#define RUNGS_QR_CUDA_CHOLESKY_H

#include "cuda_matrices.h" /* prepare, upload, download, release; d_a, d_q, d_r */
#include "cuda_narrow.h"   /* qr_narrow, narrow_bytes; WIDEST, MOST_PASSES */
#include "cuda_wide.h"     /* prepare_wide, run_wide, release_wide */

static struct passes *d_passes;
static int processors;

template <int W> static void prepare_narrow(void)
{
    CUDA(cudaFuncSetAttribute(qr_narrow<W>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)narrow_bytes<W>()));
}

static void prepare_factors(const void *problem)
{
    const struct qr *p = (const struct qr *)problem;

    prepare(p);
    CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
    CUDA(cudaMalloc(&d_passes, sizeof *d_passes));
    prepare_narrow<16>();
    prepare_narrow<32>();
    prepare_narrow<64>();
    if (p->n > WIDEST)
        prepare_wide(p->n);
}

template <int W> static void run_narrow(const struct qr *p)
{
    const size_t tiles = (p->m + TILE - 1) / TILE;
    const unsigned blocks = (unsigned)(tiles < (size_t)processors ? tiles : (size_t)processors);

    CUDA(cudaMemsetAsync(d_passes, 0, sizeof *d_passes, 0));
    for (unsigned launch = 0; launch <= MOST_PASSES; launch++)
        qr_narrow<W><<<blocks, TEAM, narrow_bytes<W>()>>>(p->m, p->n, d_a, d_q, d_r, d_passes, launch, LEAST);
    CUDA(cudaGetLastError());
}

static void run(const void *problem)
{
    const struct qr *p = (const struct qr *)problem;

    if (p->n == 0)
        return;
    if (p->n <= 16)
        run_narrow<16>(p);
    else if (p->n <= 32)
        run_narrow<32>(p);
    else if (p->n <= WIDEST)
        run_narrow<64>(p);
    else
        run_wide(p->m, p->n, d_a, d_q, d_r, (unsigned)processors);
}

static void release_factors(void)
{
    release_wide();
    CUDA(cudaFree(d_passes));
    release();
}

#endif
