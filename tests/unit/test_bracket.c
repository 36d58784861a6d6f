/* The bracket: false times are detected, and a busy machine is not accused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "harness/measure/bracket.h"

static char text[200];

/* Makes equal turns: seconds by the parent's clocks, and by the worker. */
static bool tells(int turns, double wall, double cpu, double said, int threads)
{
    struct bracket b = {.turns = 0};
    bool told = false;

    for (int i = 0; i < turns && !told; i++) {
        b.wall = wall;
        b.cpu = b.claimed = cpu;
        b.said = said;
        b.requests = 7;
        told = bracket_tells(&b, threads, text, sizeof text);
    }
    return told;
}

static void honest_times_are_believed(void **state)
{
    (void)state;
    assert_false(tells(20, 13e-3, 13e-3, 12e-3, 1));
    assert_false(tells(20, 13e-3, 26e-3, 12e-3, 2));
    assert_false(tells(20, 200e-3, 13e-3, 12e-3, 1));  /* it had to wait */
    assert_false(tells(20, 60e-3, 60e-3, 12e-3, 2));   /* and a second thread kept looking for work */
    assert_false(tells(1, 40e-3, 40e-3, 12e-3, 1));    /* one odd turn */
}

static void more_than_went_by_is_a_lie(void **state)
{
    (void)state;
    assert_true(tells(1, 10e-3, 10e-3, 12e-3, 1));
    assert_true(tells(1, 10e-3, 10e-3, (double)NAN, 1));
}

static void far_less_than_went_by_is_a_lie(void **state)
{
    (void)state;
    assert_true(tells(6, 40e-3, 40e-3, 12e-3, 1));
    assert_false(tells(5, 40e-3, 40e-3, 12e-3, 1));
    assert_true(tells(1, 400e-3, 400e-3, 12e-3, 1)); /* at once */
}

/* Two thirds of the time that passed at best, and of the processor time: too close to a hidden thread
   to decide. */
static void half_in_every_request_is_a_lie(void **state)
{
    (void)state;
    for (int part = 2; part <= 3; part++) {
        struct bracket b = {.turns = 0, .asked = 14, .most_true = part == 2 ? 0.5 : 0.67};
        b.wall = b.cpu = b.claimed = 40e-3;
        b.said = 40e-3 * b.most_true;
        assert_int_equal(bracket_tells(&b, 1, text, sizeof text), part == 2);
    }
}

static void a_clock_of_its_own_is_a_lie(void **state)
{
    struct bracket b = {.other_clock = true, .wall = 1e-3, .cpu = 1e-3, .said = 1e-3};

    (void)state;
    assert_true(bracket_tells(&b, 1, text, sizeof text));
}

static void work_outside_of_calls_is_a_lie(void **state)
{
    struct bracket b = {.ended = 23, .hidden_ones = 23};

    (void)state;
    assert_false(bracket_hides(&b, text, sizeof text)); /* of too few */
    b.ended++;
    assert_true(bracket_hides(&b, text, sizeof text));
    b.hidden_ones = 12;
    assert_false(bracket_hides(&b, text, sizeof text));
}

static void work_outside_of_calls_is_a_share_of_them(void **state)
{
    (void)state;
    assert_false(bracket_hid_work(1.14e-3, 1.14e-3, 1e-3, 1));
    assert_true(bracket_hid_work(1.16e-3, 1.16e-3, 1e-3, 1));
    assert_false(bracket_hid_work(10.4e-3, 10.4e-3, 10e-3, 1)); /* of long calls, a twentieth */
    assert_true(bracket_hid_work(10.6e-3, 10.6e-3, 10e-3, 1));
    assert_false(bracket_hid_work(30e-3, 10.1e-3, 10e-3, 1)); /* it had to wait */
    assert_false(bracket_hid_work(10.4e-3, 20.4e-3, 10e-3, 2)); /* two threads worked in the calls */
    assert_true(bracket_hid_work(10.6e-3, 20.6e-3, 10e-3, 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(honest_times_are_believed),
        cmocka_unit_test(more_than_went_by_is_a_lie),
        cmocka_unit_test(far_less_than_went_by_is_a_lie),
        cmocka_unit_test(half_in_every_request_is_a_lie),
        cmocka_unit_test(a_clock_of_its_own_is_a_lie),
        cmocka_unit_test(work_outside_of_calls_is_a_lie),
        cmocka_unit_test(work_outside_of_calls_is_a_share_of_them),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
