/* Intervals over several sittings: by hand, and against chance. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "harness/random.h"
#include "harness/rounds.h"

static void assert_interval(const struct rounds *r, double low, double high)
{
    struct summary s = rounds_summary(r);

    if (!(fabs(s.low / low - 1.0) < 1e-12 && fabs(s.high / high - 1.0) < 1e-12))
        fail_msg("%g to %g, expected %g to %g", s.low, s.high, low, high);
}

static void one_sitting_is_as_it_was(void **state)
{
    const double time[] = {5, 1, 4, 2, 8, 3, 7, 6, 9, 10};
    const struct rounds ten = rounds_of_one(time, 10), five = rounds_of_one(time, 5),
                        none = rounds_of_one(time, 0);

    (void)state;
    assert_interval(&ten, 2, 9); /* the second and the ninth: H. A. David, H. N. Nagaraja */
    assert_true(rounds_median(&ten) == 5.5);
    assert_true(isnan(rounds_summary(&five).low)); /* five are too few */
    assert_true(isnan(rounds_summary(&none).median));
}

static void assert_spans(const struct rounds *r, double low, double high)
{
    double from, to;

    rounds_interval(r->sitting, r->time, 0.95, &from, &to);
    if (!(from == low && to == high))
        fail_msg("%g to %g, expected %g to %g", from, to, low, high);
}

static void an_interval_spans_those_of_its_sittings(void **state)
{
    /* Ten rounds between 1 and 10, ten between 101 and 110. */
    const double time[] = {5, 1, 4, 2, 8, 3, 7, 6, 9, 10, 105, 101, 104, 102, 108, 103, 107, 106, 109,
                           110};
    const struct rounds two = {20, time, {{10, 0}, {10, 3}}, false}, later = {20, time, {{0}, {20, 0}}, false};

    (void)state;
    assert_spans(&two, 2, 109);
    assert_true(rounds_median(&two) == 55.5);
    /* Six of the twenty lie below, fourteen above: ranks 6 and 15 of one sitting. */
    assert_interval(&later, 6, 105);
}

static void a_short_sitting_counts_whole(void **state)
{
    const double time[] = {3, 1, 2, 6, 4, 5};
    const struct rounds halves = {6, time, {{3, 0}, {3, 0}}, false}, few = {5, time, {{3, 0}, {2, 0}}, false};

    (void)state;
    assert_spans(&halves, 1, 6);
    assert_true(isnan(rounds_summary(&few).low)); /* five in all */
}

static void of_several_sittings_it_holds_what_another_run_says(void **state)
{
    const double time[] = {1, 2, 2, 2, 2, 4, 1, 2, 2, 2, 2, 4};
    const struct rounds two = {12, time, {{6, 0}, {6, 0}}, false}, one = rounds_of_one(time, 12);

    (void)state;
    assert_spans(&two, 1, 4);
    assert_interval(&two, 2 / pow(2, sqrt(2)), 2 * pow(2, sqrt(2))); /* twice as long, to the sqrt(2) */
    assert_interval(&one, 2, 2); /* the third and the tenth: of nothing but itself */
}

/* What a sitting has in common for all of its rounds: a neighbour, a clock, where its pages lie. */
static double time_of(uint64_t trial, uint64_t sitting, uint64_t round)
{
    double mood = random_unit(21, trial, sitting) < 0.5 ? 1.0 : 1.4;

    return mood * (1.0 - 0.02 * log(1.0 - random_unit(23, 4 * trial + sitting, round)));
}

enum { ROUNDS = 24 };

static struct rounds sit(uint64_t trial, double time[ROUNDS], size_t sittings)
{
    struct rounds r = {.count = ROUNDS, .time = time};

    for (uint64_t i = 0; i < ROUNDS; i++) {
        const size_t sitting = i * sittings / ROUNDS;
        time[i] = time_of(trial, sitting, i);
        r.sitting[sitting].rounds++;
    }
    return r;
}

/* Two runs of the same thing on a machine of moods: how often do their intervals meet? */
static double agreement(size_t sittings)
{
    const uint64_t trials = 2000;
    size_t meet = 0;

    for (uint64_t t = 0; t < trials; t++) {
        double a[ROUNDS], b[ROUNDS];
        const struct rounds one = sit(2 * t, a, sittings), other = sit(2 * t + 1, b, sittings);
        const struct summary x = rounds_summary(&one), y = rounds_summary(&other);
        meet += x.low <= y.high && y.low <= x.high;
    }
    print_message("# sittings: %zu, of two runs' intervals meet: %.3f\n", sittings,
                  (double)meet / (double)trials);
    return (double)meet / (double)trials;
}

/* Two runs are apart if one was in the one mood throughout, the other in the other: 2 of 4, 16, 64. */
static void more_sittings_agree_more_often(void **state)
{
    (void)state;
    assert_true(agreement(1) < 0.6);
    assert_true(agreement(2) > 0.85);
    assert_true(agreement(3) > 0.95);
}

/* Box and Muller's. */
static double normal(uint64_t stream, uint64_t i)
{
    return sqrt(-2.0 * log(1.0 - random_unit(24, stream, i))) * cos(2 * M_PI * random_unit(25, stream, i));
}

/* A run of a thing whose rounds differ by 4 %, and its sittings by `moods`. */
static struct rounds sit_normally(uint64_t trial, double time[ROUNDS], size_t sittings, double moods)
{
    struct rounds r = sit(trial, time, sittings);

    for (uint64_t i = 0; i < ROUNDS; i++)
        time[i] = exp(moods * normal(2 * trial, i * sittings / ROUNDS) +
                      0.04 * normal(2 * trial + 1, i));
    return r;
}

static bool inside(double x, double low, double high)
{
    return low <= x && x <= high;
}

/* The share of two runs of which each holds the other's median: by the interval that spans the
   sittings' (`spans`), and by the one that is shown. */
static void each_others(size_t sittings, double moods, double *spans, double *shown)
{
    const int trials = 2000;
    int in_spans = 0, in_shown = 0;

    for (int t = 0; t < trials; t++) {
        double a[ROUNDS], b[ROUNDS], from[2], to[2];
        const struct rounds one = sit_normally(2 * (uint64_t)t, a, sittings, moods),
                            other = sit_normally(2 * (uint64_t)t + 1, b, sittings, moods);
        const struct summary x = rounds_summary(&one), y = rounds_summary(&other);
        rounds_interval(one.sitting, a, 0.95, &from[0], &to[0]);
        rounds_interval(other.sitting, b, 0.95, &from[1], &to[1]);
        in_spans += inside(y.median, from[0], to[0]) && inside(x.median, from[1], to[1]);
        in_shown += inside(y.median, x.low, x.high) && inside(x.median, y.low, y.high);
    }
    *spans = (double)in_spans / trials;
    *shown = (double)in_shown / trials;
    print_message("# sittings: %zu, moods of %g %%: each holds the other's median in %.3f, as shown %.3f\n",
                  sittings, moods * 100, *spans, *shown);
}

static void another_run_says_what_the_interval_says(void **state)
{
    double spans, shown;

    (void)state;
    each_others(1, 0.0, &spans, &shown); /* what its text book says of an interval for 95 % */
    assert_true(spans > 0.8 && spans < 0.87);
    each_others(3, 0.05, &spans, &shown);
    assert_true(spans < 0.95 && shown > 0.95);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_sitting_is_as_it_was),
        cmocka_unit_test(an_interval_spans_those_of_its_sittings),
        cmocka_unit_test(a_short_sitting_counts_whole),
        cmocka_unit_test(of_several_sittings_it_holds_what_another_run_says),
        cmocka_unit_test(more_sittings_agree_more_often),
        cmocka_unit_test(another_run_says_what_the_interval_says),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
