/* Series: how they grow, and intervals over several passes, compared with values computed by hand and
   with chance. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "harness/base/random.h"
#include "harness/records/series.h"

static void assert_interval(const struct series *s, double low, double high)
{
    const struct summary sum = series_summary(s);

    if (!(fabs(sum.low / low - 1.0) < 1e-12 && fabs(sum.high / high - 1.0) < 1e-12))
        fail_msg("%g to %g, expected %g to %g", sum.low, sum.high, low, high);
}

static void one_pass_is_as_it_was(void **state)
{
    double time[] = {5, 1, 4, 2, 8, 3, 7, 6, 9, 10};
    const struct series ten = series_of(time, 10), five = series_of(time, 5),
                        none = series_of(time, 0);

    (void)state;
    assert_interval(&ten, 2, 9); /* the second and the ninth: H. A. David, H. N. Nagaraja */
    assert_true(series_median(&ten) == 5.5);
    assert_true(isnan(series_summary(&five).low)); /* five are too few */
    assert_true(isnan(series_summary(&none).median));
}

static void assert_spans(const struct series *s, double low, double high)
{
    double from, to;

    series_span(s->pass, s->round, 0.95, &from, &to);
    if (!(from == low && to == high))
        fail_msg("%g to %g, expected %g to %g", from, to, low, high);
}

static void an_interval_spans_those_of_its_passes(void **state)
{
    /* Ten rounds between 1 and 10, ten between 101 and 110. */
    double time[] = {5, 1, 4, 2, 8, 3, 7, 6, 9, 10, 105, 101, 104, 102, 108, 103, 107, 106, 109,
                           110};
    const struct series two = {.rounds = 20, .round = time, .pass = {{10, 0}, {10, 3}}},
                        later = {.rounds = 20, .round = time, .pass = {{0}, {20, 0}}};

    (void)state;
    assert_spans(&two, 2, 109);
    assert_true(series_median(&two) == 55.5);
    /* Six of the twenty lie below, fourteen above: ranks 6 and 15 of one pass. */
    assert_interval(&later, 6, 105);
}

static void a_short_pass_counts_whole(void **state)
{
    double time[] = {3, 1, 2, 6, 4, 5};
    const struct series halves = {.rounds = 6, .round = time, .pass = {{3, 0}, {3, 0}}},
                        few = {.rounds = 5, .round = time, .pass = {{3, 0}, {2, 0}}};

    (void)state;
    assert_spans(&halves, 1, 6);
    assert_true(isnan(series_summary(&few).low)); /* five in all */
}

static void of_several_passes_it_holds_what_another_run_says(void **state)
{
    double time[] = {1, 2, 2, 2, 2, 4, 1, 2, 2, 2, 2, 4};
    const struct series two = {.rounds = 12, .round = time, .pass = {{6, 0}, {6, 0}}},
                        one = series_of(time, 12);

    (void)state;
    assert_spans(&two, 1, 4);
    /* Twice as long, to the sqrt(2). */
    assert_interval(&two, 2 / pow(2, sqrt(2)), 2 * pow(2, sqrt(2)));
    assert_interval(&one, 2, 2); /* the third and the tenth: of nothing but itself */
}

/* Eight rounds each, of passes whose medians are 10, 20, ... and whose own intervals are wide. */
static struct series tens(double time[], size_t passes)
{
    struct series s = {.rounds = 8 * passes, .round = time};

    for (size_t p = 0; p < passes; p++) {
        s.pass[p] = (struct pass){8, p};
        for (size_t i = 0; i < 8; i++)
            time[8 * p + i] = 10.0 * (double)(p + 1) + (i < 4 ? -9.0 : 9.0);
    }
    return s;
}

/* For six values the interval spans all, for ten it goes from the second to the ninth (David and
   Nagaraja), and nothing is widened. */
static void of_six_passes_the_medians_are_the_values(void **state)
{
    double time[8 * MAX_PASSES], medians[MAX_PASSES];
    const struct series six = tens(time, 6);

    (void)state;
    assert_int_equal(series_passes(&six), 6);
    assert_int_equal(series_pass_medians(&six, medians), 6);
    for (size_t p = 0; p < 6; p++)
        assert_true(medians[p] == 10.0 * (double)(p + 1));
    assert_true(series_median(&six) == 35);
    assert_interval(&six, 10, 60);
    assert_true(series_summary(&six).median == 35 && series_summary(&six).min == 10 &&
                series_summary(&six).max == 60);
    const struct series ten = tens(time, 10);
    assert_true(series_median(&ten) == 55);
    assert_interval(&ten, 20, 90);
}

/* A long pass and a short one have the same weight. */
static void passes_of_any_length_are_one_value_each(void **state)
{
    double time[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 5, 6};
    struct series s = {.rounds = 15, .round = time,
                       .pass = {{10, 0}, {1, 0}, {1, 0}, {1, 0}, {1, 0}, {1, 0}}};

    (void)state;
    assert_true(series_median(&s) == 3.5);
    assert_interval(&s, 1, 6);
    s = (struct series){.rounds = 6, .round = time + 9,
                        .pass = {{1, 0}, {0}, {1, 0}, {1, 0}, {0}, {1, 0}, {1, 0}, {1, 0}}};
    assert_int_equal(series_passes(&s), 6); /* two of the eight passes have no rounds */
    assert_interval(&s, 1, 6);
}

/* With one fewer, all rounds count, and the interval is sqrt(2) times their span. */
static void five_passes_are_too_few_for_that(void **state)
{
    double time[8 * MAX_PASSES];
    const struct series five = tens(time, 5);

    (void)state;
    assert_int_equal(series_passes(&five), 5);
    assert_spans(&five, 1, 59);
    assert_true(series_median(&five) == 30); /* between 29 and 31 */
    assert_interval(&five, 30 * pow(1 / 30.0, sqrt(2)), 30 * pow(59 / 30.0, sqrt(2)));
}

static void nothing_says_nothing(void **state)
{
    const struct series none = {.rounds = 0};
    double medians[MAX_PASSES];

    (void)state;
    assert_true(isnan(series_median(&none)) && isnan(series_summary(&none).low));
    assert_int_equal(series_passes(&none), 0);
    assert_int_equal(series_pass_medians(&none, medians), 0);
}

/* --- as they grow ----------------------------------------------------------------------------- */

static void a_block_becomes_the_last_round_of_its_pass(void **state)
{
    const double first[] = {3e-6, 1e-6, 2e-6}, other[] = {5e-6, 4e-6};
    struct series s = {.rounds = 0};

    (void)state;
    series_add(&s, 0, first, 3);
    series_add(&s, 0, other, 2);
    series_add(&s, 2, first, 1);
    assert_int_equal(s.rounds, 3);
    assert_true(s.pass[0].rounds == 2 && s.pass[1].rounds == 0 && s.pass[2].rounds == 1);
    assert_true(fabs(s.round[0] - 2e-6) < 1e-15 && fabs(s.round[1] - 4.5e-6) < 1e-15 &&
                fabs(s.round[2] - 3e-6) < 1e-15);
    assert_true(s.kept == 6 && s.dropped == 0 && s.sample[3] == 5e-6 && s.sample[5] == 3e-6);
    series_free(&s);
    assert_true(s.rounds == 0 && s.round == NULL && s.sample == NULL && s.pass[0].rounds == 0);
}

static void a_full_series_has_each_round(void **state)
{
    struct series s = {.rounds = 0};

    (void)state;
    for (unsigned i = 0; i < MAX_ROUNDS; i++) {
        const double time = 1e-3 * (i + 1);
        series_add(&s, i / (MAX_ROUNDS / MAX_PASSES), &time, 1);
    }
    assert_int_equal(s.rounds, MAX_ROUNDS);
    assert_int_equal(series_passes(&s), MAX_PASSES);
    for (unsigned i = 0; i < MAX_ROUNDS; i++)
        assert_true(fabs(s.round[i] - 1e-3 * (i + 1)) < 1e-12);
    series_free(&s);
}

/* Two of five rounds go: those of the pass before stay, and the count of dropped ones belongs to the
   pass. */
static void the_older_half_goes_and_no_more(void **state)
{
    struct series s = {.rounds = 0};

    (void)state;
    for (unsigned i = 0; i < 8; i++) {
        const double time = 1e-3 * (i + 1);
        series_add(&s, i < 3 ? 0 : 1, &time, 1);
    }
    series_forget_older_half(&s, 1);
    assert_true(s.rounds == 6 && s.pass[0].rounds == 3 && s.pass[1].rounds == 3);
    assert_true(s.pass[0].first == 0 && s.pass[1].first == 2);
    static const double left[] = {1, 2, 3, 6, 7, 8};
    for (size_t i = 0; i < 6; i++)
        assert_true(fabs(s.round[i] - 1e-3 * left[i]) < 1e-12);
    series_forget_older_half(&s, 1);
    assert_true(s.rounds == 5 && s.pass[1].rounds == 2 && s.pass[1].first == 3);
    series_forget_older_half(&s, 2); /* it has none */
    assert_true(s.rounds == 5 && s.pass[2].first == 0);
    series_free(&s);
}

/* --- against chance --------------------------------------------------------------------------- */

/* What all rounds of a pass have in common: a neighbour, a clock rate, the places of its pages. */
static double time_of(uint64_t trial, uint64_t pass, uint64_t round)
{
    double mood = random_unit(21, trial, pass) < 0.5 ? 1.0 : 1.4;

    return mood * (1.0 - 0.02 * log(1.0 - random_unit(23, 4 * trial + pass, round)));
}

enum { ROUNDS = 24 };

static struct series sit(uint64_t trial, double time[ROUNDS], size_t passes)
{
    struct series r = {.rounds = ROUNDS, .round = time};

    for (uint64_t i = 0; i < ROUNDS; i++) {
        const size_t pass = i * passes / ROUNDS;
        time[i] = time_of(trial, pass, i);
        r.pass[pass].rounds++;
    }
    return r;
}

/* Two runs of the same variant on a machine that changes between passes: how often do their intervals
   meet? */
static double agreement(size_t passes)
{
    const uint64_t trials = 2000;
    size_t meet = 0;

    for (uint64_t t = 0; t < trials; t++) {
        double a[ROUNDS], b[ROUNDS];
        const struct series one = sit(2 * t, a, passes), other = sit(2 * t + 1, b, passes);
        const struct summary x = series_summary(&one), y = series_summary(&other);
        meet += x.low <= y.high && y.low <= x.high;
    }
    print_message("# passes: %zu, of two runs' intervals meet: %.3f\n", passes,
                  (double)meet / (double)trials);
    return (double)meet / (double)trials;
}

/* Two runs are apart if one was in one state throughout and the other in the other: 2 of 4, 16, 64. */
static void more_passes_agree_more_often(void **state)
{
    (void)state;
    assert_true(agreement(1) < 0.6);
    assert_true(agreement(2) > 0.85);
    assert_true(agreement(3) > 0.95);
}

/* By Box and Muller's method. */
static double normal(uint64_t stream, uint64_t i)
{
    return sqrt(-2.0 * log(1.0 - random_unit(24, stream, i))) *
           cos(2 * M_PI * random_unit(25, stream, i));
}

/* A run of a variant whose rounds differ by 4 %, and its passes by `moods`. */
static struct series sit_normally(uint64_t trial, double time[ROUNDS], size_t passes, double moods)
{
    struct series r = sit(trial, time, passes);

    for (uint64_t i = 0; i < ROUNDS; i++)
        time[i] = exp(moods * normal(2 * trial, i * passes / ROUNDS) +
                      0.04 * normal(2 * trial + 1, i));
    return r;
}

static bool inside(double x, double low, double high)
{
    return low <= x && x <= high;
}

/* Returns the share of pairs of runs in which each interval holds the other's median: for the interval
   that spans the passes' (`spans`), and for the one that is shown. */
static void each_others(size_t passes, double moods, double *spans, double *shown)
{
    const int trials = 2000;
    int in_spans = 0, in_shown = 0;

    for (int t = 0; t < trials; t++) {
        double a[ROUNDS], b[ROUNDS], from[2], to[2];
        const struct series one = sit_normally(2 * (uint64_t)t, a, passes, moods),
                            other = sit_normally(2 * (uint64_t)t + 1, b, passes, moods);
        const struct summary x = series_summary(&one), y = series_summary(&other);
        series_span(one.pass, a, 0.95, &from[0], &to[0]);
        series_span(other.pass, b, 0.95, &from[1], &to[1]);
        in_spans += inside(y.median, from[0], to[0]) && inside(x.median, from[1], to[1]);
        in_shown += inside(y.median, x.low, x.high) && inside(x.median, y.low, y.high);
    }
    *spans = (double)in_spans / trials;
    *shown = (double)in_shown / trials;
    print_message("# passes: %zu, moods of %g %%: each holds the other's median in %.3f, as shown "
                  "%.3f\n", passes, moods * 100, *spans, *shown);
}

static void another_run_says_what_the_interval_says(void **state)
{
    double spans, shown;

    (void)state;
    each_others(1, 0.0, &spans, &shown); /* what a textbook says for 95 % intervals */
    assert_true(spans > 0.8 && spans < 0.87);
    each_others(3, 0.05, &spans, &shown);
    assert_true(spans < 0.95 && shown > 0.95);
}

/* Returns how often the interval holds the true time if passes differ by 5 %. */
static double covered(size_t passes)
{
    const int trials = 4000;
    int in = 0;

    for (int t = 0; t < trials; t++) {
        double time[ROUNDS];
        const struct series s = sit_normally((uint64_t)t, time, passes, 0.05);
        const struct summary sum = series_summary(&s);
        in += inside(1.0, sum.low, sum.high);
    }
    print_message("# passes: %zu, the median is within the interval in %.3f\n", passes,
                  (double)in / trials);
    return (double)in / trials;
}

/* The span of six or eight medians misses it only if all are above it or all below. */
static void passes_enough_say_how_sure_they_are(void **state)
{
    const double six = 31.0 / 32.0, eight = 127.0 / 128.0;

    (void)state;
    assert_true(fabs(covered(6) - six) < 0.012);
    assert_true(fabs(covered(8) - eight) < 0.012);
    assert_true(covered(1) < 0.8); /* one pass cannot know */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_pass_is_as_it_was),
        cmocka_unit_test(an_interval_spans_those_of_its_passes),
        cmocka_unit_test(a_short_pass_counts_whole),
        cmocka_unit_test(of_several_passes_it_holds_what_another_run_says),
        cmocka_unit_test(of_six_passes_the_medians_are_the_values),
        cmocka_unit_test(passes_of_any_length_are_one_value_each),
        cmocka_unit_test(five_passes_are_too_few_for_that),
        cmocka_unit_test(nothing_says_nothing),
        cmocka_unit_test(a_block_becomes_the_last_round_of_its_pass),
        cmocka_unit_test(a_full_series_has_each_round),
        cmocka_unit_test(the_older_half_goes_and_no_more),
        cmocka_unit_test(more_passes_agree_more_often),
        cmocka_unit_test(another_run_says_what_the_interval_says),
        cmocka_unit_test(passes_enough_say_how_sure_they_are),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
