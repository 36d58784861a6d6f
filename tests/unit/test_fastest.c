/* Which of several variants has the answer that run takes: made-up calls. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_shortest_call_wins),
        cmocka_unit_test(only_answers_count),
    };

    return cmocka_run_group_tests_name("fastest", tests, NULL, NULL);
}
