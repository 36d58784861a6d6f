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

/* The ratio a/b from values that were taken side by side: exp of the median of ln(a[i]/b[i]).
   NaN where there are none. */
double paired_ratio(const double a[], const double b[], size_t count);

/* Has what was measured changed on the way?  True if the 95 % intervals of the older and the newer
   half do not meet, and the medians differ by more than the share `relevant`.  Never below 12. */
bool drifts(const double values[], size_t count, double relevant);

#endif
