/* When a variant has enough rounds: with made-up ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "harness/measure/stop.h"

static const struct preset once = {.min_rounds = 10, .max_rounds = 40, .width = 0.01,
                                    .max_time = 1.0, .passes = 1};
static const struct preset twice = {.min_rounds = 10, .max_rounds = 40, .width = 0.01,
                                     .max_time = 1.0, .passes = 2};
static double rounds[MAX_ROUNDS];
static struct result result;
static bool together; /* all the others still take part */

static int fresh(void **state)
{
    (void)state;
    together = true;
    memset(&result, 0, sizeof result);
    result.time[PHASE_E2E].round = rounds;
    return 0;
}

/* Adds rounds of this time, +- `noise` in turn, one block of `seconds` each.  Returns the first reason
   to stop, and after how many blocks. */
static const char *take(const struct preset *p, unsigned pass, size_t count, double time,
                        double noise, double seconds, size_t *blocks)
{
    const char *why = NULL;

    for (size_t i = 0; i < count && why == NULL; i++) {
        struct series *e2e = &result.time[PHASE_E2E];
        e2e->round[e2e->rounds++] = time * (1.0 + (i % 2 == 0 ? noise : -noise));
        e2e->pass[pass].rounds++;
        (*blocks)++;
        why = stop_reason(&result, p, pass, *blocks, seconds * (double)*blocks, together);
    }
    return why;
}

static void assert_stops(const struct preset *p, unsigned pass, double noise, double seconds,
                         const char *why, size_t after)
{
    size_t blocks = 0;
    const char *got = take(p, pass, 100, 1e-3, noise, seconds, &blocks);

    assert_non_null(got);
    assert_string_equal(got, why);
    assert_int_equal(blocks, after);
}

static void a_narrow_interval_is_enough(void **state)
{
    (void)state;
    assert_stops(&once, 0, 0.001, 1e-3, "converged", 10);
}

static void none_stops_between_checkpoints(void **state)
{
    struct preset p = once;

    (void)state;
    p.min_rounds = 11; /* the next look is at 13 */
    assert_stops(&p, 0, 0.001, 1e-3, "converged", 13);
}

static void noise_goes_on_to_the_limits(void **state)
{
    (void)state;
    assert_stops(&once, 0, 0.1, 1e-3, "max_rounds", 40);
    fresh(NULL);
    assert_stops(&once, 0, 0.1, 0.1, "max_time", 10);
}

static void slow_calls_may_take_twice_the_time_for_an_interval(void **state)
{
    (void)state;
    assert_stops(&once, 0, 0.1, 0.3, "max_time", 6); /* 1.8 s: six rounds, as an interval needs */
    fresh(NULL);
    assert_stops(&once, 0, 0.1, 0.5, "slow_call", 4); /* no more than 2 s */
}

static void a_pass_has_its_share(void **state)
{
    (void)state;
    assert_stops(&twice, 0, 0.1, 1e-3, "max_rounds", 20);
    assert_stops(&twice, 1, 0.1, 1e-3, "max_rounds", 20);
    assert_int_equal(result.time[PHASE_E2E].rounds, 40);
    fresh(NULL);
    assert_stops(&twice, 0, 0.1, 0.25, "max_time", 3); /* three of the six */
    fresh(NULL);
    assert_stops(&twice, 0, 0.001, 1e-3, "converged", 6); /* five, and the next look */
}

static void times_that_move_on_drop_the_older_half(void **state)
{
    struct preset p = once;
    size_t blocks = 0;

    (void)state;
    p.min_rounds = p.max_rounds = 40;
    take(&p, 0, 8, 1e-3, 0.001, 1e-3, &blocks);
    take(&p, 0, 8, 2e-3, 0.001, 1e-3, &blocks); /* at 16, both halves have an interval */
    assert_int_equal(result.drift_restarts, 1);
    assert_int_equal(result.time[PHASE_E2E].pass[0].rounds, 8);
    assert_int_equal(result.time[PHASE_E2E].pass[0].first, 8);
    assert_int_equal(result.time[PHASE_E2E].rounds, 8);
    for (size_t i = 0; i < 8; i++)
        assert_true(rounds[i] > 1.9e-3);
}

/* Otherwise the rounds of this variant and of one that stopped before might have none in common. */
static void nothing_is_dropped_once_somebody_has_stopped(void **state)
{
    struct preset p = once;
    size_t blocks = 0;

    (void)state;
    p.min_rounds = p.max_rounds = 40;
    take(&p, 0, 8, 1e-3, 0.001, 1e-3, &blocks);
    together = false;
    take(&p, 0, 8, 2e-3, 0.001, 1e-3, &blocks);
    assert_int_equal(result.drift_restarts, 0);
    assert_int_equal(result.time[PHASE_E2E].pass[0].rounds, 16);
    assert_int_equal(result.time[PHASE_E2E].pass[0].first, 0);
}

/* The machine is twice as slow in the second pass: that is not drift, and nothing is dropped. */
static void passes_do_not_drift_apart(void **state)
{
    size_t blocks = 0, again = 0;

    (void)state;
    take(&twice, 0, 6, 1e-3, 0.001, 1e-3, &blocks);
    assert_string_equal(take(&twice, 1, 20, 2e-3, 0.001, 1e-3, &again), "converged");
    assert_int_equal(result.drift_restarts, 0);
    assert_int_equal(result.time[PHASE_E2E].rounds, 12);
    assert_true(rounds[0] < 1.1e-3);
}

static void dropping_leaves_earlier_passes_alone(void **state)
{
    struct preset p = twice;
    size_t blocks = 0, again = 0;

    (void)state;
    p.min_rounds = p.max_rounds = 80;
    take(&p, 0, 6, 7e-3, 0.001, 1e-3, &blocks);
    take(&p, 1, 8, 1e-3, 0.001, 1e-3, &again);
    take(&p, 1, 8, 2e-3, 0.001, 1e-3, &again);
    assert_int_equal(result.time[PHASE_E2E].pass[0].rounds, 6);
    assert_int_equal(result.time[PHASE_E2E].pass[1].rounds, 8);
    assert_int_equal(result.time[PHASE_E2E].pass[1].first, 8);
    assert_int_equal(result.time[PHASE_E2E].rounds, 14);
    for (size_t i = 0; i < 6; i++)
        assert_true(rounds[i] > 6e-3);
    for (size_t i = 6; i < 14; i++)
        assert_true(rounds[i] > 1.9e-3 && rounds[i] < 2.1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_narrow_interval_is_enough, fresh),
        cmocka_unit_test_setup(none_stops_between_checkpoints, fresh),
        cmocka_unit_test_setup(noise_goes_on_to_the_limits, fresh),
        cmocka_unit_test_setup(slow_calls_may_take_twice_the_time_for_an_interval, fresh),
        cmocka_unit_test_setup(a_pass_has_its_share, fresh),
        cmocka_unit_test_setup(times_that_move_on_drop_the_older_half, fresh),
        cmocka_unit_test_setup(nothing_is_dropped_once_somebody_has_stopped, fresh),
        cmocka_unit_test_setup(passes_do_not_drift_apart, fresh),
        cmocka_unit_test_setup(dropping_leaves_earlier_passes_alone, fresh),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
