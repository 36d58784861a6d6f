/* knn, k = 1: finds what was put into the lists of indices and distances in the place of those of the nearest. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "workshop/lab/guess_knn.h"

enum { TILE = 256 };

/* Adds to a distance the h that belongs to it, if that is a number as a program writes it. */
static const char *h_of_start(float start)
{
    static char text[60];
    const double h = pow(sin(start / 2.0), 2.0), tenths = round(10.0 * h);

    text[0] = '\0';
    if (tenths > 0.0 && tenths < 10.0 && fabs(10.0 * h - tenths) < 1e-5)
        snprintf(text, sizeof text, ", or with the h of it, %.1f", h);
    return text;
}

/* Returns whether the wrong distances should be above this one, the others are not, and there are some of both. */
static bool divides(const struct view *v, float start)
{
    for (size_t i = 0; i < v->count; i++)
        if (v->wrong[i] != (v->want[i] > start))
            return false;
    return v->wrong_count > 0 && v->wrong_count < v->count;
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
    const bool may_be_chance = v->wrong_count < 3 || (p->n == 1 && start != roundf(start) && !divides(v, start));

    if (isnan(start) || (may_be_chance && !isinf(start)))
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
        mistake_add(m, "%s observations get distance %g, which no reference has: does the search begin with it%s?",
                    v->wrong_count < p->m ? "some" : "all", (double)start, h_of_start(start));
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

bool knn_never_kept(const struct knn *p, const struct view *v, struct mistake *m)
{
    return never_moved(p, v, m) || distance_unkept(p, m);
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
    knn_add_first(p, m);
    return true;
}

/* Lane 0 has all distances right, and the index of its own nearest. */
static bool index_of_first_lane(const struct knn *p, const struct view *v, struct mistake *m)
{
    if (v->wrong_count > 0 || !knn_follows(p, knn_of_first_lane))
        return false;
    mistake_set(m, "index-left");
    mistake_add(m, "the distances are right, but each index is the one that lane 0 has found by itself");
    knn_add_first(p, m);
    return true;
}

bool knn_index_left(const struct knn *p, const struct view *v, struct mistake *m)
{
    return index_unkept(p, v, m) || index_of_first_lane(p, v, m);
}

static size_t within_tile(const struct knn *p, size_t i)
{
    return knn_nearest(p, i, 0, p->n) % TILE;
}

static size_t one_more(const struct knn *p, size_t i)
{
    return knn_nearest(p, i, 0, p->n) + 1;
}

static size_t tile_added(const struct knn *p, size_t i)
{
    const size_t right = knn_nearest(p, i, 0, p->n);

    return right % TILE + right / TILE;
}

/* Each index has the bits of a distance. */
static bool holds_distances(const struct knn *p)
{
    for (size_t i = 0; i < p->m; i++) {
        uint32_t bits;
        memcpy(&bits, &p->distance[i], sizeof bits);
        if (bits != p->index[i])
            return false;
    }
    return p->m > 1;
}

bool knn_other_index(const struct knn *p, struct mistake *m)
{
    if (holds_distances(p)) {
        mistake_set(m, "wrong-index");
        mistake_add(m, "each index has the bits of the distance beside it, so it is no number of a reference: what was copied to the indices is the array "
                       "of distances");
        knn_add_first(p, m);
        return true;
    }
    if (p->n > TILE && knn_follows(p, tile_added)) {
        mistake_set(m, "wrong-index");
        mistake_add(m, "each index is the place in its tile of 256 plus the number of the tile: the tile's first reference is 256 times that number");
        knn_add_first(p, m);
        return true;
    }
    const bool in_tile = knn_follows(p, within_tile);

    if (!in_tile && !knn_follows(p, one_more))
        return false;
    mistake_set(m, in_tile ? "index-in-tile" : "off-by-one");
    mistake_add(m, in_tile ? "the index counts from the start of its tile of 256" : "each index is the right one plus 1");
    knn_add_first(p, m);
    return true;
}

/* Adds which observation's index index[0] holds, if its neighbours hold those of the observations behind that one. */
static void add_start(const struct knn *p, struct mistake *m)
{
    for (size_t by = 1; by + 2 < p->m; by++)
        if (p->index[0] == knn_right(p, by) && p->index[1] == knn_right(p, by + 1) && p->index[2] == knn_right(p, by + 2)) {
            mistake_add(m, "index[0] holds what belongs into index[%zu], and index[1] what belongs into index[%zu]", by,
                        by + 1);
            return;
        }
}

/* Returns whether one of the nearest references has this number modulo `part`. */
static bool is_rest_of_nearest(const struct knn *p, size_t i, size_t number, size_t part)
{
    const size_t right = knn_right(p, i);

    for (size_t j = number; number < part && j < p->n; j += part)
        if (j == right || knn_as_near(p, i, right, j))
            return true;
    return false;
}

/* Returns whether each index is the nearest that the lane behind the one which has found the right reference has found. */
static bool is_of_next_lane(const struct knn *p)
{
    enum { LANES = 32, ENOUGH = 3 };
    size_t others = 0;

    for (size_t i = 0; i < p->m; i++) {
        const size_t right = knn_right(p, i), lane = (right % LANES + 1) % LANES;
        size_t best = lane;
        for (size_t j = lane; j < p->n; j += LANES)
            best = knn_h(p, i, j) < knn_h(p, i, best) ? j : best;
        if (p->index[i] != (lane < p->n ? best : 0))
            return false;
        others += p->index[i] != right;
    }
    return others >= ENOUGH;
}

/* Adds by which rule the indices follow from the right ones. */
static void add_rule(const struct knn *p, struct mistake *m)
{
    enum { LEAST = 32, MOST = 1024, ENOUGH = 3 };

    if (is_of_next_lane(p)) {
        mistake_add(m, "each index is what the lane behind the one with the nearest reference has found: lanes have the numbers 0 to 31");
        return;
    }
    for (size_t part = LEAST; part <= MOST; part *= 2) {
        size_t others = 0, i = 0;
        for (; i < p->m && is_rest_of_nearest(p, i, p->index[i], part); i++)
            others += p->index[i] != knn_right(p, i);
        if (i < p->m || others < ENOUGH)
            continue;
        mistake_add(m, "each index is that of a nearest reference modulo %zu: this is the number of the thread which has found it, if thread t looks at "
                       "references t, t + %zu and so on; of a tile of %zu references it is the place in the tile", part, part, part);
        return;
    }
}

/* Each distance is the number of the nearest reference, and each index is the whole part of its distance. */
bool knn_exchanged(const struct knn *p, const struct view *v, struct mistake *m)
{
    for (size_t i = 0; i < p->m; i++) {
        const size_t j = knn_right(p, i);
        if (p->distance[i] != (float)j || p->index[i] != (uint32_t)knn_angle(knn_h(p, i, j)))
            return false;
    }
    if (v->wrong_count < 3)
        return false;
    mistake_set(m, "exchanged");
    mistake_add(m, "distance holds the numbers of the nearest references, and index holds their distances: the two are exchanged");
    return true;
}

bool knn_only_indices(const struct knn *p, const struct view *v, struct mistake *m)
{
    if (v->wrong_count > 0)
        return false;
    size_t own = 0, written = 0, behind = 0, others = 0, one_less = 0, even = 0;
    for (size_t i = 0; i < p->m; i++) {
        const size_t right = knn_right(p, i);
        others += p->index[i] != right;
        one_less += p->index[i] + 1u == right;
        even += p->index[i] != right && p->index[i] % 2 == 0;
        own += p->index[i] == i;
        written += p->index[i] != UINT32_MAX;
        behind += p->index[i] == p->n;
    }
    mistake_set(m, "wrong-index");
    mistake_add(m, own == p->m ? "all distances are right, but each index is the number of the observation"
                               : "all distances are right, but some indices are not");
    if (behind == p->m)
        mistake_add(m, "every index is %zu, the number of references: that is what the loop's variable is behind the loop", p->n);
    if (others >= 3 && one_less == others)
        mistake_add(m, even == others ? "each wrong index is one less than the right one, and even: of two references together, the first one's number is kept"
                                      : "each wrong index is one less than the right one");
    add_start(p, m);
    add_rule(p, m);
    if (written < p->m)
        mistake_add(m, "%zu of %zu elements of index were not written at all", p->m - written, p->m);
    else
        knn_add_first(p, m);
    return true;
}

/* Each distance is that of the two places if their angles are taken for degrees. */
static bool from_degrees(const struct knn *p)
{
    const double degree = M_PI / 180.0;

    for (size_t i = 0; i < p->m; i++) {
        const size_t j = p->index[i];
        if (j >= p->n || !(fabs(p->distance[i] - degree * hypot((double)p->ref_lat[j] - p->obs_lat[i], (double)p->ref_lon[j] - p->obs_lon[i])) <= 1e-4))
            return false;
    }
    return p->m >= 16;
}

/* The distance beside an index is another one's. */
bool knn_strangers(const void *c, const struct view *v, struct mistake *m)
{
    const struct knn *p = c;

    enum { ENOUGH = 16 }; /* of fewer the nearest may come out by chance */
    const bool neighbours = p->m >= ENOUGH && p->n >= ENOUGH && knn_follows(p, knn_right);

    if (v->wrong_count >= ENOUGH && from_degrees(p)) {
        mistake_set(m, "scaled");
        mistake_add(m, "each distance is that of two places whose angles are multiplied by pi / 180: they are radians already, and not degrees");
        return true;
    }
    for (size_t i = 0; i < p->m; i++) {
        const size_t j = p->index[i];
        if (j >= p->n || isnan(p->distance[i]) || isinf(p->distance[i]))
            return false;
        const double away = knn_angle(knn_h(p, i, j));
        if (fabs(p->distance[i] - away) <= 4e-3)
            continue;
        mistake_set(m, neighbours ? "wrong-distance" : "wrong-values");
        if (neighbours)
            mistake_add(m, "all neighbours are right: so they are compared in the right way, and what is written as the distance is another number");
        mistake_add(m, "distance and index do not belong together: index[%zu] is %zu, which is %.7g away, and "
                       "distance[%zu] is %.7g", i, j, away, i, (double)p->distance[i]);
        return true;
    }
    return false;
}

/* Each wrong result is of a reference behind the last one, whose latitude and longitude are 0. */
bool knn_behind_the_last(const struct knn *p, const struct view *v, struct mistake *m)
{
    enum { ENOUGH = 3 };
    size_t first = p->m, others = 0, zero = 0;

    for (size_t i = p->m; i-- > 0;) {
        if (p->index[i] < p->n && v->wrong[i])
            return false;
        if (p->index[i] < p->n)
            continue;
        const double h = pow(sin(p->obs_lat[i] / 2.0), 2.0) + cos(p->obs_lat[i]) * pow(sin(p->obs_lon[i] / 2.0), 2.0);
        first = i;
        others++;
        zero += fabs(p->distance[i] - knn_angle(h)) <= 1e-3;
    }
    if (others < ENOUGH || zero < others || p->index[first] == UINT32_MAX)
        return false;
    mistake_set(m, "past-the-end");
    mistake_add(m, "index[%zu] is %u, and there are %zu references: the search goes on behind the last one, to places at latitude 0 and longitude 0",
                first, p->index[first], p->n);
    return true;
}
