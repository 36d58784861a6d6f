/* Which times of a variant are compared: without copies only if every one of the three has such. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "workshop/lab/times.h"

static struct round_times taken[TIMED][TIMED_ROUNDS];
static double chosen[TIMED][TIMED_ROUNDS];

static int fill(void **state)
{
    (void)state;
    for (int i = 0; i < TIMED; i++)
        for (int round = 0; round < TIMED_ROUNDS; round++)
            taken[i][round] = (struct round_times){.run = 1 + i + 0.1 * round,
                                                   .whole = 10 + i + 0.1 * round};
    return 0;
}

/* All of them are the run's, or all the whole's. */
static void assert_chosen(bool resident)
{
    for (int i = 0; i < TIMED; i++)
        for (int round = 0; round < TIMED_ROUNDS; round++)
            assert_true(chosen[i][round] ==
                        (resident ? taken[i][round].run : taken[i][round].whole));
}

static void test_all_have_them(void **state)
{
    (void)state;
    assert_true(times_choose(taken, true, chosen));
    assert_chosen(true);
}

static void test_not_wanted(void **state)
{
    (void)state;
    assert_false(times_choose(taken, false, chosen));
    assert_chosen(false);
}

/* One that hides its copies has a whole time only, and the others are compared by theirs then. */
static void test_one_has_not(void **state)
{
    static const double missing[] = {0.0, NAN};

    (void)state;
    for (int i = 0; i < TIMED; i++)
        for (int m = 0; m < 2; m++) {
            fill(NULL);
            for (int round = 0; round < TIMED_ROUNDS; round++)
                taken[i][round].run = missing[m];
            assert_false(times_choose(taken, true, chosen));
            assert_chosen(false);
        }
}

/* Even a single round: pairs of a round are compared, and medians of them. */
static void test_one_round_has_not(void **state)
{
    (void)state;
    for (int i = 0; i < TIMED; i++) {
        fill(NULL);
        taken[i][TIMED_ROUNDS - 1].run = NAN;
        assert_false(times_choose(taken, true, chosen));
        assert_chosen(false);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_all_have_them, fill),
        cmocka_unit_test_setup(test_not_wanted, fill),
        cmocka_unit_test_setup(test_one_has_not, fill),
        cmocka_unit_test_setup(test_one_round_has_not, fill),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
