/* Crossovers: where curves cross, where the data cannot decide, and the sentences for it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "harness/records/crossover.h"

enum { FIRST = 1000 };

static struct point points[MAX_POINTS];
static struct crossover found;

/* Sizes 1000, 2000, 4000 ...: at each a ratio, known to `percent`. */
static void curve(double percent, size_t count, const double ratios[])
{
    for (size_t i = 0; i < count; i++)
        points[i] = (struct point){.at = FIRST * exp2((double)i),
                                   .ratio = ratios[i],
                                   .low = ratios[i] / (1.0 + 0.01 * percent),
                                   .high = ratios[i] * (1.0 + 0.01 * percent)};
    found = crossover_find(points, count);
}

#define CURVE(percent, ...)                                                                        \
    curve(percent, sizeof(double[]){__VA_ARGS__} / sizeof(double), (double[]){__VA_ARGS__})

static void assert_says(const char *sentence)
{
    char text[1024];

    crossover_describe(&found, "elements", text, sizeof text);
    assert_string_equal(text, sentence);
}

static void assert_near(double x, double y)
{
    assert_true(fabs(x - y) < 1e-6 * y);
}

/* --- verdicts --------------------------------------------------------------------------------- */

static void no_sizes_are_not_compared(void **state)
{
    (void)state;
    found = crossover_find(points, 0);
    assert_int_equal(found.pays, PAYS_NOT_TIMED);
    assert_says("at no size were both timed");
}

static void always(void **state)
{
    (void)state;
    CURVE(5, 1.2, 2, 3);
    assert_int_equal(found.pays, PAYS_ALWAYS);
    assert_true(found.first == 1000 && found.last == 4000);
    assert_says("always in this range");
    CURVE(5, 1.2); /* one size is a range, too */
    assert_says("always in this range");
    CURVE(5, 1.2, 1, 1.2); /* an unclear size between two clear ones is not a crossing */
    assert_says("always in this range");
}

static void never(void **state)
{
    (void)state;
    CURVE(5, 0.1, 0.5, 0.9);
    assert_int_equal(found.pays, PAYS_NEVER);
    assert_true(isnan(found.blurred_from));
    assert_says("never in this range");
    CURVE(5, 0.1);
    assert_says("never in this range");
    CURVE(5, 1, 0.5, 1, 0.5); /* unclear at the small end and in between: no size beyond would be
                                 certain */
    assert_says("never in this range");
}

static void never_but_who_knows_beyond(void **state)
{
    (void)state;
    CURVE(5, 0.5, 0.5, 1, 1);
    assert_int_equal(found.pays, PAYS_NEVER);
    assert_true(found.blurred_from > 2000 && found.blurred_from < 4000);
    assert_says("never in this range, but not told apart above 3400 elements");
}

static void undecided(void **state)
{
    (void)state;
    CURVE(5, 1, 0.98, 1.03);
    assert_int_equal(found.pays, PAYS_UNKNOWN);
    assert_says("not told apart in this range");
}

/* An interval of 1.002 to 1.006 is certainly above 1, and irrelevant. */
static void less_than_a_percent_is_nothing(void **state)
{
    (void)state;
    CURVE(0.2, 1.004, 0.996, 1.004);
    assert_int_equal(found.pays, PAYS_UNKNOWN);
    CURVE(0.2, 0.996, 1.02);
    assert_int_equal(found.pays, PAYS_FROM);
}

/* --- where ------------------------------------------------------------------------------------ */

static void from_some_size_on(void **state)
{
    (void)state;
    CURVE(10, 0.125, 0.5, 2, 8);
    assert_int_equal(found.pays, PAYS_FROM);
    assert_int_equal(found.count, 1);
    const struct edge *e = &found.stretches[0].begin;
    assert_int_equal(e->kind, EDGE_CROSSING);
    assert_int_equal(found.stretches[0].end.kind, EDGE_RANGE);
    assert_says("from 2600 to 3000 elements on");

    /* On logarithmic axes the ratio's middle is 1 half way from 2000 to 4000; with its ends by 10 %
       off, and 1 % of margin, the line of slope 2 is shifted by half as much. */
    assert_near(e->low, 2000 * sqrt(2.0) / sqrt(1.1 * 1.01));
    assert_near(e->high, 2000 * sqrt(2.0) * sqrt(1.1 * 1.01));
    assert_false(e->few);
}

static void the_interval_shrinks_with_that_of_the_ratio(void **state)
{
    (void)state;
    CURVE(1, 0.125, 0.5, 2, 8);
    assert_says("from 2800 to 2860 elements on");
    CURVE(30, 0.125, 0.5, 2, 8);
    assert_says("from 2400 to 3300 elements on");
}

/* ln(ratio) is u * u - 2.25 at 1000 * 2^u elements: it crosses at u = 1.5, where a line from u = 1 to
   u = 2 is above 0 already.  A parabola bends as much as is allowed for, and no more. */
static void a_curve_that_bends_is_allowed_for(void **state)
{
    (void)state;
    CURVE(0, exp(-2.25), exp(-1.25), exp(1.75), exp(6.75));
    assert_near(found.stretches[0].begin.high, 1000 * exp2(1.5 + log(1.01) / 3.0));
    assert_near(found.stretches[0].begin.low, 1000 * exp2(1.0 + 1.0 / 3.0 - log(1.01) / 3.0));
    CURVE(0, exp(2.25), exp(1.25), exp(-1.75), exp(-6.75));
    assert_near(found.stretches[0].end.high, 1000 * exp2(1.5 + log(1.01) / 3.0));
    CURVE(0, 1 / 16.0, 1 / 2.0, 2.0, 2.01, 2.02); /* not beyond the sizes that it lies between */
    assert_true(found.stretches[0].begin.low >= 2000 && found.stretches[0].begin.high <= 4000);
}

static void unclear_sizes_between_widen_the_interval(void **state)
{
    (void)state;
    CURVE(10, 0.5, 1, 1, 2);
    const struct edge *e = &found.stretches[0].begin;
    assert_true(e->low > 1000 && e->low < 2000);
    assert_true(e->high > 4000 && e->high < 8000);
    assert_says("from 1600 to 4900 elements on");
}

static void unclear_from_the_smallest_size_on(void **state)
{
    (void)state;
    CURVE(10, 1, 1, 2, 4);
    assert_int_equal(found.pays, PAYS_FROM);
    assert_int_equal(found.stretches[0].begin.kind, EDGE_BLUR);
    assert_true(found.stretches[0].begin.low == 1000);
    assert_true(found.stretches[0].begin.high > 2000 && found.stretches[0].begin.high < 4000);
    assert_says("from at most 2500 elements on");
}

static void unclear_before_it_is_slower_is_nothing(void **state)
{
    (void)state;
    CURVE(10, 1, 0.5, 2, 4);
    assert_int_equal(found.pays, PAYS_FROM);
    assert_int_equal(found.stretches[0].begin.kind, EDGE_CROSSING);
    assert_says("from 2300 to 3400 elements on");
}

static void only_where_it_is_small(void **state)
{
    (void)state;
    CURVE(10, 8, 2, 0.5, 0.125);
    assert_int_equal(found.pays, PAYS_PARTLY);
    assert_int_equal(found.stretches[0].begin.kind, EDGE_RANGE);
    assert_int_equal(found.stretches[0].end.kind, EDGE_CROSSING);
    assert_near(found.stretches[0].end.low, 2000 * sqrt(2.0) / sqrt(1.1 * 1.01));
    assert_near(found.stretches[0].end.high, 2000 * sqrt(2.0) * sqrt(1.1 * 1.01));
    assert_says("below 2600 to 3000 elements");
    CURVE(10, 4, 2, 1, 1);
    assert_int_equal(found.pays, PAYS_PARTLY);
    assert_int_equal(found.stretches[0].end.kind, EDGE_BLUR);
    assert_says("below 3300 elements, not told apart above");
}

static void in_the_middle_only(void **state)
{
    (void)state;
    CURVE(10, 0.5, 2, 2, 0.5);
    assert_int_equal(found.pays, PAYS_PARTLY);
    assert_int_equal(found.count, 1);
    assert_says("from 1200 to 1700 elements on, up to 4900 to 6600");
    CURVE(10, 0.5, 2, 2, 1);
    assert_says("from 1200 to 1700 elements on, not told apart above 6600");
}

static void twice(void **state)
{
    (void)state;
    CURVE(10, 2, 0.5, 2, 4);
    assert_int_equal(found.pays, PAYS_PARTLY);
    assert_int_equal(found.count, 2);
    assert_says("below 1100 to 1800 elements; and again from 2200 to 3600 elements on");
    CURVE(10, 0.5, 2, 0.5, 2);
    assert_int_equal(found.count, 2);
    assert_says("from 1100 to 1800 elements on, up to 2200 to 3600; and again from 4500 to 7100 "
                "elements on");
}

static void as_often_as_there_are_sizes(void **state)
{
    double ratios[MAX_POINTS];

    (void)state;
    for (size_t i = 0; i < MAX_POINTS; i++)
        ratios[i] = i % 2 == 0 ? 2.0 : 0.5;
    curve(1, MAX_POINTS, ratios);
    assert_int_equal(found.count, MAX_STRETCHES);
    for (size_t i = 0; i < MAX_POINTS; i++)
        ratios[i] = i % 2 == 0 ? 0.5 : 2.0;
    curve(1, MAX_POINTS, ratios);
    assert_int_equal(found.count, MAX_STRETCHES);
    char text[64]; /* too short for it: cut, and no more */
    crossover_describe(&found, "elements", text, sizeof text);
    assert_int_equal(strlen(text), 63);
}

/* For any ratios: edges are ordered, and lie between the sizes that they separate. */
static void edges_are_where_they_must_be(void **state)
{
    static const double levels[] = {0.5, 0.9, 1.0, 1.1, 2.0};

    (void)state;
    for (int number = 0; number < 3125; number++) {
        double ratios[5];
        for (int i = 0, rest = number; i < 5; i++, rest /= 5)
            ratios[i] = levels[rest % 5];
        curve(3, 5, ratios);
        double before = found.first;
        for (size_t i = 0; i < found.count; i++) {
            const struct edge *ends[] = {&found.stretches[i].begin, &found.stretches[i].end};
            for (int e = 0; e < 2; e++) {
                assert_true(ends[e]->low >= before && ends[e]->high >= ends[e]->low);
                before = ends[e]->kind == EDGE_RANGE ? before : ends[e]->low;
            }
            assert_true(found.stretches[i].end.high <= found.last);
        }
        int clear = 0;
        for (int i = 0; i < 5; i++)
            clear += ratios[i] > 1.05 ? 1 : 0;
        assert_int_equal(clear > 0, found.count > 0);
    }
}

static void few_rounds_at_an_edge_are_told(void **state)
{
    const double ratios[] = {0.125, 0.5, 2, 8};

    (void)state;
    for (size_t few = 0; few < 4; few++) {
        curve(10, 4, ratios);
        points[few].few = true;
        found = crossover_find(points, 4);
        assert_int_equal(found.stretches[0].begin.few, few == 1 || few == 2);
    }
    CURVE(10, 1, 1, 2, 8);
    points[1].few = true;
    found = crossover_find(points, 4);
    assert_true(found.stretches[0].begin.few);
    CURVE(10, 0.125, 0.5, 2, 8);
    points[2].few = true;
    found = crossover_find(points, 4);
    assert_says("from 2600 to 3000 elements on (few rounds)");
}

/* --- numbers ---------------------------------------------------------------------------------- */

static void numbers_in_words(void **state)
{
    static const struct {
        double low, high;
        const char *text;
    } cases[] = {
        {1.31e6, 1.59e6, "1.3 to 1.6 million"},
        {1.3e6, 1.6e6, "1.3 to 1.6 million"},      /* as they are, where they are short */
        {1.301e6, 1.302e6, "1.3 to 1.31 million"}, /* three digits where two are not enough */
        {2e6, 2e6, "2 million"},
        {12.0, 34.5, "12 to 35"}, /* no half elements */
        {1.2, 5.7, "1 to 6"},
        {0.4, 0.9, "0 to 1"},
        {1310.0, 1590.0, "1300 to 1600"},
        {13100.0, 15900.0, "13 to 16 thousand"},
        {900e3, 1.2e6, "0.9 to 1.2 million"},
        {8000.0, 12e6, "8000 to 12 million"}, /* far apart: in words of their own */
        {80e3, 12e6, "80 thousand to 12 million"},
        {950e6, 1.05e9, "0.95 to 1.1 billion"},
        {3.1e12, 4.2e12, "3.1 to 4.2 trillion"},
        {999.4e3, 999.6e3, "999 to 1000 thousand"},
    };
    char text[64];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        describe_between(cases[i].low, cases[i].high, text, sizeof text);
        assert_string_equal(text, cases[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_sizes_are_not_compared),
        cmocka_unit_test(always),
        cmocka_unit_test(never),
        cmocka_unit_test(never_but_who_knows_beyond),
        cmocka_unit_test(undecided),
        cmocka_unit_test(less_than_a_percent_is_nothing),
        cmocka_unit_test(from_some_size_on),
        cmocka_unit_test(the_interval_shrinks_with_that_of_the_ratio),
        cmocka_unit_test(a_curve_that_bends_is_allowed_for),
        cmocka_unit_test(unclear_sizes_between_widen_the_interval),
        cmocka_unit_test(unclear_from_the_smallest_size_on),
        cmocka_unit_test(unclear_before_it_is_slower_is_nothing),
        cmocka_unit_test(only_where_it_is_small),
        cmocka_unit_test(in_the_middle_only),
        cmocka_unit_test(twice),
        cmocka_unit_test(as_often_as_there_are_sizes),
        cmocka_unit_test(edges_are_where_they_must_be),
        cmocka_unit_test(few_rounds_at_an_edge_are_told),
        cmocka_unit_test(numbers_in_words),
    };

    return cmocka_run_group_tests_name("crossover", tests, NULL, NULL);
}
