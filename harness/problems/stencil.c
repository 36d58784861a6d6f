/* stencil: common/stencil.h says what is computed; here are sizes, data, reference, judge, cost. */
#include "common/stencil.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "harness/parallel.h"
#include "harness/problem.h"
#include "harness/random.h"
#include "harness/user_data.h"

enum { ROWS, COLS, SWEEPS, BYTES };

static const struct size check_sizes[] = {
    {"nothing", {0, 0, 1, 0}},
    {"no rows", {0, 7, 1, 1}},
    {"no columns", {7, 0, 2, 0}},
    {"no sweeps", {31, 33, 0, 0}},
    {"no sweeps, bytes", {31, 33, 0, 1}},
    {"one pixel", {1, 1, 3, 0}},
    {"one row", {1, 64, 2, 1}},
    {"all border", {2, 65, 1, 0}},
    {"all border, upright", {65, 2, 3, 1}},
    {"one inner pixel", {3, 3, 1, 0}},
    {"one inner pixel, bytes", {3, 3, 2, 1}},
    {"one inner row", {3, 127, 2, 0}},
    {"one inner column", {127, 3, 2, 0}},
    {"under a warp", {31, 31, 1, 0}},
    {"a warp", {32, 32, 2, 0}},
    {"over a warp", {33, 33, 3, 0}},
    {"under a warp inside", {33, 32, 1, 1}},
    {"a warp inside", {34, 34, 1, 1}},
    {"over a warp inside", {35, 35, 4, 1}},
    {"prime", {131, 257, 1, 0}},
    {"prime, bytes", {257, 131, 1, 1}},
    {"prime, many sweeps", {127, 211, 17, 0}},
    {"prime, many sweeps, bytes", {211, 127, 17, 1}},
    {"wide", {19, 5003, 5, 0}},
    {"tall", {5003, 19, 9, 0}},
    {"many tiles", {517, 1031, 16, 0}},
    {"long", {1537, 3001, 1, 0}},
    {"long, bytes", {1537, 3001, 1, 1}},
    {NULL, {0}},
};

/* Two float32 images: S in a second-level cache, M beyond the last level of most, L and XL for
   devices. */
static const struct size bench_sizes[] = {
    {"S", {512, 512, 1, 0}},
    {"M", {4096, 4096, 1, 0}},
    {"L", {16384, 16384, 1, 0}},
    {"XL", {32768, 32768, 1, 0}},
    {NULL, {0}},
};

/* Square images, 32 KiB to 512 MiB with their answers. */
static const struct growth growth = {
    .from = {64, 64, 1, 0}, .grows = {true, true}, .to = 8192};

static const char *impossible(const size_t dims[])
{
    return dims[BYTES] > 1 ? "bytes is 0 (float32) or 1 (bytes)" : NULL;
}

static void shape(void *c, const size_t dims[], struct arena *arena)
{
    struct stencil *p = c;

    *p = (struct stencil){dims[ROWS], dims[COLS], dims[SWEEPS], dims[BYTES] != 0,
                          NULL,       NULL,       NULL,         NULL};
    if (p->bytes) {
        p->in8 = arena_input(arena, "in8", p->rows, p->cols, sizeof *p->in8);
        p->out8 = arena_output(arena, "out8", p->rows, p->cols, sizeof *p->out8);
    } else {
        p->in = arena_input(arena, "in", p->rows, p->cols, sizeof *p->in);
        p->out = arena_output(arena, "out", p->rows, p->cols, sizeof *p->out);
    }
}

enum { BLOCK = 16 };

/*
 * Blocks of 16 x 16 pixels, most of them random; of the others one shows by its value which row
 * and column was read, one shows how far a single pixel spreads, and one, of bytes, drives the sum
 * to its largest values.
 */
static float pixel_f32(uint64_t seed, uint64_t kind, size_t r, size_t c, size_t i)
{
    switch (kind) {
    case 0: return (float)(r % BLOCK * BLOCK + c % BLOCK) / 128.0f - 1.0f;
    case 1: return r % BLOCK == 7 && c % BLOCK == 9 ? 1000.0f : 0.0f;
    default: return random_float(seed, 0, i);
    }
}

static uint8_t pixel_u8(uint64_t seed, uint64_t kind, size_t r, size_t c, size_t i)
{
    switch (kind) {
    case 0: return (uint8_t)(r % BLOCK * BLOCK + c % BLOCK);
    case 1: return r % BLOCK == 7 && c % BLOCK == 9 ? 255 : 0;
    case 2: return (uint8_t)(255 - (random_bits(seed, 0, i) & 1));
    default: return (uint8_t)random_bits(seed, 0, i);
    }
}

struct filling {
    const struct stencil *p;
    uint64_t seed;
};

/* Rows of blocks. */
static void fill_blocks(void *context, size_t begin, size_t end)
{
    const struct filling *f = context;
    const struct stencil *p = f->p;
    float *in = (float *)p->in;
    uint8_t *in8 = (uint8_t *)p->in8;

    for (size_t row = begin * BLOCK; row < end * BLOCK && row < p->rows; row++)
        for (size_t left = 0; left < p->cols; left += BLOCK) {
            const size_t block = row / BLOCK * (p->cols / BLOCK + 1) + left / BLOCK;
            const uint64_t kind = random_bits(f->seed, 1, block) % 8;

            for (size_t col = left; col < left + BLOCK && col < p->cols; col++) {
                const size_t i = row * p->cols + col;

                if (p->bytes)
                    in8[i] = pixel_u8(f->seed, kind, row, col, i);
                else
                    in[i] = pixel_f32(f->seed, kind, row, col, i);
            }
        }
}

static void fill(void *c, uint64_t seed)
{
    struct stencil *p = c;
    struct filling f = {p, seed};

    parallel_for((p->rows + BLOCK - 1) / BLOCK, 1, fill_blocks, &f);
}

/* --- reference -------------------------------------------------------------------------------- */

/* Images of up to FULL pixels are answered in full, in bands of BAND rows or more; of larger ones
   PATCHES squares of SIDE pixels: the four corners, and others at random. */
enum { FULL = 1 << 24, BAND = 16, SIDE = 64, PATCHES = 256 };

struct solution {
    bool full;
    uint64_t seed;
    size_t patches, rows, cols; /* so many, each so large; the last band may have fewer rows */
    double numbers[]; /* of each patch: its pixels, then, but for bytes, means of absolute values */
};

struct patch {
    size_t top, left, rows;
    double *value, *size;
};

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static struct patch patch_at(const struct stencil *p, const struct solution *s, size_t i)
{
    const size_t pixels = s->rows * s->cols;
    const size_t lowest = p->rows - s->rows, rightmost = p->cols - s->cols;
    struct patch a = {.rows = s->rows};

    a.value = (double *)s->numbers + (p->bytes ? 1 : 2) * i * pixels;
    a.size = p->bytes ? a.value : a.value + pixels;
    if (s->full) {
        a.top = i * s->rows;
        a.rows = least(s->rows, p->rows - a.top);
        return a;
    }
    a.top = i < 4 ? i / 2 * lowest : random_bits(s->seed, 2, i) % (lowest + 1);
    a.left = i < 4 ? i % 2 * rightmost : random_bits(s->seed, 3, i) % (rightmost + 1);
    return a;
}

/* One sweep in float64 of a window, not empty, whose edges are kept.  Sums of nine bytes are exact. */
static void smooth(size_t rows, size_t cols, bool bytes, const double *from, double *to)
{
    memcpy(to, from, cols * sizeof *to);
    memcpy(to + (rows - 1) * cols, from + (rows - 1) * cols, cols * sizeof *to);
    for (size_t r = 1; r + 1 < rows; r++) {
        const double *here = from + r * cols, *above = here - cols, *below = here + cols;
        double *mean = to + r * cols;

        mean[0] = here[0];
        mean[cols - 1] = here[cols - 1];
#pragma omp simd
        for (size_t c = 1; c < cols - 1; c++) {
            const double sum = above[c - 1] + above[c] + above[c + 1] + here[c - 1] + here[c] +
                               here[c + 1] + below[c - 1] + below[c] + below[c + 1];

            mean[c] = sum / 9.0;
        }
        for (size_t c = 1; bytes && c < cols - 1; c++)
            mean[c] = floor(mean[c]);
    }
}

/* The pixels of one patch after all sweeps, or the means of their absolute values.  What a patch
   depends on lies within `sweeps` pixels of it: beyond, the window's edges are wrong, and do not
   reach it; or they are the edges of the image, and right to be kept. */
static bool solve_patch(const struct stencil *p, const struct patch *patch, size_t patch_cols,
                        bool absolute, double *answer)
{
    const size_t up = patch->top - least(p->sweeps, patch->top);
    const size_t west = patch->left - least(p->sweeps, patch->left);
    const size_t rows = least(p->rows - up, patch->top - up + patch->rows + p->sweeps);
    const size_t cols = least(p->cols - west, patch->left - west + patch_cols + p->sweeps);
    double *windows = malloc((2 * rows * cols + 1) * sizeof *windows);
    double *from = windows, *to = windows + rows * cols;

    if (windows == NULL)
        return false;
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < cols; c++) {
            const size_t i = (up + r) * p->cols + west + c;
            const double pixel = p->bytes ? (double)p->in8[i] : (double)p->in[i];
            from[r * cols + c] = absolute ? fabs(pixel) : pixel;
        }
    for (size_t sweep = 0; rows > 0 && cols > 0 && sweep < p->sweeps; sweep++) {
        smooth(rows, cols, p->bytes, from, to);
        double *swap = from;
        from = to;
        to = swap;
    }
    for (size_t r = 0; r < patch->rows; r++)
        memcpy(answer + r * patch_cols,
               from + (patch->top - up + r) * cols + (patch->left - west),
               patch_cols * sizeof *answer);
    free(windows);
    return true;
}

struct solving {
    const struct stencil *p;
    struct solution *s;
    atomic_bool short_of_memory;
};

static void solve_patches(void *context, size_t begin, size_t end)
{
    struct solving *w = context;

    for (size_t i = begin; i < end; i++) {
        const struct patch patch = patch_at(w->p, w->s, i);

        if (!solve_patch(w->p, &patch, w->s->cols, false, patch.value) ||
            (!w->p->bytes && !solve_patch(w->p, &patch, w->s->cols, true, patch.size)))
            atomic_store(&w->short_of_memory, true);
    }
}

static void *solve(const void *c, uint64_t seed)
{
    const struct stencil *p = c;
    const bool full = p->rows * p->cols <= FULL;
    const size_t band = p->sweeps < BAND / 4 ? BAND : 4 * p->sweeps; /* or most of it were margin */
    const size_t rows = least(p->rows, full ? band : SIDE), cols = full ? p->cols : least(p->cols, SIDE);
    const size_t patches = full ? parallel_chunks(p->rows, rows) : PATCHES;
    const size_t numbers = (p->bytes ? 1 : 2) * patches * rows * cols;
    struct solution *s = malloc(sizeof *s + numbers * sizeof *s->numbers);
    struct solving w = {.p = p, .s = s};

    if (s == NULL)
        return NULL;
    *s = (struct solution){full, seed, patches, rows, cols};
    parallel_for(patches, 1, solve_patches, &w);
    if (atomic_load(&w.short_of_memory)) {
        free(s);
        return NULL;
    }
    return s;
}

/* --- judge ------------------------------------------------------------------------------------ */

/*
 * Bytes are exact: the limit is 0.  So are the border and no sweeps at all.  For float32, with unit
 * roundoff u, the sum of nine numbers x in any order takes 8 additions, and
 *
 *     |computed sum - sum x| <= 8u * sum |x|
 *
 * (N. J. Higham, Accuracy and Stability of Numerical Algorithms, section 4.2), leaving out u^2.
 *
 * The product with 1/9 adds a rounding, and 1/9 itself one more: 10u times the mean of |x|.  The
 * next sweep takes the mean of these errors, with the same weights as of |x|; so s sweeps are off
 * by at most
 *
 *     |error| <= gamma * A,    gamma = 10su / (1 - 10su),    A = |in| smoothed s times
 *
 * gamma covers all powers of u.  Below the smallest normal number u no longer bounds the rounding
 * of a product; half the smallest subnormal number does, once a sweep.
 */
struct question {
    const struct stencil *p;
    const struct solution *s;
    double gamma, underflow;
};

/* The limits of `count` pixels of a row, from column `left` on. */
static void row_limits(const struct question *q, size_t row, size_t left, size_t count,
                       const double size[], double limit[])
{
    const struct stencil *p = q->p;

    if (p->bytes || p->sweeps == 0 || row == 0 || row == p->rows - 1) {
        memset(limit, 0, count * sizeof *limit);
        return;
    }
    for (size_t i = 0; i < count; i++)
        limit[i] = q->gamma * size[i] + q->underflow;
    if (left == 0)
        limit[0] = 0.0;
    if (left + count == p->cols)
        limit[count - 1] = 0.0;
}

static bool judge_row(struct verdict *v, const struct question *q, size_t row, size_t left,
                      const double value[], const double size[])
{
    enum { PIECE = 1024 };
    const struct stencil *p = q->p;
    double limit[PIECE];
    float bytes[PIECE];

    for (size_t at = 0; at < q->s->cols; at += PIECE) {
        const size_t count = least(q->s->cols - at, PIECE), i = row * p->cols + left + at;

        for (size_t k = 0; p->bytes && k < count; k++)
            bytes[k] = p->out8[i + k];
        row_limits(q, row, left + at, count, size + at, limit);
        if (!verdict_see_row(v, p->bytes ? "out8" : "out", i, count, p->bytes ? bytes : p->out + i,
                             value + at, limit))
            return false;
    }
    return true;
}

static void judge_patches(struct verdict *v, const void *context, size_t begin, size_t end)
{
    const struct question *q = context;

    for (size_t i = begin; i < end; i++) {
        const struct patch a = patch_at(q->p, q->s, i);

        for (size_t r = 0; r < a.rows; r++)
            if (!judge_row(v, q, a.top + r, a.left, a.value + r * q->s->cols,
                           a.size + r * q->s->cols))
                return;
    }
}

/* Where only patches were compared, no pixel may have been left as it was before the run. */
static void judge_written(struct verdict *v, const void *context, size_t begin, size_t end)
{
    const struct stencil *p = ((const struct question *)context)->p;

    for (size_t row = begin; row < end; row++) {
        const float *out = p->out + row * p->cols;
        unsigned missing = 0;

#pragma omp simd reduction(| : missing)
        for (size_t c = 0; c < p->cols; c++)
            missing |= !(fabsf(out[c]) < INFINITY);
        for (size_t c = 0; missing && c < p->cols; c++)
            if (!isfinite(out[c])) {
                verdict_see(v, "out", row * p->cols + c, out[c], 0.0, 0.0);
                return;
            }
    }
}

static struct verdict judge(const void *c, const void *solution, enum math math)
{
    const struct stencil *p = c;
    const struct solution *s = solution;
    const double u = math_unit(math == MATH_F64 ? MATH_F32 : math); /* stored as float32 anyway */
    const double n = 10.0 * (double)p->sweeps * u;
    const struct question q = {p, s, n < 1.0 ? n / (1.0 - n) : INFINITY,
                               (double)p->sweeps * 0x1p-150};
    const size_t pixels = s->rows * s->cols + 1;
    struct verdict v = verdict_of(s->patches, (1 << 16) / pixels + 1, judge_patches, &q);

    if (!s->full && !p->bytes && v.finite) {
        const struct verdict all = verdict_of(p->rows, 16, judge_written, &q);
        verdict_add(&v, &all);
    }
    v.columns = p->cols;
    return v;
}

static struct cost cost(const size_t dims[])
{
    double pixels = (double)dims[ROWS] * (double)dims[COLS];
    double sweeps = (double)dims[SWEEPS];

    return (struct cost){
        .flops = 9.0 * pixels * sweeps,
        .bytes = (dims[BYTES] ? 2.0 : 8.0) * pixels * fmax(sweeps, 1.0), /* none at all is a copy */
        .items = pixels * fmax(sweeps, 1.0),
    };
}

/* Sums of three along the rows, of these along the columns, and a multiplication. */
static struct cost least_cost(const size_t dims[])
{
    return (struct cost){.flops = 5.0 * (double)dims[ROWS] * (double)dims[COLS] *
                                  (double)dims[SWEEPS]};
}

PROBLEM(.formula = "out = mean of 3x3 of in", .axes = {"rows", "cols", "sweeps", "bytes"},
        .rate = RATE_ITEMS, .item = "pixels", .check_sizes = check_sizes,
        .bench_sizes = bench_sizes, .growth = &growth, .case_bytes = sizeof(struct stencil),
        .impossible = impossible, .shape = shape, .fill = fill, .solve = solve, .judge = judge,
        .cost = cost, .least = least_cost, .data = &stencil_data)