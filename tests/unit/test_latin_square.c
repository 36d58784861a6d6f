/* The order in which variants are timed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "harness/measure/latin_square.h"

enum { MOST = 64 };

/* Counts how often each has each place, and follows each other, in one cycle. */
struct tally {
    size_t place[MOST][MOST], before[MOST][MOST];
};

static size_t count_cycle(struct tally *t, size_t count, size_t cycle_number, uint64_t seed)
{
    const size_t cycle = latin_square_cycle(count);
    size_t order[MOST];

    memset(t, 0, sizeof *t);
    for (size_t round = 0; round < cycle; round++) {
        latin_square_round(order, count, cycle_number * cycle + round, seed);
        for (size_t i = 0; i < count; i++) {
            assert_true(order[i] < count);
            t->place[order[i]][i]++;
            if (i > 0)
                t->before[order[i]][order[i - 1]]++;
        }
    }
    return cycle;
}

static void each_has_each_place_and_predecessor_once(void **state)
{
    static const size_t counts[] = {1, 2, 4, 6, 10, 22, 28, 46}; /* a prime less 1 */
    struct tally t;

    (void)state;
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        for (size_t number = 0; number < 3; number++) {
            assert_int_equal(count_cycle(&t, counts[k], number, 1), counts[k]);
            for (size_t a = 0; a < counts[k]; a++)
                for (size_t b = 0; b < counts[k]; b++) {
                    assert_int_equal(t.place[a][b], 1);
                    assert_int_equal(t.before[a][b], a != b);
                }
        }
}

static void other_numbers_come_near(void **state)
{
    struct tally t;

    (void)state;
    for (size_t count = 1; count < MOST; count++) {
        const size_t cycle = count_cycle(&t, count, 0, 7);
        assert_in_range(cycle, count, count + 6);
        for (size_t a = 0; a < count; a++) {
            size_t turns = 0;
            for (size_t b = 0; b < count; b++) {
                turns += t.place[a][b];
                assert_true(t.before[a][b] <= 1 + cycle - count);
            }
            assert_int_equal(turns, cycle); /* once in each round */
        }
    }
}

static void a_seed_is_an_order(void **state)
{
    size_t one[22], again[22], other[22], later[22];

    (void)state;
    latin_square_round(one, 22, 3, 1);
    latin_square_round(again, 22, 3, 1);
    latin_square_round(other, 22, 3, 2);
    latin_square_round(later, 22, 25, 1); /* the same round of the next cycle */
    assert_memory_equal(one, again, sizeof one);
    assert_memory_not_equal(one, other, sizeof one);
    assert_memory_not_equal(one, later, sizeof one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_has_each_place_and_predecessor_once),
        cmocka_unit_test(other_numbers_come_near),
        cmocka_unit_test(a_seed_is_an_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
