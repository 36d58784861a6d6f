#include "harness/records/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"

struct series series_of(double round[], size_t count)
{
    return (struct series){.rounds = count, .round = round, .pass = {{count, 0}}};
}

void series_free(struct series *s)
{
    free(s->round);
    free(s->sample);
    *s = (struct series){.rounds = 0};
}

/* --- adding ----------------------------------------------------------------------------------- */

static void *grown(void *list, size_t count)
{
    double *more = realloc(list, count * sizeof *more);

    if (more == NULL)
        abort();
    return more;
}

/* Keeps raw samples up to MAX_KEPT. */
static void keep(struct series *s, const double sample[], size_t count)
{
    const size_t room = MAX_KEPT - s->kept, fits = count < room ? count : room;

    s->dropped += count - fits;
    if (fits == 0)
        return;
    s->sample = grown(s->sample, s->kept + fits);
    memcpy(s->sample + s->kept, sample, fits * sizeof *sample);
    s->kept += fits;
}

void series_add(struct series *s, unsigned pass, const double block[], size_t count)
{
    if (s->round == NULL)
        s->round = grown(NULL, MAX_ROUNDS);
    s->pass[pass].rounds++;
    /* rounded as in the record, so that a file gives the same when it is read back */
    s->round[s->rounds++] = time_on_record(median_of(block, count));
    keep(s, block, count);
}

void series_forget_older_half(struct series *s, unsigned pass)
{
    struct pass *now = &s->pass[pass];
    const size_t half = now->rounds / 2, kept = now->rounds - half;

    if (half == 0)
        return;
    memmove(s->round + s->rounds - now->rounds, s->round + s->rounds - kept,
            kept * sizeof *s->round);
    s->rounds -= half;
    now->rounds -= half;
    now->first += half;
}

/* --- statistics ------------------------------------------------------------------------------- */

size_t series_passes(const struct series *s)
{
    size_t count = 0;

    for (size_t p = 0; p < MAX_PASSES; p++)
        count += s->pass[p].rounds > 0;
    return count;
}

size_t series_pass_medians(const struct series *s, double medians[MAX_PASSES])
{
    size_t count = 0;

    for (size_t p = 0, at = 0; p < MAX_PASSES; at += s->pass[p++].rounds)
        if (s->pass[p].rounds > 0)
            medians[count++] = median_of(s->round + at, s->pass[p].rounds);
    return count;
}

double series_median(const struct series *s)
{
    double medians[MAX_PASSES];

    if (series_passes(s) < ENOUGH_PASSES)
        return median_of(s->round, s->rounds);
    return median_of(medians, series_pass_medians(s, medians));
}

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* Widens the span by one pass: its interval by ranks, or all of its values. */
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
    *low = fmin(*low, sorted[from - 1]); /* fmin ignores NaN */
    *high = fmax(*high, sorted[to - 1]);
    free(sorted);
}

void series_span(const struct pass pass[MAX_PASSES], const double value[], double confidence,
                 double *low, double *high)
{
    size_t count = 0, from, to;

    *low = *high = NAN;
    for (size_t p = 0; p < MAX_PASSES; p++)
        count += pass[p].rounds;
    if (!median_ranks_at(count, confidence, &from, &to))
        return;
    for (size_t p = 0, at = 0; p < MAX_PASSES; at += pass[p++].rounds)
        if (pass[p].rounds > 0)
            widen(value + at, pass[p].rounds, confidence, low, high);
}

struct summary series_summary(const struct series *s)
{
    const size_t passes = series_passes(s);
    double medians[MAX_PASSES];

    if (passes >= ENOUGH_PASSES)
        return summarize(medians, series_pass_medians(s, medians));
    struct summary sum = summarize(s->round, s->rounds);
    series_span(s->pass, s->round, 0.95, &sum.low, &sum.high);
    if (passes > 1) { /* as ratios, because a disturbance multiplies a time */
        sum.low = sum.median * pow(sum.low / sum.median, M_SQRT2);
        sum.high = sum.median * pow(sum.high / sum.median, M_SQRT2);
    }
    return sum;
}
