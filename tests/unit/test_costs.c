/* Costs: what a run has spent, and on what. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/base/clock.h"
#include "harness/records/costs.h"

static double total(const struct costs *c)
{
    double sum = 0;

    for (int i = 0; i < ACCOUNTS; i++)
        sum += c->spent[i];
    return sum;
}

static void pass_time(double seconds)
{
    const double until = clock_now() + seconds;

    while (clock_now() < until)
        ;
}

/* All time is in exactly one account, whatever is switched between. */
static void one_account_runs_at_a_time(void **state)
{
    const double start = clock_now();
    struct costs c = {.now = COST_REST, .since = start};

    (void)state;
    pass_time(2e-3);
    assert_int_equal(costs_switch(&c, COST_TIMED), COST_REST);
    pass_time(5e-3);
    assert_int_equal(costs_switch(&c, COST_JUDGED), COST_TIMED);
    assert_int_equal(costs_switch(&c, COST_REST), COST_JUDGED);
    assert_true(c.spent[COST_REST] >= 2e-3 && c.spent[COST_TIMED] >= 5e-3);
    assert_true(c.spent[COST_JUDGED] >= 0 && c.spent[COST_WARMED] == 0 &&
                c.spent[COST_TRIED] == 0 && c.spent[COST_CALLED] == 0);
    assert_true(c.now == COST_REST && fabs(total(&c) - (c.since - start)) < 1e-9);
}

/* A switch to the same account only updates it. */
static void switching_to_the_same_adds_to_it(void **state)
{
    const double start = clock_now();
    struct costs c = {.now = COST_TIMED, .since = start};

    (void)state;
    pass_time(1e-3);
    assert_int_equal(costs_switch(&c, COST_TIMED), COST_TIMED);
    const double first = c.spent[COST_TIMED];
    pass_time(1e-3);
    costs_switch(&c, COST_TIMED);
    assert_true(first >= 1e-3 && c.spent[COST_TIMED] >= first + 1e-3);
    assert_true(fabs(c.spent[COST_TIMED] - (c.since - start)) < 1e-9);
}

static void what_is_moved_was_spent_once(void **state)
{
    struct costs c = {.now = COST_CALLED, .spent = {[COST_CALLED] = 5.0, [COST_JUDGED] = 1.0}};

    (void)state;
    costs_move(&c, 2.0, COST_JUDGED);
    assert_true(c.spent[COST_CALLED] == 3.0 && c.spent[COST_JUDGED] == 3.0);
    assert_int_equal(c.now, COST_CALLED);
    costs_move(&c, 4.0, COST_TIMED); /* of what runs, and is booked when it ends */
    assert_true(c.spent[COST_CALLED] == -1.0 && c.spent[COST_TIMED] == 4.0 && total(&c) == 6.0);
    costs_move(&c, 1.0, COST_CALLED); /* to itself */
    assert_true(c.spent[COST_CALLED] == -1.0);
}

/* Seconds are added; for memory, the largest case counts. */
static void parts_add_up(void **state)
{
    struct costs all = {.held = 100, .now = COST_JUDGED, .since = 7.0}, more = {.held = 50};

    (void)state;
    for (int i = 0; i < ACCOUNTS; i++) {
        all.spent[i] = i;
        more.spent[i] = 10.0 * (i + 1);
    }
    costs_add(&all, &more);
    for (int i = 0; i < ACCOUNTS; i++)
        assert_true(all.spent[i] == i + 10.0 * (i + 1));
    assert_true(all.held == 100 && all.now == COST_JUDGED && all.since == 7.0);
    more.held = 200;
    costs_add(&all, &more);
    assert_int_equal(all.held, 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_account_runs_at_a_time),
        cmocka_unit_test(switching_to_the_same_adds_to_it),
        cmocka_unit_test(what_is_moved_was_spent_once),
        cmocka_unit_test(parts_add_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
