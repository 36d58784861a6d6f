#include "harness/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static double *sorted_copy(const double values[], size_t count)
{
    double *copy = malloc((count + 1) * sizeof *copy);

    if (copy == NULL)
        abort();
    memcpy(copy, values, count * sizeof *copy);
    qsort(copy, count, sizeof *copy, ascending);
    return copy;
}

/* The middle one of sorted values, or the mean of the two in the middle. */
static double middle(const double sorted[], size_t count)
{
    if (count == 0)
        return NAN;
    return 0.5 * (sorted[(count - 1) / 2] + sorted[count / 2]);
}

/* Nearest rank: the smallest value with at least a share q of all at or below it. */
static double quantile(const double sorted[], size_t count, double q)
{
    size_t rank = (size_t)ceil(q * (double)count);

    return count == 0 ? NAN : sorted[rank > 0 ? rank - 1 : 0];
}

double median_of(const double values[], size_t count)
{
    double *sorted = sorted_copy(values, count);
    double median = middle(sorted, count);

    free(sorted);
    return median;
}

bool median_ranks(size_t count, size_t *low, size_t *high)
{
    /* Weight below rank r: the chance that fewer than r of `count` values lie below the median. */
    double weight = exp2(-(double)count), below = 0.0;
    size_t rank = 0;

    if (count > 1000) { /* the normal approximation; 2^-count is about to underflow */
        double half = 0.5 * 1.959964 * sqrt((double)count);
        *low = (size_t)floor(0.5 * (double)count - half);
        *high = count + 1 - *low;
        return true;
    }
    while (below + weight <= 0.025) {
        below += weight;
        weight *= (double)(count - rank) / (double)(rank + 1);
        rank++;
    }
    *low = rank;
    *high = count + 1 - rank;
    return rank > 0;
}

struct summary summarize(const double values[], size_t count)
{
    double *sorted = sorted_copy(values, count);
    struct summary s = {.count = count, .median = middle(sorted, count), .low = NAN, .high = NAN};
    size_t low, high;

    if (median_ranks(count, &low, &high)) {
        s.low = sorted[low - 1];
        s.high = sorted[high - 1];
    }
    s.min = quantile(sorted, count, 0.0);
    s.p25 = quantile(sorted, count, 0.25);
    s.p75 = quantile(sorted, count, 0.75);
    s.p95 = quantile(sorted, count, 0.95);
    s.max = quantile(sorted, count, 1.0);
    for (size_t i = 0; i < count; i++)
        sorted[i] = fabs(values[i] - s.median);
    qsort(sorted, count, sizeof *sorted, ascending);
    s.mad = middle(sorted, count);
    free(sorted);
    return s;
}

double paired_ratio(const double a[], const double b[], size_t count)
{
    double *logs = malloc((count + 1) * sizeof *logs);

    if (logs == NULL)
        abort();
    for (size_t i = 0; i < count; i++)
        logs[i] = log(a[i] / b[i]);
    double ratio = exp(median_of(logs, count));
    free(logs);
    return ratio;
}

bool drifts(const double values[], size_t count, double relevant)
{
    enum { ENOUGH = 12 }; /* six a half: below that there is no interval */
    size_t half = count / 2;

    if (count < ENOUGH)
        return false;
    struct summary old = summarize(values, half), recent = summarize(values + half, count - half);
    bool apart = old.high < recent.low || recent.high < old.low;
    return apart && fabs(recent.median - old.median) > relevant * recent.median;
}
