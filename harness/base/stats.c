#include "harness/base/stats.h"

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
    if (count > 0)
        memcpy(copy, values, count * sizeof *copy);
    qsort(copy, count, sizeof *copy, ascending);
    return copy;
}

/* Returns the middle one of sorted values, or the mean of the two in the middle. */
static double middle(const double sorted[], size_t count)
{
    if (count == 0)
        return NAN;
    return 0.5 * (sorted[(count - 1) / 2] + sorted[count / 2]);
}

/* Returns the nearest rank: the smallest value with at least a share q of all values at or below it. */
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

/* Returns the probability of exactly k successes in n trials, each with probability p. */
static double binomial(size_t n, size_t k, double p)
{
    double all = (double)n, some = (double)k;

    return exp(lgamma(all + 1.0) - lgamma(some + 1.0) - lgamma(all - some + 1.0) + some * log(p) +
               (all - some) * log1p(-p));
}

double binomial_tail(size_t count, size_t least, double p)
{
    double sum = 0.0;

    for (size_t k = least; k <= count; k++)
        sum += binomial(count, k, p);
    return least == 0 || sum > 1.0 ? 1.0 : sum;
}

bool median_ranks_at(size_t count, double confidence, size_t *low, size_t *high)
{
    /* Below rank r: the probability that fewer than r of `count` values are below the median.  1e-12
       is allowed for rounding, so that tails that are exactly as large as requested suffice. */
    double tail = 0.5 * (1.0 - confidence) * (1.0 + 1e-12), below = binomial(count, 0, 0.5);
    size_t rank = 0;

    while (2 * rank < count && below <= tail)
        below += binomial(count, ++rank, 0.5);
    *low = rank;
    *high = count + 1 - rank;
    return rank > 0;
}

bool median_ranks(size_t count, size_t *low, size_t *high)
{
    return median_ranks_at(count, 0.95, low, high);
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

/* --- the rank sum test ------------------------------------------------------------------------ */

struct ranked {
    double value;
    bool first;       /* belongs to the first sample */
    size_t rank;      /* twice the rank, so that the mean of two ranks is whole */
};

static int by_value(const void *a, const void *b)
{
    return ascending(&((const struct ranked *)a)->value, &((const struct ranked *)b)->value);
}

static struct ranked *rank_all(const double a[], size_t a_count, const double b[], size_t b_count)
{
    size_t count = a_count + b_count;
    struct ranked *all = malloc((count + 1) * sizeof *all);

    if (all == NULL)
        abort();
    for (size_t i = 0; i < count; i++)
        all[i] = (struct ranked){i < a_count ? a[i] : b[i - a_count], i < a_count, 0};
    qsort(all, count, sizeof *all, by_value);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i; end < count && all[end].value <= all[i].value; end++)
            ;
        for (size_t tied = i; tied < end; tied++)
            all[tied].rank = i + 1 + end;
    }
    return all;
}

/* Returns the share of all choices of `chosen` ranks whose sum is at least as far from the mean. */
static double exact_share(const struct ranked all[], size_t count, size_t chosen, double distance)
{
    const size_t most = count * (count + 1); /* the sum of all ranks, doubled */
    double mean = (double)chosen * (double)(count + 1), ways = 0.0, far = 0.0;
    double *table = calloc((chosen + 1) * (most + 1), sizeof *table); /* [how many][sum]: number of choices */

    if (table == NULL)
        abort();
    table[0] = 1.0;
    for (size_t i = 0; i < count; i++)
        for (size_t of = i < chosen ? i + 1 : chosen; of > 0; of--)
            for (size_t sum = most; sum >= all[i].rank; sum--)
                table[of * (most + 1) + sum] += table[(of - 1) * (most + 1) + sum - all[i].rank];
    for (size_t sum = 0; sum <= most; sum++) {
        double here = table[chosen * (most + 1) + sum];
        ways += here;
        far += fabs((double)sum - mean) >= distance ? here : 0.0;
    }
    free(table);
    return far / ways;
}

static double normal_share(const struct ranked all[], size_t count, size_t chosen, double distance)
{
    double n = (double)count, m = (double)chosen, spread = 0.0;

    for (size_t i = 0; i < count; i++) /* of the doubled ranks: ties reduce it */
        spread += pow((double)all[i].rank - (n + 1.0), 2.0);
    double deviation = sqrt(m * (n - m) / (n * (n - 1.0)) * spread);
    return deviation > 0.0 ? erfc(distance / deviation / sqrt(2.0)) : 1.0;
}

double rank_sum_test(const double a[], size_t a_count, const double b[], size_t b_count)
{
    size_t count = a_count + b_count, sum = 0;

    if (a_count == 0 || b_count == 0)
        return 1.0;
    struct ranked *all = rank_all(a, a_count, b, b_count);
    for (size_t i = 0; i < count; i++)
        sum += all[i].first ? all[i].rank : 0;
    double distance = fabs((double)sum - (double)a_count * (double)(count + 1));
    double share = count <= RANK_SUM_EXACT ? exact_share(all, count, a_count, distance)
                                           : normal_share(all, count, a_count, distance);
    free(all);
    return share;
}

bool drifts(const double values[], size_t count, double relevant)
{
    enum { ENOUGH = 12 }; /* six in each half: fewer have no interval */
    size_t half = count / 2;

    if (count < ENOUGH)
        return false;
    struct summary old = summarize(values, half), recent = summarize(values + half, count - half);
    bool apart = old.high < recent.low || recent.high < old.low;
    return apart && fabs(recent.median - old.median) > relevant * recent.median;
}
