/* Medians and their intervals: against values worked out by hand, the binomial, and chance. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "harness/random.h"
#include "harness/stats.h"

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

/* Chance that the median lies between the low-th and the high-th of `count` values: that from low
   to high - 1 of them lie below it. */
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
    for (size_t count = 6; count <= 2000; count++) { /* above 1000 they are not the tightest */
        assert_true(median_ranks(count, &low, &high));
        assert_int_equal(low + high, count + 1);
        if (weight_between(count, low, high) < 0.95)
            fail_msg("%zu values: only %.4f between ranks %zu and %zu", count,
                     weight_between(count, low, high), low, high);
        if (count <= 1000 && weight_between(count, low + 1, high - 1) >= 0.95)
            fail_msg("%zu values: ranks %zu and %zu would do", count, low + 1, high - 1);
    }
}

/* Times have a floor and a tail to the right: the median of 1 + e is 1 + ln 2. */
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

/* --- ratios ----------------------------------------------------------------------------------- */

static void ratios_are_of_pairs(void **state)
{
    /* The machine is ten times slower in the last two rounds; b is twice as fast throughout. */
    const double a[] = {2, 4, 6, 20, 40}, b[] = {1, 2, 3, 10, 20};
    /* Ratios 1, 4, 9: the median is 4, though that of a over that of b is 2. */
    const double c[] = {2, 4, 9}, d[] = {2, 1, 1};
    /* Ratios 2 and 8: half way, as ratios go, is 4. */
    const double e[] = {2, 8}, f[] = {1, 1};

    (void)state;
    assert_near(paired_ratio(a, b, 5), 2.0);
    assert_near(paired_ratio(b, a, 5), 0.5);
    assert_near(paired_ratio(c, d, 3), 4.0);
    assert_near(paired_ratio(e, f, 2), 4.0);
    assert_near(paired_ratio(a, a, 5), 1.0);
    assert_true(isnan(paired_ratio(a, b, 0)));
}

static void one_disturbed_round_moves_no_ratio(void **state)
{
    const double a[] = {2, 2, 2, 200, 2}, b[] = {1, 1, 1, 1, 1};

    (void)state;
    assert_near(paired_ratio(a, b, 5), 2.0);
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
        cmocka_unit_test(ratios_are_of_pairs),
        cmocka_unit_test(one_disturbed_round_moves_no_ratio),
    };

    return cmocka_run_group_tests_name("stats", tests, NULL, NULL);
}
