/*
 * matmul / cuda_any_shape
 *
 * Idea     The shape decides.  Where one of the three sides is at most 16, the largest matrix passes
 *          by once, and the short side stays in registers (cuda_thin.h).  Otherwise C is cut into
 *          tiles of one of five sizes (cuda_tiles.h).  A small model predicts each size's time, and
 *          the least is taken.  Where there are too few blocks for the device, they share k.
 * Against  cuda_stream_k: tiles of 128 x 128 for every shape, so a C of 16384 x 16 costs as much as
 *          one of 16384 x 128.  And its atomics: here all sums are added in an order that depends on
 *          the shape alone, so C's bits are the same in every run.
 * Expect   Where a side is short, the time that the largest matrix takes at the rate of memory.  For
 *          large squares, the time of cuda_stream_k.
 * Try      Take lines out of `tiles`.  Which shapes become slower, and by how much?
 * Level    3
 * Read     async.h, async_host.h, cuda_buffers.h, cuda_plan.h, cuda_thin.h, cuda_tiles.h
 *
 * The way that a shape goes is the first of these:
 *
 *     k = 0                     zeros
 *     n <= 16 and k >= 256      few columns: A is read once
 *     m <= 16                   few rows: B is read once
 *     k <= 16                   short sums: C is written once
 *     otherwise                 tiles, by the model (plan_of in cuda_plan.h)
 */
#include "common/variant.h"
#include "async.h"      /* slices_of */
#include "async_host.h" /* prepare_wide, upload, download, release_wide; product_of */
#include "cuda_thin.h"  /* matmul_few_rows, matmul_few_columns, matmul_short_sums, matmul_add_thin */
#include "cuda_plan.h"  /* plan_parts, tile, plan, count_processors, adders_of; processors, d_parts */

/* --- which way -------------------------------------------------------------------------------- */

enum way { ZEROS, FEW_COLUMNS, FEW_ROWS, SHORT_SUMS, TILES };

/* Lanes lie along k where C has few columns: with fewer products their sums would cost more than the products. */
enum { LONG_SUM = 256 };

static enum way way_of(const struct matmul *p)
{
    if (p->k == 0)
        return ZEROS;
    if (p->n <= THIN && p->k >= LONG_SUM)
        return FEW_COLUMNS;
    if (p->m <= THIN)
        return FEW_ROWS;
    return p->k <= THIN ? SHORT_SUMS : TILES;
}

/* --- thin ------------------------------------------------------------------------------------- */

/* A thin product with k shared by `parts` blocks, `share` products each. */
struct thin {
    unsigned blocks, parts;
    size_t share;
};

/* As many blocks as the device holds at once, but at least 256 products for each. */
static struct thin thin_of(const struct matmul *p, enum way way)
{
    const size_t wide = way == FEW_ROWS ? ROW_COLUMNS : COLUMN_ROWS * WARPS;
    const size_t blocks = ((way == FEW_ROWS ? p->n : p->m) + wide - 1) / wide;
    const size_t places = processors * (way == FEW_ROWS ? few_rows_blocks((unsigned)p->m) : FEW_COLUMNS_BLOCKS);
    const size_t parts = max((size_t)1, min(places / blocks, p->k / 256));
    const size_t share = ((p->k + parts - 1) / parts + 31) / 32 * 32;

    return {(unsigned)blocks, (unsigned)((p->k + share - 1) / share), share};
}

static void run_thin(const struct matmul *p, enum way way)
{
    const struct thin thin = thin_of(p, way);
    const dim3 grid(thin.blocks, thin.parts);
    const size_t elements = p->m * p->n, side = way == FEW_ROWS ? p->m : p->n;
    float *to = thin.parts > 1 ? d_parts : d_c;

    if (way == FEW_ROWS)
        (side == 1   ? matmul_few_rows<1>
         : side == 2 ? matmul_few_rows<2>
         : side <= 4 ? matmul_few_rows<4>
         : side <= 8 ? matmul_few_rows<8>
                     : matmul_few_rows<16>)<<<grid, THIN_THREADS>>>(p->m, p->n, p->k, d_a, d_b, thin.share, to);
    else
        (side == 1   ? matmul_few_columns<1>
         : side == 2 ? matmul_few_columns<2>
         : side <= 4 ? matmul_few_columns<4>
         : side <= 8 ? matmul_few_columns<8>
                     : matmul_few_columns<16>)<<<grid, THIN_THREADS>>>(p->m, p->n, p->k, d_a, d_b, thin.share, to);
    CUDA(cudaGetLastError());
    if (thin.parts > 1) {
        const unsigned adders = adders_of(elements, thin.parts), width = ADD_THREADS / adders;

        matmul_add_thin<<<(unsigned)((elements + width - 1) / width), ADD_THREADS>>>(
            elements, thin.parts, adders, d_parts, d_c);
        CUDA(cudaGetLastError());
    }
}

template <unsigned K> static void run_short(const struct matmul *p)
{
    const unsigned across = p->n > 512 ? THIN_THREADS : 32, wide = across * SHORT_SIDE;
    const unsigned blocks =
        (unsigned)((p->n + wide - 1) / wide * ((p->m + SHORT_ROWS - 1) / SHORT_ROWS));

    (across == 32 ? matmul_short_sums<K, 32> : matmul_short_sums<K, THIN_THREADS>)<<<blocks, THIN_THREADS>>>(
        p->m, p->n, p->k, d_a, d_b, d_c);
    CUDA(cudaGetLastError());
}

/* --- the phases ------------------------------------------------------------------------------- */

static void prepare_any(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;
    const enum way way = way_of(p);
    size_t floats = 0;

    prepare_wide(problem);
    count_processors();
    if (way == TILES)
        floats = plan_parts(p);
    else if ((way == FEW_ROWS || way == FEW_COLUMNS) && p->m * p->n > 0)
        floats = thin_of(p, way).parts * p->m * p->n;
    CUDA(cudaMalloc(&d_parts, floats * sizeof(float)));
}

static void run(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;
    const enum way way = way_of(p);

    if (p->m == 0 || p->n == 0)
        return;
    switch (way) {
    case ZEROS:
        CUDA(cudaMemset(d_c, 0, p->m * p->n * sizeof(float)));
        break;
    case FEW_ROWS:
    case FEW_COLUMNS:
        run_thin(p, way);
        break;
    case SHORT_SUMS:
        p->k <= 4 ? run_short<4>(p) : p->k <= 8 ? run_short<8>(p) : run_short<16>(p);
        break;
    case TILES:
        tile->run(p, &plan);
        break;
    }
}

static void release_any(void)
{
    CUDA(cudaFree(d_parts));
    release_wide();
}

VARIANT(.idea = "the shape decides: thin products read one matrix once, others take the fastest of five tiles",
        .base = "cuda_stream_k",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare_any,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_any)
