/* knn, k = 1: which wrong reference is taken for the nearest, and by what rule. */
#include "common/knn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "workshop/lab/pattern.h"

enum { TILE = 256 };

static bool view(const void *c, struct view *v)
{
    const struct knn *p = c;

    v->array = "distance";
    v->rows = 1;
    v->cols = p->m;
    v->got = p->distance;
    v->scale = 0.01;
    return p->k == 1;
}

/* sin^2 of half the angle; without the cosines, the map is taken for flat. */
static double half_angle(const struct knn *p, size_t i, size_t j, bool cosines)
{
    double lat1 = p->obs_lat[i], lat2 = p->ref_lat[j];
    double s = sin((lat2 - lat1) / 2.0);
    double t = sin(((double)p->ref_lon[j] - p->obs_lon[i]) / 2.0);

    return s * s + (cosines ? cos(lat1) * cos(lat2) : 1.0) * t * t;
}

static double angle(double h)
{
    return 2.0 * asin(sqrt(fmin(h, 1.0)));
}

/* The nearest from `first` to before `last`, lowest index first. */
static size_t nearest(const struct knn *p, size_t i, size_t first, size_t last, bool cosines)
{
    size_t best = first;

    for (size_t j = first + 1; j < last; j++)
        if (half_angle(p, i, j, cosines) < half_angle(p, i, best, cosines))
            best = j;
    return best;
}

static void want(const void *c, double *distance)
{
    const struct knn *p = c;

    for (size_t i = 0; i < p->m; i++)
        distance[i] = angle(half_angle(p, i, nearest(p, i, 0, p->n, true), true));
}

/* --- rules -------------------------------------------------------------------------------------- */

typedef size_t rule(const struct knn *p, size_t i);

static size_t flat(const struct knn *p, size_t i)
{
    return nearest(p, i, 0, p->n, false);
}

static size_t no_last(const struct knn *p, size_t i)
{
    return nearest(p, i, 0, p->n - 1, true);
}

static size_t no_first(const struct knn *p, size_t i)
{
    return nearest(p, i, 1, p->n, true);
}

static size_t first_tile(const struct knn *p, size_t i)
{
    return nearest(p, i, 0, p->n < TILE ? p->n : TILE, true);
}

static size_t last_tile(const struct knn *p, size_t i)
{
    return nearest(p, i, (p->n - 1) / TILE * TILE, p->n, true);
}

static size_t whole_tiles(const struct knn *p, size_t i)
{
    return p->n < TILE ? p->n : nearest(p, i, 0, p->n / TILE * TILE, true);
}

static size_t within_tile(const struct knn *p, size_t i)
{
    return nearest(p, i, 0, p->n, true) % TILE;
}

/* Half of what threads, or lanes, have found: those with an even number, or the lower ones. */
static size_t even_lanes(const struct knn *p, size_t i)
{
    size_t best = 0;

    for (size_t j = 2; j < p->n; j += 2)
        if (half_angle(p, i, j, true) < half_angle(p, i, best, true))
            best = j;
    return best;
}

static size_t lower_half(const struct knn *p, size_t i)
{
    size_t best = 0;

    for (size_t j = 1; j < p->n; j++)
        if (j % 128 < 64 && half_angle(p, i, j, true) < half_angle(p, i, best, true))
            best = j;
    return best;
}

/* What lane 0 of a warp, or thread 0 of a block, finds by itself. */
static size_t of_first_lane(const struct knn *p, size_t i)
{
    size_t best = 0;

    for (size_t j = 32; j < p->n; j += 32)
        if (half_angle(p, i, j, true) < half_angle(p, i, best, true))
            best = j;
    return best;
}

/* latitude and longitude in the order of another function */
static double mixed_up(const struct knn *p, size_t i, size_t j)
{
    double s = sin(((double)p->obs_lon[i] - p->obs_lat[i]) / 2.0);
    double t = sin(((double)p->ref_lon[j] - p->ref_lat[j]) / 2.0);

    return s * s + cos((double)p->obs_lat[i]) * cos((double)p->obs_lon[i]) * t * t;
}

static size_t by_mixed_up(const struct knn *p, size_t i)
{
    size_t best = 0;

    for (size_t j = 1; j < p->n; j++)
        if (mixed_up(p, i, j) < mixed_up(p, i, best))
            best = j;
    return best;
}

static size_t farthest(const struct knn *p, size_t i)
{
    size_t best = 0;

    for (size_t j = 1; j < p->n; j++)
        if (half_angle(p, i, j, true) > half_angle(p, i, best, true))
            best = j;
    return best;
}

static size_t one_more(const struct knn *p, size_t i)
{
    return nearest(p, i, 0, p->n, true) + 1;
}

static const struct {
    rule *of;
    const char *kind, *text;
} rules[] = {
    {within_tile, "index-in-tile", "the index counts from the start of its tile of 256"},
    {one_more, "off-by-one", "each index is the right one plus 1"},
    {no_last, "last-missed", "the last reference was never looked at"},
    {no_first, "first-missed", "the first reference was never looked at"},
    {whole_tiles, "partial-tile", "the references behind the last whole tile of 256 were left out"},
    {first_tile, "first-tile-only", "only the first 256 references were looked at"},
    {last_tile, "overwritten", "only the last tile of references counts: those before were lost"},
    {flat, "cosine-missing", "the nearest was taken as if the map were flat, without the cosines"},
    {even_lanes, "wrong-half", "only references with an even index count: the odd lanes' are lost"},
    {lower_half, "wrong-half", "only what the first 64 of 128 threads have found counts"},
    {of_first_lane, "index-left", "the index is what lane 0 has found by itself"},
    {by_mixed_up, "exchanged-arguments", "latitudes and longitudes are exchanged in the distance"},
    {farthest, "farthest", "the farthest reference was taken"},
};

/* Are both as near, as far as float32 can tell? */
static bool as_near(const struct knn *p, size_t i, size_t j, size_t other)
{
    double d = angle(half_angle(p, i, j, true));
    double allowed = 1e-4 * d + (d > 3.0 ? 2e-3 : 0.0); /* no arcsine is exact near an antipode */

    return fabs(d - angle(half_angle(p, i, other, true))) <= allowed;
}

/* Do all indices follow the rule? */
static bool follows(const struct knn *p, rule *of)
{
    for (size_t i = 0; i < p->m; i++) {
        size_t j = of(p, i), got = p->index[i];
        if (got != j && (j >= p->n || got >= p->n || !as_near(p, i, j, got)))
            return false;
    }
    return true;
}

static size_t right(const struct knn *p, size_t i)
{
    return nearest(p, i, 0, p->n, true);
}

static bool same_place(const struct knn *p, size_t j, size_t other)
{
    return p->ref_lat[j] == p->ref_lat[other] && p->ref_lon[j] == p->ref_lon[other];
}

/* Of references at one place, not the first. */
static bool breaks_tie(const struct knn *p, struct mistake *m)
{
    for (size_t i = 0; i < p->m; i++)
        for (size_t j = 0; j < p->index[i]; j++) {
            if (!same_place(p, j, p->index[i]))
                continue;
            mistake_set(m, "tie-rule");
            mistake_add(m, "observation %zu: references %zu and %u are at the same place; got %u, "
                           "want the first of them", i, j, p->index[i], p->index[i]);
            return true;
        }
    return false;
}

static void add_first(const struct knn *p, struct mistake *m)
{
    for (size_t i = 0; i < p->m; i++) {
        size_t j = nearest(p, i, 0, p->n, true);
        if (p->index[i] == j)
            continue;
        mistake_add(m, "observation %zu: got reference %u, want %zu (%.6f away)", i, p->index[i], j,
                    angle(half_angle(p, i, j, true)));
        return;
    }
}

/* The distances, where the indices are right. */
static bool wrong_distance(const struct knn *p, struct mistake *m)
{
    size_t roots = 0, halves = 0, squares = 0;

    for (size_t i = 0; i < p->m; i++) {
        double h = half_angle(p, i, nearest(p, i, 0, p->n, true), true), got = p->distance[i];
        squares += fabs(got - h) <= 1e-5 * (1e-3 + h);
        roots += fabs(got - sqrt(h)) <= 1e-5 * (1e-2 + sqrt(h));
        halves += fabs(got - angle(h) / 2.0) <= 1e-5 * (1e-2 + angle(h));
    }
    const char *what = squares == p->m  ? "h itself: the root and the arcsine are missing"
                       : halves == p->m ? "half the angle: the factor 2 is missing"
                       : roots == p->m  ? "the root of h: the arcsine and the factor 2 are missing"
                                        : NULL;
    if (what == NULL)
        return false;
    mistake_set(m, "wrong-distance");
    mistake_add(m, "the neighbours are right; as distance stands %s", what);
    return true;
}

/* Distances that are right beside indices that are all 0: nobody has kept them. */
static bool index_unkept(const struct knn *p, const struct view *v, struct mistake *m)
{
    if (v->wrong_count > 0 || p->m < 2)
        return false;
    for (size_t i = 0; i < p->m; i++)
        if (p->index[i] != 0)
            return false;
    mistake_set(m, "index-left");
    mistake_add(m, "every index is 0, and the distances are right");
    add_first(p, m);
    return true;
}

/* Index 0 and one distance wherever the distance is wrong: what the search began with. */
static bool never_moved(const struct knn *p, const struct view *v, struct mistake *m)
{
    float start = NAN;

    for (size_t i = 0; i < p->m; i++) {
        if (!v->wrong[i])
            continue;
        start = isnan(start) ? p->distance[i] : start;
        if (p->index[i] != 0 || p->distance[i] != start)
            return false;
    }
    if (isnan(start) || (v->wrong_count < 2 && start != 0.0f && !isinf(start)))
        return false;
    if (isinf(start) && p->n == 1)
        return false; /* more references tell which was left out, or whether a tile was */
    if (isinf(start)) {
        mistake_set(m, p->n < TILE ? "partial-tile" : "wrong-start");
        mistake_add(m, "the distance is infinite: no reference was looked at");
        return true;
    }
    mistake_set(m, "wrong-start");
    mistake_add(m, "%s at distance %g, which no reference has: is that what the search begins with?",
                v->wrong_count < p->m ? "some are" : "all are", (double)start);
    return true;
}

static bool look(const void *c, const struct view *v, struct mistake *m)
{
    const struct knn *p = c;

    if (p->n < 1 || p->m == 0)
        return false;
    if (never_moved(p, v, m))
        return true;
    if (follows(p, right))
        return wrong_distance(p, m) || breaks_tie(p, m);
    if (index_unkept(p, v, m))
        return true;
    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
        if (!follows(p, rules[r].of) || (rules[r].of == last_tile && v->wrong_count == 0))
            continue;
        mistake_set(m, rules[r].kind);
        mistake_add(m, "%s", rules[r].text);
        add_first(p, m);
        return true;
    }
    if (v->wrong_count > 0)
        return false;
    mistake_set(m, "wrong-index");
    mistake_add(m, "all distances are right, and indices are not");
    add_first(p, m);
    return true;
}

static const struct guess guess[] = {{NULL, NULL, NULL}};

const struct guesses guesses_knn = {"knn", view, want, guess, look};
