/*
 * Rank statistics: medians and their intervals.  No distribution is assumed; nothing is dropped.
 */
#ifndef RUNGS_STATS_H
#define RUNGS_STATS_H

#include <stdbool.h>
#include <stddef.h>

struct summary {
    size_t count;
    double median;
    double low, high; /* 95 % interval of the median; NaN below 6 values, where there is none */
    double min, p25, p75, p95, max;
    double mad; /* median distance from the median */
};

/* Of any number of values, which stay as they are; all NaN where there are none. */
struct summary summarize(const double values[], size_t count);

double median_of(const double values[], size_t count);

/*
 * The exact 95 % interval of a median: between the low-th and the high-th smallest of `count`
 * values (1-based).  The number of values below the true median is binomial with p = 1/2 whatever
 * the distribution, so the ranks are those with at least 95 % of the binomial weight between them
 * (H. A. David, H. N. Nagaraja, Order Statistics, section 7.1).  False below 6 values.
 */
bool median_ranks(size_t count, size_t *low, size_t *high);

/* The same at another confidence, above 0 and below 1; false where so few values have no interval
   that is so sure. */
bool median_ranks_at(size_t count, double confidence, size_t *low, size_t *high);

/* The chance of `least` or more out of `count`, when each comes with probability p,
   above 0 and below 1. */
double binomial_tail(size_t count, size_t least, double p);

/* The chance that two samples of one distribution lie as far apart as these, in either direction:
   the rank sum test (H. B. Mann, D. R. Whitney, 1947), exact up to RANK_SUM_EXACT values with ties
   at their mean ranks, beyond by the normal approximation. */
double rank_sum_test(const double a[], size_t a_count, const double b[], size_t b_count);

enum { RANK_SUM_EXACT = 60 };

/* Has what was measured changed on the way?  True if the 95 % intervals of the older and the newer
   half do not meet, and the medians differ by more than the share `relevant`.  Never below 12. */
bool drifts(const double values[], size_t count, double relevant);

#endif
