#include "harness/records/traffic.h"

#include <math.h>
#include <string.h>

/* The sizes of a case of which the first axis is `times` as long as the result's. */
struct sizes {
    const struct result *r;
    double times;
};

static double length(const struct sizes *s, const char *axis)
{
    for (size_t i = 0; i < s->r->axes; i++)
        if (strcmp(s->r->size[i].name, axis) == 0)
            return (double)s->r->size[i].value * (i == 0 ? s->times : 1.0);
    return NAN;
}

static double steps_of_tree(double ranks)
{
    return ceil(log2(ranks));
}

/* --- patterns ------------------------------------------------------------------------------------- */

/* So many items of the first axis, or of another, cut among the ranks. */
static struct traffic cut(double items, double ranks)
{
    return (struct traffic){.share = ceil(items / ranks) / items, .most = items};
}

static void nothing(const struct sizes *s, double ranks, struct traffic *t)
{
    *t = cut(s->r->axes > 0 ? (double)s->r->size[0].value * s->times : NAN, ranks);
}

/* One row up, then one down.  Two ranks have one neighbour only, but each waits for the other both times. */
static void halo(const struct sizes *s, double ranks, struct traffic *t)
{
    const double pixel = length(s, "bytes") == 0.0 ? sizeof(float) : 1.0;

    nothing(s, ranks, t);
    t->messages = ranks > 1.0 ? 2.0 * length(s, "sweeps") : 0.0;
    t->bytes = t->messages * length(s, "cols") * pixel;
}

static void halo_overlapped(const struct sizes *s, double ranks, struct traffic *t)
{
    halo(s, ranks, t);
    t->overlapped = true;
}

/* References are cut; a neighbour is a float64 and an index, padded. */
static void tree(const struct sizes *s, double ranks, struct traffic *t)
{
    enum { NEIGHBOUR = 16 };

    *t = cut(length(s, "n"), ranks);
    t->messages = steps_of_tree(ranks);
    t->bytes = t->messages * length(s, "m") * length(s, "k") * NEIGHBOUR;
}

/* The grid of MPI_Dims_create: as square as can be, more rows than columns. */
static void summa(const struct sizes *s, double ranks, struct traffic *t)
{
    enum { DEPTH = 384 }; /* of a slice, by the AVX2 kernel */
    double cols = floor(sqrt(ranks));

    while (fmod(ranks, cols) != 0.0)
        cols--;
    const double rows = ranks / cols, m = length(s, "m"), n = length(s, "n"), k = length(s, "k");
    const double slices = rows * ceil(k / rows / DEPTH);
    *t = (struct traffic){.share = cut(m, rows).share * cut(n, cols).share, .most = fmin(m, n) * fmin(m, n),
                          .messages = slices * (steps_of_tree(cols) + steps_of_tree(rows))};
    t->bytes = sizeof(float) * ((cols > 1.0 ? m / rows * k : 0.0) + (rows > 1.0 ? k * n / cols : 0.0));
}

/* A signal after another, each a matrix of about as many rows as columns. */
static void all_to_all(const struct sizes *s, double ranks, struct traffic *t)
{
    enum { EXCHANGES = 3, NUMBER = 8 };
    const double n = length(s, "n"), times = length(s, "batch") * EXCHANGES;

    *t = cut(floor(sqrt(n)), ranks);
    t->messages = times * (ranks - 1.0);
    t->bytes = times * NUMBER * n / ranks * (ranks - 1.0) / ranks;
}

static void all_to_all_few(const struct sizes *s, double ranks, struct traffic *t)
{
    if (length(s, "batch") < ranks)
        all_to_all(s, ranks, t);
    else
        nothing(s, ranks, t);
}

static const struct pattern {
    const char *name;
    void (*of)(const struct sizes *s, double ranks, struct traffic *t);
} patterns[] = {
    {"nothing", nothing}, {"halo", halo},   {"halo, overlapped", halo_overlapped},
    {"tree", tree},       {"summa", summa}, {"all to all", all_to_all},
    {"all to all, few", all_to_all_few},
};

bool traffic_of(const struct result *r, int ranks, double times, struct traffic *t)
{
    const struct sizes s = {r, times};

    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        if (strcmp(patterns[i].name, r->mpi.sends) != 0)
            continue;
        patterns[i].of(&s, ranks, t);
        return isfinite(t->share + t->messages + t->bytes); /* a problem that has no such axes is not */
    }
    return false;
}
