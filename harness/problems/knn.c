/* knn: common/knn.h says what is computed; here stand sizes, data, reference, judge, cost. */
#include "common/knn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/problem.h"
#include "harness/random.h"

enum { M, N, K };

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

/* The references fit a CPU's caches and a GPU's shared memory; from S to XL, ever more observations
   come by: at XL, carrying them to a device takes longer than the best method of answering them. */
static const struct size bench_sizes[] = {
    {"S", {1 << 12, 1 << 10, 1}},
    {"M", {1 << 16, 1 << 13, 1}},
    {"L", {1 << 18, 1 << 14, 1}},
    {"XL", {1 << 24, 1 << 14, 1}},
    {NULL, {0}},
};

/* As many references as at M; ever more observations: 16, in 64 KiB, to 4 million, in 64 MiB. */
static const struct growth growth = {
    .from = {1 << 4, 1 << 13, 1}, .grows = {true}, .to = 1 << 22};

static const char *impossible(const size_t dims[])
{
    if (dims[K] < 1)
        return "k is less than 1";
    if (dims[K] > dims[N])
        return "k is more than n";
    if (dims[N] > UINT32_MAX)
        return "n does not fit the 32 bits of an index";
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

static const float pi = 3.14159274f, half_pi = 1.57079637f; /* as float32 has them */

/* Streams of random numbers. */
enum { OBSERVATIONS = 1, REFERENCES = 4, SAMPLES = 8 };

/* Point i of count: uniform on the sphere, longitudes in either convention. */
static void fill_uniform(float *lat, float *lon, size_t i, uint64_t seed, uint64_t stream)
{
    double turn = 2.0 * 3.14159265358979 * random_unit(seed, stream + 1, i);
    double start = random_bits(seed, stream + 2, i) & 1 ? 0.0 : -3.14159265358979;

    lat[i] = (float)asin(2.0 * random_unit(seed, stream, i) - 1.0);
    lon[i] = (float)(start + turn);
}

/* Point i becomes one that rungs stumble over; where it needs a neighbour, that is point j of
   (other_lat, other_lon). */
static void fill_nasty(float *lat, float *lon, size_t i, uint64_t choice, const float *other_lat,
                       const float *other_lon, size_t j)
{
    switch (choice % 8) {
    case 0: lat[i] = half_pi; break;  /* a pole, where every longitude is the same point */
    case 1: lat[i] = -half_pi; break;
    case 2: lon[i] = pi; break;       /* the date line, from one side */
    case 3: lon[i] = -pi; break;      /* and from the other */
    case 4: lat[i] = lon[i] = 0.0f; break;
    case 5: /* the same place: distance 0, and of equal references the first */
        lat[i] = other_lat[j];
        lon[i] = other_lon[j];
        break;
    case 6: /* a neighbour at the edge of what float32 can tell apart */
        lat[i] = nextafterf(other_lat[j], 0.0f);
        lon[i] = other_lon[j];
        break;
    case 7: /* the antipode: rounding can lift h above 1 */
        lat[i] = -other_lat[j];
        lon[i] = other_lon[j] > 0.0f ? other_lon[j] - pi : other_lon[j] + pi;
        break;
    }
}

/* Point i in a crowd of 1e-5 radians, too close for the cosine of an angle to tell apart. */
static void fill_crowd(float *lat, float *lon, size_t i, uint64_t seed, uint64_t stream)
{
    lat[i] = 0.7f + (float)(1e-5 * random_unit(seed, stream, i));
    lon[i] = -1.2f + (float)(1e-5 * random_unit(seed, stream + 1, i));
}

/* Point i on a coarse lattice, where many distances are equal. */
static void fill_lattice(float *lat, float *lon, size_t i, uint64_t seed, uint64_t stream)
{
    lat[i] = 0.25f * (float)((int)(random_bits(seed, stream, i) % 13) - 6);
    lon[i] = 0.25f * (float)((int)(random_bits(seed, stream + 1, i) % 25) - 12);
}

/* Nasty points are an eighth of a few, and some hundreds of many, so that large sizes measure the
   ordinary; small ones take turns at being a crowd, or a lattice, altogether. */
static void fill_points(float *lat, float *lon, size_t count, uint64_t seed, uint64_t stream,
                        const struct knn *p, const float *other_lat, const float *other_lon)
{
    size_t rarity = count / 256 > 8 ? count / 256 : 8;
    uint64_t mood = p->n < 1024 ? (p->n + seed) % 4 : 0;

    for (size_t i = 0; i < count; i++) {
        uint64_t choice = random_bits(seed, stream + 3, i);
        /* among other points any, among one's own an earlier one */
        size_t others = other_lat == lat ? i : p->n;

        if (mood == 1)
            fill_crowd(lat, lon, i, seed, stream);
        else if (mood == 2)
            fill_lattice(lat, lon, i, seed, stream);
        else
            fill_uniform(lat, lon, i, seed, stream);
        if (choice % rarity == 0 && others > 0)
            fill_nasty(lat, lon, i, choice >> 32, other_lat, other_lon, (choice >> 40) % others);
        /* The farthest only shows where all are wanted: there, every observation has an antipode. */
        if (p->k == p->n && p->n > 8 && other_lat != lat)
            fill_nasty(lat, lon, i, 7, other_lat, other_lon, (choice >> 40) % others);
    }
}

static void fill(void *c, uint64_t seed)
{
    struct knn *p = c;
    float *obs_lat = (float *)p->obs_lat, *obs_lon = (float *)p->obs_lon;
    float *ref_lat = (float *)p->ref_lat, *ref_lon = (float *)p->ref_lon;

    fill_points(ref_lat, ref_lon, p->n, seed, REFERENCES, p, ref_lat, ref_lon);
    fill_points(obs_lat, obs_lon, p->m, seed, OBSERVATIONS, p, ref_lat, ref_lon);
}

/* --- reference -------------------------------------------------------------------------------- */

struct neighbour {
    double distance;
    uint32_t index;
};

/* Of references at the same place, the first comes first, whatever the arithmetic: their distances
   are the same computation.  NO_TWIN: none has the place of reference j before it. */
#define NO_TWIN UINT32_MAX

struct solution {
    uint32_t *twin;             /* [n] the last reference before j at the place of j, or NO_TWIN */
    size_t samples;
    uint64_t seed;              /* picks the samples ... */
    bool all;                   /* ... unless they are all observations */
    struct neighbour nearest[]; /* [samples][k] */
};

/* The specification to the letter, in float64.  Its own errors, 2e-16 and 2e-8 at the antipode,
   are as nothing beside what the judge allows there. */
static double haversine(const struct knn *p, size_t i, size_t j)
{
    double lat1 = p->obs_lat[i], lon1 = p->obs_lon[i];
    double lat2 = p->ref_lat[j], lon2 = p->ref_lon[j];
    double sin_lat = sin((lat2 - lat1) / 2.0);
    double sin_lon = sin((lon2 - lon1) / 2.0);
    double h = sin_lat * sin_lat + cos(lat1) * cos(lat2) * sin_lon * sin_lon;

    return 2.0 * asin(sqrt(fmin(h, 1.0)));
}

static size_t sampled(const struct solution *s, const struct knn *p, size_t sample)
{
    return s->all || p->m == 0 ? sample : random_bits(s->seed, SAMPLES, sample) % p->m;
}

/* Insertion: the list stays in order, and of equal distances the first index stays first. */
static void find_nearest(const struct knn *p, size_t i, struct neighbour *nearest)
{
    for (size_t r = 0; r < p->k; r++)
        nearest[r] = (struct neighbour){INFINITY, 0}; /* farther than any; there are k nearer ones */
    for (size_t j = 0; j < p->n; j++) {
        double d = haversine(p, i, j);
        size_t place = p->k - 1;

        if (!(d < nearest[place].distance))
            continue;
        for (; place > 0 && d < nearest[place - 1].distance; place--)
            nearest[place] = nearest[place - 1];
        nearest[place] = (struct neighbour){d, (uint32_t)j};
    }
}

struct place {
    float lat, lon;
    uint32_t index;
};

static int by_place(const void *left, const void *right)
{
    const struct place *a = left, *b = right;

    if (a->lat != b->lat)
        return a->lat < b->lat ? -1 : 1;
    if (a->lon != b->lon)
        return a->lon < b->lon ? -1 : 1;
    return a->index < b->index ? -1 : 1;
}

static bool find_twins(const struct knn *p, uint32_t *twin)
{
    struct place *places = malloc((p->n + 1) * sizeof *places);

    if (places == NULL)
        return false;
    for (size_t j = 0; j < p->n; j++)
        places[j] = (struct place){p->ref_lat[j], p->ref_lon[j], (uint32_t)j};
    qsort(places, p->n, sizeof *places, by_place);
    for (size_t j = 0; j < p->n; j++) {
        bool same = j > 0 && places[j].lat == places[j - 1].lat &&
                    places[j].lon == places[j - 1].lon;
        twin[places[j].index] = same ? places[j - 1].index : NO_TWIN;
    }
    free(places);
    return true;
}

/* As many observations as make some 16 million pairs: about a second's work. */
static void *solve(const void *c, uint64_t seed)
{
    const struct knn *p = c;
    size_t affordable = ((size_t)1 << 24) / p->n + 1;
    size_t samples = p->m < affordable ? p->m : affordable;
    size_t answers = samples * p->k * sizeof(struct neighbour);
    struct solution *s = calloc(1, sizeof *s + answers + p->n * sizeof *s->twin); /* one block */

    if (s == NULL)
        return NULL;
    s->twin = (uint32_t *)(void *)((char *)s->nearest + answers);
    if (!find_twins(p, s->twin)) {
        free(s);
        return NULL;
    }
    s->samples = samples;
    s->seed = seed;
    s->all = samples == p->m;
    for (size_t sample = 0; sample < samples; sample++)
        find_nearest(p, sampled(s, p, sample), s->nearest + sample * p->k);
    return s;
}

/* --- judge ------------------------------------------------------------------------------------ */

/*
 * How far from the truth the distance of a pair may lie, evaluated with unit roundoff u.
 *
 *     coordinates  Each difference is rounded once.  That is as if the point had moved by
 *                  u*|lat2 - lat1| and u*|lon2 - lon1|, and the distance by their sum at most.
 *     h            Two squares, two products more, a sum, and sines and cosines off by an ulp each
 *                  leave h with a relative error of 10u.  As dd/dh = 1/sqrt(h*(1-h)), this moves
 *                  d by 10u*tan(d/2); at the antipode, where the tangent has no bound, by no more
 *                  than the whole way from h = 1 - 10u to 1, which is 2*sqrt(10u).
 *     d            Root, arcsine, and storing: 4u*d.
 *     underflow    Below 2^-62, h is less than the smallest normal float32.
 *
 * Approximate sines and cosines (MATH_FAST) have an absolute error of u rather than a relative one;
 * the two sines and two cosines move d by 8u at most.
 */
static double distance_limit(const struct knn *p, size_t i, size_t j, double d, enum math math)
{
    double u = math_unit(math == MATH_F64 ? MATH_F32 : math); /* stored as float32 all the same */
    double moved = fabs((double)p->ref_lat[j] - p->obs_lat[i]) +
                   fabs((double)p->ref_lon[j] - p->obs_lon[i]);
    double from_h = fmin(10.0 * u * fabs(tan(d / 2.0)), 2.0 * sqrt(10.0 * u));

    return u * moved + from_h + 4.0 * u * d + (math == MATH_FAST ? 8.0 * u : 0.0) + 0x1p-62;
}

/* What must hold of every observation: finite distances in order, indices in range and none named
   twice, each distance that of its index, and of references at one place the first one first.
   Returns false where no more can be said. */
static bool judge_consistency(struct verdict *v, const struct knn *p, const struct solution *s,
                              size_t i, size_t *named_by, enum math math)
{
    const uint32_t *index = p->index + i * p->k;
    const float *distance = p->distance + i * p->k;

    for (size_t r = 0; r < p->k; r++) {
        size_t j = index[r];

        if (!isfinite(distance[r]))
            return verdict_see(v, "distance", i * p->k + r, distance[r],
                               j < p->n ? haversine(p, i, j) : NAN, 0.0);
        if (j >= p->n) {
            verdict_reject(v, "observation %zu: reference %zu of %zu", i, j, p->n);
            return false;
        }
        if (named_by[j] == i + 1) {
            verdict_reject(v, "observation %zu names reference %zu twice", i, j);
            return false;
        }
        if (s->twin[j] != NO_TWIN && named_by[s->twin[j]] != i + 1) {
            verdict_reject(v, "observation %zu: reference %zu, but not %u before it, at the same place",
                           i, j, s->twin[j]);
            return false;
        }
        named_by[j] = i + 1;
        if (r > 0 && distance[r] < distance[r - 1]) {
            verdict_reject(v, "observation %zu: neighbour %zu is nearer than the one before", i, r);
            return false;
        }

        double d = haversine(p, i, j);

        verdict_see(v, "distance", i * p->k + r, distance[r], d, distance_limit(p, i, j, d, math));
    }
    return true;
}

/* Are these the nearest?  A neighbour may be farther than the reference's of the same rank by as
   much as both distances may be off.  Returns how many indices are the reference's. */
static size_t judge_nearest(struct verdict *v, const struct knn *p, size_t i,
                            const struct neighbour *nearest, enum math math)
{
    size_t same = 0;

    for (size_t r = 0; r < p->k; r++) {
        size_t j = p->index[i * p->k + r], best = nearest[r].index;
        double d = haversine(p, i, j);
        double limit = distance_limit(p, i, j, d, math) +
                       distance_limit(p, i, best, nearest[r].distance, math);

        same += j == best;
        if (d > nearest[r].distance)
            verdict_see(v, "index's distance", i * p->k + r, d, nearest[r].distance, limit);
    }
    return same;
}

static struct verdict judge(const void *c, const void *solution, enum math math)
{
    const struct knn *p = c;
    const struct solution *s = solution;
    struct verdict v = verdict_start();
    size_t *named_by = calloc(p->n, sizeof *named_by); /* [n] 1 + the last observation that did */
    size_t same = 0;
    bool sound = named_by != NULL;

    v.columns = p->k;
    if (!sound)
        verdict_reject(&v, "no memory to judge %zu references", p->n);
    for (size_t i = 0; sound && i < p->m; i++)
        sound = judge_consistency(&v, p, s, i, named_by, math);
    for (size_t sample = 0; sound && sample < s->samples; sample++)
        same += judge_nearest(&v, p, sampled(s, p, sample), s->nearest + sample * p->k, math);
    if (sound) {
        v.same = same;
        v.asked = s->samples * p->k;
    }
    free(named_by);
    return v;
}

static struct cost cost(const size_t dims[])
{
    double m = (double)dims[M], n = (double)dims[N], k = (double)dims[K];

    return (struct cost){.flops = 10.0 * m * n,
                         .bytes = 8.0 * (m + n) + 8.0 * m * k,
                         .specials = 6.0 * m * n,
                         .items = m * n};
}

/* A dot product of unit vectors ranks pairs as their distances do, and with one vector divided by its
   largest component that is two multiply-adds.  Sines and cosines are the points', not the pairs'. */
static struct cost least_cost(const size_t dims[])
{
    double m = (double)dims[M], n = (double)dims[N];

    return (struct cost){.flops = 4.0 * m * n, .specials = 4.0 * (m + n)};
}

PROBLEM(.formula = "the k nearest of n references to each of m observations, by haversine",
        .axes = {"m", "n", "k"}, .rate = RATE_ITEMS, .item = "pairs",
        .check_sizes = check_sizes, .bench_sizes = bench_sizes, .growth = &growth,
        .case_bytes = sizeof(struct knn), .impossible = impossible, .shape = shape, .fill = fill,
        .solve = solve, .judge = judge, .cost = cost, .least = least_cost, .data = &knn_data)
