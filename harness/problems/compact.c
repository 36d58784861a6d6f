/* compact: sizes, data, cost.  common/compact.h defines the problem; compact_judge.c is its judge. */
#include "common/compact.h"

#include <math.h>
#include <string.h>

#include "harness/base/parallel.h"
#include "harness/base/random.h"
#include "harness/problems/compact.h"

enum { N, PERCENT };

static const struct member members[] = {
    SCALAR(compact, n, MEMBER_U8), INPUT(compact, x, MEMBER_F4, "n"), OUTPUT(compact, kept, MEMBER_F4, "n"),
    OUTPUT(compact, count, MEMBER_U8, "1"), {.name = NULL},
};

static const struct size check_sizes[] = {
    {"nothing", {0, 20}},         {"one", {1, 20}},
    {"two", {2, 20}},             {"three", {3, 20}},
    {"under a warp", {31, 20}},   {"a warp", {32, 20}},
    {"over a warp", {33, 20}},    {"all kept", {33, 0}},
    {"half kept", {33, 50}},      {"none kept", {33, 100}},
    {"under a block", {255, 20}}, {"over a block", {257, 20}},
    {"under 1024", {1023, 20}},   {"over 1024", {1025, 20}},
    {"all of 1025", {1025, 0}},   {"half of 1025", {1025, 50}},
    {"none of 1025", {1025, 100}}, {"under a tile", {4095, 20}},
    {"over a tile", {4097, 20}},  {"ten thousand", {10000, 20}},
    {"over 2^16", {65537, 20}},   {"prime, long", {104729, 20}},
    {"all, long", {104729, 0}},   {"half, long", {104729, 50}},
    {"none, long", {104729, 100}}, {"odd, long", {(1 << 18) + 7, 20}},
    {NULL, {0}},
};

/* S fits a second-level cache, M exceeds most last-level caches, L and XL are for GPUs. */
static const struct size bench_sizes[] = {
    {"S", {1 << 16, 20}}, {"M", {1 << 24, 20}}, {"L", {1 << 28, 20}}, {"XL", {1 << 30, 20}}, {NULL, {0}},
};

/* 4 KiB to 512 MiB. */
static const struct growth growth = {.from = {1 << 10, 20}, .grows = {true, false}, .to = 1 << 27};

static const char *impossible(const size_t dims[])
{
    return dims[PERCENT] > 100 ? "nan is a percentage, at most 100" : NULL;
}

struct data {
    struct compact p; /* first: all that a variant sees */
    size_t percent;
};

static void shape(void *c, const size_t dims[], struct arena *arena)
{
    struct data *d = c;
    struct compact *p = &d->p;

    d->percent = dims[PERCENT];
    p->n = dims[N];
    p->x = arena_input(arena, "x", p->n, 1, sizeof *p->x);
    p->kept = arena_output(arena, "kept", p->n, 1, sizeof *p->kept);
    p->count = arena_output(arena, "count", 1, 1, sizeof *p->count);
}

/* --- data ------------------------------------------------------------------------------------- */

enum { WHERE = 1, KIND, VALUE, AWKWARD, MOOD }; /* streams of random numbers */

static float from_bits(uint32_t bits)
{
    float x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

/* A NaN of any sign and payload, half of them signalling. */
static float any_nan(uint64_t seed, size_t i)
{
    const uint32_t bits = (uint32_t)random_bits(seed, KIND, i) | 0x7f800000U;

    return from_bits((bits & 0x7fffffU) == 0 ? bits + 1 : bits);
}

/* Values that careless code drops, changes or takes for NaN: the neighbours of NaN's range are among them. */
static float any_number(uint64_t seed, size_t i)
{
    static const uint32_t awkward[] = {
        0x00000000, 0x80000000,             /* zeros */
        0x7f800000, 0xff800000,             /* infinities */
        0x7f7fffff, 0xff7fffff,             /* the largest in size */
        0x00000001, 0x80000001, 0x00000002, /* the smallest subnormal numbers */
        0x007fffff, 0x00800000,             /* the largest of these, and the smallest normal number */
    };
    enum { KINDS = sizeof awkward / sizeof awkward[0] };
    const uint64_t bits = random_bits(seed, AWKWARD, i);

    return bits % 64 == 0 ? from_bits(awkward[bits / 64 % KINDS]) : random_float(seed, VALUE, i);
}

/* Which elements are NaN. */
enum mood {
    ANYWHERE,
    FIRST_OF_256, /* so many at the beginning of each 256 elements, another number each time */
    WHOLE_TILES,  /* every other 1024 elements */
    ALL_BUT_ENDS  /* all but the first and the last element */
};

struct numbers {
    float *x;
    size_t n;
    uint64_t seed;
    double share; /* of NaN */
    enum mood mood;
};

static bool is_nan_at(const struct numbers *to, size_t i)
{
    switch (to->mood) {
    case ANYWHERE: break;
    case FIRST_OF_256: return i % 256 < random_bits(to->seed, MOOD, i / 256) % 257;
    case WHOLE_TILES: return (i / 1024 + to->seed) % 2 == 0;
    case ALL_BUT_ENDS: return i > 0 && i + 1 < to->n;
    }
    return random_unit(to->seed, WHERE, i) < to->share;
}

static void fill_range(void *context, size_t begin, size_t end)
{
    const struct numbers *to = context;

    for (size_t i = begin; i < end; i++)
        to->x[i] = is_nan_at(to, i) ? any_nan(to->seed, i) : any_number(to->seed, i);
}

static void fill_in_mood(const struct data *d, uint64_t seed, enum mood mood)
{
    enum { GRAIN = 1 << 16 };
    struct numbers to = {(float *)d->p.x, d->p.n, seed, (double)d->percent / 100.0, mood};

    parallel_for(d->p.n, GRAIN, fill_range, &to);
}

static void fill(void *c, uint64_t seed)
{
    fill_in_mood(c, seed, ANYWHERE);
}

/* Below 2^19 elements NaN come in patterns as well.  Without NaN, or with nothing else, the share stays as it is. */
static void trouble(void *c, uint64_t seed)
{
    const struct data *d = c;

    if (d->p.n < 1 << 19 && d->percent % 100 != 0)
        fill_in_mood(d, seed, (enum mood)((d->p.n + seed) % 4));
}

/* The value is no NaN, so that the answer changes whatever was there. */
static void touch(const void *c, const struct slot *array, size_t index, void *element, uint64_t seed)
{
    (void)c;
    (void)array;
    const float value = random_float(seed, 0, index);

    memcpy(element, &value, sizeof value);
}

/* Of n elements so many are kept at least.  The share of NaN in users' files is known to half a percent; that of random
   numbers strays by less than 8 standard deviations, which are at most sqrt(n)/2. */
static size_t written(const void *c, const struct slot *output)
{
    const struct data *d = c;
    const double n = (double)d->p.n,
                 least = n * (1.0 - (double)d->percent / 100.0) - n / 200.0 - 4.0 * sqrt(n);

    if (output->start != (const char *)d->p.kept)
        return 1; /* the count */
    return least > 0.0 ? (size_t)least : 0;
}

static struct cost cost(const size_t dims[])
{
    const double n = (double)dims[N], in = 4.0 * n, out = in * (1.0 - (double)dims[PERCENT] / 100.0) + 8.0;

    return (struct cost){.bytes = in + out, .items = n, .in = in, .out = out};
}

PROBLEM(.formula = "the elements of x that are not NaN, in order, and their number", .axes = {"n", "nan"},
        .rate = RATE_BYTES, .item = "elements", .check_sizes = check_sizes, .bench_sizes = bench_sizes,
        .growth = &growth, .case_bytes = sizeof(struct data), .members = members, .impossible = impossible,
        .shape = shape, .fill = fill, .trouble = trouble, .solve = compact_solve, .judge = compact_judge,
        .touch = touch, .written = written, .cost = cost, .data = &compact_data, .extra = true)
