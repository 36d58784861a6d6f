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
    double low, high; /* 95 % confidence interval of the median; NaN below 6 values, which have
                         none */
    double min, p25, p75, p95, max;
    double mad; /* median absolute deviation from the median */
};

/* Summarises any number of values, and does not change them.  All NaN if there are none. */
struct summary summarize(const double values[], size_t count);

double median_of(const double values[], size_t count);

/*
 * Finds the exact 95 % confidence interval of a median: from the low-th to the high-th smallest of
 * `count` values (1-based).  The number of values below the true median is binomial with p = 1/2
 * for every distribution, so the ranks are those with at least 95 % of the binomial weight between
 * them (H. A. David, H. N. Nagaraja, Order Statistics, section 7.1).  Returns false below 6 values.
 */
bool median_ranks(size_t count, size_t *low, size_t *high);

/* The same at another confidence, above 0 and below 1.  Returns false if there are too few
   values for it. */
bool median_ranks_at(size_t count, double confidence, size_t *low, size_t *high);

/* Returns the probability of `least` or more successes in `count` trials that each succeed with
   probability p, above 0 and below 1. */
double binomial_tail(size_t count, size_t least, double p);

/* Returns the probability that two samples of one distribution differ at least as much as these,
   in either direction: the rank sum test (H. B. Mann, D. R. Whitney, 1947).  Exact up to
   RANK_SUM_EXACT values, with mean ranks for ties; beyond, by the normal approximation. */
double rank_sum_test(const double a[], size_t a_count, const double b[], size_t b_count);

enum { RANK_SUM_EXACT = 60 };

/* Returns whether the values have drifted: the 95 % intervals of the older and the newer half do
   not meet, and the medians differ by more than the share `relevant`.  False below 12 values. */
bool drifts(const double values[], size_t count, double relevant);

#endif
