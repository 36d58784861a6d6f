/* Names at a roofline's slopes: each is readable and clearly belongs to its slope. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/plots/slopes.h"

enum { RATES = 6 };

/* Of an H200 and its host: data in a second-level cache, in the last one, and in none. */
static const double cases[][RATES] = {
    {23.3e9, 108e9, 120e9, 3.59e12, 4.35e12, 10.2e12},
    {23.3e9, 85.2e9, 120e9, 1.12e12, 4.35e12, 10.2e12},
    {23.3e9, 37.5e9, 120e9, 244e9, 4.35e12, 10.2e12},
};
static const struct frame frame = {0.0028, 117.0, 3e7, 1.3e14};

static double height(double rate)
{
    return frame_y(&frame, rate * frame.left);
}

/* How far a name's middle is above its own slope, as a share of the frame. */
static double rise(const struct stand *s, double rate)
{
    return frame_y(&frame, s->y) - frame_y(&frame, rate * s->x);
}

static void set_slopes(struct slope slopes[], const double rates[])
{
    static const double levels[RATES] = {183e9, 183e9, 1.37e12, 1.37e12, 63.6e12, 63.6e12};

    for (size_t i = 0; i < RATES; i++)
        slopes[i] = (struct slope){rates[i], levels[i]};
}

static void check_case(const double rates[], const struct words taken[], size_t count)
{
    struct slope slopes[RATES];
    struct stand stands[RATES];

    set_slopes(slopes, rates);
    slopes_name(slopes, RATES, taken, count, &frame, stands);
    for (size_t i = 0; i < RATES; i++) {
        assert_true(stands[i].shown);
        const double name = height(rates[i]) + rise(&stands[i], rates[i]);
        for (size_t k = 0; k < RATES; k++) {
            const double line = height(rates[k]);
            assert_true(k == i || fabs(name - line) > 0.012); /* not struck through */
            assert_false(k != i && (line - height(rates[i])) * (line - name) < 0.0);
            const double other = line + rise(&stands[k], rates[k]);
            assert_true(k == i || stands[k].x != stands[i].x || fabs(name - other) > 0.03);
        }
    }
}

static void names_are_on_no_line_and_on_no_other_name(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_case(cases[i], NULL, 0);
}

static void a_name_leaves_a_rungs_name_alone(void **state)
{
    struct slope slope = {120e9, 1.37e12};
    struct stand stand;
    const double own = height(slope.rate);
    const struct words above = {0.0, 0.15, own + 0.06};

    (void)state;
    slopes_name(&slope, 1, NULL, 0, &frame, &stand);
    assert_true(stand.shown && rise(&stand, slope.rate) > 0.0 && stand.x == frame.left);
    slopes_name(&slope, 1, &above, 1, &frame, &stand);
    assert_true(stand.shown && (rise(&stand, slope.rate) < 0.0 || stand.x > frame.left));
}

static void a_slope_without_room_has_no_name(void **state)
{
    struct slope slope = {1e12, 1.5e12 * frame.left};
    struct stand stand;

    (void)state;
    slopes_name(&slope, 1, NULL, 0, &frame, &stand);
    assert_false(stand.shown);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_on_no_line_and_on_no_other_name),
        cmocka_unit_test(a_name_leaves_a_rungs_name_alone),
        cmocka_unit_test(a_slope_without_room_has_no_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
