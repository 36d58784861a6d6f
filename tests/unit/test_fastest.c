/* Which of several variants has the answer that run takes: made-up calls. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdbool.h>

#include "harness/measure/fastest.h"

enum { VARIANTS = 4 };

static struct result results[VARIANTS];
static struct entrant entrants[VARIANTS];

/* A cell whose variants took that many seconds; 0: it gave no answer. */
static struct cell cell_of(const double seconds[VARIANTS])
{
    for (size_t i = 0; i < VARIANTS; i++) {
        results[i].last = seconds[i];
        entrants[i] = (struct entrant){.state = seconds[i] > 0.0 ? ENTRANT_IN : ENTRANT_GONE,
                                       .result = &results[i]};
    }
    return (struct cell){.entrants = entrants, .count = VARIANTS};
}

static void the_shortest_call_wins(void **state)
{
    static const double orders[][VARIANTS] = {{1, 2, 3, 4}, {4, 3, 2, 1}, {3, 1, 4, 2}, {2, 4, 1, 3}};
    static const size_t places[][2] = {{0, 1}, {3, 2}, {1, 3}, {2, 0}};
    struct entrant *second = NULL;

    (void)state;
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        struct cell c = cell_of(orders[i]);
        assert_ptr_equal(fastest_entrant(&c, &second), &entrants[places[i][0]]);
        assert_ptr_equal(second, &entrants[places[i][1]]);
    }
}

static void only_answers_count(void **state)
{
    struct entrant *second = NULL;
    struct cell two = cell_of((const double[]){0, 5, 0, 3});

    (void)state;
    assert_ptr_equal(fastest_entrant(&two, &second), &entrants[3]);
    assert_ptr_equal(second, &entrants[1]);
    struct cell one = cell_of((const double[]){0, 0, 7, 0});
    assert_ptr_equal(fastest_entrant(&one, &second), &entrants[2]);
    assert_null(second);
    one = cell_of((const double[]){0, 0, 0, 0});
    assert_null(fastest_entrant(&one, &second));
    assert_null(second);
}

/* The predicted calls of waiting variants; NAN: not predicted */
static struct cell cell_waiting(const double predicted[VARIANTS])
{
    for (size_t i = 0; i < VARIANTS; i++) {
        results[i] = (struct result){.predicted = predicted[i]};
        entrants[i] = (struct entrant){.state = ENTRANT_WAITS, .result = &results[i]};
    }
    return (struct cell){.entrants = entrants, .count = VARIANTS};
}

static void assert_kept(const bool kept[VARIANTS])
{
    for (size_t i = 0; i < VARIANTS; i++) {
        assert_int_equal(entrants[i].state == ENTRANT_WAITS, kept[i]);
        assert_int_equal(results[i].fate.outcome == OUTCOME_SKIPPED, !kept[i]);
    }
}

static void the_shortest_predicted_calls_stay(void **state)
{
    struct cell c = cell_waiting((const double[]){4, 1, 3, 2});

    (void)state;
    fastest_keep(&c, 3, "slow");
    assert_kept((const bool[]){false, true, true, true});
    assert_string_equal(results[0].fate.reason, "slow");
    fastest_keep(&c, 1, "slow");
    assert_kept((const bool[]){false, true, false, false});
    c = cell_waiting((const double[]){1, 1, 1, 1});
    fastest_keep(&c, 4, "slow");
    assert_kept((const bool[]){true, true, true, true});
    c = cell_waiting((const double[]){NAN, NAN, NAN, NAN});
    fastest_keep(&c, 1, "slow");
    assert_kept((const bool[]){true, true, true, true});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_shortest_call_wins),
        cmocka_unit_test(only_answers_count),
        cmocka_unit_test(the_shortest_predicted_calls_stay),
    };

    return cmocka_run_group_tests_name("fastest", tests, NULL, NULL);
}
