/* Predictions from pilot calls on smaller cases: made-up variants whose times are known. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/measure/predict.h"

/* Returns the prediction at 16384 for a variant that takes `still` seconds plus `grows` at 1024,
   growing by the power of the axis; from its pilots at 128 and 1024. */
static double predicted(double still, double grows, double power)
{
    const struct pilots p = {{128.0, 1024.0},
                             {still + grows * pow(128.0 / 1024.0, power), still + grows}};

    return extrapolate(&p, 16384.0);
}

static double taken(double still, double grows, double power)
{
    return still + grows * pow(16384.0 / 1024.0, power);
}

static void assert_near(double is, double expected)
{
    if (!(fabs(is / expected - 1.0) < 1e-9))
        fail_msg("%g instead of %g", is, expected);
}

static void one_pilot_says_linear(void **state)
{
    const struct pilots one = {{0.0, 100.0}, {0.0, 2e-3}};

    (void)state;
    assert_near(extrapolate(&one, 100.0), 2e-3);
    assert_near(extrapolate(&one, 1600.0), 32e-3);
}

static void powers_are_found(void **state)
{
    (void)state;
    assert_near(predicted(0.0, 1e-3, 1.0), taken(0.0, 1e-3, 1.0));
    assert_near(predicted(0.0, 1e-3, 2.0), taken(0.0, 1e-3, 2.0));
    assert_near(predicted(0.0, 1e-3, 3.0), taken(0.0, 1e-3, 3.0));
}

/* A matrix product whose other operand is copied at every size: mostly the copy at first, later not. */
static void a_part_that_stays_is_not_scaled(void **state)
{
    (void)state;
    assert_near(predicted(50e-3, 1e-3, 1.0), taken(50e-3, 1e-3, 1.0));
    assert_near(predicted(50e-3, 10e-3, 1.0), taken(50e-3, 10e-3, 1.0));
    assert_near(predicted(1.0, 1e-9, 1.0), taken(1.0, 1e-9, 1.0));
}

/* Half of the difference is the copy, but the power still shows growth. */
static void a_small_part_that_stays_scales(void **state)
{
    (void)state;
    assert_near(predicted(0.1e-3, 1e-3, 1.0), 16.0 * 1.1e-3);
}

static void disturbances_are_no_powers(void **state)
{
    const struct pilots restless = {{128.0, 1024.0}, {1e-3, 1e-3 * pow(8.0, 1.35)}},
                        shrinks = {{128.0, 1024.0}, {5e-3, 2e-3}},
                        explodes = {{128.0, 1024.0}, {1e-6, 1.0}};

    (void)state;
    assert_near(extrapolate(&restless, 16384.0), 16.0 * restless.seconds[1]);
    assert_near(extrapolate(&shrinks, 16384.0), 2e-3); /* never less than what was seen */
    assert_near(extrapolate(&explodes, 16384.0), pow(16.0, 3.0));
}

/* As of knn: with fewer references a tree has another kind of work, with fewer observations less of the same. */
static void pilots_have_fewer_of_what_is_independent(void **state)
{
    static const char *const kinds[] = {"uniform", NULL};
    const struct problem made = {.axes = {"m", "n", "k", "data"}, .words = {NULL, NULL, NULL, kinds}};
    const size_t both[MAX_AXES] = {5000, 30000, 50, 9000}, few[MAX_AXES] = {30, 30000, 50, 9000},
                 small[MAX_AXES] = {30, 200, 50, 9000};

    (void)state;
    assert_int_equal(pilots_axis(&made, both), 0);
    assert_int_equal(pilots_axis(&made, few), 1);
    assert_int_equal(pilots_axis(&made, small), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_pilot_says_linear),
        cmocka_unit_test(powers_are_found),
        cmocka_unit_test(a_part_that_stays_is_not_scaled),
        cmocka_unit_test(a_small_part_that_stays_scales),
        cmocka_unit_test(disturbances_are_no_powers),
        cmocka_unit_test(pilots_have_fewer_of_what_is_independent),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
