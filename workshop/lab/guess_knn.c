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

/* Returns the nearest of the references that one of `threads` threads looks at: every threads-th. */
static size_t of_thread(const struct knn *p, size_t i, size_t thread, size_t threads)
{
    size_t best = thread;

    for (size_t j = thread + threads; j < p->n; j += threads)
        if (half_angle(p, i, j, true) < half_angle(p, i, best, true))
            best = j;
    return best;
}

/* The nearest of the references that the observation's own thread has loaded: one of each tile.  n if there is none. */
static size_t own_of_tiles(const struct knn *p, size_t i)
{
    return i % TILE < p->n ? of_thread(p, i, i % TILE, TILE) : p->n;
}

/* The nearest of the last 128 references: what 128 threads are left with that keep their last one only. */
static size_t last_of_threads(const struct knn *p, size_t i)
{
    return nearest(p, i, p->n > 128 ? p->n - 128 : 0, p->n, true);
}

/* The nearest to references whose longitude is a copy of the latitude. */
static size_t on_diagonal(const struct knn *p, size_t i)
{
    double least = INFINITY;
    size_t best = 0;

    for (size_t j = 0; j < p->n; j++) {
        const double s = sin(((double)p->ref_lat[j] - p->obs_lat[i]) / 2.0);
        const double t = sin(((double)p->ref_lat[j] - p->obs_lon[i]) / 2.0);
        const double h = s * s + cos((double)p->obs_lat[i]) * cos((double)p->ref_lat[j]) * t * t;
        if (h < least) {
            least = h;
            best = j;
        }
    }
    return best;
}

static size_t first_reference(const struct knn *p, size_t i)
{
    (void)p, (void)i;
    return 0;
}

static size_t last_reference(const struct knn *p, size_t i)
{
    (void)i;
    return p->n - 1;
}

static size_t of_first_lane(const struct knn *p, size_t i)
{
    return of_thread(p, i, 0, 32);
}

static size_t of_first_thread(const struct knn *p, size_t i)
{
    return of_thread(p, i, 0, 128);
}

/* Returns the nearest that lanes 0 to last - 1 have found; with `powers`, only lanes 0, 1, 2, 4, 8 and 16. */
static size_t of_lanes(const struct knn *p, size_t i, size_t last, bool powers)
{
    size_t best = of_first_lane(p, i);

    for (size_t lane = 1; lane < last && lane < p->n; lane++) {
        const size_t j = of_thread(p, i, lane, 32);
        const bool skipped = powers && (lane & (lane - 1)) != 0;
        if (!skipped && half_angle(p, i, j, true) < half_angle(p, i, best, true))
            best = j;
    }
    return best;
}

static size_t lower_lanes(const struct knn *p, size_t i)
{
    return of_lanes(p, i, 16, false);
}

static size_t lanes_of_powers(const struct knn *p, size_t i)
{
    return of_lanes(p, i, 32, true);
}

/* The nearest by sines of whole differences, of the latitudes, of the longitudes, or of both. */
static size_t by_whole(const struct knn *p, size_t i, double lat, double lon)
{
    double least = INFINITY;
    size_t best = 0;

    for (size_t j = 0; j < p->n; j++) {
        const double s = sin(((double)p->ref_lat[j] - p->obs_lat[i]) * lat);
        const double t = sin(((double)p->ref_lon[j] - p->obs_lon[i]) * lon);
        const double h = s * s + cos((double)p->obs_lat[i]) * cos((double)p->ref_lat[j]) * t * t;
        if (h < least) {
            least = h;
            best = j;
        }
    }
    return best;
}

static size_t whole_lat(const struct knn *p, size_t i)
{
    return by_whole(p, i, 1.0, 0.5);
}

static size_t whole_lon(const struct knn *p, size_t i)
{
    return by_whole(p, i, 0.5, 1.0);
}

static size_t whole_both(const struct knn *p, size_t i)
{
    return by_whole(p, i, 1.0, 1.0);
}

/* The nearest by other cosines: so many of the observation's latitude, and so many of the reference's. */
static size_t by_cosines(const struct knn *p, size_t i, double own, double other)
{
    double least = INFINITY;
    size_t best = 0;

    for (size_t j = 0; j < p->n; j++) {
        const double s = sin(((double)p->ref_lat[j] - p->obs_lat[i]) / 2.0);
        const double t = sin(((double)p->ref_lon[j] - p->obs_lon[i]) / 2.0);
        const double h = s * s + pow(cos((double)p->obs_lat[i]), own) * pow(cos((double)p->ref_lat[j]), other) * t * t;
        if (h < least) {
            least = h;
            best = j;
        }
    }
    return best;
}

static size_t own_cosine_twice(const struct knn *p, size_t i)
{
    return by_cosines(p, i, 2.0, 0.0);
}

static size_t other_cosine_twice(const struct knn *p, size_t i)
{
    return by_cosines(p, i, 0.0, 2.0);
}

static size_t own_cosine(const struct knn *p, size_t i)
{
    return by_cosines(p, i, 1.0, 0.0);
}

static size_t other_cosine(const struct knn *p, size_t i)
{
    return by_cosines(p, i, 0.0, 1.0);
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
    bool loose; /* the distance need not be that of the index */
} rules[] = {
    {first_reference, "first-reference", "every index is 0: no reference but the first was kept", false},
    {last_reference, "overwritten", "every index is that of the last reference: what was found before was lost", false},
    {within_tile, "index-in-tile", "the index counts from the start of its tile of 256", true},
    {one_more, "off-by-one", "each index is the right one plus 1", true},
    {no_last, "last-missed", "all indices are those of a search without the last reference", false},
    {no_first, "first-missed", "all indices are those of a search without the first reference", false},
    {whole_tiles, "partial-tile", "all indices are those of a search that ends with the last whole tile of 256", false},
    {first_tile, "first-tile-only", "all indices are those of a search in the first 256 references only", false},
    {last_tile, "overwritten", "all indices are those of the last tile of 256: what earlier tiles gave was lost", false},
    {last_of_threads, "overwritten", "each thread has kept the last of its references, and not the nearest", false},
    {on_diagonal, "exchanged", "the longitude of each reference is a copy of its latitude", true},
    {flat, "cosine-missing", "all indices are those of a flat map: the cosines are missing", true},
    {own_cosine_twice, "term-missing", "all indices are those of the cosine of the observation's latitude, twice: the reference's "
                                       "is missing", true},
    {other_cosine_twice, "term-missing", "all indices are those of the cosine of the reference's latitude, twice: the "
                                         "observation's is missing", true},
    {own_cosine, "cosine-missing", "all indices are those without the cosine of the reference's latitude", true},
    {other_cosine, "cosine-missing", "all indices are those without the cosine of the observation's latitude", true},
    {even_lanes, "wrong-half",
     "all indices are those of references with an even index: what the odd lanes found was lost", false},
    {lower_half, "wrong-half", "all indices are those that the first 64 of 128 threads have found", false},
    {of_first_lane, "alone", "each result is what lane 0 (thread 0) has found by itself", false},
    {of_first_thread, "alone", "each result is what thread 0 has found by itself", false},
    {lower_lanes, "wrong-half", "all indices are those that lanes 0 to 15 have found: what lanes 16 to 31 found was lost", false},
    {lanes_of_powers, "wrong-half", "all indices are those that lanes 0, 1, 2, 4, 8 and 16 have found", false},
    {whole_lat, "term-missing",
     "all indices are those of the sine of the whole difference of latitudes: its half is missing", true},
    {whole_lon, "term-missing",
     "all indices are those of the sine of the whole difference of longitudes: its half is missing", true},
    {whole_both, "term-missing", "all indices are those of the sines of whole differences: their halves are missing", true},
    {farthest, "farthest", "each index is that of the farthest reference", false},
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
        if (p->index[i] < p->n)
            mistake_add(m, "observation %zu: got reference %u, %.7f away; want %zu, %.7f away", i, p->index[i],
                        angle(half_angle(p, i, p->index[i], true)), j, angle(half_angle(p, i, j, true)));
        else
            mistake_add(m, "observation %zu: got reference %u, and there are %zu; want %zu, %.7f away", i,
                        p->index[i], p->n, j, angle(half_angle(p, i, j, true)));
        return;
    }
}

/* h of four arguments, of which one is passed in the place of another: order[n] is the one in the place of argument n. */
static double permuted(const struct knn *p, size_t i, size_t j, const int order[4])
{
    const double all[4] = {p->obs_lat[i], p->obs_lon[i], p->ref_lat[j], p->ref_lon[j]};
    const double lat1 = all[order[0]], lon1 = all[order[1]], lat2 = all[order[2]], lon2 = all[order[3]];
    const double s = sin((lat2 - lat1) / 2.0), t = sin((lon2 - lon1) / 2.0);

    return s * s + cos(lat1) * cos(lat2) * t * t;
}

/* Returns whether each index is that of the nearest by this order, and each distance is by this order, too.  In float32
   the points of a crowd cannot be told apart, so another one of it may be found. */
static bool follows_order(const struct knn *p, const int order[4])
{
    for (size_t i = 0; i < p->m; i++) {
        const size_t found = p->index[i];
        double least = INFINITY;
        for (size_t j = 0; j < p->n; j++)
            least = fmin(least, permuted(p, i, j, order));
        if (found >= p->n || permuted(p, i, found, order) - least >= 0x1p-22)
            return false;
        const double away = angle(permuted(p, i, found, order));
        if (!(fabs(p->distance[i] - away) <= 1e-3 * away + (away > 3.0 ? 2e-3 : 1e-7)))
            return false;
    }
    return true;
}

/* Finds the order in which the distance got its four arguments.  A latitude in the place of the other one is right, too. */
static bool other_order(const struct knn *p, struct mistake *m)
{
    static const char *const names[] = {"latitude 1", "longitude 1", "latitude 2", "longitude 2"};

    for (int code = 0; code < 256; code++) {
        const int order[4] = {code >> 6 & 3, code >> 4 & 3, code >> 2 & 3, code & 3};
        const bool each = (1 << order[0] | 1 << order[1] | 1 << order[2] | 1 << order[3]) == 15;
        const bool right_one = order[0] % 2 == 0 && order[2] % 2 == 0;
        if (!each || right_one || !follows_order(p, order))
            continue;
        mistake_set(m, "exchanged-arguments");
        mistake_add(m, "all indices are those of a distance with its arguments in this order: %s, %s, %s, %s",
                    names[order[0]], names[order[1]], names[order[2]], names[order[3]]);
        add_first(p, m);
        return true;
    }
    return false;
}

/* h of a place whose latitude is observation i's, or by mistake that of observation j; its longitude, too. */
static double of_own_j(const struct knn *p, size_t i, size_t j, bool lat, bool lon)
{
    const size_t a = lat ? j : i, b = lon ? j : i;
    const double s = sin(((double)p->ref_lat[j] - p->obs_lat[a]) / 2.0);
    const double t = sin(((double)p->ref_lon[j] - p->obs_lon[b]) / 2.0);

    return s * s + cos(p->obs_lat[a]) * cos(p->ref_lat[j]) * t * t;
}

/* Finds an observation that was read with the number of the reference: obs_lat[j]. */
static bool with_number_j(const struct knn *p, struct mistake *m)
{
    static const char *const names[] = {"", "obs_lat[j]", "obs_lon[j]", "obs_lat[j] and obs_lon[j]"};

    for (unsigned which = 1; p->m >= p->n && p->n > 2 && which < 4; which++) {
        size_t same = 0;
        for (size_t i = 0; i < p->m && same == i; i++) {
            double least = INFINITY;
            for (size_t j = 0; j < p->n; j++)
                least = fmin(least, of_own_j(p, i, j, which & 1, which & 2));
            same += fabs(p->distance[i] - angle(least)) <= 1e-3 * angle(least) + 1e-6;
        }
        if (same < p->m)
            continue;
        mistake_set(m, "wrong-index");
        mistake_add(m, "all distances are those of %s: an observation's number is i, and a reference's is j", names[which]);
        return true;
    }
    return false;
}

/* Finds a search that has ended too early for all: at the same reference. */
static bool ends_early(const struct knn *p, struct mistake *m)
{
    size_t last = 0;

    for (size_t i = 0; i < p->m; i++) {
        if (p->index[i] >= p->n)
            return false;
        last = p->index[i] > last ? p->index[i] : last;
    }
    for (size_t i = 0; i < p->m; i++) {
        const size_t j = nearest(p, i, 0, last + 1, true);
        if (p->index[i] != j && !as_near(p, i, j, p->index[i]))
            return false;
    }
    if (last == 0 || last + 1 >= p->n || p->m < 8)
        return false;
    mistake_set(m, "wrong-half");
    mistake_add(m, "all indices are those of a search that ends after reference %zu; there are %zu references", last, p->n);
    add_first(p, m);
    return true;
}

#define FORMULA(name, formula)                                                                     \
    static double name(double h)                                                                   \
    {                                                                                              \
        return formula;                                                                            \
    }

FORMULA(of_h, h)
FORMULA(of_root, sqrt(h))
FORMULA(of_two_roots, 2.0 * sqrt(h))
FORMULA(of_half, asin(sqrt(h)))
FORMULA(of_no_root, 2.0 * asin(h))
FORMULA(of_arcsine, asin(h))
FORMULA(of_arccosine, 2.0 * acos(sqrt(fmin(h, 1.0))))
FORMULA(of_chord, angle(4.0 * h))
FORMULA(of_late_root, 2.0 * sqrt(asin(h)))

/* What a distance may be instead of 2 * asin(sqrt(h)). */
static const struct {
    const char *text;
    double (*of)(double h);
} formulas[] = {
    {"h itself: the root and the arcsine are missing", of_h},
    {"the root of h: the arcsine and the factor 2 are missing", of_root},
    {"twice the root of h: the arcsine is missing", of_two_roots},
    {"half the angle: the factor 2 is missing", of_half},
    {"twice the arcsine of h: the root is missing", of_no_root},
    {"the arcsine of h: the root and the factor 2 are missing", of_arcsine},
    {"twice the arccosine of the root of h: it is the arcsine", of_arccosine},
    {"twice the arcsine of the chord: the arcsine takes half of the chord", of_chord},
    {"twice the root of the arcsine of h: the root comes first", of_late_root},
};

/* Returns whether all distances follow from h in this way, as far as it can be told: near 0 an angle is like its sine. */
static bool all_are(const struct knn *p, double (*of)(double h))
{
    size_t asked = 0;

    for (size_t i = 0; i < p->m; i++) {
        const double h = half_angle(p, i, nearest(p, i, 0, p->n, true), true), formula = of(h);
        if (h < 1e-4)
            continue;
        asked++;
        if (!(fabs(p->distance[i] - formula) <= 1e-3 * (1e-2 + formula)))
            return false;
    }
    return asked > 0;
}

/* Looks at the distances when the indices are right. */
static bool wrong_distance(const struct knn *p, struct mistake *m)
{
    const char *what = NULL;
    size_t indices = 0;

    for (size_t i = 0; i < p->m; i++)
        indices += p->distance[i] == (float)p->index[i];
    if (indices == p->m)
        what = "the index: that of the nearest so far is missing";
    for (size_t i = 0; what == NULL && i < sizeof formulas / sizeof *formulas; i++)
        what = all_are(p, formulas[i].of) ? formulas[i].text : NULL;
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

/* Each observation has looked only at the references that its own thread has loaded; where there is none, it has kept
   nothing. */
static bool own_only(const struct knn *p, struct mistake *m)
{
    size_t seen = 0;

    for (size_t i = 0; i < p->m; i++) {
        const size_t j = own_of_tiles(p, i), got = p->index[i];
        seen += j < p->n;
        if (j == p->n ? !isinf(p->distance[i]) : got >= p->n || (got != j && !as_near(p, i, j, got)))
            return false;
    }
    if (seen < 3)
        return false;
    mistake_set(m, "alone");
    mistake_add(m, "thread t of a block has looked at reference t of each tile only: the one that it has loaded itself");
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
    if (isnan(start) || ((v->wrong_count < 3 || (p->n == 1 && start != roundf(start))) && !isinf(start)))
        return false; /* with a single reference, any wrong distance may be the same for all */
    if (isinf(start)) {
        mistake_set(m, "none-kept");
        mistake_add(m, "%s distance is infinite: no reference was kept",
                    v->wrong_count < p->m ? "some" : "every");
        return true;
    }
    mistake_set(m, "wrong-start");
    if (start == 0.0f)
        mistake_add(m, "%s observations get the distance 0: nothing is below that, if the search begins with it",
                    v->wrong_count < p->m ? "some" : "all");
    else
        mistake_add(m, "%s observations get distance %g, which no reference has: does the search begin with it?",
                    v->wrong_count < p->m ? "some" : "all", (double)start);
    return true;
}

/* Every distance is infinite, but indices were kept. */
static bool distance_unkept(const struct knn *p, struct mistake *m)
{
    size_t kept = 0;

    for (size_t i = 0; i < p->m; i++) {
        if (!isinf(p->distance[i]))
            return false;
        kept += p->index[i] > 0 && p->index[i] < p->n;
    }
    if (kept == 0)
        return false;
    mistake_set(m, "distance-left");
    mistake_add(m, "every distance is infinite, and the indices are not 0: an index was kept, but not its distance");
    return true;
}

/* Lane 0 has all distances right, and the index of its own nearest. */
static bool index_of_first_lane(const struct knn *p, const struct view *v, struct mistake *m)
{
    if (v->wrong_count > 0 || !follows(p, of_first_lane))
        return false;
    mistake_set(m, "index-left");
    mistake_add(m, "the distances are right, but each index is the one that lane 0 has found by itself");
    add_first(p, m);
    return true;
}

/* Returns whether each distance is that of the reference with the index beside it. */
static bool belong_together(const struct knn *p)
{
    for (size_t i = 0; i < p->m; i++)
        if (p->index[i] >= p->n ||
            !(fabs(p->distance[i] - angle(half_angle(p, i, p->index[i], true))) <= 4e-3))
            return false;
    return true;
}

static bool follows_rule(const struct knn *p, const struct view *v, struct mistake *m)
{
    const bool together = belong_together(p);

    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
        if (!(together || rules[r].loose) || !follows(p, rules[r].of) ||
            (rules[r].of == last_tile && v->wrong_count == 0))
            continue;
        mistake_set(m, rules[r].kind);
        mistake_add(m, "%s", rules[r].text);
        add_first(p, m);
        return true;
    }
    return false;
}

/* All that is wrong is nearly right.  A dot product or a cosine near 1 has an absolute error of some 1e-7, and so a
   small angle has one of some 5e-4. */
static bool is_rounding(const struct knn *p, const struct view *v, struct mistake *m)
{
    const double allowed = 1e-3;

    for (size_t i = 0; i < p->m; i++) {
        const double least = v->want[i];
        if (p->index[i] >= p->n || !(fabs(v->got[i] - least) <= allowed) ||
            angle(half_angle(p, i, p->index[i], true)) - least > allowed)
            return false;
    }
    mistake_set(m, "rounding");
    mistake_add(m, "every result is nearly right: the distances are off by less than %g, and some indices are "
                "those of references that are nearly as near", allowed);
    add_first(p, m);
    return true;
}

/* Adds which observation's index index[0] holds, if its neighbours hold those of the observations behind that one. */
static void add_start(const struct knn *p, struct mistake *m)
{
    for (size_t by = 1; by + 2 < p->m; by++)
        if (p->index[0] == right(p, by) && p->index[1] == right(p, by + 1) && p->index[2] == right(p, by + 2)) {
            mistake_add(m, "index[0] holds what belongs into index[%zu], and index[1] what belongs into index[%zu]", by,
                        by + 1);
            return;
        }
}

static bool only_indices(const struct knn *p, const struct view *v, struct mistake *m)
{
    if (v->wrong_count > 0)
        return false;
    size_t own = 0, written = 0;
    for (size_t i = 0; i < p->m; i++) {
        own += p->index[i] == i;
        written += p->index[i] != UINT32_MAX;
    }
    mistake_set(m, "wrong-index");
    mistake_add(m, own == p->m ? "all distances are right, but each index is the number of the observation"
                               : "all distances are right, but some indices are not");
    add_start(p, m);
    if (written < p->m)
        mistake_add(m, "%zu of %zu elements of index were not written at all", p->m - written, p->m);
    else
        add_first(p, m);
    return true;
}

/* The distance beside an index is another one's. */
static bool strangers(const void *c, struct mistake *m)
{
    const struct knn *p = c;

    for (size_t i = 0; i < p->m; i++) {
        const size_t j = p->index[i];
        if (j >= p->n || isnan(p->distance[i]) || isinf(p->distance[i]))
            return false;
        const double away = angle(half_angle(p, i, j, true));
        if (fabs(p->distance[i] - away) <= 4e-3)
            continue;
        mistake_set(m, "wrong-values");
        mistake_add(m, "distance and index do not belong together: index[%zu] is %zu, which is %.7g away, and "
                       "distance[%zu] is %.7g", i, j, away, i, (double)p->distance[i]);
        return true;
    }
    return false;
}

static bool look(const void *c, const struct view *v, struct mistake *m)
{
    const struct knn *p = c;
    bool found;

    if (p->n < 1 || p->m == 0 || v->untouched > 0)
        return false;
    if ((!follows(p, right) && own_only(p, m)) || never_moved(p, v, m) || distance_unkept(p, m))
        found = true;
    else if (follows(p, right))
        found = wrong_distance(p, m) || breaks_tie(p, m) || is_rounding(p, v, m);
    else
        found = index_unkept(p, v, m) || index_of_first_lane(p, v, m) || follows_rule(p, v, m) || other_order(p, m) ||
                is_rounding(p, v, m) || (v->wrong_count > 0 && with_number_j(p, m)) || only_indices(p, v, m);
    if (found)
        m->explains = p->m;
    return found || (!follows(p, right) && ends_early(p, m)); /* an access out of bounds would say more than the latter */
}

static const struct guess guess[] = {{NULL, NULL, NULL}};

const struct guesses guesses_knn = {.problem = "knn", .view = view, .want = want, .guess = guess, .look = look,
                                    .last_look = strangers};
