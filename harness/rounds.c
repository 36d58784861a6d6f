#include "harness/rounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct rounds rounds_of_one(const double time[], size_t count)
{
    return (struct rounds){.count = count, .time = time, .sitting = {{count, 0}}};
}

double rounds_median(const struct rounds *r)
{
    return median_of(r->time, r->count);
}

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* Of one sitting: by ranks, or all that it saw. */
static void widen(const double value[], size_t count, double confidence, double *low, double *high)
{
    double *sorted = malloc(count * sizeof *sorted);
    size_t from = 1, to = count;

    if (sorted == NULL)
        abort();
    memcpy(sorted, value, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, ascending);
    if (!median_ranks_at(count, confidence, &from, &to)) {
        from = 1;
        to = count;
    }
    *low = fmin(*low, sorted[from - 1]); /* fmin passes over NaN */
    *high = fmax(*high, sorted[to - 1]);
    free(sorted);
}

void rounds_interval(const struct sitting sitting[MAX_SITTINGS], const double value[],
                     double confidence, double *low, double *high)
{
    size_t count = 0, from, to;

    *low = *high = NAN;
    for (size_t s = 0; s < MAX_SITTINGS; s++)
        count += sitting[s].rounds;
    if (!median_ranks_at(count, confidence, &from, &to))
        return;
    for (size_t s = 0, at = 0; s < MAX_SITTINGS; at += sitting[s++].rounds)
        if (sitting[s].rounds > 0)
            widen(value + at, sitting[s].rounds, confidence, low, high);
}

static size_t sittings_of(const struct rounds *r)
{
    size_t count = 0;

    for (size_t s = 0; s < MAX_SITTINGS; s++)
        count += r->sitting[s].rounds > 0;
    return count;
}

struct summary rounds_summary(const struct rounds *r)
{
    struct summary s = summarize(r->time, r->count);

    rounds_interval(r->sitting, r->time, 0.95, &s.low, &s.high);
    if (sittings_of(r) > 1) { /* as ratios: what disturbs a time makes it so many times longer */
        s.low = s.median * pow(s.low / s.median, M_SQRT2);
        s.high = s.median * pow(s.high / s.median, M_SQRT2);
    }
    return s;
}
