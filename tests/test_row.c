/* Rows: which rounds two of them share, and what a reader is warned of. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "harness/clock.h"
#include "harness/flags.h"

static const struct variant on_cpu = {.path = "a/b.c"};
static struct row row;

/* Ten rounds of 1 ms, nothing wrong with them. */
static void fine_row(void)
{
    row = (struct row){.variant = &on_cpu, .first = 1e-3, .cores = 1.0, .reps = 1, .threads = 1};
    row.fate.outcome = OUTCOME_OK;
    row.e2e.rounds = row.e2e.sitting[0].rounds = row.blocks = 10;
    for (int i = 0; i < 10; i++)
        row.e2e.round[i] = 1e-3 * (1.0 + 0.001 * i);
}

/* Ten more rounds, for another launch of the same row. */
static void fine_row_again(double median)
{
    row.e2e.rounds = row.e2e.sitting[0].rounds = row.blocks = 10;
    for (int i = 0; i < 10; i++)
        row.e2e.round[i] = median * (i < 5 ? 0.99 : 1.01);
}

static int setup(void **state)
{
    (void)state;
    fine_row();
    return 0;
}

static void a_fine_row_has_no_flags(void **state)
{
    (void)state;
    assert_int_equal(row_flags(&row), 0);
}

static void each_flag_has_its_reason(void **state)
{
    (void)state;
    row.cores = 0.89;
    assert_int_equal(row_flags(&row), 1u << FLAG_OFF_CPU);
    row.threads = 2; /* then waiting is no sin */
    assert_int_equal(row_flags(&row), 0);

    fine_row();
    row.first = 2.1e-3;
    assert_int_equal(row_flags(&row), 1u << FLAG_SLOW_START);

    fine_row();
    row.drift_restarts = 4;
    assert_int_equal(row_flags(&row), 1u << FLAG_DRIFT);

    fine_row();
    row.e2e.rounds = row.e2e.sitting[0].rounds = 5;
    assert_int_equal(row_flags(&row), 1u << FLAG_FEW);

    fine_row();
    for (int i = 0; i < 10; i++)
        row.e2e.round[i] = 1e-3 * (1.0 + 0.02 * i);
    assert_int_equal(row_flags(&row), 1u << FLAG_NOISY);

    fine_row();
    for (int i = 0; i < 10; i++)
        row.e2e.round[i] = 50.0 * clock_step();
    row.first = row.e2e.round[0];
    assert_int_equal(row_flags(&row), 1u << FLAG_COARSE);
    row.reps = 3;
    assert_int_equal(row_flags(&row), 0);

    fine_row();
    row.run.rounds = row.run.sitting[0].rounds = 10;
    for (int i = 0; i < 10; i++)
        row.run.round[i] = 4.9e-6;
    assert_int_equal(row_flags(&row), 1u << FLAG_LAUNCH_BOUND);
}

static void a_fifth_of_the_blocks_throttled_is_a_flag(void **state)
{
    const unsigned long long idle = 0x1, heat = 0x40;

    (void)state;
    for (int i = 0; i < 10; i++)
        row.telemetry[i].held_back = idle;
    row.telemetry[0].held_back = row.telemetry[1].held_back = heat;
    assert_int_equal(row_flags(&row), 0);
    row.telemetry[2].held_back = idle | heat;
    assert_int_equal(row_flags(&row), 1u << FLAG_THROTTLED);
}

static void a_row_without_a_time_has_no_flags(void **state)
{
    (void)state;
    row.cores = 0.1;
    row.fate.outcome = OUTCOME_WRONG;
    assert_int_equal(row_flags(&row), 0);
}

static void launches_become_the_rounds(void **state)
{
    (void)state;
    for (int launch = 1; launch <= 3; launch++) {
        fine_row_again(launch * 1e-3);
        row_end_launch(&row);
        assert_int_equal(row.e2e.rounds, 0);
        assert_int_equal(row.blocks, 0);
    }
    row_join_launches(&row);
    assert_int_equal(row.e2e.rounds, 3);
    assert_int_equal(row.run.rounds, 0); /* there never was one */
    for (int launch = 1; launch <= 3; launch++)
        assert_true(fabs(row.e2e.round[launch - 1] - launch * 1e-3) < 1e-12);
    assert_string_equal(row.stop, "launches");
}

static void raw_samples_are_kept_in_order_and_not_without_end(void **state)
{
    struct row *one = row_new(), *other = row_new();
    const double ten[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};

    (void)state;
    for (int i = 0; i < MAX_KEPT / 10; i++)
        series_keep(&one->cold, ten, i == 0 ? 7 : 10);
    series_keep(&one->cold, ten, 10); /* three of them */
    assert_int_equal(one->cold.kept, MAX_KEPT);
    assert_int_equal(one->cold.dropped, 7);
    for (int i = 0; i < MAX_KEPT; i++)
        assert_true(one->cold.sample[i] == ten[i < 7 ? i : (i - 7) % 10]);

    one->e2e.rounds = 3;
    row_copy(other, one);
    assert_int_equal(other->e2e.rounds, 3);
    assert_int_equal(other->cold.kept, 0);
    assert_null(other->cold.sample);
    row_free(one);
    row_free(other); /* a sanitizer would find what both held */
    row_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_fine_row_has_no_flags, setup),
        cmocka_unit_test_setup(each_flag_has_its_reason, setup),
        cmocka_unit_test_setup(a_fifth_of_the_blocks_throttled_is_a_flag, setup),
        cmocka_unit_test_setup(a_row_without_a_time_has_no_flags, setup),
        cmocka_unit_test_setup(launches_become_the_rounds, setup),
        cmocka_unit_test(raw_samples_are_kept_in_order_and_not_without_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
