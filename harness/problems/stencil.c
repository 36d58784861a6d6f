/* stencil: sizes, data, cost.  common/stencil.h defines the problem; stencil_judge.c is its judge. */
#include "common/stencil.h"

#include <math.h>
#include <string.h>

#include "harness/base/parallel.h"
#include "harness/base/random.h"
#include "harness/model/problem.h"
#include "harness/problems/stencil.h"

enum { ROWS, COLS, SWEEPS, BYTES };

static const struct member members[] = {
    SCALAR(stencil, rows, MEMBER_U8), SCALAR(stencil, cols, MEMBER_U8), SCALAR(stencil, sweeps, MEMBER_U8),
    SCALAR(stencil, bytes, MEMBER_I4), INPUT(stencil, in, MEMBER_F4, "rows,cols"),
    OUTPUT(stencil, out, MEMBER_F4, "rows,cols"), INPUT(stencil, in8, MEMBER_U1, "rows,cols"),
    OUTPUT(stencil, out8, MEMBER_U1, "rows,cols"), {.name = NULL},
};

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
    {"narrow", {2003, 33, 16, 0}},
    {"narrow, aligned", {2001, 32, 16, 0}},
    {"narrow, bytes", {3001, 33, 2, 1}},
    {"low, bytes", {33, 3001, 2, 1}},
    {"low, many sweeps", {29, 1503, 16, 0}},
    {"three rows", {3, 4003, 16, 0}},
    {"three columns", {4003, 3, 16, 0}},
    {"three columns, bytes", {5, 3, 1, 1}},
    {"seven columns, bytes", {1003, 7, 3, 1}},
    {"many tiles", {517, 1031, 16, 0}},
    {"long", {1537, 3001, 1, 0}},
    {"long, bytes", {1537, 3001, 1, 1}},
    {NULL, {0}},
};

/* Two float32 images: S fits a second-level cache, M exceeds most last-level caches, L and XL are for
   GPUs. */
static const struct size bench_sizes[] = {
    {"S", {512, 512, 1, 0}},
    {"M", {4096, 4096, 1, 0}},
    {"L", {16384, 16384, 1, 0}},
    {"XL", {32768, 32768, 1, 0}},
    {NULL, {0}},
};

/* Square images, 32 KiB to 512 MiB including their answers. */
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
 * Blocks of 16 x 16 pixels, most of them random.  Of the others, one shows by its values which row and
 * column was read, one shows how far a single pixel spreads, and one, of bytes, drives the sum to its
 * largest values.
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

/* Puts in pixels far beyond the usual range of an image.  None are so small that a mean could be
   subnormal, because the tolerance holds for normal numbers. */
static void trouble(void *c, uint64_t seed)
{
    struct stencil *p = c;

    if (!p->bytes)
        random_trouble((float *)p->in, p->rows * p->cols, seed, 2, -20, 20);
}

static void touch(const void *c, const struct slot *array, size_t index, void *element, uint64_t seed)
{
    const float value = random_float(seed, 0, 0);

    (void)c, (void)index;
    if (array->element == sizeof value)
        memcpy(element, &value, sizeof value);
    else
        *(uint8_t *)element = (uint8_t)random_bits(seed, 0, 0);
}

static struct cost cost(const size_t dims[])
{
    double pixels = (double)dims[ROWS] * (double)dims[COLS];
    double sweeps = (double)dims[SWEEPS];

    return (struct cost){
        .flops = 9.0 * pixels * sweeps,
        .bytes = (dims[BYTES] ? 2.0 : 8.0) * pixels * fmax(sweeps, 1.0), /* with 0 sweeps it is a copy */
        .items = pixels * fmax(sweeps, 1.0),
    };
}

/* Sums of three along the rows, sums of these along the columns, and a multiplication; for the border nothing. */
static struct cost least_cost(const size_t dims[])
{
    return (struct cost){.flops = 5.0 * fmax((double)dims[ROWS] - 2.0, 0.0) * fmax((double)dims[COLS] - 2.0, 0.0) *
                                  (double)dims[SWEEPS]};
}

PROBLEM(.formula = "out = mean of 3x3 of in", .axes = {"rows", "cols", "sweeps", "bytes"},
        .rate = RATE_ITEMS, .item = "pixels", .check_sizes = check_sizes,
        .bench_sizes = bench_sizes, .growth = &growth, .case_bytes = sizeof(struct stencil), .members = members,
        .impossible = impossible, .shape = shape, .fill = fill, .solve = stencil_solve, .judge = stencil_judge,
        .trouble = trouble, .touch = touch, .cost = cost, .least = least_cost, .data = &stencil_data)