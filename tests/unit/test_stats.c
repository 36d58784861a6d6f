/* Medians and their intervals: compared with values computed by hand, with the binomial distribution,
   and with chance. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "harness/base/random.h"
#include "harness/base/stats.h"

static void assert_near(double got, double want)
{
    if (!(fabs(got - want) <= 1e-12 * fabs(want)))
        fail_msg("%.17g, expected %.17g", got, want);
}

/* --- summaries -------------------------------------------------------------------------------- */

static void nothing_has_no_summary(void **state)
{
    struct summary s = summarize(NULL, 0);

    (void)state;
    assert_int_equal(s.count, 0);
    assert_true(isnan(s.median) && isnan(s.low) && isnan(s.high) && isnan(s.min) && isnan(s.max));
    assert_true(isnan(s.p25) && isnan(s.p75) && isnan(s.p95) && isnan(s.mad));
    assert_true(isnan(median_of(NULL, 0)));
}

static void one_value_is_everything_but_an_interval(void **state)
{
    struct summary s = summarize((const double[]){3.5}, 1);

    (void)state;
    assert_near(s.median, 3.5);
    assert_near(s.min, 3.5);
    assert_near(s.p95, 3.5);
    assert_near(s.max, 3.5);
    assert_true(s.mad == 0.0);
    assert_true(isnan(s.low) && isnan(s.high));
}

static void even_counts_have_the_mean_of_the_middle(void **state)
{
    (void)state;
    assert_near(median_of((const double[]){4, 1, 3, 2}, 4), 2.5);
    assert_near(median_of((const double[]){9, 1, 5}, 3), 5.0);
    assert_near(median_of((const double[]){7, 7}, 2), 7.0);
}

/* Sorted: 1 2 3 4 5 6 7 8 9 100.  Median 5.5; distances from it .5 .5 1.5 1.5 2.5 2.5 3.5 3.5 4.5
   94.5, in the middle 2.5; nearest ranks: 2.5 -> 3rd, 7.5 -> 8th, 9.5 -> 10th; interval: 2nd
   to 9th. */
static void ten_values_by_hand(void **state)
{
    const double values[] = {9, 4, 100, 2, 7, 5, 1, 8, 6, 3};
    struct summary s = summarize(values, 10);

    (void)state;
    assert_int_equal(s.count, 10);
    assert_near(s.median, 5.5);
    assert_near(s.low, 2.0);
    assert_near(s.high, 9.0);
    assert_near(s.min, 1.0);
    assert_near(s.p25, 3.0);
    assert_near(s.p75, 8.0);
    assert_near(s.p95, 100.0);
    assert_near(s.max, 100.0);
    assert_near(s.mad, 2.5);
}

static void values_stay_as_they_are(void **state)
{
    double values[] = {3, 1, 2, 6, 5, 4};
    const double before[] = {3, 1, 2, 6, 5, 4};

    (void)state;
    summarize(values, 6);
    median_of(values, 6);
    assert_memory_equal(values, before, sizeof before);
}

/* --- the interval's ranks --------------------------------------------------------------------- */

static void ranks_of_the_published_table(void **state)
{
    static const struct {
        size_t count, low, high;
    } table[] = {{6, 1, 6},    {8, 1, 8},    {9, 2, 8},    {10, 2, 9},   {12, 3, 10},  {15, 4, 12},
                 {20, 6, 15},  {25, 8, 18},  {30, 10, 21}, {50, 18, 33}, {100, 40, 61}};
    size_t low, high;

    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        assert_true(median_ranks(table[i].count, &low, &high));
        assert_int_equal(low, table[i].low);
        assert_int_equal(high, table[i].high);
    }
    for (size_t count = 0; count < 6; count++)
        assert_false(median_ranks(count, &low, &high));
}

/* Returns the probability that the median lies between the low-th and the high-th of `count` values:
   that from low to high - 1 of them lie below it. */
static double weight_between(size_t count, size_t low, size_t high)
{
    double n = (double)count, sum = 0.0;

    for (size_t below = low; below < high; below++) {
        double k = (double)below;
        sum += exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) - n * log(2.0));
    }
    return sum;
}

static void ranks_hold_95_percent_and_no_more_than_needed(void **state)
{
    size_t low, high;

    (void)state;
    for (size_t count = 6; count <= 2000; count++) {
        assert_true(median_ranks(count, &low, &high));
        assert_int_equal(low + high, count + 1);
        if (weight_between(count, low, high) < 0.95)
            fail_msg("%zu values: only %.4f between ranks %zu and %zu", count,
                     weight_between(count, low, high), low, high);
        if (weight_between(count, low + 1, high - 1) >= 0.95)
            fail_msg("%zu values: ranks %zu and %zu would do", count, low + 1, high - 1);
    }
}

/* Times have a minimum and a tail to the right: the median of 1 + e is 1 + ln 2. */
static void intervals_cover_the_true_median(void **state)
{
    static const size_t counts[] = {6, 10, 25, 100};
    const size_t trials = 4000;
    const double truth = 1.0 + log(2.0);

    (void)state;
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        size_t covered = 0, low, high;
        for (size_t trial = 0; trial < trials; trial++) {
            double values[100];
            for (size_t i = 0; i < counts[c]; i++)
                values[i] = 1.0 - log(1.0 - random_unit(7, c, trial * 100 + i));
            struct summary s = summarize(values, counts[c]);
            covered += s.low <= truth && truth <= s.high;
        }
        median_ranks(counts[c], &low, &high);
        double expected = weight_between(counts[c], low, high);
        double sigma = sqrt(expected * (1.0 - expected) / (double)trials);
        double share = (double)covered / (double)trials;
        if (fabs(share - expected) > 4.0 * sigma)
            fail_msg("%zu values: %.4f covered, expected %.4f", counts[c], share, expected);
    }
}

/* --- the interval at other confidences -------------------------------------------------------- */

static void surer_intervals_are_wider(void **state)
{
    static const struct {
        size_t count;
        double confidence;
        size_t low, high; /* 0: there is none */
    } table[] = {
        {5, 0.9, 1, 5},    {6, 0.99, 0, 0},    {8, 0.99, 1, 8},  {10, 0.998, 1, 10},
        {10, 0.9981, 0, 0}, {25, 0.99, 6, 20}, {100, 0.99, 37, 64}, {1, 0.4, 0, 0},
        {2, 0.5, 1, 2},
    };
    size_t low, high;

    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        bool there = median_ranks_at(table[i].count, table[i].confidence, &low, &high);
        if (there != (table[i].low > 0) ||
            (there && (low != table[i].low || high != table[i].high)))
            fail_msg("%zu values at %g: ranks %zu and %zu", table[i].count, table[i].confidence,
                     low, high);
    }
}

/* --- tails of the binomial -------------------------------------------------------------------- */

static void tails_of_the_binomial(void **state)
{
    (void)state;
    assert_near(binomial_tail(10, 0, 0.05), 1.0);
    assert_near(binomial_tail(2, 1, 0.5), 0.75);
    assert_near(binomial_tail(2, 2, 0.05), 0.0025);
    assert_near(binomial_tail(3, 1, 0.05), 1.0 - 0.95 * 0.95 * 0.95);
    assert_true(binomial_tail(5, 6, 0.5) == 0.0);
    assert_true(binomial_tail(10000, 9999, 0.5) == 0.0);
    if (fabs(binomial_tail(100, 6, 0.05) - 0.384001) > 1e-5)
        fail_msg("%g", binomial_tail(100, 6, 0.05));
}

/* --- the rank sum test ------------------------------------------------------------------------ */

/* Returns twice the rank of a value among all, with mean ranks for ties. */
static double rank_among(const double all[], size_t count, double value)
{
    double below = 0, equal = 0;

    for (size_t i = 0; i < count; i++) {
        below += all[i] < value;
        equal += all[i] == value;
    }
    return 2.0 * below + equal + 1.0;
}

/* Counts all ways to choose the first sample that are at least as extreme. */
static double by_all_ways(const double all[], size_t count, size_t first)
{
    double mean = (double)first * ((double)count + 1.0), seen = 0.0, ways = 0.0, far = 0.0;

    for (size_t i = 0; i < first; i++)
        seen += rank_among(all, count, all[i]);
    for (unsigned set = 0; set < 1u << count; set++) {
        double sum = 0.0;
        if ((size_t)__builtin_popcount(set) != first)
            continue;
        for (size_t i = 0; i < count; i++)
            sum += set >> i & 1 ? rank_among(all, count, all[i]) : 0.0;
        ways++;
        far += fabs(sum - mean) >= fabs(seen - mean);
    }
    return far / ways;
}

static void rank_sums_by_hand(void **state)
{
    const double low[] = {1, 2, 3, 4, 5, 6}, high[] = {7, 8, 9, 10, 11, 12}, same[] = {5, 5, 5};

    (void)state;
    assert_near(rank_sum_test(low, 3, high, 3), 2.0 / 20.0);
    assert_near(rank_sum_test(low, 6, high, 6), 2.0 / 924.0);
    assert_near(rank_sum_test(high, 6, low, 6), 2.0 / 924.0);
    assert_near(rank_sum_test(same, 3, same, 3), 1.0);
    assert_near(rank_sum_test(low, 0, high, 3), 1.0);
}

static void rank_sums_as_all_ways_give_them(void **state)
{
    (void)state;
    for (uint64_t trial = 0; trial < 60; trial++) {
        double all[9];
        size_t first = 1 + trial % 8;
        for (size_t i = 0; i < 9; i++) /* with ties */
            all[i] = floor(6.0 * random_unit(9, trial, i));
        assert_near(rank_sum_test(all, first, all + first, 9 - first), by_all_ways(all, 9, first));
    }
}

/* Of one distribution: 5 in 100 are below 0.05, exactly or approximately. */
static void rank_sums_of_equals_are_uniform(void **state)
{
    static const size_t counts[] = {12, 30, 31, 60}; /* of each; the last two by the normal */

    (void)state;
    for (size_t c = 0; c < 4; c++) {
        size_t below = 0, trials = 400;
        for (uint64_t trial = 0; trial < trials; trial++) {
            double values[120];
            for (size_t i = 0; i < 2 * counts[c]; i++)
                values[i] = random_unit(21 + c, trial, i);
            below += rank_sum_test(values, counts[c], values + counts[c], counts[c]) < 0.05;
        }
        double share = (double)below / (double)trials;
        if (share < 0.01 || share > 0.10)
            fail_msg("%zu and %zu values: %.3f", counts[c], counts[c], share);
    }
}

static void drift_is_seen_and_noise_is_not(void **state)
{
    double steady[24], noisy[24], warming[24], shifted[24];

    (void)state;
    for (int i = 0; i < 24; i++) {
        double wiggle = (i * 7 % 11) / 11.0; /* 0 to 1, in no order */
        steady[i] = 1.0 + 0.001 * wiggle;
        noisy[i] = 1.0 + 0.5 * wiggle;
        warming[i] = 1.0 + 0.2 * (24 - i) / 24.0;
        shifted[i] = steady[i] * (i < 12 ? 1.0 : 1.003);
    }
    assert_false(drifts(steady, 24, 0.0025));
    assert_false(drifts(noisy, 24, 0.0025));
    assert_true(drifts(warming, 24, 0.0025));
    assert_true(drifts(shifted, 24, 0.0025));
    assert_false(drifts(shifted, 24, 0.01)); /* there, but it does not matter */
    assert_false(drifts(warming, 11, 0.0025)); /* too few to tell */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drift_is_seen_and_noise_is_not),
        cmocka_unit_test(nothing_has_no_summary),
        cmocka_unit_test(one_value_is_everything_but_an_interval),
        cmocka_unit_test(even_counts_have_the_mean_of_the_middle),
        cmocka_unit_test(ten_values_by_hand),
        cmocka_unit_test(values_stay_as_they_are),
        cmocka_unit_test(ranks_of_the_published_table),
        cmocka_unit_test(ranks_hold_95_percent_and_no_more_than_needed),
        cmocka_unit_test(intervals_cover_the_true_median),
        cmocka_unit_test(surer_intervals_are_wider),
        cmocka_unit_test(tails_of_the_binomial),
        cmocka_unit_test(rank_sums_by_hand),
        cmocka_unit_test(rank_sums_as_all_ways_give_them),
        cmocka_unit_test(rank_sums_of_equals_are_uniform),
    };

    return cmocka_run_group_tests_name("stats", tests, NULL, NULL);
}
