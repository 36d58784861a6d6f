/* The trial of whole changes: finds variants that go on from an earlier answer, and no others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "harness/base/random.h"
#include "harness/measure/pair_trial.h"

static struct pair_trial trial;

/* Times with a long tail, as on a busy machine: one in four is up to fifty times as long. */
static double call(double takes, uint64_t seed, uint64_t i)
{
    const double luck = random_unit(seed, 0, i);

    return takes * (luck > 0.75 ? 1.0 + 50.0 * random_unit(seed, 1, i) : 1.0 + 0.1 * luck);
}

static void pair(size_t set, double first, double later)
{
    pair_trial_first(&trial, set, first);
    pair_trial_later(&trial, set, later);
}

/* Pairs as long as they are needed, after at least some. */
static bool tells(double first, double later, uint64_t seed)
{
    char text[200];

    memset(&trial, 0, sizeof trial);
    for (size_t i = 0; i < 3 || pair_trial_doubts(&trial); i++)
        pair(i + 1, call(first, seed, 2 * i), call(later, seed, 2 * i + 1));
    return pair_trial_tells(&trial, text, sizeof text);
}

static void who_goes_on_is_found_out(void **state)
{
    char text[200];

    (void)state;
    memset(&trial, 0, sizeof trial);
    for (size_t i = 1; i <= 21; i++) { /* 1.7^21 is less than 1e5 */
        pair(i, 2e-3, 1e-3);
        assert_false(pair_trial_tells(&trial, text, sizeof text));
        assert_true(pair_trial_doubts(&trial));
    }
    pair(22, 2e-3, 1e-3);
    assert_true(pair_trial_tells(&trial, text, sizeof text));
    assert_non_null(strstr(text, "2 ms if all inputs have changed, and 1 ms"));
    assert_false(pair_trial_doubts(&trial));
}

static void who_computes_is_not(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20000; seed++)
        assert_false(tells(1e-3, 1e-3, seed));
    for (uint64_t seed = 0; seed < 1000; seed++) /* new data may cost a little */
        assert_false(tells(1.1e-3, 1e-3, seed));
}

/* Solvers take more steps on some data: that does not make a pair. */
static void both_calls_of_a_pair_are_on_one_set(void **state)
{
    (void)state;
    memset(&trial, 0, sizeof trial);
    for (size_t i = 1; i < 50; i++) {
        pair_trial_first(&trial, i, 2e-3);
        assert_true(pair_trial_waits(&trial, i));
        assert_false(pair_trial_waits(&trial, i + 1));
        pair_trial_later(&trial, i + 1, 1e-3);
    }
    assert_int_equal(trial.count, 0);
    pair_trial_later(&trial, 49, 1e-3);
    pair_trial_later(&trial, 49, 1e-3); /* which has no first one any more */
    assert_int_equal(trial.count, 1);
}

static void doubts_last_as_long_as_most_pairs_accuse(void **state)
{
    (void)state;
    memset(&trial, 0, sizeof trial);
    assert_false(pair_trial_doubts(&trial));
    pair(1, 2e-3, 1e-3);
    assert_true(pair_trial_doubts(&trial));
    pair(2, 1.2e-3, 1e-3);
    assert_false(pair_trial_doubts(&trial));
    pair(3, 2e-3, 1e-3);
    assert_true(pair_trial_doubts(&trial));
}

static void no_more_pairs_than_it_keeps(void **state)
{
    (void)state;
    memset(&trial, 0, sizeof trial);
    for (size_t i = 1; i < 3 * MAX_PAIRS; i++)
        pair(i, i % 2 == 0 ? 1e-3 : 2e-3, 1e-3);
    assert_int_equal(trial.count, MAX_PAIRS);
    assert_false(pair_trial_doubts(&trial));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_goes_on_is_found_out),
        cmocka_unit_test(who_computes_is_not),
        cmocka_unit_test(both_calls_of_a_pair_are_on_one_set),
        cmocka_unit_test(doubts_last_as_long_as_most_pairs_accuse),
        cmocka_unit_test(no_more_pairs_than_it_keeps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
