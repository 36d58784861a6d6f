/* knn, k = 1: finds the rule by which wrong references were taken for the nearest. */
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

/* Returns h, sin^2 of half the angle; without the cosines, as on a flat map. */
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

/* Returns the nearest reference of `first` to `last` - 1; of equals, the lowest index. */
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

/* The nearest in half of what threads have found: those with an even number, or the lower ones. */
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

/* The nearest that lane 0 of a warp finds by itself. */
static size_t of_first_lane(const struct knn *p, size_t i)
{
    size_t best = 0;

    for (size_t j = 32; j < p->n; j += 32)
        if (half_angle(p, i, j, true) < half_angle(p, i, best, true))
            best = j;
    return best;
}

/* h, with latitudes and longitudes passed in the wrong order. */
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
    {no_last, "last-missed", "all indices are those of a search without the last reference"},
    {no_first, "first-missed", "all indices are those of a search without the first reference"},
    {whole_tiles, "partial-tile", "all indices are those of a search that ends with the last whole tile of 256"},
    {first_tile, "first-tile-only", "all indices are those of a search in the first 256 references only"},
    {last_tile, "overwritten", "all indices are those of the last tile of 256: what earlier tiles gave was lost"},
    {flat, "cosine-missing", "all indices are those of a flat map: the cosines are missing"},
    {even_lanes, "wrong-half",
     "all indices are those of references with an even index: what the odd lanes found was lost"},
    {lower_half, "wrong-half", "all indices are those that the first 64 of 128 threads have found"},
    {of_first_lane, "index-left", "each index is the one that lane 0 has found by itself"},
    {by_mixed_up, "exchanged-arguments", "all indices are those of a distance with latitudes and longitudes exchanged"},
    {farthest, "farthest", "each index is that of the farthest reference"},
};

/* Returns whether both are equally near, within the accuracy of float32. */
static bool as_near(const struct knn *p, size_t i, size_t j, size_t other)
{
    double d = angle(half_angle(p, i, j, true));
    double allowed = 1e-4 * d + (d > 3.0 ? 2e-3 : 0.0); /* the arcsine is inaccurate near an antipode */

    return fabs(d - angle(half_angle(p, i, other, true))) <= allowed;
}

/* Returns whether all indices follow the rule. */
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

/* Finds a reference that has another one with a lower index at the same place. */
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

/* Looks at the distances when the indices are right. */
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
    mistake_add(m, "the neighbours are right, but the distance is %s", what);
    return true;
}

/* All distances are right and all indices are 0: no index was kept. */
static bool index_unkept(const struct knn *p, const struct view *v, struct mistake *m)
{
    if (v->wrong_count > 0 || p->m < 2)
        return false;
    for (size_t i = 0; i < p->m; i++)
        if (p->index[i] != 0)
            return false;
    mistake_set(m, "index-left");
    mistake_add(m, "the distances are right, but every index is 0");
    add_first(p, m);
    return true;
}

/* Wherever the distance is wrong, the index is 0 and the distance always the same: the start of the search. */
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
        return false; /* a larger size shows which reference, or whether a tile, was left out */
    if (isinf(start)) {
        mistake_set(m, p->n < TILE ? "partial-tile" : "wrong-start");
        mistake_add(m, "the distance is infinite: no reference was kept");
        return true;
    }
    mistake_set(m, "wrong-start");
    mistake_add(m, "%s observations get distance %g, which no reference has: does the search begin with it?",
                v->wrong_count < p->m ? "some" : "all", (double)start);
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
    mistake_add(m, "all distances are right, but some indices are not");
    add_first(p, m);
    return true;
}

static const struct guess guess[] = {{NULL, NULL, NULL}};

const struct guesses guesses_knn = {"knn", view, want, guess, look};
