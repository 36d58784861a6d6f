/*
 * logreg / cuda_warp
 *
 * Idea     Eight lanes a row, four rows a warp: shuffles for the margin, and the gradient stays in registers.
 * Against  cuda_shared, with tiles in shared memory and three barriers a tile.
 * Expect   Memory's rate at L: 285 us a reading on an H200, by calculation.  At S and M the host's word is the time: each
 *          evaluation waits some 20 us for two copies of 132 bytes.
 * Try      TEAM of 32: at 32 features a lane then loads 4 bytes, and makes five shuffles for one row in place of three for
 *          four.
 * Level    2
 * Read     cuda_buffers.h, cuda_rows.h, lbfgs.h, solve.h, trace.h
 */
#include "cuda_buffers.h" /* prepare, upload, run, download, release */
#include "cuda_rows.h"    /* launch_rows, blocks_for */

static const int each = 4; /* blocks per multiprocessor */

static const char *refuse(const void *problem)
{
    const struct logreg *p = (const struct logreg *)problem;

    return p->n > MOST_FEATURES ? too_many_features : NULL;
}

static void add_up(const struct logreg *p)
{
    const unsigned blocks = blocks_for(p->m, processors, each);

    launch_rows(blocks, 0, p->m, p->n, d_x, d_y, d_w, d_parts);
    join_parts<<<(unsigned)p->n + 1, JOINERS>>>(p->n + 1, blocks, d_parts, d_sums);
    CUDA(cudaGetLastError());
}

VARIANT(.idea = "eight lanes a row, the gradient in registers",
        .base = "cuda_shared",
        .device = &device_gpu,
        .refuse = refuse,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release,
        .evaluations = evaluations)
