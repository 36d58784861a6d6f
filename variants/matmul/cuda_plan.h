/*
 * The choice among the tiles of cuda_tiles.h, for cuda_any_shape and for products of other problems: a small model predicts
 * the time of each, and the least is taken.
 */
#ifndef RUNGS_MATMUL_CUDA_PLAN_H
#define RUNGS_MATMUL_CUDA_PLAN_H

#include "async.h"      /* slices_of */
#include "async_host.h" /* product_of */
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

/* Chooses a tile; returns how many floats of parts it needs. */
static size_t plan_parts(const struct matmul *p)
{
    choose_tile(p);
    if (plan.schedule.whole == plan.schedule.tiles)
        return 0;
    return (size_t)2 * tile->per_processor * processors * tile->high * tile->wide;
}

static void count_processors(void)
{
    int count;

    CUDA(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0));
    processors = (unsigned)count;
}

#endif
