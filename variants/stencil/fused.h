/*
 * Several sweeps in one pass over memory: the tiles of cpu_blocked and cpu_avx512, which differ in
 * their code for one row.
 *
 * A tile is a band of rows and a strip of columns.  Its sweeps run down the band together, each one
 * row behind the sweep before, from which it needs three:
 *
 *     row 9   read from `in`
 *     row 8       sweep 1 writes
 *     row 7           sweep 2 writes       the last three rows of each sweep are kept, in rings that
 *     row 6               sweep 3 ...      stay in cache; those of the last sweep go to `out`
 *
 * What the last sweep needs from around the tile, the sweeps before it do as well: one row or column
 * less on each side, sweep by sweep.  So tiles do some work twice and never wait for one another.
 */
#include <immintrin.h>
#include <omp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/stencil.h"

#define DEPTH 8                        /* sweeps a pass, at most */
#define RING_BYTES ((size_t)32 << 10)  /* a tile's rings: most of a first-level cache */
#define STREAM_FROM ((size_t)32 << 20) /* bytes of an image: it and its result outgrow most caches */

struct pass {
    size_t rows, cols, depth; /* of the image, 3 or more; sweeps, 1 or more */
    const float *in;
    float *out;
    /* out[c] for first <= c < last; `stream`: for an image that is not in the caches */
    void (*smooth_row)(const float *up, const float *mid, const float *down, float *out,
                       size_t first, size_t last, bool stream);
};

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* a - b, but at least `low` */
static size_t less(size_t a, size_t b, size_t low)
{
    return a > b + low ? a - b : low;
}

/* out[r][c] for top <= r < bottom, left <= c < right, but not the first and last row of the image */
static void smooth_tile(const struct pass *p, size_t top, size_t bottom, size_t left, size_t right)
{
    size_t rows = p->rows, cols = p->cols, depth = p->depth;
    size_t origin = less(left, depth, 0); /* where a ring's rows begin; columns count from there */
    size_t pitch = (right - left + 2 * depth + 15) / 16 * 16;
    float *rings = aligned_alloc(64, depth * 3 * pitch * sizeof *rings);
    bool stream = rows * cols * sizeof *p->out >= STREAM_FROM;

    /* At each step sweep 1 does row `front`, sweep 2 the row above it, and so on. */
    for (size_t front = less(top, depth - 1, 1); front < bottom + depth - 1; front++)
        for (size_t sweep = 1; sweep <= depth; sweep++) {
            size_t margin = depth - sweep, r = front - (sweep - 1);
            if (r < less(top, margin, 1) || r >= least(bottom + margin, rows - 1))
                continue; /* above the image, r has wrapped round and is huge */

            const float *from[3];
            for (size_t i = 0; i < 3; i++) {
                size_t row = r - 1 + i;
                bool given = sweep == 1 || row == 0 || row == rows - 1; /* borders never change */
                from[i] = given ? p->in + row * cols + origin
                                : rings + ((sweep - 1) * 3 + row % 3) * pitch;
            }
            float *to = sweep == depth ? p->out + r * cols + origin
                                       : rings + (sweep * 3 + r % 3) * pitch;
            size_t first = less(left, margin, 1), last = least(right + margin, cols - 1);

            if (left <= margin)
                to[0] = from[1][0];
            p->smooth_row(from[0], from[1], from[2], to, first - origin, last - origin,
                          stream && sweep == depth);
            if (right + margin >= cols)
                to[cols - 1 - origin] = from[1][cols - 1 - origin];
        }
    _mm_sfence(); /* streaming stores are not ordered with others: wait for them here */
    free(rings);
}

/* all tiles of the image */
static void smooth_pass(const struct pass *p)
{
    /* Strips whose rings fit; a single sweep has none, and takes rows in full. */
    size_t widest = p->depth > 1 ? RING_BYTES / (3 * sizeof(float) * (p->depth - 1)) : p->cols;
    size_t strips = (p->cols + widest - 1) / widest;
    size_t width = (p->cols / strips + 16) / 16 * 16; /* whole lines of cache */
    size_t bands = (size_t)omp_get_max_threads();

    memcpy(p->out, p->in, p->cols * sizeof *p->out);
    memcpy(p->out + (p->rows - 1) * p->cols, p->in + (p->rows - 1) * p->cols,
           p->cols * sizeof *p->out);
#pragma omp parallel for collapse(2) schedule(static)
    for (size_t band = 0; band < bands; band++)
        for (size_t left = 0; left < p->cols; left += width)
            smooth_tile(p, p->rows * band / bands, p->rows * (band + 1) / bands, left,
                        least(left + width, p->cols));
}

/* --- the host side, as in cpu_naive.c, but a pass where that has a sweep ----------------------- */

static float *scratch; /* as large as the image; NULL where one pass is enough */

static void prepare(const void *problem)
{
    const struct stencil *p = problem;

    scratch = p->sweeps > DEPTH ? malloc(p->rows * p->cols * sizeof *scratch) : NULL;
}

static void release(void)
{
    free(scratch);
    scratch = NULL;
}

/* every sweep of the case, in as few passes as DEPTH allows, equally deep */
static void smooth_all(const struct stencil *p,
                       void (*smooth_row)(const float *, const float *, const float *, float *,
                                          size_t, size_t, bool))
{
    size_t passes = (p->sweeps + DEPTH - 1) / DEPTH;
    const float *from = p->in;

    if (p->sweeps == 0 || p->rows < 3 || p->cols < 3) {
        memcpy(p->out, p->in, p->rows * p->cols * sizeof *p->out);
        return;
    }
    for (size_t i = 0; i < passes; i++) {
        float *to = (passes - i) % 2 == 1 ? p->out : scratch;
        size_t depth = p->sweeps * (i + 1) / passes - p->sweeps * i / passes;

        smooth_pass(&(struct pass){p->rows, p->cols, depth, from, to, smooth_row});
        from = to;
    }
}
