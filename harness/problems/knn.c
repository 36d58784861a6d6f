/* knn: sizes, data, cost.  common/knn.h defines the problem; knn_judge.c is its judge. */
#include "common/knn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/parallel.h"
#include "harness/base/random.h"
#include "harness/model/problem.h"
#include "harness/problems/knn.h"

enum { M, N, K };

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
    return NULL;
}

static void shape(void *c, const size_t dims[], struct arena *arena)
{
    struct knn *p = c;

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

static const float pi = 3.14159274f, half_pi = 1.57079637f; /* rounded to float32 */

/* Makes point i of count: uniform on the sphere, longitudes in either convention. */
static void fill_uniform(float *lat, float *lon, size_t i, uint64_t seed, uint64_t stream)
{
    double turn = 2.0 * 3.14159265358979 * random_unit(seed, stream + 1, i);
    double start = random_bits(seed, stream + 2, i) & 1 ? 0.0 : -3.14159265358979;

    lat[i] = (float)asin(2.0 * random_unit(seed, stream, i) - 1.0);
    lon[i] = (float)(start + turn);
}

/* Makes point i one that variants tend to get wrong.  If it needs a neighbour, that is point j of
   (other_lat, other_lon). */
static void fill_nasty(float *lat, float *lon, size_t i, uint64_t choice, const float *other_lat,
                       const float *other_lon, size_t j)
{
    switch (choice % 8) {
    case 0: lat[i] = half_pi; break;  /* a pole, where all longitudes are the same point */
    case 1: lat[i] = -half_pi; break;
    case 2: lon[i] = pi; break;       /* the date line, from one side */
    case 3: lon[i] = -pi; break;      /* and from the other */
    case 4: lat[i] = lon[i] = 0.0f; break;
    case 5: /* the same place: distance 0, and the first of equal references is right */
        lat[i] = other_lat[j];
        lon[i] = other_lon[j];
        break;
    case 6: /* a neighbour at the limit of what float32 can distinguish */
        lat[i] = nextafterf(other_lat[j], 0.0f);
        lon[i] = other_lon[j];
        break;
    case 7: /* the antipode: rounding can lift h above 1 */
        lat[i] = -other_lat[j];
        lon[i] = other_lon[j] > 0.0f ? other_lon[j] - pi : other_lon[j] + pi;
        break;
    }
}

/* Makes point i one of a crowd within 1e-5 radians, too close for the cosine of an angle to
   distinguish. */
static void fill_crowd(float *lat, float *lon, size_t i, uint64_t seed, uint64_t stream)
{
    lat[i] = 0.7f + (float)(1e-5 * random_unit(seed, stream, i));
    lon[i] = -1.2f + (float)(1e-5 * random_unit(seed, stream + 1, i));
}

/* Makes point i one of a coarse lattice, on which many distances are equal. */
static void fill_lattice(float *lat, float *lon, size_t i, uint64_t seed, uint64_t stream)
{
    lat[i] = 0.25f * (float)((int)(random_bits(seed, stream, i) % 13) - 6);
    lon[i] = 0.25f * (float)((int)(random_bits(seed, stream + 1, i) % 25) - 12);
}

/* What is filled: references, with neighbours among themselves; or observations, with neighbours among
   references. */
struct points {
    const struct knn *p;
    uint64_t seed, stream;
    float *lat, *lon;
    size_t count;
    bool references;
};

/* Of a few points, an eighth are nasty; of many, some hundreds, so that large sizes measure the
   ordinary case.  Some small cases consist entirely of a crowd, or of a lattice. */
static void fill_points(void *context, size_t begin, size_t end)
{
    const struct points *a = context;
    const struct knn *p = a->p;
    const size_t rarity = a->count / 256 > 8 ? a->count / 256 : 8;
    const uint64_t mood = p->n < 1024 ? (p->n + a->seed) % 4 : 0;

    for (size_t i = begin; i < end; i++) {
        const uint64_t choice = random_bits(a->seed, a->stream + 3, i);
        /* among other points any; among its own, an earlier one */
        const size_t others = a->references ? i : p->n;

        if (mood == 1)
            fill_crowd(a->lat, a->lon, i, a->seed, a->stream);
        else if (mood == 2)
            fill_lattice(a->lat, a->lon, i, a->seed, a->stream);
        else
            fill_uniform(a->lat, a->lon, i, a->seed, a->stream);
        if (choice % rarity == 0 && others > 0)
            fill_nasty(a->lat, a->lon, i, choice >> 32, p->ref_lat, p->ref_lon,
                       (choice >> 40) % others);
        /* A wrong farthest reference only shows if all are requested.  Then every observation has an
           antipode. */
        if (p->k == p->n && p->n > 8 && !a->references)
            fill_nasty(a->lat, a->lon, i, 7, p->ref_lat, p->ref_lon, (choice >> 40) % others);
    }
}

static void fill(void *c, uint64_t seed)
{
    enum { GRAIN = 1 << 12 };
    const struct knn *p = c;
    struct points references = {p, seed, REFERENCES, (float *)p->ref_lat, (float *)p->ref_lon,
                                p->n, true};
    struct points observations = {p, seed, OBSERVATIONS, (float *)p->obs_lat,
                                  (float *)p->obs_lon, p->m, false};

    fill_points(&references, 0, p->n); /* in order, since each may refer to earlier ones */
    parallel_for(p->m, GRAIN, fill_points, &observations);
}

static void touch(const struct slot *array, void *element, uint64_t seed)
{
    float lat, lon;

    fill_uniform(&lat, &lon, 0, seed, 0);
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
        .axes = {"m", "n", "k"}, .rate = RATE_ITEMS, .item = "pairs",
        .check_sizes = check_sizes, .bench_sizes = bench_sizes, .growth = &growth,
        .case_bytes = sizeof(struct knn), .members = members, .impossible = impossible, .shape = shape, .fill = fill,
        .solve = knn_solve, .judge = knn_judge,
        .judge_any_tie = knn_judge_any_tie, .touch = touch, .cost = cost, .least = least_cost, .data = &knn_data)
