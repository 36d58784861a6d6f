/* knn, k = 1: finds which references were looked at, if not all, and which of them was kept, if not the nearest. */
#include <math.h>

#include "workshop/lab/guess_knn.h"

enum { TILE = 256 };

static size_t no_last(const struct knn *p, size_t i)
{
    return knn_nearest(p, i, 0, p->n - 1);
}

static size_t no_first(const struct knn *p, size_t i)
{
    return knn_nearest(p, i, 1, p->n);
}

static size_t first_tile(const struct knn *p, size_t i)
{
    return knn_nearest(p, i, 0, p->n < TILE ? p->n : TILE);
}

static size_t last_tile(const struct knn *p, size_t i)
{
    return knn_nearest(p, i, (p->n - 1) / TILE * TILE, p->n);
}

static size_t whole_tiles(const struct knn *p, size_t i)
{
    return p->n < TILE ? p->n : knn_nearest(p, i, 0, p->n / TILE * TILE);
}

/* The nearest in half of what threads have found: those with an even number, or the lower ones. */
static size_t even_lanes(const struct knn *p, size_t i)
{
    size_t best = 0;

    for (size_t j = 2; j < p->n; j += 2)
        if (knn_h(p, i, j) < knn_h(p, i, best))
            best = j;
    return best;
}

static size_t lower_half(const struct knn *p, size_t i)
{
    size_t best = 0;

    for (size_t j = 1; j < p->n; j++)
        if (j % 128 < 64 && knn_h(p, i, j) < knn_h(p, i, best))
            best = j;
    return best;
}

/* Returns the nearest of the references that one of `threads` threads looks at: every threads-th. */
static size_t of_thread(const struct knn *p, size_t i, size_t thread, size_t threads)
{
    size_t best = thread;

    for (size_t j = thread + threads; j < p->n; j += threads)
        if (knn_h(p, i, j) < knn_h(p, i, best))
            best = j;
    return best;
}

/* The nearest of the last 128 references: what 128 threads are left with that keep their last one only. */
static size_t last_of_threads(const struct knn *p, size_t i)
{
    return knn_nearest(p, i, p->n > 128 ? p->n - 128 : 0, p->n);
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

size_t knn_of_first_lane(const struct knn *p, size_t i)
{
    return of_thread(p, i, 0, 32);
}

static size_t of_last_lane(const struct knn *p, size_t i)
{
    return p->n > 31 ? of_thread(p, i, 31, 32) : p->n;
}

static size_t of_first_thread(const struct knn *p, size_t i)
{
    return of_thread(p, i, 0, 128);
}

/* Returns the nearest that lanes 0 to last - 1 have found; with `powers`, only lanes 0, 1, 2, 4, 8 and 16. */
static size_t of_lanes(const struct knn *p, size_t i, size_t last, bool powers)
{
    size_t best = knn_of_first_lane(p, i);

    for (size_t lane = 1; lane < last && lane < p->n; lane++) {
        const size_t j = of_thread(p, i, lane, 32);
        const bool skipped = powers && (lane & (lane - 1)) != 0;
        if (!skipped && knn_h(p, i, j) < knn_h(p, i, best))
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

static size_t farthest(const struct knn *p, size_t i)
{
    size_t best = 0;

    for (size_t j = 1; j < p->n; j++)
        if (knn_h(p, i, j) > knn_h(p, i, best))
            best = j;
    return best;
}

/* The nearest by the differences of latitude and longitude alone, of which a rule makes one number. */
static size_t nearest_by(const struct knn *p, size_t i, double (*of)(double latitudes, double longitudes))
{
    double least = INFINITY;
    size_t best = 0;

    for (size_t j = 0; j < p->n; j++) {
        const double here = of(fabs((double)p->ref_lat[j] - p->obs_lat[i]), fabs((double)p->ref_lon[j] - p->obs_lon[i]));
        best = here < least ? j : best;
        least = fmin(least, here);
    }
    return best;
}

static double of_sum(double a, double b)
{
    return a + b;
}

static double of_latitude(double a, double b)
{
    return a + 0.0 * b;
}

static double of_longitude(double a, double b)
{
    return 0.0 * a + b;
}

static size_t by_latitude(const struct knn *p, size_t i)
{
    return nearest_by(p, i, of_latitude);
}

static size_t by_longitude(const struct knn *p, size_t i)
{
    return nearest_by(p, i, of_longitude);
}

/* The nearest of a search that skips a reference if this number is more than the least distance so far. */
static size_t pruned_by(const struct knn *p, size_t i, double (*of)(double latitudes, double longitudes), double (*bound)(double h))
{
    double least = INFINITY;
    size_t best = 0;

    for (size_t j = 0; j < p->n; j++) {
        if (of(fabs((double)p->ref_lat[j] - p->obs_lat[i]), fabs((double)p->ref_lon[j] - p->obs_lon[i])) > bound(least))
            continue;
        const double here = knn_h(p, i, j);
        best = here < least ? j : best;
        least = fmin(least, here);
    }
    return best;
}

static size_t pruned_by_sum(const struct knn *p, size_t i)
{
    return pruned_by(p, i, of_sum, knn_angle);
}

static size_t pruned_by_longitude(const struct knn *p, size_t i)
{
    return pruned_by(p, i, of_longitude, knn_angle);
}

static double itself(double h)
{
    return h;
}

static double square_of_chord(double h)
{
    return 4.0 * h;
}

static size_t pruned_by_h(const struct knn *p, size_t i)
{
    return pruned_by(p, i, of_latitude, itself);
}

static size_t pruned_by_square(const struct knn *p, size_t i)
{
    return pruned_by(p, i, of_latitude, square_of_chord);
}

/* The nearest of those that are among the first of their tile, as many as the last tile has. */
static size_t rest_of_each_tile(const struct knn *p, size_t i)
{
    const size_t rest = p->n % TILE;
    size_t best = 0;

    for (size_t j = 1; rest > 0 && j < p->n; j++)
        best = j % TILE < rest && knn_h(p, i, j) < knn_h(p, i, best) ? j : best;
    return best;
}

/* The search has ended with the first reference that is not nearer than those before. */
static size_t until_not_nearer(const struct knn *p, size_t i)
{
    size_t j = 0;

    while (j + 1 < p->n && knn_h(p, i, j + 1) < knn_h(p, i, j))
        j++;
    return j;
}

/* The last of those that are nearer than the first reference. */
static size_t compared_with_first(const struct knn *p, size_t i)
{
    size_t best = 0;

    for (size_t j = 1; j < p->n; j++)
        if (knn_h(p, i, j) < knn_h(p, i, 0))
            best = j;
    return best;
}

/* The last of those that are nearer than the reference before. */
static size_t compared_with_previous(const struct knn *p, size_t i)
{
    size_t best = 0;

    for (size_t j = 1; j < p->n; j++)
        if (knn_h(p, i, j) < knn_h(p, i, j - 1))
            best = j;
    return best;
}

static const struct {
    knn_rule *of;
    const char *kind, *text;
} rules[] = {
    {first_reference, "first-reference", "every index is 0: no reference but the first was kept"},
    {last_reference, "overwritten", "every index is that of the last reference: what was found before was lost"},
    {no_last, "last-missed", "all indices are those of a search without the last reference"},
    {no_first, "first-missed", "all indices are those of a search without the first reference"},
    {whole_tiles, "partial-tile", "all indices are those of a search that ends with the last whole tile of 256"},
    {first_tile, "first-tile-only", "all indices are those of a search in the first 256 references only"},
    {last_tile, "overwritten", "all indices are those of the last tile of 256: what earlier tiles gave was lost"},
    {last_of_threads, "overwritten", "each thread has kept the last of its references, and not the nearest"},
    {even_lanes, "wrong-half",
     "all indices are those of references with an even index: those with an odd one were left out"},
    {lower_half, "wrong-half", "all indices are those that the first 64 of 128 threads have found"},
    {knn_of_first_lane, "alone", "each result is what lane 0 (thread 0) has found by itself"},
    {of_last_lane, "alone", "each result is what lane 31 has found by itself"},
    {of_first_thread, "alone", "each result is what thread 0 has found by itself"},
    {lower_lanes, "wrong-half", "all indices are those that lanes 0 to 15 have found: what lanes 16 to 31 found was lost"},
    {lanes_of_powers, "wrong-half", "all indices are those that lanes 0, 1, 2, 4, 8 and 16 have found"},
    {until_not_nearer, "wrong-half", "each search has ended with the first reference that is not nearer than the one before: the loop does not go on"},
    {compared_with_first, "overwritten", "each index is the last reference that is nearer than the first one: all are compared with that, and not with the "
                                         "nearest so far"},
    {compared_with_previous, "overwritten", "each index is the last reference that is nearer than the one before it: each is compared with that, and not "
                                            "with the nearest so far"},
    {by_latitude, "cosine-missing", "each index is that of the reference with the nearest latitude"},
    {by_longitude, "cosine-missing", "each index is that of the reference with the nearest longitude"},
    {pruned_by_sum, "wrong-half", "all indices are those of a search that skips a reference if the sum of its two differences of angles is more than the least "
                                  "distance so far: such a reference may still be nearer"},
    {pruned_by_longitude, "wrong-half", "all indices are those of a search that skips a reference if its difference of longitude is more than the least distance "
                                        "so far: such a reference may still be nearer, far from the equator"},
    {pruned_by_h, "wrong-half", "all indices are those of a search that skips a reference if its difference of latitude is more than the least h so far: h is the "
                                "square of a sine, and an angle is compared with an angle"},
    {pruned_by_square, "wrong-half", "all indices are those of a search that skips a reference if its difference of latitude is more than the square of the least "
                                     "chord so far: a length is compared with a length"},
    {rest_of_each_tile, "partial-tile", "all indices are those of a search that takes as many references of each tile of 256 as the last tile has"},
    {farthest, "farthest", "each index is that of the farthest reference"},
};

/* Returns whether each distance is that of the reference with the index beside it. */
static bool belong_together(const struct knn *p)
{
    for (size_t i = 0; i < p->m; i++)
        if (p->index[i] >= p->n ||
            !(fabs(p->distance[i] - knn_angle(knn_h(p, i, p->index[i]))) <= 4e-3))
            return false;
    return true;
}

bool knn_other_points(const struct knn *p, const struct view *v, struct mistake *m)
{
    for (size_t r = 0; belong_together(p) && r < sizeof rules / sizeof *rules; r++) {
        if (!knn_follows(p, rules[r].of) || (rules[r].of == last_tile && v->wrong_count == 0))
            continue;
        mistake_set(m, rules[r].kind);
        mistake_add(m, "%s", rules[r].text);
        knn_add_first(p, m);
        return true;
    }
    return false;
}

/* Returns the step of 32 to 512 for which each observation has looked only at every step-th reference, from the number of
   its thread on; where there is none, it has kept nothing.  0: none. */
static size_t own_step(const struct knn *p)
{
    for (size_t step = 32; step <= 512; step *= 2) {
        size_t seen = 0, i;

        for (i = 0; i < p->m; i++) {
            const size_t first = i % step, got = p->index[i];
            const size_t j = first < p->n ? of_thread(p, i, first, step) : p->n;
            seen += j < p->n;
            if (j == p->n ? !isinf(p->distance[i]) : got >= p->n || (got != j && !knn_as_near(p, i, j, got)))
                break;
        }
        if (i == p->m && seen >= 3)
            return step;
    }
    return 0;
}

/* Returns the nearest of those whose number in a part of so many is not below that of the thread; p->n: there is none. */
static size_t from_own_number(const struct knn *p, size_t i, size_t thread, size_t part)
{
    size_t best = p->n;

    for (size_t j = 0; j < p->n; j++)
        if (j % part >= thread && (best == p->n || knn_h(p, i, j) < knn_h(p, i, best)))
            best = j;
    return best;
}

/* Returns whether the thread of each observation, in a block of so many, has begun at its own number, in each part. */
static bool begins_at_own(const struct knn *p, size_t block, size_t part)
{
    for (size_t i = 0; i < p->m; i++) {
        const size_t j = from_own_number(p, i, i % block, part), got = p->index[i];
        if (j == p->n ? !isinf(p->distance[i]) : got >= p->n || (got != j && !knn_as_near(p, i, j, got)))
            return false;
    }
    return true;
}

bool knn_alone(const struct knn *p, const struct view *v, struct mistake *m)
{
    const size_t step = v->wrong_count > 0 ? own_step(p) : 0;

    const bool in_tile = step == 0 && begins_at_own(p, TILE, TILE);

    if (step == 0 && !in_tile && !begins_at_own(p, TILE / 2, p->n))
        return false;
    mistake_set(m, "alone");
    if (step == 0) {
        mistake_add(m, "thread t of a block has begun at %s: those before it were left out", in_tile ? "place t of each tile of 256" : "reference t");
        knn_add_first(p, m);
        return true;
    }
    if (step < p->n)
        mistake_add(m, "thread t of a block has looked at references t, t + %zu ... only: one of each %zu, the one with its own "
                       "number", step, step);
    else
        mistake_add(m, "thread t of a block has looked at reference t only: the one with its own number");
    knn_add_first(p, m);
    return true;
}

static bool same_place(const struct knn *p, size_t j, size_t other)
{
    return p->ref_lat[j] == p->ref_lat[other] && p->ref_lon[j] == p->ref_lon[other];
}

/* Returns whether each observation has got the last of the references at the same place. */
static bool takes_last(const struct knn *p)
{
    for (size_t i = 0; i < p->m; i++)
        for (size_t j = p->index[i] + 1; j < p->n; j++)
            if (same_place(p, j, p->index[i]))
                return false;
    return true;
}

/* Finds a reference that has another one with a lower index at the same place.  All distances are right then. */
bool knn_breaks_tie(const struct knn *p, const struct view *v, struct mistake *m)
{
    for (size_t i = 0; v->wrong_count == 0 && i < p->m; i++)
        for (size_t j = 0; j < p->index[i]; j++) {
            if (!same_place(p, j, p->index[i]))
                continue;
            mistake_set(m, "tie-rule");
            mistake_add(m, "observation %zu: references %zu and %u are at the same place; got %u, "
                           "want the first of them", i, j, p->index[i], p->index[i]);
            if (takes_last(p))
                mistake_add(m, "of references at the same place the last one is kept, each time");
            return true;
        }
    return false;
}

/* Finds a search that has ended too early for all: at the same reference. */
bool knn_ends_early(const struct knn *p, struct mistake *m)
{
    size_t last = 0;

    for (size_t i = 0; i < p->m; i++) {
        if (p->index[i] >= p->n)
            return false;
        last = p->index[i] > last ? p->index[i] : last;
    }
    for (size_t i = 0; i < p->m; i++) {
        const size_t j = knn_nearest(p, i, 0, last + 1);
        if (p->index[i] != j && !knn_as_near(p, i, j, p->index[i]))
            return false;
    }
    if (last == 0 || last + 1 >= p->n || p->m < 8)
        return false;
    mistake_set(m, "wrong-half");
    mistake_add(m, "all indices are those of a search that ends after reference %zu; there are %zu references", last, p->n);
    knn_add_first(p, m);
    return true;
}
