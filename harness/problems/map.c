/* map: sizes and cost.  common/map.h defines the problem; map_data.c makes its data, map_judge.c is its judge. */
#include "common/map.h"

#include "harness/problems/map.h"

enum { N, F };

static const struct member members[] = {
    SCALAR(map, n, MEMBER_U8),           SCALAR(map, f, MEMBER_I4),
    SCALAR(map, threshold, MEMBER_I4),   INPUT(map, x, MEMBER_F4, "n"),
    INPUT(map, y, MEMBER_F4, "n"),       OUTPUT(map, z, MEMBER_F4, "n"),
    INPUT(map, x16, MEMBER_I2, "n"),     OUTPUT(map, z16, MEMBER_I2, "n"),
    {.name = NULL},
};

static const char *const functions[] = {
    [MAP_TRIG] = "trig", [MAP_RELDIFF] = "reldiff", [MAP_SUPPRESS] = "suppress", NULL};

#define EACH(label, n) {label, {n, MAP_TRIG}}, {label, {n, MAP_RELDIFF}}, {label, {n, MAP_SUPPRESS}}
static const struct size check_sizes[] = {
    EACH("nothing", 0),           EACH("one", 1),
    EACH("two", 2),               EACH("three", 3),
    EACH("under a warp", 31),     EACH("over a warp", 33),
    EACH("prime", 257),           EACH("under a block", 1023),
    EACH("over a block", 1025),   EACH("prime, long", 100003),
    EACH("odd, long", (1 << 18) + 7),
    {NULL, {0}},
};
#undef EACH

/* S fits a second-level cache, M exceeds most last-level caches, L and XL are for GPUs.  R and Z are M with the other functions. */
static const struct size bench_sizes[] = {
    {"S", {1 << 16, MAP_TRIG}},    {"M", {1 << 24, MAP_TRIG}},     {"L", {1 << 28, MAP_TRIG}},
    {"XL", {1 << 30, MAP_TRIG}},   {"R", {1 << 24, MAP_RELDIFF}},  {"Z", {1 << 24, MAP_SUPPRESS}},
    {NULL, {0}},
};

/* 12 KiB to 1.5 GiB of relative differences. */
static const struct growth growth = {.from = {1 << 10, MAP_RELDIFF}, .grows = {true, false}, .to = 1 << 27};

static const char *impossible(const size_t dims[])
{
    return dims[F] > MAP_SUPPRESS ? "f is trig (0), reldiff (1) or suppress (2)" : NULL;
}

static void shape(void *c, const size_t dims[], struct arena *arena)
{
    struct map *p = c;

    *p = (struct map){.n = dims[N], .f = (int)dims[F], .threshold = -1};
    if (p->f == MAP_SUPPRESS) {
        p->x16 = arena_input(arena, "x16", p->n, 1, sizeof *p->x16);
        p->z16 = arena_output(arena, "z16", p->n, 1, sizeof *p->z16);
    } else {
        p->x = arena_input(arena, "x", p->n, 1, sizeof *p->x);
        p->y = arena_input(arena, "y", p->n, 1, sizeof *p->y);
        p->z = arena_output(arena, "z", p->n, 1, sizeof *p->z);
    }
}

static struct cost cost(const size_t dims[])
{
    static const struct cost of_element[] = {
        [MAP_TRIG] = {.flops = 1.0, .specials = 2.0, .bytes = 12.0},
        [MAP_RELDIFF] = {.flops = 3.0, .specials = 1.0, .bytes = 12.0},
        [MAP_SUPPRESS] = {.bytes = 4.0},
    };
    const struct cost each = of_element[dims[F]];
    const double n = (double)dims[N];

    return (struct cost){.flops = n * each.flops, .specials = n * each.specials, .bytes = n * each.bytes, .items = n};
}

PROBLEM(.formula = "z = cos(x) + sin(y), or 2(x-y)/(x+y), or x where |x| > threshold", .axes = {"n", "f"},
        .words = {[F] = functions}, .rate = RATE_BYTES, .item = "elements", .check_sizes = check_sizes,
        .bench_sizes = bench_sizes, .growth = &growth, .case_bytes = sizeof(struct map), .members = members,
        .impossible = impossible, .shape = shape, .fill = map_fill, .trouble = map_trouble, .solve = map_solve,
        .judge = map_judge, .touch = map_touch, .cost = cost, .data = &map_data, .extra = true)
