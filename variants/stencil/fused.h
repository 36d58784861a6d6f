/*
 * Several sweeps in one pass over memory: the tiles of cpu_blocked and cpu_avx512, which differ in
 * their vector code.
 *
 * A tile is a band of rows and a strip of columns.  Its sweeps run down the band together, two rows
 * at a time, each sweep one row behind the one before, from which it needs four:
 *
 *     rows 8, 9   copied from `in`
 *     rows 7, 8       sweep 1 writes
 *     rows 6, 7           sweep 2 writes    those of the last sweep are copied to `out`
 *     rows 5, 6               sweep 3 ...
 *
 * Of the four, the upper two were made in the step before, and lie in the second-level cache; the lower
 * two have just been made.  After it has read them, a sweep keeps the lower two for its next step, and the
 * upper two become the place where the next sweep writes.  So all writes go to rows that are in the
 * first-level cache already:
 *
 *     sweep s reads     made[s - 1]  (rows r - 1, r)   and   fresh  (rows r + 1, r + 2)
 *             writes    spare        (rows r, r + 1)
 *     then              made[s - 1] = fresh      fresh = spare      spare = what was made[s - 1]
 *
 * A tile needs pixels around it: one row and one column more on each side for every sweep to come.  Each
 * tile computes these margins by itself.  So tiles do some work twice, and never wait for one another.
 *
 *     columns read   |<-- depth -->|<----- the tile ----->|<-- depth -->|
 *     sweep 1          ------------------------------------------------        a margin of depth - 1
 *     sweep 2            --------------------------------------------          one less on each side
 *     ...
 *     last sweep                   ------------------------                    the tile alone
 *
 * A narrow image would leave most of a tile empty.  So a tile of it holds several bands side by side, whole rows of each:
 *
 *     | band 0 | band 1 | band 2 | band 3 |    rows of the tile: the first of each band, the second of each ...
 *
 * What a band's first and last column get from their neighbours is not used, because no sweep changes these columns.
 */
#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/stencil.h"
#include "share_out.h" /* share_out: equal parts, or the next rows for each free core */

#define DEPTH 16                       /* sweeps a pass, at most */
#define STRIP ((size_t)768)            /* columns of a tile: six of its rows are 18 KiB */
#define NARROW_TILE ((size_t)256)      /* columns: a tile has several bands of a narrower image, */
#define HIGH ((size_t)64)              /* each at least so high, since 2 * DEPTH rows more pass through it */

enum { LINE = 16 /* pixels in a line of cache */ };

/* The variant's vector code.  A single sweep: rows top to bottom - 1 of the image; what it does with
   the first and the last row does not matter. */
static void smooth_rows(size_t rows, size_t cols, const float *in, float *out, size_t top,
                        size_t bottom, bool stream);
static size_t rows_at_once_f32(size_t cols); /* how many of them at a time */
/* In a tile, where all rows are aligned and have room at both ends: to[i][c] for c < n, a multiple
   of LINE, from three of the four rows, i to i + 2. */
static void smooth_pair(const float *const from[4], float *const to[2], size_t n);
/* The same, but where `kept` has ones to[i][c] is from[i + 1][c].  It has a bit for each column. */
static void smooth_pair_kept(const float *const from[4], float *const to[2], size_t n, const uint16_t *kept);

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* a - b, but at least `low` */
static size_t less(size_t a, size_t b, size_t low)
{
    return a > b + low ? a - b : low;
}

static size_t round_up(size_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

/* Prefetches pixels first to last - 1.  Strips are too narrow for the hardware's own prefetching. */
static void ask_memory(const float *row, size_t first, size_t last)
{
    for (size_t c = first; c < last; c += LINE)
        _mm_prefetch((const char *)(row + c), _MM_HINT_T1);
}

/* Writes n pixels to the image; `stream`: whole cache lines go straight to memory. */
static void put_row(const float *from, float *to, size_t n, bool stream)
{
    size_t i = 0;

    if (stream) {
        for (; i < n && ((uintptr_t)(to + i) & 63) != 0; i++)
            to[i] = from[i];
        for (; i + LINE <= n; i += LINE)
            for (size_t j = i; j < i + LINE; j += 4)
                _mm_stream_ps(to + j, _mm_loadu_ps(from + j));
    }
    memcpy(to + i, from + i, (n - i) * sizeof *to);
}

/* Computes out[r][c] for top <= r < bottom, left <= c < right, except the image's first and last row. */
static void smooth_tile(const struct stencil *p, size_t depth, const float *in, float *out,
                        size_t top, size_t bottom, size_t left, size_t right)
{
    size_t rows = p->rows, cols = p->cols;
    size_t origin = less(left, depth, 0), end = least(right + depth, cols); /* of the columns that are read */
    size_t n = round_up(end - origin, LINE), pitch = LINE + n + LINE, pair = 2 * pitch;
    size_t bytes = (depth + 3) * pair * sizeof(float);
    float *room = memset(aligned_alloc(64, bytes), 0, bytes);
    float *head = room + LINE, *foot = head + pitch; /* both, and all rows below, begin at column `origin` */
    float *fresh = head + pair, *spare = fresh + pair;
    float *made[DEPTH]; /* input of sweep s + 1: two rows, made in the step before */
    bool stream = rows * cols * sizeof *out >= STREAM_FROM;

    for (size_t sweep = 0; sweep < depth; sweep++)
        made[sweep] = spare + (sweep + 1) * pair;
    /* The image's first and last row never change: one copy serves all sweeps. */
    memcpy(head, in + origin, (end - origin) * sizeof *in);
    memcpy(foot, in + (rows - 1) * cols + origin, (end - origin) * sizeof *in);

    /* In each step rows `front` and the next are copied in, sweep 1 makes the two that begin one row above, and so on. */
    for (size_t front = less(top, depth, 0); front < bottom + depth; front += 2) {
        for (size_t i = 0; i < 2 && front + i < rows; i++)
            memcpy(fresh + i * pitch, in + (front + i) * cols + origin,
                   (end - origin) * sizeof *in);

        for (size_t sweep = 1; sweep <= depth; sweep++) {
            size_t margin = depth - sweep, r = front - sweep; /* wraps above the image */
            size_t begin = less(top, margin, 1), stop = least(bottom + margin, rows - 1);
            float *before = made[sweep - 1], *to = spare;
            const float *from[4] = {before, before + pitch, fresh, fresh + pitch};

            for (size_t row = front + 2; row < least(front + 4, rows); row++) /* a part of it */
                ask_memory(in + row * cols, origin + n * (sweep - 1) / depth,
                           least(origin + n * sweep / depth, cols));

            made[sweep - 1] = fresh; /* the next sweep writes where this one has read */
            fresh = spare;
            spare = before;
            if ((r < begin || r >= stop) && (r + 1 < begin || r + 1 >= stop))
                continue;
            for (size_t i = 0; i < 4; i++) { /* rows r - 1 to r + 2 */
                if (r - 1 + i == 0)
                    from[i] = head;
                if (r - 1 + i == rows - 1)
                    from[i] = foot;
            }
            /* All n columns are computed, although those beyond the margin come out wrong: that is cheaper than to
               leave them out.  The wrong part grows by one column per sweep, as the margin narrows by one. */
            smooth_pair(from, (float *[]){to, to + pitch}, n);
            for (size_t i = 0; i < 2; i++) {
                if (origin == 0)
                    to[i * pitch] = from[i + 1][0];
                if (end == cols)
                    to[i * pitch + cols - 1 - origin] = from[i + 1][cols - 1 - origin];
            }
        }
        for (size_t i = 0, r = front - depth; i < 2; i++, r++)
            if (r >= less(top, 0, 1) && r < least(bottom, rows - 1))
                put_row(fresh + i * pitch + left - origin, out + r * cols + left, right - left,
                        stream);
    }
    _mm_sfence(); /* streaming stores are not ordered with others: wait for them here */
    free(room);
}

/* Bands of a narrow image, side by side in a tile: `count` of them, `height` rows each, from row `first` on.  The last may
   end with the image, or lie outside of it. */
struct bands {
    size_t first, height, count;
};

/* Copies row r of the image to its place in a row of the tile that begins with row `start`, if it has one. */
static void keep_row(const struct bands *b, size_t start, size_t r, const float *from, float *to, size_t cols)
{
    const size_t band = r >= start ? (r - start) / b->height : b->count;

    if (band < b->count && start + band * b->height == r)
        memcpy(to + band * cols, from + band * cols, cols * sizeof *to);
}

/* Computes these bands.  Rows and sweeps are counted as in smooth_tile, but from `depth` rows above the band on. */
static void smooth_bands(const struct stencil *p, size_t depth, const float *in, float *out, const struct bands *b)
{
    const size_t rows = p->rows, cols = p->cols, n = round_up(b->count * cols, LINE);
    const size_t pitch = LINE + n + LINE, pair = 2 * pitch, bytes = (depth + 2) * pair * sizeof(float);
    float *room = memset(aligned_alloc(64, bytes), 0, bytes);
    float *fresh = room + LINE, *spare = fresh + pair, *made[DEPTH];
    uint16_t *kept = calloc(n / LINE, sizeof *kept); /* the first and the last column of each band */

    for (size_t sweep = 0; sweep < depth; sweep++)
        made[sweep] = spare + (sweep + 1) * pair;
    for (size_t c = 0; c < b->count * cols; c += cols) {
        kept[c / LINE] |= (uint16_t)(1 << c % LINE);
        kept[(c + cols - 1) / LINE] |= (uint16_t)(1 << (c + cols - 1) % LINE);
    }
    for (size_t front = 0; front < b->height + 2 * depth; front += 2) {
        for (size_t i = 0; i < 2; i++)
            for (size_t band = 0, r = b->first + front + i; band < b->count; band++, r += b->height)
                if (r >= depth && r - depth < rows)
                    memcpy(fresh + i * pitch + band * cols, in + (r - depth) * cols, cols * sizeof *in);

        for (size_t sweep = 1; sweep <= depth; sweep++) {
            float *before = made[sweep - 1], *to = spare;
            const float *from[4] = {before, before + pitch, fresh, fresh + pitch};

            smooth_pair_kept(from, (float *[]){to, to + pitch}, n, kept);
            for (size_t i = 0; i < 2; i++) { /* the image's first and last row */
                keep_row(b, b->first + front + i, depth + sweep, from[i + 1], to + i * pitch, cols);
                keep_row(b, b->first + front + i, depth + sweep + rows - 1, from[i + 1], to + i * pitch, cols);
            }
            made[sweep - 1] = fresh;
            fresh = spare;
            spare = before;
        }
        for (size_t i = 0; i < 2; i++)
            for (size_t band = 0, r = b->first + front + i; band < b->count; band++, r += b->height)
                if (front + i >= 2 * depth && front + i < b->height + 2 * depth && r - 2 * depth < rows)
                    memcpy(out + (r - 2 * depth) * cols, fresh + i * pitch + band * cols, cols * sizeof *out);
    }
    free(kept);
    free(room);
}

/* A single sweep has nothing to keep in the cache, so it needs no tiles. */
static void smooth_once(const struct stencil *p, const float *in, float *out)
{
    size_t rows = p->rows, step = rows_at_once_f32(p->cols);
    bool stream = share_out(rows * p->cols * sizeof *out, step * p->cols * sizeof *out);

#pragma omp parallel
    {
#pragma omp for schedule(runtime) nowait
        for (size_t r = 0; r < rows; r += step)
            smooth_rows(rows, p->cols, in, out, r, least(r + step, rows), stream);
        _mm_sfence();
    }
}

/* Makes `depth` sweeps of the whole image, in one pass over memory. */
static void smooth_pass(const struct stencil *p, size_t depth, const float *in, float *out)
{
    size_t strips = (p->cols + STRIP - 1) / STRIP;
    size_t width = round_up((p->cols + strips - 1) / strips, LINE); /* rounding up may leave fewer strips */
    size_t threads = (size_t)omp_get_max_threads(), bands = 1;

    while (bands * strips % threads > 0) /* as few bands as give all threads equally many tiles */
        bands++;
    memcpy(out, in, p->cols * sizeof *out);
    memcpy(out + (p->rows - 1) * p->cols, in + (p->rows - 1) * p->cols, p->cols * sizeof *out);
    if (depth == 1) {
        smooth_once(p, in, out);
        return;
    }
    share_out(p->rows * p->cols * sizeof *out, AT_A_TIME); /* tile by tile */
    if (p->cols < NARROW_TILE && least(STRIP / p->cols, p->rows / threads / HIGH) > 1) {
        const size_t side_by_side = least(STRIP / p->cols, p->rows / threads / HIGH);
        const size_t tiles = round_up(p->rows / side_by_side / (16 * HIGH) + 1, threads);
        const size_t height = (p->rows + tiles * side_by_side - 1) / (tiles * side_by_side);

#pragma omp parallel for schedule(runtime)
        for (size_t first = 0; first < p->rows; first += side_by_side * height)
            smooth_bands(p, depth, in, out, &(struct bands){first, height, side_by_side});
        return;
    }
#pragma omp parallel for collapse(2) schedule(runtime)
    for (size_t band = 0; band < bands; band++)
        for (size_t left = 0; left < p->cols; left += width)
            smooth_tile(p, depth, in, out, p->rows * band / bands, p->rows * (band + 1) / bands,
                        left, least(left + width, p->cols));
}

/* --- as in cpu_naive.c, with a pass where that has a sweep ------------------------------------ */

static float *scratch; /* as large as the image; NULL where one pass is enough */

static void prepare(const void *problem)
{
    const struct stencil *p = problem;

    scratch = p->sweeps > DEPTH ? malloc(p->rows * p->cols * sizeof *scratch) : NULL;
}

static void run(const void *problem)
{
    const struct stencil *p = problem;
    size_t passes = p->sweeps / DEPTH + (p->sweeps % DEPTH > 0);
    const float *from = p->in;

    if (p->sweeps == 0 || p->rows < 3 || p->cols < 3) {
        memcpy(p->out, p->in, p->rows * p->cols * sizeof *p->out);
        return;
    }
    for (size_t i = 0; i < passes; i++) {
        float *to = (passes - i) % 2 == 1 ? p->out : scratch;
        smooth_pass(p, p->sweeps / passes + (i < p->sweeps % passes), from, to);
        from = to;
    }
}

static void release(void)
{
    free(scratch);
    scratch = NULL;
}
