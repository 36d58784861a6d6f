/* align: sizes, data, cost.  common/align.h defines the problem; align_judge.c is its judge. */
#include "common/align.h"

#include <math.h>
#include <string.h>

#include "harness/base/parallel.h"
#include "harness/base/random.h"
#include "harness/problems/align.h"

enum { PAIRS, ROWS, COLS };

static const struct member members[] = {
    SCALAR(align, pairs, MEMBER_U8),
    SCALAR(align, rows, MEMBER_U8),
    SCALAR(align, cols, MEMBER_U8),
    INPUT(align, a, MEMBER_F4, "pairs,rows,cols"),
    INPUT(align, b, MEMBER_F4, "pairs,rows,cols"),
    INPUT(align, eps, MEMBER_F4, "pairs"),
    OUTPUT(align, peak, MEMBER_U4, "pairs"),
    OUTPUT(align, height, MEMBER_F4, "pairs"),
    OUTPUT(align, shift, MEMBER_F4, "pairs,2"),
    {.name = NULL},
};

static const struct size check_sizes[] = {
    {"no pairs", {0, 8, 8}},          {"one pixel", {3, 1, 1}},
    {"one row", {2, 1, 64}},          {"one column", {2, 64, 1}},
    {"two by two", {3, 2, 2}},        {"odd primes", {1, 3, 5}},
    {"7 and 3 squared", {2, 7, 9}},   {"every kind of data", {8, 15, 21}},
    {"a warp", {8, 32, 32}},          {"not square", {9, 35, 64}},
    {"every kind, even", {8, 64, 48}}, {"a factor of 25", {3, 100, 36}},
    {"powers of 3 and 5", {2, 81, 125}}, {"nearly square", {1, 256, 250}},
    {"tall", {1, 1000, 27}},          {"7 cubed", {1, 343, 128}},
    {"powers of two", {8, 64, 128}},  {"as in XL", {8, 128, 128}},
    {"256 and 512", {1, 256, 512}},   {"1024, low", {1, 64, 1024}},
    {"2048, tall", {1, 2048, 32}},    {"4096, low", {1, 32, 4096}},
    {"4096, tall", {1, 4096, 32}},
    {NULL, {0}},
};

/* S: both images fit a second-level cache; M: a third-level cache.  L is past all caches, XL many small pairs. */
static const struct size bench_sizes[] = {
    {"S", {1, 256, 256}}, {"M", {1, 1024, 1024}}, {"L", {1, 4096, 4096}}, {"XL", {16384, 128, 128}}, {NULL, {0}},
};

/* 8 KiB to 512 MiB. */
static const struct growth growth = {.from = {1, 32, 32}, .grows = {false, true, true}, .to = 8192};

static const char *impossible(const size_t dims[])
{
    if (!align_smooth(dims[ROWS]) || !align_smooth(dims[COLS]))
        return "rows and cols are products of 2, 3, 5 and 7";
    return dims[ROWS] > UINT32_MAX / dims[COLS] ? "an image has fewer than 2^32 pixels" : NULL;
}

static void shape(void *c, const size_t dims[], struct arena *arena)
{
    struct align *p = c;
    const size_t pixels = dims[ROWS] * dims[COLS];

    p->pairs = dims[PAIRS];
    p->rows = dims[ROWS];
    p->cols = dims[COLS];
    p->a = arena_input(arena, "a", p->pairs, pixels, sizeof *p->a);
    p->b = arena_input(arena, "b", p->pairs, pixels, sizeof *p->b);
    p->eps = arena_input(arena, "eps", p->pairs, 1, sizeof *p->eps);
    p->peak = arena_output(arena, "peak", p->pairs, 1, sizeof *p->peak);
    p->height = arena_output(arena, "height", p->pairs, 1, sizeof *p->height);
    p->shift = arena_output(arena, "shift", p->pairs, 2, sizeof *p->shift);
}

/* --- data ------------------------------------------------------------------------------------- */

enum { TEXTURE = 1, SHIFT, NOISE, FRACTION, WAVES, PLACE, VALUE }; /* streams of random numbers */

enum mood {
    ORDINARY,
    PURE,     /* no noise */
    NOISY,    /* twice as much */
    COSINES,  /* a few whole frequencies, shifted by parts of a pixel, in noise */
    TILED,    /* 16 x 16 pixels again and again: many equal peaks */
    CONSTANT, /* 0, or 3.7 everywhere */
    PIXEL,    /* a single bright one */
    LARGE,    /* times 2^40: |A|^2 |B|^2 overflows, |A|^2 and |B|^2 do not */
    SMALL,    /* times 2^-48, a with its sign changed: |A|^2 |B|^2 vanishes, and the peak of the inverse transform is negative */
    MOODS = SMALL
};

struct images {
    const struct align *p;
    uint64_t seed;
    bool moody;
};

struct pair {
    size_t number, shift[2];
    double fraction[2]; /* of a pixel; for cosines only */
    enum mood mood;
};

/* Any shift, and often those at which signs and edges go wrong: none, half of the length, all but one. */
static size_t shift_of(size_t length, uint64_t bits)
{
    switch (bits % 6) {
    case 0: return 0;
    case 1: return length / 2;
    case 2: return length - 1;
    default: return length > 0 ? (size_t)(bits / 6 % length) : 0;
    }
}

static struct pair pair_of(const struct images *im, size_t number)
{
    const size_t moods = number + im->p->rows + im->seed;

    return (struct pair){
        number,
        {shift_of(im->p->rows, random_bits(im->seed, SHIFT, 2 * number)),
         shift_of(im->p->cols, random_bits(im->seed, SHIFT, 2 * number + 1))},
        {random_unit(im->seed, FRACTION, 2 * number), random_unit(im->seed, FRACTION, 2 * number + 1)},
        im->moody ? (enum mood)(PURE + moods % MOODS) : ORDINARY,
    };
}

/* Twelve cosines of whole frequencies, so that they fit around the edges. */
static double waves(const struct images *im, const struct pair *pair, double row, double col)
{
    enum { EACH = 3 };
    const double rows = (double)im->p->rows, cols = (double)im->p->cols;
    double sum = 0.0;

    for (size_t i = 0; i < 12; i++) {
        const uint64_t at = (12 * pair->number + i) * EACH;
        const double of_rows = floor(random_unit(im->seed, WAVES, at) * rows);
        const double of_cols = floor(random_unit(im->seed, WAVES, at + 1) * cols);

        sum += cos(2.0 * M_PI * (of_rows * row / rows + of_cols * col / cols + random_unit(im->seed, WAVES, at + 2)));
    }
    return sum;
}

/* The picture at a place; both images show it. */
static float picture(const struct images *im, const struct pair *pair, size_t row, size_t col)
{
    const size_t first = pair->number * im->p->rows * im->p->cols;

    switch (pair->mood) {
    case COSINES: return 0.0f; /* see waves */
    case TILED: return random_float(im->seed, TEXTURE, first + row % 16 * 16 + col % 16);
    case CONSTANT: return random_bits(im->seed, PLACE, pair->number) % 2 == 0 ? 0.0f : 3.7f;
    case PIXEL:
        return row * im->p->cols + col == random_bits(im->seed, PLACE, pair->number) % (im->p->rows * im->p->cols) ? 5.0f
                                                                                                               : 0.0f;
    default: return random_float(im->seed, TEXTURE, first + row * im->p->cols + col);
    }
}

static float noise_of(enum mood mood)
{
    static const float share[] = {[ORDINARY] = 0.25f, [NOISY] = 0.5f, [COSINES] = 0.0625f, [LARGE] = 0.25f,
                                  [SMALL] = 0.25f};

    return share[mood];
}

static void fill_rows(void *context, size_t begin, size_t end)
{
    const struct images *im = context;
    const size_t rows = im->p->rows, cols = im->p->cols;

    for (size_t i = begin; i < end; i++) {
        const struct pair pair = pair_of(im, i / rows);
        const size_t row = i % rows, from_row = (row + rows - pair.shift[0]) % rows;
        const float noise = noise_of(pair.mood);
        float *a = (float *)im->p->a + i * cols, *b = (float *)im->p->b + i * cols;

        for (size_t col = 0; col < cols; col++) {
            const size_t from_col = (col + cols - pair.shift[1]) % cols;

            b[col] = picture(im, &pair, row, col);
            a[col] = picture(im, &pair, from_row, from_col) + noise * random_float(im->seed, NOISE, i * cols + col);
            if (pair.mood == COSINES) {
                b[col] = (float)waves(im, &pair, (double)row, (double)col) +
                         noise * random_float(im->seed, TEXTURE, i * cols + col);
                a[col] += (float)waves(im, &pair, (double)from_row - pair.fraction[0],
                                       (double)from_col - pair.fraction[1]);
            } else if (pair.mood == LARGE) {
                a[col] *= 0x1p40f;
                b[col] *= 0x1p40f;
            } else if (pair.mood == SMALL) {
                a[col] *= -0x1p-48f;
                b[col] *= 0x1p-48f;
            }
        }
    }
}

static double norm(const float *x, size_t n)
{
    double sum = 0.0;

    for (size_t i = 0; i < n; i++)
        sum += (double)x[i] * x[i];
    return sqrt(sum);
}

/* Bins 90 dB below the images' energy fade, so that those with nothing but rounding errors do not count. */
float align_eps(const float *a, const float *b, size_t n)
{
    return (float)fmax(0x1p-30 * norm(a, n) * norm(b, n), 0x1p-126);
}

static void fill_eps(void *context, size_t begin, size_t end)
{
    const struct images *im = context;
    const size_t n = im->p->rows * im->p->cols;

    for (size_t i = begin; i < end; i++)
        ((float *)im->p->eps)[i] = align_eps(im->p->a + i * n, im->p->b + i * n, n);
}

static void fill_in_mood(const struct align *p, uint64_t seed, bool moody)
{
    enum { GRAIN = 1 << 14 };
    struct images im = {p, seed, moody};

    parallel_for(p->pairs * p->rows, GRAIN / p->cols + 1, fill_rows, &im);
    parallel_for(p->pairs, GRAIN / (p->rows * p->cols) + 1, fill_eps, &im);
}

static void fill(void *c, uint64_t seed)
{
    fill_in_mood(c, seed, false);
}

static void trouble(void *c, uint64_t seed)
{
    const struct align *p = c;

    if (p->pairs * p->rows * p->cols <= 1 << 17)
        fill_in_mood(p, seed, true);
}

/* A pixel as bright as all others together changes every phase; so does an eps as large as the average bin. */
static void touch(const void *c, const struct slot *array, size_t index, void *element, uint64_t seed)
{
    const struct align *p = c;
    const double n = (double)p->rows * (double)p->cols;
    const float value = array->start == (const char *)p->eps ? (float)(n * (0.25 + random_unit(seed, VALUE, index)))
                                                             : (float)sqrt(n) * random_float(seed, VALUE, index);

    memcpy(element, &value, sizeof value);
}

static struct cost cost(const size_t dims[])
{
    const double pairs = (double)dims[PAIRS], n = (double)dims[ROWS] * (double)dims[COLS];

    return (struct cost){.flops = pairs * (7.5 * n * log2(n) + 6.0 * n),
                         .bytes = pairs * (8.0 * n + 20.0),
                         .specials = pairs * 1.5 * n,
                         .items = pairs * n};
}

PROBLEM(.formula = "the shift of image a against image b, by phase correlation", .axes = {"pairs", "rows", "cols"},
        .rate = RATE_ITEMS, .item = "pixels", .check_sizes = check_sizes, .bench_sizes = bench_sizes, .growth = &growth,
        .case_bytes = sizeof(struct align), .members = members, .impossible = impossible, .shape = shape, .fill = fill,
        .trouble = trouble, .solve = align_solve, .judge = align_judge, .touch = touch, .cost = cost,
        .data = &align_data, .extra = true)
