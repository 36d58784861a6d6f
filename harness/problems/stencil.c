/* stencil: common/stencil.h says what is computed; here are sizes, data, reference, judge, cost. */
#include "common/stencil.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/*
 * Blocks of 16 x 16 pixels, most of them random; of the others one shows by its value which row
 * and column was read, one shows how far a single pixel spreads, and one, of bytes, drives the sum
 * to its largest values.
 */
static float pixel_f32(uint64_t seed, uint64_t kind, size_t r, size_t c, size_t i)
{
    switch (kind) {
    case 0: return (float)(r % 16 * 16 + c % 16) / 128.0f - 1.0f;
    case 1: return r % 16 == 7 && c % 16 == 9 ? 1000.0f : 0.0f;
    default: return random_float(seed, 0, i);
    }
}

static uint8_t pixel_u8(uint64_t seed, uint64_t kind, size_t r, size_t c, size_t i)
{
    switch (kind) {
    case 0: return (uint8_t)(r % 16 * 16 + c % 16);
    case 1: return r % 16 == 7 && c % 16 == 9 ? 255 : 0;
    case 2: return (uint8_t)(255 - (random_bits(seed, 0, i) & 1));
    default: return (uint8_t)random_bits(seed, 0, i);
    }
}

static void fill(void *c, uint64_t seed)
{
    struct stencil *p = c;
    float *in = (float *)p->in;
    uint8_t *in8 = (uint8_t *)p->in8;

    for (size_t row = 0, i = 0; row < p->rows; row++)
        for (size_t col = 0; col < p->cols; col++, i++) {
            uint64_t kind = random_bits(seed, 1, row / 16 * (p->cols / 16 + 1) + col / 16) % 8;
            if (p->bytes)
                in8[i] = pixel_u8(seed, kind, row, col, i);
            else
                in[i] = pixel_f32(seed, kind, row, col, i);
        }
}

/* --- reference -------------------------------------------------------------------------------- */

/* Images of up to FULL pixels are answered in full, of larger ones PATCHES squares of SIDE pixels:
   the four corners, and others at random. */
enum { FULL = 1 << 24, SIDE = 64, PATCHES = 256 };

struct solution {
    size_t patches, rows, cols; /* so many, each so large */
    size_t top[PATCHES], left[PATCHES];
    double numbers[]; /* of each patch: its pixels, then the means of absolute values */
};

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* One sweep in float64 of a window whose edges are kept, in place: an image is large, and `kept` has
   room for the two rows that are needed as they were.  Sums of nine bytes are exact. */
static void smooth(size_t rows, size_t cols, bool bytes, double *image, double *kept)
{
    double *above = kept, *here = kept + cols;

    memcpy(above, image, cols * sizeof *image);
    for (size_t r = 1; r + 1 < rows; r++) {
        const double *below = image + (r + 1) * cols;
        memcpy(here, image + r * cols, cols * sizeof *image);
        for (size_t c = 1; c + 1 < cols; c++) {
            const double *const three[] = {above, here, below};
            double sum = 0.0;
            for (size_t row = 0; row < 3; row++)
                for (size_t col = c - 1; col <= c + 1; col++)
                    sum += three[row][col];
            image[r * cols + c] = bytes ? floor(sum / 9.0) : sum / 9.0;
        }
        double *swap = above;
        above = here;
        here = swap;
    }
}

/* The pixels of one patch after all sweeps, or the means of their absolute values.  What a patch
   depends on lies within `sweeps` pixels of it: beyond, the window's edges are wrong, and do not
   reach it; or they are the edges of the image, and right to be kept. */
static bool solve_patch(const struct stencil *p, size_t top, size_t left, size_t patch_rows,
                        size_t patch_cols, bool absolute, double *answer)
{
    size_t up = top - least(p->sweeps, top), west = left - least(p->sweeps, left);
    size_t rows = least(p->rows - top, patch_rows + p->sweeps) + (top - up);
    size_t cols = least(p->cols - left, patch_cols + p->sweeps) + (left - west);
    const bool whole = rows == patch_rows && cols == patch_cols;
    double *image = whole ? answer : malloc((rows * cols + 1) * sizeof *image);
    double *kept = malloc((2 * cols + 1) * sizeof *kept);
    bool enough = image != NULL && kept != NULL;

    for (size_t r = 0; enough && r < rows; r++)
        for (size_t c = 0; c < cols; c++) {
            size_t i = (up + r) * p->cols + west + c;
            double pixel = p->bytes ? (double)p->in8[i] : (double)p->in[i];
            image[r * cols + c] = absolute ? fabs(pixel) : pixel;
        }
    for (size_t sweep = 0; enough && rows > 0 && sweep < p->sweeps; sweep++)
        smooth(rows, cols, p->bytes, image, kept);
    for (size_t r = 0; enough && !whole && r < patch_rows; r++)
        memcpy(answer + r * patch_cols, image + (top - up + r) * cols + (left - west),
               patch_cols * sizeof *image);
    if (!whole)
        free(image);
    free(kept);
    return enough;
}

static void *solve(const void *c, uint64_t seed)
{
    const struct stencil *p = c;
    bool full = p->rows * p->cols <= FULL;
    size_t rows = full ? p->rows : least(p->rows, SIDE);
    size_t cols = full ? p->cols : least(p->cols, SIDE);
    size_t patches = full ? 1 : PATCHES;
    struct solution *s = calloc(1, sizeof *s + 2 * patches * rows * cols * sizeof *s->numbers);

    if (s == NULL)
        return NULL;
    s->patches = patches;
    s->rows = rows;
    s->cols = cols;
    for (size_t i = 0; i < patches; i++) {
        double *value = s->numbers + 2 * i * rows * cols, *size = value + rows * cols;
        size_t lowest = p->rows - rows, rightmost = p->cols - cols;

        s->top[i] = i < 4 ? i / 2 * lowest : random_bits(seed, 2, i) % (lowest + 1);
        s->left[i] = i < 4 ? i % 2 * rightmost : random_bits(seed, 3, i) % (rightmost + 1);
        if (!solve_patch(p, s->top[i], s->left[i], rows, cols, false, value) ||
            !solve_patch(p, s->top[i], s->left[i], rows, cols, true, size)) {
            free(s);
            return NULL;
        }
    }
    return s;
}

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
static struct verdict judge(const void *c, const void *solution, enum math math)
{
    const struct stencil *p = c;
    const struct solution *s = solution;
    double u = math_unit(math == MATH_F64 ? MATH_F32 : math); /* stored as float32 all the same */
    double n = 10.0 * (double)p->sweeps * u;
    double gamma = n < 1.0 ? n / (1.0 - n) : INFINITY;
    struct verdict v = verdict_start();

    v.columns = p->cols;
    for (size_t i = 0; i < s->patches; i++) {
        const double *value = s->numbers + 2 * i * s->rows * s->cols;
        const double *size = value + s->rows * s->cols;

        for (size_t k = 0; k < s->rows * s->cols; k++) {
            size_t row = s->top[i] + k / s->cols, col = s->left[i] + k % s->cols;
            size_t at = row * p->cols + col;
            bool kept = row == 0 || col == 0 || row == p->rows - 1 || col == p->cols - 1;
            double got = p->bytes ? (double)p->out8[at] : (double)p->out[at];
            double limit = p->bytes || kept || p->sweeps == 0
                               ? 0.0
                               : gamma * size[k] + (double)p->sweeps * 0x1p-150;
            if (!verdict_see(&v, p->bytes ? "out8" : "out", at, got, value[k], limit))
                return v;
        }
    }
    /* Where only patches were compared, no pixel may have been left as it was before the run. */
    for (size_t at = 0; s->patches > 1 && !p->bytes && at < p->rows * p->cols; at++)
        if (!isfinite(p->out[at])) {
            verdict_see(&v, "out", at, p->out[at], 0.0, 0.0);
            break;
        }
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