/* knn, k = 1: finds the mistake by which wrong references were taken for the nearest. */
#include "workshop/lab/guess_knn.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

double knn_h(const struct knn *p, size_t i, size_t j)
{
    double lat1 = p->obs_lat[i], lat2 = p->ref_lat[j];
    double s = sin((lat2 - lat1) / 2.0);
    double t = sin(((double)p->ref_lon[j] - p->obs_lon[i]) / 2.0);

    return s * s + cos(lat1) * cos(lat2) * t * t;
}

double knn_angle(double h)
{
    return 2.0 * asin(sqrt(fmin(h, 1.0)));
}

size_t knn_nearest(const struct knn *p, size_t i, size_t first, size_t last)
{
    size_t best = first;

    for (size_t j = first + 1; j < last; j++)
        if (knn_h(p, i, j) < knn_h(p, i, best))
            best = j;
    return best;
}

static void want(const void *c, double *distance)
{
    const struct knn *p = c;

    for (size_t i = 0; i < p->m; i++)
        distance[i] = knn_angle(knn_h(p, i, knn_nearest(p, i, 0, p->n)));
}

bool knn_as_near(const struct knn *p, size_t i, size_t j, size_t other)
{
    double d = knn_angle(knn_h(p, i, j));
    double allowed = 1e-4 * d + (d > 3.0 ? 2e-3 : 0.0); /* the arcsine is inaccurate near an antipode */

    return fabs(d - knn_angle(knn_h(p, i, other))) <= allowed;
}

bool knn_follows(const struct knn *p, knn_rule *of)
{
    for (size_t i = 0; i < p->m; i++) {
        size_t j = of(p, i), got = p->index[i];
        if (got != j && (j >= p->n || got >= p->n || !knn_as_near(p, i, j, got)))
            return false;
    }
    return true;
}

size_t knn_right(const struct knn *p, size_t i)
{
    return knn_nearest(p, i, 0, p->n);
}

void knn_add_first(const struct knn *p, struct mistake *m)
{
    for (size_t i = 0; i < p->m; i++) {
        size_t j = knn_nearest(p, i, 0, p->n);
        if (p->index[i] == j)
            continue;
        if (p->index[i] < p->n)
            mistake_add(m, "observation %zu: got reference %u, %.7f away; want %zu, %.7f away", i, p->index[i],
                        knn_angle(knn_h(p, i, p->index[i])), j, knn_angle(knn_h(p, i, j)));
        else
            mistake_add(m, "observation %zu: got reference %u, and there are %zu; want %zu, %.7f away", i,
                        p->index[i], p->n, j, knn_angle(knn_h(p, i, j)));
        return;
    }
}

/* The order counts: what comes first is more specific, or would be taken for something else. */
static bool look(const void *c, const struct view *v, struct mistake *m)
{
    const struct knn *p = c;
    bool found;

    if (p->n < 1 || p->m == 0 || v->untouched > 0)
        return false;
    const bool right = knn_follows(p, knn_right);
    if ((!right && knn_alone(p, v, m)) || knn_flat_map(p, v, m) || knn_never_kept(p, v, m))
        found = true;
    else if (right)
        found = knn_other_angle(p, m) || knn_other_formula(p, v, m) || knn_breaks_tie(p, v, m) || knn_is_rounding(p, v, m) ||
                knn_other_reference(p, v, m);
    else
        found = knn_behind_the_last(p, v, m) || knn_whole(p, v, m) || knn_not_reset(p, v, m) || knn_index_left(p, v, m) || knn_other_points(p, v, m) || knn_other_index(p, m) || knn_exchanged(p, v, m) || knn_other_formula(p, v, m) ||
                knn_other_order(p, v, m) || knn_other_space(p, m) || knn_other_measure(p, m) || (v->wrong_count > 0 && knn_other_steps(p, m)) || knn_is_rounding(p, v, m) || (v->wrong_count > 0 && knn_with_number_j(p, m)) ||
                knn_only_indices(p, v, m) || knn_other_reference(p, v, m);
    if (found)
        m->explains = p->m;
    return found || (!right && knn_ends_early(p, m)); /* an access out of bounds would say more than the latter */
}

/* Adds to an access outside of the references whether its number is that of the thread's observation. */
static void outside(const void *c, const struct access *a, struct mistake *m)
{
    const struct knn *p = c;

    if (strstr(a->array, "ref") != NULL && a->count == p->n && a->block_x == 0 && a->y == 0 && a->element == a->x && a->x > 0 && a->x < p->m)
        mistake_add(m, "that is the number of the observation, of which there are %zu", p->m);
    else if (strstr(a->array, "ref") != NULL && a->count == p->n && a->element == p->n && a->block_x == 0 && a->y == 0 && a->x == p->n + 1)
        mistake_add(m, "thread %u goes on to this reference, and the threads before it do not: the end of the loop depends on the number of "
                       "the thread", a->x);
}

/* Returns whether the shared array of the first fact has room for two floats of each reference, as one of float2 has. */
static bool is_of_pairs(const struct mistake *m, size_t tile)
{
    const char *of = strstr(m->fact[0], "of the shared array ");
    size_t bytes = 0;

    return of != NULL && sscanf(of, "of the shared array %*s of %zu bytes", &bytes) == 1 && bytes == 2 * tile * sizeof(float);
}

/* Says whose places of a shared array are written, and whose are not. */
static void unwritten(const void *c, size_t written, struct mistake *m)
{
    enum { TILE = 256 };
    const struct knn *p = c;
    const size_t here = p->n % TILE;
    const bool pairs = is_of_pairs(m, TILE) && written % 2 == 0 && (written / 2 == p->n || written / 2 == here);
    const bool of_references = written == p->n || written == here || pairs, of_observations = (written == p->m || written == p->m % TILE) && !pairs;

    if (of_references == of_observations && (of_references || written < 32 || (written & (written - 1)) != 0))
        return;
    if (of_references)
        mistake_add(m, "as many are written as there are references: it is read behind its last reference");
    else if (of_observations)
        mistake_add(m, "as many are written as there are observations: only threads with an observation have written");
    else
        mistake_add(m, "the threads from %zu on have not loaded anything, though there is a reference for each", written);
    m->explains = p->m > 8 ? p->m : 8;
}

static const struct guess guess[] = {{NULL, NULL, NULL}};

const struct guesses guesses_knn = {.problem = "knn", .view = view, .want = want, .guess = guess, .look = look,
                                    .last_look = knn_strangers, .no_number = knn_no_number, .outside = outside, .unwritten = unwritten};
