/* The trial of first calls: finds variants that test whether inputs have changed, and no others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "harness/base/random.h"
#include "harness/measure/trial.h"

/* Times with a long tail, as on a busy machine: one in four is up to fifty times as long. */
static double call(double takes, uint64_t seed, uint64_t i)
{
    const double luck = random_unit(seed, 0, i);

    return takes * (luck > 0.75 ? 1.0 + 50.0 * random_unit(seed, 1, i) : 1.0 + 0.1 * luck);
}

/* A pass of `trials` first calls, with a coin for each. */
static bool tells(double kept, double changed, size_t trials, uint64_t seed)
{
    static struct trial t;
    char text[200];

    memset(&t, 0, sizeof t);
    for (size_t i = 0; i < trials; i++) {
        const bool is_changed = random_bits(seed, 2, i) & 1;
        trial_add(&t, is_changed, call(is_changed ? changed : kept, seed, i));
    }
    return trial_tells(&t, text, sizeof text);
}

static void who_remembers_is_found_out(void **state)
{
    (void)state;
    assert_true(tells(20e-6, 2e-3, 60, 1));
    assert_true(tells(100e-6, 300e-6, 300, 2));
    assert_true(tells(2e-6, 15e-6, MAX_TRIALS + 100, 3)); /* more than it keeps */
}

static void who_computes_is_not(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20000; seed++)
        assert_false(tells(1e-3, 1e-3, 12 + seed % 48, seed));
}

static void a_cache_line_is_no_work(void **state)
{
    (void)state;
    assert_false(tells(1.2e-6, 2.6e-6, 200, 4)); /* less than the lines of a few arrays may cost */
    assert_false(tells(100e-6, 130e-6, 200, 5)); /* less than 1.5 times */
    assert_false(tells(0.0, 0.0, 0, 6));         /* none at all */
}

/* A short run takes more turns where it is in doubt, and no others do. */
static void few_calls_leave_doubts(void **state)
{
    static struct trial t;
    char text[200];

    (void)state;
    memset(&t, 0, sizeof t);
    assert_false(trial_doubts(&t));
    for (int i = 0; i < 5; i++) {
        trial_add(&t, false, 20e-6);
        trial_add(&t, true, 2e-3);
    }
    assert_true(trial_doubts(&t));
    assert_false(trial_tells(&t, text, sizeof text));
    for (int i = 0; i < 20; i++) {
        trial_add(&t, false, 20e-6);
        trial_add(&t, true, 2e-3);
    }
    assert_false(trial_doubts(&t));
    assert_true(trial_tells(&t, text, sizeof text));
    memset(&t, 0, sizeof t);
    for (int i = 0; i < 5; i++) {
        trial_add(&t, false, 100e-6);
        trial_add(&t, true, 130e-6);
    }
    assert_false(trial_doubts(&t));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_remembers_is_found_out),
        cmocka_unit_test(who_computes_is_not),
        cmocka_unit_test(a_cache_line_is_no_work),
        cmocka_unit_test(few_calls_leave_doubts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
