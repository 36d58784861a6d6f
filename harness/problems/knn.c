/* knn: sizes, data, cost.  common/knn.h defines the problem; knn_judge.c is its judge. */
#include "common/knn.h"

#include <string.h>

#include "harness/base/parallel.h"
#include "harness/model/problem.h"
#include "harness/problems/knn.h"
#include "harness/problems/knn_kinds.h"

enum { M, N, K, DATA };

static const struct member members[] = {
    SCALAR(knn, m, MEMBER_U8), SCALAR(knn, n, MEMBER_U8), SCALAR(knn, k, MEMBER_U8),
    INPUT(knn, obs_lat, MEMBER_F4, "m"), INPUT(knn, obs_lon, MEMBER_F4, "m"),
    INPUT(knn, ref_lat, MEMBER_F4, "n"), INPUT(knn, ref_lon, MEMBER_F4, "n"),
    OUTPUT(knn, index, MEMBER_U4, "m,k"), OUTPUT(knn, distance, MEMBER_F4, "m,k"), {.name = NULL},
};

static const struct size check_sizes[] = {
    {"no observation", {0, 5, 1}},
    {"one pair", {1, 1, 1}},
    {"one reference", {33, 1, 1}},
    {"two, in order", {3, 2, 2}},
    {"three", {2, 3, 3}},
    {"under a warp", {31, 31, 1}},
    {"a warp", {32, 32, 8}},
    {"over a warp, all of them", {33, 33, 33}},
    {"with antipodes, all of them", {130, 130, 130}},
    {"a tile", {64, 64, 1}},
    {"over a tile", {65, 65, 2}},
    {"prime", {127, 257, 1}},
    {"prime, three nearest", {257, 127, 3}},
    {"prime, all of them", {31, 257, 257}},
    {"under a block", {257, 1023, 1}},
    {"over a block", {257, 1025, 8}},
    {"many observations", {4099, 65, 1}},
    {"many references", {65, 20011, 1}},
    {"many references, eight nearest", {33, 20011, 8}},
    {"places", {129, 771, 3, KNN_PLACES}},
    {"in order of latitude", {129, 1031, 1, KNN_COUNTRY}},
    {"a crowd", {127, 2053, 1, KNN_TOWN}},
    {"a crowd, twenty nearest", {65, 771, 20, KNN_TOWN}},
    {"a spiral", {129, 2053, 1, KNN_SPIRAL}},
    {"ties", {129, 771, 5, KNN_LATTICE}},
    {"copies", {129, 1031, 1, KNN_COPIES}},
    {"copies, more than a place has", {65, 1031, 33, KNN_COPIES}},
    {"a ragged line", {129, 771, 8, KNN_COAST}},
    {"a track", {129, 771, 1, KNN_TRACK}},
    {"at the date line", {257, 771, 2, KNN_DATELINE}},
    {NULL, {0}},
};

/* The references fit into a CPU's caches and a GPU's shared memory.  The number of observations grows
   from S to XL.  At XL, copying them to a device takes longer than the best method needs to answer
   them. */
static const struct size bench_sizes[] = {
    {"S", {1 << 12, 1 << 10, 1}},
    {"M", {1 << 16, 1 << 13, 1}},
    {"L", {1 << 18, 1 << 14, 1}},
    {"XL", {1 << 24, 1 << 14, 1}},
    {NULL, {0}},
};

/* Rankings have to tell points of a town apart, and indexes have all of them in one cell.  S costs little. */
static const struct size also = {"S-town", {1 << 12, 1 << 10, 1, KNN_TOWN}};

/* As many references as at M, and a growing number of observations: 16, in 64 KiB, to 4 million, in 64
   MiB. */
static const struct growth growth = {
    .from = {1 << 4, 1 << 13, 1}, .grows = {true}, .to = 1 << 22};

static const char *impossible(const size_t dims[])
{
    if (dims[K] < 1)
        return "k is less than 1";
    if (dims[K] > dims[N])
        return "k is more than n";
    if (dims[N] > UINT32_MAX)
        return "n does not fit into an index of 32 bits";
    if (dims[DATA] >= KNN_KINDS)
        return "there is no such kind of data";
    return NULL;
}

static void shape(void *c, const size_t dims[], struct arena *arena)
{
    struct knn_case *own = c;
    struct knn *p = &own->knn;

    own->kind = dims[DATA];
    p->m = dims[M];
    p->n = dims[N];
    p->k = dims[K];
    p->obs_lat = arena_input(arena, "obs_lat", p->m, 1, sizeof *p->obs_lat);
    p->obs_lon = arena_input(arena, "obs_lon", p->m, 1, sizeof *p->obs_lon);
    p->ref_lat = arena_input(arena, "ref_lat", p->n, 1, sizeof *p->ref_lat);
    p->ref_lon = arena_input(arena, "ref_lon", p->n, 1, sizeof *p->ref_lon);
    p->index = arena_output(arena, "index", p->m, p->k, sizeof *p->index);
    p->distance = arena_output(arena, "distance", p->m, p->k, sizeof *p->distance);
}

/* --- data ------------------------------------------------------------------------------------- */

static struct knn_set references_of(const struct knn_case *c)
{
    const struct knn *p = &c->knn;

    return (struct knn_set){.of = c, .references = true, .count = p->n,
                            .lat = (float *)p->ref_lat, .lon = (float *)p->ref_lon};
}

static struct knn_set observations_of(const struct knn_case *c)
{
    const struct knn *p = &c->knn;

    return (struct knn_set){.of = c, .references = false, .count = p->m,
                            .lat = (float *)p->obs_lat, .lon = (float *)p->obs_lon};
}

static void fill_points(void *context, size_t begin, size_t end)
{
    const struct knn_set *s = context;

    for (size_t i = begin; i < end; i++)
        knn_kinds_fill(s, i);
}

static void fill(void *c, uint64_t seed)
{
    enum { GRAIN = 1 << 12 };
    struct knn_case *own = c;

    own->seed = seed;
    struct knn_set references = references_of(own), observations = observations_of(own);
    fill_points(&references, 0, references.count); /* in order, since each may refer to earlier ones */
    parallel_for(observations.count, GRAIN, fill_points, &observations);
}

static void touch(const void *c, const struct slot *array, size_t index, void *element, uint64_t seed)
{
    const bool references = strncmp(array->name, "ref", 3) == 0;
    const struct knn_set set = references ? references_of(c) : observations_of(c);
    float lat, lon;

    knn_kinds_touch(&set, index, seed, &lat, &lon);
    memcpy(element, strstr(array->name, "lat") != NULL ? &lat : &lon, sizeof lat);
}

static struct cost cost(const size_t dims[])
{
    double m = (double)dims[M], n = (double)dims[N], k = (double)dims[K];

    return (struct cost){.flops = 10.0 * m * n,
                         .bytes = 8.0 * (m + n) + 8.0 * m * k,
                         .specials = 6.0 * m * n,
                         .items = m * n};
}

/* A dot product of unit vectors ranks pairs as their distances do; with one vector divided by its
   largest component it takes two multiply-adds.  Sines and cosines are computed for points, not for
   pairs. */
static struct cost least_cost(const size_t dims[])
{
    double m = (double)dims[M], n = (double)dims[N];

    return (struct cost){.flops = 4.0 * m * n, .specials = 4.0 * (m + n)};
}

PROBLEM(.formula = "the k nearest of n references to each of m observations, by haversine",
        .axes = {"m", "n", "k", "data"}, .words = {[DATA] = knn_kinds}, .rate = RATE_ITEMS, .item = "pairs",
        .check_sizes = check_sizes, .bench_sizes = bench_sizes, .also = &also, .growth = &growth,
        .case_bytes = sizeof(struct knn_case), .members = members, .impossible = impossible, .shape = shape, .fill = fill,
        .solve = knn_solve, .judge = knn_judge,
        .judge_any_tie = knn_judge_any_tie, .touch = touch, .cost = cost, .least = least_cost, .data = &knn_data)
