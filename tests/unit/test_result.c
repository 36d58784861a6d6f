/* Results: how they grow, what a copy holds, which caveats they get, and which sizes are the same. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/base/clock.h"
#include "harness/records/caveats.h"

static struct result result;
static double e2e[10], run[10];
static struct telemetry telemetry[10];

/* Ten rounds of 1 ms without a caveat. */
static void fine_result(void)
{
    result = (struct result){.device = "cpu", .first = 1e-3, .cores = 1.0, .reps = 1, .threads = 1,
                          .blocks = 10, .telemetry = telemetry};
    result.fate.outcome = OUTCOME_OK;
    result.time[PHASE_E2E] = series_of(e2e, 10);
    for (int i = 0; i < 10; i++)
        e2e[i] = 1e-3 * (1.0 + 0.001 * i);
}

static int setup(void **state)
{
    (void)state;
    fine_result();
    return 0;
}

static void a_fine_result_has_no_flags(void **state)
{
    (void)state;
    assert_int_equal(caveats_of(&result), 0);
}

static void each_flag_has_its_reason(void **state)
{
    (void)state;
    result.cores = 0.89;
    assert_int_equal(caveats_of(&result), 1u << FLAG_OFF_CPU);
    result.threads = 2; /* then waiting is allowed */
    assert_int_equal(caveats_of(&result), 0);

    fine_result();
    result.first = 2.1e-3;
    assert_int_equal(caveats_of(&result), 1u << FLAG_SLOW_START);

    fine_result();
    result.drift_restarts = 4;
    assert_int_equal(caveats_of(&result), 1u << FLAG_DRIFT);

    fine_result();
    result.time[PHASE_E2E] = series_of(e2e, 5);
    assert_int_equal(caveats_of(&result), 1u << FLAG_FEW);

    fine_result();
    for (int i = 0; i < 10; i++)
        e2e[i] = 1e-3 * (1.0 + 0.02 * i);
    assert_int_equal(caveats_of(&result), 1u << FLAG_NOISY);

    fine_result();
    for (int i = 0; i < 10; i++)
        e2e[i] = 50.0 * clock_step();
    result.first = e2e[0];
    assert_int_equal(caveats_of(&result), 1u << FLAG_COARSE);
    result.reps = 3;
    assert_int_equal(caveats_of(&result), 0);

    fine_result();
    result.time[PHASE_RUN] = series_of(run, 10);
    for (int i = 0; i < 10; i++)
        run[i] = 4.9e-6;
    assert_int_equal(caveats_of(&result), 1u << FLAG_LAUNCH_BOUND);
}

static void a_fifth_of_the_blocks_throttled_is_a_flag(void **state)
{
    const unsigned long long idle = 0x1, heat = 0x40;

    (void)state;
    for (int i = 0; i < 10; i++)
        telemetry[i].held_back = idle;
    telemetry[0].held_back = telemetry[1].held_back = heat;
    assert_int_equal(caveats_of(&result), 0);
    telemetry[2].held_back = idle | heat;
    assert_int_equal(caveats_of(&result), 1u << FLAG_THROTTLED);
    memset(telemetry, 0, sizeof telemetry);
}

static void a_result_without_a_time_has_no_flags(void **state)
{
    (void)state;
    result.cores = 0.1;
    result.fate.outcome = OUTCOME_WRONG;
    assert_int_equal(caveats_of(&result), 0);
}

/* Six passes with wide intervals, whose medians are close; and the reverse, where single passes look
   certain. */
static void passes_decide_what_is_noisy(void **state)
{
    static double times[12];

    (void)state;
    result.time[PHASE_E2E] = (struct series){.rounds = 12, .round = times};
    for (int i = 0; i < 12; i++) {
        result.time[PHASE_E2E].pass[i / 2].rounds = 2;
        times[i] = 1e-3 * (i % 2 == 0 ? 0.8 : 1.2);
    }
    assert_int_equal(caveats_of(&result), 0);
    for (int i = 0; i < 12; i++)
        times[i] = 1e-3 * (1.0 + 0.025 * floor(i / 2.0));
    assert_int_equal(caveats_of(&result), 1u << FLAG_NOISY);
}

static struct samples block_of(double seconds, unsigned count)
{
    struct samples s = {.count = count, .runs = 5};

    for (int phase = 0; phase < PHASES; phase++)
        for (unsigned i = 0; i < count; i++)
            s.time[phase][i] = phase == PHASE_COLD ? NAN : seconds * (phase + 1);
    return s;
}

static void blocks_become_rounds_of_their_pass(void **state)
{
    struct result *r = result_new();
    const struct telemetry idle = {.held_back = 0x1}, hot = {.held_back = 0x40};
    const struct samples one = block_of(1e-3, 3), two = block_of(2e-3, 1);

    (void)state;
    result_add(r, 0, &one, &idle);
    result_add(r, 1, &two, &hot);
    result_add(r, 1, &one, &idle);
    assert_true(r->blocks == 3 && r->runs == 5);
    assert_true(r->telemetry[0].held_back == 0x1 && r->telemetry[1].held_back == 0x40);
    for (int phase = 0; phase < PHASES; phase++) {
        const struct series *s = &r->time[phase];
        if (phase == PHASE_COLD) {
            assert_true(s->rounds == 0 && s->round == NULL);
            continue;
        }
        assert_true(s->rounds == 3 && s->pass[0].rounds == 1 && s->pass[1].rounds == 2);
        assert_true(fabs(s->round[1] - 2e-3 * (phase + 1)) < 1e-12 && s->kept == 7);
    }
    result_free(r);
}

static void raw_samples_are_kept_in_order_and_not_without_end(void **state)
{
    struct result *one = result_new(), *other = result_new();
    const double ten[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};

    (void)state;
    struct series *cold = &one->time[PHASE_COLD];
    for (int i = 0; i < MAX_KEPT / 10; i++) {
        series_add(cold, 0, ten, i == 0 ? 7 : 10);
        series_forget_older_half(cold, 0); /* rounds, of which there may be fewer */
    }
    series_add(cold, 0, ten, 10); /* three of them */
    assert_int_equal(cold->kept, MAX_KEPT);
    assert_int_equal(cold->dropped, 7);
    for (int i = 0; i < MAX_KEPT; i++)
        assert_true(cold->sample[i] == ten[i < 7 ? i : (i - 7) % 10]);

    for (int i = 0; i < 3; i++)
        series_add(&one->time[PHASE_E2E], 0, ten + i, 1);
    one->blocks = 1;
    one->telemetry = calloc(1, sizeof *one->telemetry);
    result_copy(other, one);
    assert_int_equal(other->time[PHASE_E2E].rounds, 3);
    assert_ptr_not_equal(other->time[PHASE_E2E].round, one->time[PHASE_E2E].round);
    assert_memory_equal(other->time[PHASE_E2E].round, one->time[PHASE_E2E].round, 3 * sizeof *ten);
    assert_int_equal(other->time[PHASE_COLD].kept, 0);
    assert_null(other->time[PHASE_COLD].sample);
    assert_int_equal(other->blocks, 1);
    assert_ptr_not_equal(other->telemetry, one->telemetry);
    assert_memory_equal(other->telemetry, one->telemetry, sizeof *one->telemetry);
    result_copy(other, one); /* over what it holds */
    result_free(one);
    result_free(other); /* a sanitizer would find memory that both own */
    result_free(NULL);
}

/* --- sizes ------------------------------------------------------------------------------------ */

static const char *const words[] = {"flat", "hilly", "steep", NULL};
static const struct problem worded = {.axes = {"m", "n", "kind"}, .words = {[2] = words}};

static struct result of_size(size_t axes, long long m, long long n, long long kind)
{
    return (struct result){.problem = "p", .label = "M", .axes = axes,
                           .size = {{"m", m, ""}, {"n", n, ""}, {"kind", kind, ""}}};
}

/* Older records do not have the axis with words, and count as its first. */
static void a_record_without_the_axis_has_its_first_word(void **state)
{
    const struct result older = of_size(2, 9, 40, 0), flat = of_size(3, 9, 40, 0), steep = of_size(3, 9, 40, 2);
    const struct result shorter = of_size(1, 9, 0, 0);
    struct result other = of_size(3, 9, 40, 0);

    (void)state;
    assert_true(result_has_size(&older, &worded, NULL) && result_has_size(&flat, &worded, NULL));
    assert_true(result_has_size(&older, &worded, (size_t[MAX_AXES]){9, 40, 0}));
    assert_false(result_has_size(&older, &worded, (size_t[MAX_AXES]){9, 40, 2}));
    assert_false(result_has_size(&older, &worded, (size_t[MAX_AXES]){9, 41, 0}));
    assert_true(result_has_size(&steep, &worded, (size_t[MAX_AXES]){9, 40, 2}));
    assert_false(result_has_size(&steep, &worded, (size_t[MAX_AXES]){9, 40, 0}));
    assert_false(result_has_size(&shorter, &worded, NULL)); /* a length cannot be missing */
    other.size[1].name[0] = 'r';
    assert_false(result_has_size(&other, &worded, NULL));
    other = of_size(3, 9, 40, 0);
    other.axes = 4;
    assert_false(result_has_size(&other, &worded, NULL));
}

static void it_is_of_the_same_table(void **state)
{
    const struct result older = of_size(2, 9, 40, 0), flat = of_size(3, 9, 40, 0), steep = of_size(3, 9, 40, 2);
    const struct result longer = of_size(3, 9, 41, 0);

    (void)state;
    assert_true(result_same_table(&older, &flat) && result_same_table(&flat, &older));
    assert_false(result_same_table(&older, &steep) || result_same_table(&steep, &older));
    assert_false(result_same_table(&flat, &steep) || result_same_table(&older, &longer));
    const struct result *rising[] = {&older, &longer, &steep};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            assert_int_equal(axes_order(rising[i]->size, rising[i]->axes, rising[j]->size, rising[j]->axes),
                             (i > j) - (i < j));
}

static void a_size_shows_its_word(void **state)
{
    struct result r = of_size(3, 9, 40, 2);
    char text[64];

    (void)state;
    result_size(&r, text, sizeof text);
    assert_string_equal(text, "m=9 n=40 kind=2"); /* the word is what the record says, not what this program would */
    strcpy(r.size[2].word, "steep");
    result_size(&r, text, sizeof text);
    assert_string_equal(text, "m=9 n=40 kind=steep");
    assert_string_equal(size_word(&worded, 2, 1), "hilly");
    assert_null(size_word(&worded, 2, 3));
    assert_null(size_word(&worded, 0, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_fine_result_has_no_flags, setup),
        cmocka_unit_test_setup(each_flag_has_its_reason, setup),
        cmocka_unit_test_setup(a_fifth_of_the_blocks_throttled_is_a_flag, setup),
        cmocka_unit_test_setup(a_result_without_a_time_has_no_flags, setup),
        cmocka_unit_test_setup(passes_decide_what_is_noisy, setup),
        cmocka_unit_test(blocks_become_rounds_of_their_pass),
        cmocka_unit_test(raw_samples_are_kept_in_order_and_not_without_end),
        cmocka_unit_test(a_record_without_the_axis_has_its_first_word),
        cmocka_unit_test(it_is_of_the_same_table),
        cmocka_unit_test(a_size_shows_its_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
