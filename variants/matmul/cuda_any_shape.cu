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
 * Read     async.h, async_host.h, cuda_buffers.h, cuda_thin.h, cuda_tiles.h
 *
 * The way that a shape goes is the first of these:
 *
 *     k = 0                     zeros
 *     n <= 16 and k >= 256      few columns: A is read once
 *     m <= 16                   few rows: B is read once
 *     k <= 16                   short sums: C is written once
 *     otherwise                 tiles, by the model (plan_of)
 */
#include "common/variant.h"
#include "async.h"      /* slices_of */
#include "async_host.h" /* prepare_wide, upload, download, release_wide; product_of */
#include "cuda_thin.h"  /* matmul_few_rows, matmul_few_columns, matmul_short_sums, matmul_add_thin */
#include "cuda_tiles.h" /* square, half_square, small_square, flat, tall; matmul_tiles, matmul_add_tiles */

static unsigned processors;
static float *d_parts; /* sums over a part of k, of blocks that share it */

/* Returns how many threads add the parts of one element: one, or more if the device has threads for them. */
static unsigned adders_of(size_t elements, size_t parts)
{
    unsigned adders = 1;

    while (adders < MOST_ADDERS && 2 * adders <= parts && 2 * adders * elements <= (size_t)processors * 2048)
        adders *= 2;
    return adders;
}

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

/* --- which tile ------------------------------------------------------------------------------- */

/* A plan for a product: a schedule of one tile, and the time that the model predicts. */
struct plan {
    struct schedule schedule;
    bool widened; /* B is copied into rows that begin at multiples of 16 bytes */
    double us;
};

/* What the model knows of a tile. */
struct tile_facts {
    unsigned high, wide, per_processor;
    double rate;        /* TFLOP/s where all places are taken */
    double single_rate; /* the same if B's elements are copied singly; 0: that is not done */
    void (*run)(const struct matmul *p, const struct plan *plan);
};

/*
 * The model.  Blocks come in rounds of as many as there are places.  A round takes 2 us for the first loads, its slices
 * at the tile's rate, and the time of its part of C at 4.3 TB/s.  In a round whose slices are shared, parts are written
 * and read at 3 TB/s instead, and a second kernel takes 3 us.  So does the copy of B, beside its bytes.
 */
static struct plan plan_of(const struct matmul *p, const struct tile_facts *tile, bool widened)
{
    const unsigned slices = slices_of(p->k), places = tile->per_processor * processors;
    const double rate = p->n % 4 == 0 || widened ? tile->rate : tile->single_rate;
    const double floats = (double)places * tile->high * tile->wide; /* of C, in a round */
    const double slice = floats * SLICE * 2 / (rate * 1e6);         /* us */
    const double widen = widened ? 3 + 8e-6 * (double)(p->n * p->k) / 3 : 0;
    const double round = 2 + slices * slice + 4e-6 * floats / 4.3;

    const size_t tiles = (p->m + tile->high - 1) / tile->high * ((p->n + tile->wide - 1) / tile->wide);
    const unsigned rest = (unsigned)(tiles % places);
    const unsigned share = (unsigned)(((size_t)rest * slices + places - 1) / places);
    const double whole = widen + (double)(tiles / places) * round;
    const double shared = 2 + share * slice + 8e-6 * floats / 3 + 3;

    if (rest > 0 && share < slices && shared < round)
        return {{(unsigned)tiles, (unsigned)tiles - rest, share}, widened, whole + shared};
    return {{(unsigned)tiles, (unsigned)tiles, slices}, widened, whole + (rest > 0 ? round : 0)};
}

template <class tile, unsigned BYTES, bool VECTORS>
static void run_tiles(const struct product &product, const struct schedule *s)
{
    const unsigned rest = s->tiles - s->whole, slices = slices_of(product.k);
    const unsigned blocks = s->whole + (unsigned)(((size_t)rest * slices + s->share - 1) / s->share);
    const unsigned fours = tile::high * tile::wide / 4;

    matmul_tiles<tile, BYTES, VECTORS><<<blocks, tile::block>>>(product, *s, -0.0f, (float4 *)d_parts);
    CUDA(cudaGetLastError());
    if (rest > 0) {
        const unsigned adders = adders_of((size_t)rest * fours, slices / s->share + 1);

        matmul_add_tiles<tile, VECTORS><<<dim3(fours * adders / ADD_THREADS, rest), ADD_THREADS>>>(
            product, *s, adders, (float4 *)d_parts);
        CUDA(cudaGetLastError());
    }
}

template <class tile> static void run_tile(const struct matmul *p, const struct plan *plan)
{
    if (p->n % 4 == 0)
        run_tiles<tile, sizeof(float4), true>(product_of(p), &plan->schedule);
    else if (plan->widened)
        run_tiles<tile, sizeof(float4), false>(product_of(p), &plan->schedule);
    else
        run_tiles<tile, sizeof(float), false>({p->m, p->n, p->k, d_a, d_b, 0, d_c}, &plan->schedule);
}

/* Rates fitted to times of one H200 (docs/limits/matmul.md). */
static const struct tile_facts tiles[] = {
    {square::high, square::wide, square::per_processor, 51, 0, run_tile<square>},
    {half_square::high, half_square::wide, half_square::per_processor, 49.5, 42, run_tile<half_square>},
    {small_square::high, small_square::wide, small_square::per_processor, 46, 33, run_tile<small_square>},
    {flat::high, flat::wide, flat::per_processor, 48.5, 38, run_tile<flat>},
    {tall::high, tall::wide, tall::per_processor, 36, 30, run_tile<tall>},
};

static const struct tile_facts *tile; /* the one that is taken, with its plan */
static struct plan plan;

static void choose_tile(const struct matmul *p)
{
    tile = NULL;
    for (const struct tile_facts &each : tiles)
        for (int widened = 0; widened <= 1; widened++) {
            if (p->n % 4 == 0 ? widened : !widened && each.single_rate == 0)
                continue;

            const struct plan one = plan_of(p, &each, widened);
            if (tile == NULL || one.us < plan.us) {
                tile = &each;
                plan = one;
            }
        }
}

/* --- the phases ------------------------------------------------------------------------------- */

static void prepare_any(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;
    const enum way way = way_of(p);
    size_t floats = 0;
    int count;

    prepare_wide(problem);
    CUDA(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0));
    processors = (unsigned)count;
    if (way == TILES) {
        choose_tile(p);
        if (plan.schedule.whole < plan.schedule.tiles)
            floats = (size_t)2 * tile->per_processor * processors * tile->high * tile->wide;
    } else if ((way == FEW_ROWS || way == FEW_COLUMNS) && p->m * p->n > 0) {
        floats = thin_of(p, way).parts * p->m * p->n;
    }
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
