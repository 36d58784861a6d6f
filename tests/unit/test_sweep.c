/* Sweeps: which sizes, which pairs are compared, and the results for made-up times. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "harness/commands/sizes.h"
#include "harness/measure/predict.h"
#include "harness/model/registry.h"

/* --- a problem of pixels, variants for CPU and card ---------------------------------------------- */

static const char *impossible(const size_t dims[])
{
    return dims[0] % 10 == 7 ? "no height ends in 7" : NULL;
}

static struct cost cost(const size_t dims[])
{
    double pixels = (double)dims[0] * (double)dims[1];

    return (struct cost){.flops = pixels * (double)dims[2], .items = pixels * (double)dims[2]};
}

static const struct growth growth = {.from = {16, 32, 1}, .grows = {true, true}, .to = 256};

static struct problem picture = {.path = "harness/problems/picture.c", .axes = {"h", "w", "times"},
                                 .item = "pixels", .growth = &growth, .impossible = impossible,
                                 .cost = cost};

enum { NAIVE, SIMD, CARD, UNIFIED, RUNGS };

static struct card cards[RUNGS] = {
    {.name = {"picture", "cpu_naive", "picture/cpu_naive"}, .device = "cpu"},
    {.name = {"picture", "cpu_simd", "picture/cpu_simd"}, .device = "cpu"},
    {.name = {"picture", "cuda_naive", "picture/cuda_naive"}, .device = "gpu",
     .phases = 1u << CARD_UPLOAD | 1u << CARD_DOWNLOAD},
    {.name = {"picture", "cuda_unified", "picture/cuda_unified"}, .device = "gpu"},
};
static const struct card *const variants[RUNGS] = {&cards[0], &cards[1], &cards[2], &cards[3]};

static struct options options;
static struct sweep sweep;
static struct error error;

static int setup(void **state)
{
    (void)state;
    options = (struct options){.step = 2.0};
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    sweep_free(&sweep);
    sweep = (struct sweep){.size_count = 0};
    return 0;
}

/* --- sizes ------------------------------------------------------------------------------------ */

/* "16x32x1 32x64x1" */
static void assert_sizes(const char *expected)
{
    char text[512] = "";

    if (!sizes_plan(&sweep, &options, &picture, &error))
        fail_msg("%s", error.text);
    for (size_t i = 0; i < sweep.size_count; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%zux%zux%zu", i > 0 ? " " : "",
                 sweep.sizes[i].dims[0], sweep.sizes[i].dims[1], sweep.sizes[i].dims[2]);
    assert_string_equal(text, expected);
}

static void assert_refused(const char *why)
{
    assert_false(sizes_plan(&sweep, &options, &picture, &error));
    if (strstr(error.text, why) == NULL)
        fail_msg("\"%s\", expected \"%s\"", error.text, why);
}

static const char *const words[] = {"plain", "striped", NULL};

static void assert_others(const char *expected)
{
    char text[64];

    assert_true(sizes_plan(&sweep, &options, &picture, &error));
    sweep_others(&sweep, text, sizeof text);
    assert_string_equal(text, expected);
}

static void an_axis_with_words_stays(void **state)
{
    (void)state;
    assert_others("times=1");
    picture.words[2] = words;
    options.settings[options.setting_count++] = (struct setting){"times", "striped"};
    options.step = 4.0;
    assert_sizes("16x32x1 64x128x1 256x512x1");
    assert_others("times=striped");
    options.settings[options.setting_count++] = (struct setting){"h", "3"};
    assert_others("h=3 times=striped");
    options.settings[0].value = "dotted";
    assert_refused("times is one of plain, striped, not \"dotted\"");
    options.settings[0].value = "plain,striped";
    assert_refused("not \"plain,striped\"");
    picture.words[2] = NULL;
}

static void axes_grow_together(void **state)
{
    (void)state;
    assert_sizes("16x32x1 32x64x1 64x128x1 128x256x1 256x512x1");
    options.step = 16.0;
    assert_sizes("16x32x1 256x512x1");
    options.step = 10.0; /* the end is not a size of its own */
    assert_sizes("16x32x1 160x320x1");
    options.from = "100";
    options.to = "121";
    options.step = 1.1; /* 1.1 * 1.1 is a little more than 1.21 */
    assert_sizes("100x200x1 110x220x1 121x242x1");
}

static void bounds(void **state)
{
    (void)state;
    options.from = "64";
    assert_sizes("64x128x1 128x256x1 256x512x1");
    options.to = "h=w=2^6";
    assert_sizes("64x128x1");
    options.from = "h=8";
    assert_sizes("8x16x1 16x32x1 32x64x1 64x128x1");
    options.to = "times=64";
    assert_refused("--to times=64: picture has no axis times that grows");
    options.to = "4";
    assert_refused("there is no size from 8 to 4");
    options.to = "h=";
    assert_refused("--to takes a whole number above 0");
    options.to = "many";
    assert_refused("--to takes a whole number above 0");
    options.to = "1e15";
    options.step = 1.05;
    assert_refused("more than 64 sizes");
}

static void an_axis_that_is_set_stays(void **state)
{
    (void)state;
    options.settings[options.setting_count++] = (struct setting){"times", "5"};
    options.step = 4.0;
    assert_sizes("16x32x5 64x128x5 256x512x5");
    options.settings[options.setting_count++] = (struct setting){"h", "3"};
    options.to = "128";
    assert_sizes("3x32x5 3x128x5");
    assert_true(sweep_length(&sweep, 1) == 128);
    options.settings[options.setting_count++] = (struct setting){"w", "9"};
    assert_refused("all axes that grow in a sweep are set");
    options.setting_count = 1;
    options.settings[0].value = "no";
    assert_refused("times takes a whole number");
    options.settings[0].value = "0";
    assert_refused("there is no work");
}

static void sizes_that_do_not_exist_give_way_to_the_next(void **state)
{
    (void)state;
    options.from = "27";
    options.to = "120";
    assert_sizes("28x55x1 54x108x1 108x216x1");
    options.from = "1";
    options.to = "3";
    options.step = 1.2; /* 1, 1.2, 1.44, 1.73, 2.07, 2.49, 2.99: no size twice */
    assert_sizes("1x2x1 1x3x1 2x3x1 2x4x1 2x5x1 3x6x1");
}

static void lengths_between_sizes(void **state)
{
    char axes[32];

    (void)state;
    assert_true(sizes_plan(&sweep, &options, &picture, &error));
    sweep_axes(&sweep, axes, sizeof axes);
    assert_string_equal(axes, "h=w");
    assert_true(fabs(sweep_length_at(&sweep, 32.0 * 64.0) - 32.0) < 1e-9);
    assert_true(fabs(sweep_length_at(&sweep, 48.0 * 96.0) - 48.0) < 1e-9);
    assert_true(fabs(sweep_length_at(&sweep, 256.0 * 512.0) - 256.0) < 1e-9);
}

/* --- times ------------------------------------------------------------------------------------ */

static void plan(void)
{
    assert_true(sizes_plan(&sweep, &options, &picture, &error));
    const struct sides sides = {options.contenders.word, options.baseline.word, options.contenders.count,
                                options.baseline.count};
    sweep_enlist(&sweep, &sides, variants, RUNGS);
}

static struct series ten_rounds(double times[10], double seconds)
{
    for (int i = 0; i < 10; i++)
        times[i] = seconds * (1.0 + 0.001 * i);
    return series_of(times, 10);
}

static struct result result_of(size_t variant)
{
    struct result r = {.setup = NAN, .context = NAN, .predicted = NAN};

    snprintf(r.problem, sizeof r.problem, "picture");
    snprintf(r.variant, sizeof r.variant, "%s", variants[variant]->name.variant);
    snprintf(r.device, sizeof r.device, "%s", variants[variant]->device);
    return r;
}

/* NaN: it was not timed; 0: there is no such phase. */
static void time_variant(size_t size, size_t variant, double e2e, double resident)
{
    struct result result = result_of(variant);
    double times[2][10];

    result.fate.outcome = isnan(e2e) ? OUTCOME_SKIPPED : OUTCOME_OK;
    if (!isnan(e2e))
        result.time[PHASE_E2E] = ten_rounds(times[0], e2e);
    if (resident > 0.0)
        result.time[PHASE_RUN] = ten_rounds(times[1], resident);
    sweep_keep(&sweep, size, variant, &result);
}

static void assert_is(const struct result *r, size_t variant)
{
    assert_non_null(r);
    assert_string_equal(r->variant, variants[variant]->name.variant);
}

/* The CPU's naive variant is faster for small sizes; the GPU needs 100 us, and little more. */
static void fill(void)
{
    plan();
    for (size_t i = 0; i < sweep.size_count; i++) {
        double pixels = sweep_items(&sweep, i);
        time_variant(i, NAIVE, 1e-9 * pixels, 0);
        time_variant(i, SIMD, 2e-6 + 0.5e-9 * pixels, 0);
        time_variant(i, CARD, 20e-6 + 0.1e-9 * pixels, 3e-6 + 0.05e-9 * pixels);
        time_variant(i, UNIFIED, 1.0, 0);
    }
}

static void the_card_is_compared_with_the_cpu(void **state)
{
    (void)state;
    plan();
    assert_true(!sweep.contender[NAIVE] && !sweep.contender[SIMD] && sweep.contender[CARD] && sweep.contender[UNIFIED]);
    assert_true(sweep.in_baseline[NAIVE] && sweep.in_baseline[SIMD] && !sweep.in_baseline[CARD] &&
                !sweep.in_baseline[UNIFIED]);
    assert_false(sweep_is_whole(&sweep));
}

static void of_and_against_say_otherwise(void **state)
{
    (void)state;
    options.contenders.word[options.contenders.count++] = "cpu_s*";
    plan();
    assert_true(!sweep.contender[NAIVE] && sweep.contender[SIMD] && !sweep.contender[CARD]);
    assert_true(sweep.in_baseline[NAIVE] && !sweep.in_baseline[SIMD] && !sweep.in_baseline[CARD]);
    sweep_free(&sweep);
    options.baseline.word[options.baseline.count++] = "picture/cuda_*";
    plan();
    assert_true(sweep.contender[SIMD] && !sweep.contender[CARD] && sweep.in_baseline[CARD] && !sweep.in_baseline[NAIVE]);
    sweep_free(&sweep);
    options.contenders.count = 0;
    plan();
    assert_true(sweep.contender[NAIVE] && sweep.contender[SIMD] && !sweep.contender[CARD]);
}

static void each_size_has_its_best_variant(void **state)
{
    (void)state;
    fill();
    assert_true(sweep_is_whole(&sweep));
    assert_is(sweep_best(&sweep, 0, CARD, VIEW_E2E), NAIVE);
    assert_is(sweep_best(&sweep, 1, CARD, VIEW_E2E), NAIVE);
    assert_is(sweep_best(&sweep, 2, CARD, VIEW_E2E), SIMD);
    assert_is(sweep_best(&sweep, 2, SIMD, VIEW_E2E), NAIVE);
    time_variant(2, SIMD, NAN, 0);
    assert_is(sweep_best(&sweep, 2, CARD, VIEW_E2E), NAIVE);
    time_variant(2, NAIVE, NAN, 0);
    assert_null(sweep_best(&sweep, 2, CARD, VIEW_E2E));
}

static void both_views_cross_where_they_must(void **state)
{
    struct curve c;

    (void)state;
    options.to = "512";
    fill();
    assert_true(sweep_curve(&sweep, CARD, VIEW_E2E, &c));
    const struct edge *e = &c.crossover.stretches[0].begin;
    assert_int_equal(c.crossover.pays, PAYS_FROM);
    assert_true(e->low < 45e3 && 45e3 < e->high); /* 18 us more, 0.4 ns a pixel less */
    assert_true(e->high < 1.35 * e->low);
    assert_string_equal(sweep_baseline(&c), "cpu_simd");
    assert_true(sweep_curve(&sweep, CARD, VIEW_RUN, &c));
    assert_int_equal(c.crossover.pays, PAYS_FROM);
    e = &c.crossover.stretches[0].begin; /* compared with 1 us, processes differ much */
    assert_true(e->high < 5e3 && e->high < 1.7 * e->low);
    assert_true(sweep_curve(&sweep, UNIFIED, VIEW_E2E, &c));
    assert_int_equal(c.crossover.pays, PAYS_NEVER);
    assert_false(sweep_curve(&sweep, UNIFIED, VIEW_RUN, &c)); /* its data have no place of their own */
    assert_false(sweep_curve(&sweep, NAIVE, VIEW_RUN, &c));   /* a CPU's always are */
}

static void sizes_without_both_are_left_out(void **state)
{
    struct curve c;

    (void)state;
    fill();
    time_variant(4, NAIVE, NAN, 0);
    time_variant(4, SIMD, NAN, 0);
    time_variant(0, CARD, NAN, 0);
    assert_true(sweep_curve(&sweep, CARD, VIEW_E2E, &c));
    assert_int_equal(c.count, 3);
    assert_true(c.size[0] == 1 && c.size[2] == 3);
    assert_true(c.crossover.first == 32 * 64 && c.crossover.last == 128 * 256);
    for (size_t i = 0; i < 5; i++)
        time_variant(i, CARD, NAN, 0);
    assert_false(sweep_curve(&sweep, CARD, VIEW_E2E, &c));
}

/* Ratios by rounds of the same number: what disturbs both cancels. */
static void ratios_are_paired(void **state)
{
    struct curve c;

    (void)state;
    fill();
    for (int i = 0; i < 10; i++) {
        double storm = i % 2 == 0 ? 1.0 : 3.0;
        sweep_row(&sweep, 0, CARD)->time[PHASE_E2E].round[i] = 2e-3 * storm;
        sweep_row(&sweep, 0, NAIVE)->time[PHASE_E2E].round[i] = 1e-3 * storm;
        sweep_row(&sweep, 0, SIMD)->time[PHASE_E2E].round[i] = 9e-3;
    }
    assert_true(sweep_curve(&sweep, CARD, VIEW_E2E, &c));
    assert_true(fabs(c.points[0].low - 0.5) < 0.01 && fabs(c.points[0].high - 0.5) < 0.01);
    /* Its first round was dropped. */
    struct series *e2e = &sweep_row(&sweep, 0, CARD)->time[PHASE_E2E];
    e2e->pass[0] = (struct pass){9, 1};
    e2e->rounds = 9;
    memmove(e2e->round, e2e->round + 1, 9 * sizeof *e2e->round);
    assert_true(sweep_curve(&sweep, CARD, VIEW_E2E, &c));
    assert_true(fabs(c.points[0].low - 0.5) < 0.01 && fabs(c.points[0].high - 0.5) < 0.01);
}

/* With five sizes at once, each interval must hold in 99 of 100 cases: from the 1st to the 10th of ten
   rounds; for one size, from the 2nd to the 9th would do. */
static void intervals_hold_for_all_sizes_at_once(void **state)
{
    struct curve c;

    (void)state;
    fill();
    sweep_row(&sweep, 0, CARD)->time[PHASE_E2E].round[3] *= 10.0;
    assert_true(sweep_curve(&sweep, CARD, VIEW_E2E, &c));
    assert_true(c.points[0].low < 0.2 * c.points[0].ratio);
    options.from = "256"; /* a single size */
    sweep_free(&sweep);
    plan();
    time_variant(0, NAIVE, 1e-3, 0);
    time_variant(0, CARD, 1e-3, 0);
    sweep_row(&sweep, 0, CARD)->time[PHASE_E2E].round[3] *= 10.0;
    assert_true(sweep_curve(&sweep, CARD, VIEW_E2E, &c));
    assert_true(c.points[0].low > 0.9 * c.points[0].ratio);
}

static void shorten(size_t size, size_t variant, size_t rounds)
{
    struct series *e2e = &sweep_row(&sweep, size, variant)->time[PHASE_E2E];

    e2e->rounds = e2e->pass[0].rounds = rounds;
}

static void few_rounds_have_the_widest_interval_there_is(void **state)
{
    struct curve c;

    (void)state;
    fill();
    for (size_t i = 0; i < RUNGS; i++) {
        shorten(3, i, 6); /* enough for one size, not for five at once */
        shorten(4, i, 5);
    }
    sweep_row(&sweep, 4, CARD)->time[PHASE_E2E].round[3] *= 10.0;
    assert_true(sweep_curve(&sweep, CARD, VIEW_E2E, &c));
    assert_true(c.points[4].few && !c.points[3].few);
    assert_true(c.points[4].low < 0.2 * c.points[4].ratio);
}

/* --- what would take too long ----------------------------------------------------------------- */

static struct result next[RUNGS];
static struct result *nexts[RUNGS];
static struct entrant entrants[RUNGS];

static struct cell next_cell(void)
{
    for (size_t i = 0; i < RUNGS; i++) {
        next[i] = result_of(i);
        nexts[i] = &next[i];
        entrants[i] = (struct entrant){.state = ENTRANT_WAITS, .worker = {.variant = variants[i]},
                                       .result = &next[i]};
    }
    return (struct cell){
        .problem = &picture, .entrants = entrants, .count = RUNGS, .results = nexts};
}

static void calls_are_predicted_from_smaller_sizes(void **state)
{
    (void)state;
    fill();
    for (size_t i = 0; i < 2; i++) {
        double pixels = sweep_items(&sweep, i);
        time_variant(i, NAIVE, 1e-12 * pow(pixels, 1.5), 0);
        time_variant(i, SIMD, 5e-3, 0);                     /* a start, and no more */
        time_variant(i, UNIFIED, 1e-15 * pow(pixels, 5.0), 0);
    }
    struct cell c = next_cell();
    double pixels = sweep_items(&sweep, 2);

    predict_size(&sweep, 2, &c, 1.0);
    assert_true(fabs(next[NAIVE].predicted / (1.0045e-12 * pow(pixels, 1.5)) - 1.0) < 1e-9);
    assert_true(fabs(next[SIMD].predicted - 4 * 1.0045 * 5e-3) < 1e-9); /* linear at least */
    double before = 1.0045e-15 * pow(pixels / 4.0, 5.0);
    assert_true(fabs(next[UNIFIED].predicted / (before * 16.0) - 1.0) < 1e-9); /* a square at most */
    for (size_t i = 0; i < 3; i++)
        assert_true(entrants[i].state == ENTRANT_WAITS);
}

static void what_would_take_too_long_sits_out(void **state)
{
    (void)state;
    fill();
    time_variant(2, SIMD, 0.26, 0);
    time_variant(1, SIMD, NAN, 0); /* by one size alone: linear */
    sweep_row(&sweep, 1, SIMD)->fate.outcome = OUTCOME_REFUSED;
    time_variant(0, SIMD, NAN, 0);
    sweep_row(&sweep, 0, SIMD)->fate.outcome = OUTCOME_REFUSED;
    time_variant(2, NAIVE, NAN, 0);
    snprintf(sweep_row(&sweep, 2, NAIVE)->fate.reason, 99, "too slow already");
    sweep_row(&sweep, 1, CARD)->setup = 1.5;
    sweep_row(&sweep, 2, CARD)->setup = 6.0;
    struct cell c = next_cell();

    entrants[UNIFIED].state = ENTRANT_GONE;
    fate_set(&next[UNIFIED].fate, OUTCOME_CRASH, "long ago");
    predict_size(&sweep, 3, &c, 1.0);
    assert_true(entrants[SIMD].state == ENTRANT_SITS_OUT &&
                next[SIMD].fate.outcome == OUTCOME_SKIPPED);
    assert_string_equal(next[SIMD].fate.reason, "predicted 1.04 s a call, more than --max-time 1 s");
    assert_true(entrants[NAIVE].state == ENTRANT_SITS_OUT &&
                next[NAIVE].fate.outcome == OUTCOME_SKIPPED);
    assert_string_equal(next[NAIVE].fate.reason, "too slow already");
    assert_true(entrants[CARD].state == ENTRANT_SITS_OUT);
    assert_string_equal(next[CARD].fate.reason,
                        "predicted 24 s to set up, more than 10 times --max-time 1 s");
    assert_string_equal(next[UNIFIED].fate.reason, "long ago");
    assert_true(entrants[UNIFIED].state == ENTRANT_GONE);
}

/* --- what the start costs --------------------------------------------------------------------- */

static void calls_pay_for_the_start(void **state)
{
    struct curve c;

    (void)state;
    fill();
    for (size_t i = 0; i < 5; i++) {
        sweep_row(&sweep, i, CARD)->setup = 0.5e-3;
        sweep_row(&sweep, i, CARD)->context = 100e-3;
        sweep_row(&sweep, i, SIMD)->setup = 0.2e-3;
    }
    assert_true(sweep_curve(&sweep, CARD, VIEW_E2E, &c));
    assert_true(isnan(sweep_break_even(&c, 0))); /* nothing is saved */
    double saves = 2e-6 + 0.5e-9 * c.points[4].at - (20e-6 + 0.1e-9 * c.points[4].at);
    double calls = sweep_break_even(&c, 4);
    assert_true(fabs(calls - 100.3e-3 / (1.0045 * saves)) <= 1.0 && calls == floor(calls));
    sweep_row(&sweep, 4, CARD)->context = NAN; /* a device that needs no start, and more set-up */
    sweep_row(&sweep, 4, CARD)->setup = NAN;
    assert_true(sweep_break_even(&c, 4) == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(axes_grow_together, setup, teardown),
        cmocka_unit_test_setup_teardown(bounds, setup, teardown),
        cmocka_unit_test_setup_teardown(an_axis_with_words_stays, setup, teardown),
        cmocka_unit_test_setup_teardown(an_axis_that_is_set_stays, setup, teardown),
        cmocka_unit_test_setup_teardown(sizes_that_do_not_exist_give_way_to_the_next, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(lengths_between_sizes, setup, teardown),
        cmocka_unit_test_setup_teardown(the_card_is_compared_with_the_cpu, setup, teardown),
        cmocka_unit_test_setup_teardown(of_and_against_say_otherwise, setup, teardown),
        cmocka_unit_test_setup_teardown(each_size_has_its_best_variant, setup, teardown),
        cmocka_unit_test_setup_teardown(both_views_cross_where_they_must, setup, teardown),
        cmocka_unit_test_setup_teardown(sizes_without_both_are_left_out, setup, teardown),
        cmocka_unit_test_setup_teardown(ratios_are_paired, setup, teardown),
        cmocka_unit_test_setup_teardown(intervals_hold_for_all_sizes_at_once, setup, teardown),
        cmocka_unit_test_setup_teardown(few_rounds_have_the_widest_interval_there_is, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(calls_are_predicted_from_smaller_sizes, setup, teardown),
        cmocka_unit_test_setup_teardown(what_would_take_too_long_sits_out, setup, teardown),
        cmocka_unit_test_setup_teardown(calls_pay_for_the_start, setup, teardown),
    };

    return cmocka_run_group_tests_name("sweep", tests, NULL, NULL);
}
