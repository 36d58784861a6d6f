/* Records that are written and read back are the same. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/records/block.h"
#include "harness/records/caveats.h"
#include "harness/records/ceiling_value.h"
#include "harness/records/measurement.h"
#include "harness/records/write.h"

static struct error error;
static const struct record_place place = {"file", 3, &error};

/* Returns the object as a line of a file and reads that; the object is freed. */
static json_t *through_a_file(json_t *object)
{
    char *text = record_text(object);
    json_t *read = json_loads(text, JSON_REJECT_DUPLICATES, NULL);

    assert_non_null(read);
    free(text);
    return read;
}

/* Records have nine digits; both may be unknown. */
static void assert_near(double got, double want)
{
    if (isnan(want) ? !isnan(got) : !(fabs(got - want) <= 1e-8 * fabs(want)))
        fail_msg("%.12g, expected %.12g", got, want);
}

static void assert_same_series(const struct series *got, const struct series *want)
{
    assert_int_equal(got->rounds, want->rounds);
    for (size_t i = 0; i < want->rounds; i++)
        assert_near(got->round[i], want->round[i]);
    for (size_t p = 0; p < MAX_PASSES; p++) {
        assert_int_equal(got->pass[p].rounds, want->pass[p].rounds);
        assert_int_equal(got->pass[p].first, want->pass[p].first);
    }
}

static void assert_same_limit(const struct bound *got, const struct bound *want)
{
    assert_string_equal(got->name, want->name);
    if (want->name[0] != '\0')
        assert_near(got->floor, want->floor);
}

static void assert_same(const struct result *got, const struct result *want)
{
    assert_string_equal(got->problem, want->problem);
    assert_string_equal(got->variant, want->variant);
    assert_string_equal(got->base, want->base);
    assert_string_equal(got->idea, want->idea);
    assert_string_equal(got->device, want->device);
    assert_string_equal(got->label, want->label);
    assert_string_equal(got->stop, want->stop);
    assert_int_equal(got->math, want->math);
    assert_true(result_same_table(got, want));
    assert_int_equal(got->scale.threads, want->scale.threads);
    assert_int_equal(got->scale.devices, want->scale.devices);
    assert_near(got->work.flops, want->work.flops);
    assert_near(got->work.bytes, want->work.bytes);
    assert_near(got->work.specials, want->work.specials);
    assert_near(got->work.items, want->work.items);
    assert_int_equal(got->alone, want->alone);
    assert_int_equal(got->fate.outcome, want->fate.outcome);
    assert_string_equal(got->fate.reason, want->fate.reason);
    assert_near(got->error, want->error);
    assert_near(got->exact, want->exact);
    assert_int_equal(got->sizes_ok, want->sizes_ok);
    assert_int_equal(got->sizes_refused, want->sizes_refused);
    assert_near(got->predicted, want->predicted);
    assert_near(got->context, want->context);
    assert_near(got->setup, want->setup);
    assert_near(got->first, want->first);
    assert_int_equal(got->threads, want->threads);
    assert_near(got->cores, want->cores);
    assert_int_equal(got->drift_restarts, want->drift_restarts);
    assert_int_equal(got->resumed, want->resumed);
    assert_int_equal(got->flags, want->flags);
    for (int phase = 0; phase < PHASES; phase++)
        assert_same_series(&got->time[phase], &want->time[phase]);
    assert_int_equal(got->convergence.count, want->convergence.count);
    assert_int_equal(got->convergence.kept, want->convergence.kept);
    for (size_t i = 0; i < want->convergence.kept; i++) {
        assert_true(got->convergence.list[i].work == want->convergence.list[i].work);
        assert_true(got->convergence.list[i].residual == want->convergence.list[i].residual);
    }
    assert_same_limit(&got->bound_run, &want->bound_run);
    assert_same_limit(&got->bound_e2e, &want->bound_e2e);
}

/* --- measurements ----------------------------------------------------------------------------- */

/* Two passes, of which the second has lost two rounds to drift; all phases differ. */
static struct result *all_of_it(void)
{
    struct result *r = result_new();
    const struct telemetry idle = {.value = {3000.0, NAN, NAN, 40.0, 100.0}, .held_back = 1};

    *r = (struct result){
        .problem = "stencil", .variant = "cuda_tiled", .base = "cuda_naive", .idea = "tiles",
        .device = "gpu", .math = MATH_TF32, .label = "M", .axes = 2,
        .size = {{"h", 512}, {"w", 16777216}}, .scale = {.devices = 2},
        .work = {.flops = 8.5e12, .bytes = 1e9, .specials = 3.0, .items = 1e8}, .alone = true,
        .error = 0.25, .exact = 0.5, .sizes_ok = 7, .sizes_refused = 2, .predicted = 0.5,
        .context = 0.25, .setup = 1e-3, .first = 2e-3, .threads = 3, .cores = 1.5, .reps = 4,
        .runs = 9, .stop = "max_time", .drift_restarts = 1, .resumed = 5,
        .flags = 1u << FLAG_THROTTLED | 1u << FLAG_DRIFT | 1u << FLAG_SLOW_START,
        .bound_run = {"memory", 1.5e-6}, .bound_e2e = {"bus", 3e-5}};
    convergence_set(&r->convergence, 5, (const struct evaluation[]){{0.0625f, 0.5f}, {1.0f, 0.25f}}, 2);
    for (unsigned i = 0; i < 12; i++) {
        struct samples s = {.count = 1, .runs = 9};
        for (int phase = 0; phase < PHASES; phase++)
            s.time[phase][0] = 1e-6 * (i + 1) * pow(7, phase);
        result_add(r, i < 5 ? 0 : 1, &s, &idle);
    }
    for (int phase = 0; phase < PHASES; phase++)
        r->time[phase].pass[1].first = 2;
    return r;
}

static struct result *read_back(const struct result *r)
{
    struct result *back = result_new();
    json_t *object = through_a_file(measurement_write(r));

    if (!measurement_read(&place, object, back))
        fail_msg("%s", error.text);
    json_decref(object);
    return back;
}

/* A variant says what it likes of itself: what cannot be is not shown. */
static void only_plausible_evaluations_are_kept(void **state)
{
    static const struct evaluation bad[] = {{NAN, 1.0f}, {1.0f, INFINITY}, {-1.0f, 1.0f}, {1.0f, -1.0f}};
    static const struct evaluation good[] = {{0.25f, 2.0f}, {0.75f, 1.0f}};
    struct convergence c = {.count = 0};

    (void)state;
    convergence_set(&c, 1000, good, 2);
    assert_true(c.count == 1000 && c.kept == 2 && convergence_readings(&c) == 500.0);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        convergence_set(&c, 1, &bad[i], 1);
        assert_true(c.count == 0 && c.list == NULL && convergence_readings(&c) == 0.0);
    }
    convergence_set(&c, 3, good, 0);
    assert_int_equal(c.count, 0);
}

static void a_measurement_comes_back(void **state)
{
    struct result *r = all_of_it(), *back = read_back(r);

    (void)state;
    assert_same(back, r);
    assert_int_equal(series_passes(&back->time[PHASE_COLD]), 2);
    result_free(back);
    result_free(r);
}

static void so_do_its_unknowns(void **state)
{
    struct result *r = result_new(), *back;

    (void)state;
    *r = (struct result){.problem = "p", .variant = "v", .device = "cpu", .error = NAN,
                         .exact = NAN, .work = {NAN, NAN, NAN, NAN}, .predicted = NAN,
                         .context = NAN, .setup = NAN, .first = NAN, .cores = NAN,
                         .scale = {.threads = 16}};
    fate_set(&r->fate, OUTCOME_TIMEOUT, "took more than %d s", 7);
    back = read_back(r);
    assert_same(back, r);
    assert_string_equal(back->fate.reason, "took more than 7 s");
    result_free(back);
    result_free(r);
}

static void words_of_a_size_come_back(void **state)
{
    struct result *r = all_of_it(), *back;

    (void)state;
    r->axes = 3;
    r->size[2] = (struct axis){"data", 3, "town"};
    back = read_back(r);
    assert_same(back, r);
    assert_string_equal(back->size[1].word, "");
    assert_string_equal(back->size[2].word, "town");
    assert_int_equal(back->size[2].value, 3);
    result_free(back);
    result_free(r);
}

/* On the CPU the phase `run` repeats the end-to-end times, in the file only. */
static void a_run_on_the_cpu_is_the_whole(void **state)
{
    struct result *r = all_of_it(), *back;
    const json_t *phases;

    (void)state;
    for (int phase = PHASE_E2E + 1; phase < PHASES; phase++)
        series_free(&r->time[phase]);
    strcpy(r->device, "cpu");
    json_t *object = measurement_write(r);
    phases = json_object_get(object, "phases");
    assert_true(json_equal(json_object_get(phases, "run"), json_object_get(phases, "e2e")));
    assert_true(json_is_null(json_object_get(phases, "cold")));
    json_decref(object);
    back = read_back(r);
    assert_same(back, r);
    assert_int_equal(back->time[PHASE_RUN].rounds, 0);
    result_free(back);
    result_free(r);
}

/* Times of a device without a clock do not count.  A twin is distinguished by its name. */
static void what_only_the_writer_knows_is_in_the_text(void **state)
{
    struct result *r = all_of_it(), *back;

    (void)state;
    r->clockless = r->twin = true;
    back = read_back(r);
    assert_true(isnan(back->context) && isnan(back->setup) && isnan(back->first));
    assert_string_equal(back->variant, "cuda_tiled@2");
    assert_near(r->setup, 1e-3); /* and is as it was */
    result_free(back);
    result_free(r);
}

/* Each outcome, kind of arithmetic and flag has a distinct name. */
static void each_name_is_read_as_it_was_written(void **state)
{
    (void)state;
    for (int i = 0; i <= OUTCOME_STOPPED || i <= MATH_F64 || i < FLAGS; i++) {
        struct result *r = all_of_it(), *back;
        r->fate.outcome = i <= OUTCOME_STOPPED ? (enum outcome)i : OUTCOME_OK;
        r->math = i <= MATH_F64 ? (enum math)i : MATH_F32;
        r->flags = i < FLAGS ? 1u << i : 0;
        back = read_back(r);
        assert_same(back, r);
        result_free(back);
        result_free(r);
    }
}

/* --- blocks ----------------------------------------------------------------------------------- */

static void a_block_comes_back(void **state)
{
    struct result *of = all_of_it();
    struct block block = {.samples = {.count = 3, .runs = 11}, .reps = 6, .seconds = 0.05,
                          .cpu_seconds = 0.1,
                          .telemetry = {.value = {3000.0, 1980.0, NAN, 40.5, 350.0},
                                        .held_back = 68}};
    struct block_record back;

    (void)state;
    for (int phase = 0; phase < PHASES; phase++)
        for (int i = 0; i < 3; i++)
            block.samples.time[phase][i] = phase == PHASE_COLD ? NAN : 1e-6 * (phase + 1) * (i + 1);
    json_t *object = through_a_file(block_write(of, 9, 42, &block));
    if (!block_read(&place, object, &back))
        fail_msg("%s", error.text);
    json_decref(object);
    assert_true(block_is(&back, of, 9, 42));
    assert_string_equal(back.problem, of->problem);
    assert_string_equal(back.variant, of->variant);
    assert_string_equal(back.label, of->label);
    assert_int_equal(back.scale.devices, 2);
    const struct block *b = &back.block;
    assert_true(b->samples.count == 3 && b->samples.runs == 11 && b->reps == 6);
    assert_near(b->seconds, block.seconds);
    assert_near(b->cpu_seconds, block.cpu_seconds);
    assert_int_equal(b->telemetry.held_back, 68);
    for (int f = 0; f < TELEMETRY_FIELDS; f++)
        assert_near(b->telemetry.value[f], block.telemetry.value[f]);
    for (int phase = 0; phase < PHASES; phase++)
        for (int i = 0; i < 3; i++)
            assert_near(b->samples.time[phase][i], block.samples.time[phase][i]);
    result_free(of);
}

static void a_block_is_of_one_place_only(void **state)
{
    struct result *of = all_of_it();
    struct block_record b = {.problem = "stencil", .variant = "cuda_tiled", .label = "M",
                             .scale = {.devices = 2}, .axes = 2,
                             .size = {{"h", 512}, {"w", 16777216}}, .pass = 1, .round = 3};

    (void)state;
    assert_true(block_is(&b, of, 1, 3));
    assert_false(block_is(&b, of, 0, 3));
    assert_false(block_is(&b, of, 1, 2));
    of->scale = (struct scale){.threads = 2};
    assert_false(block_is(&b, of, 1, 3));
    of->scale = b.scale;
    of->size[1].value++;
    assert_false(block_is(&b, of, 1, 3));
    of->size[1].value--;
    of->axes = 1;
    assert_false(block_is(&b, of, 1, 3));
    of->axes = 2;
    for (char *name = of->problem;; name = name == of->problem ? of->variant : of->label) {
        name[0]++;
        assert_false(block_is(&b, of, 1, 3));
        name[0]--;
        if (name == of->label)
            break;
    }
    assert_true(block_is(&b, of, 1, 3));
    result_free(of);
}

/* --- ceilings --------------------------------------------------------------------------------- */

static void assert_ceiling_comes_back(const struct ceiling_value *v)
{
    struct ceiling_value back = {.run = 1, .line = 2};
    json_t *object = through_a_file(ceiling_write(v));

    if (!ceiling_read(&place, object, &back))
        fail_msg("%s", error.text);
    json_decref(object);
    assert_string_equal(back.name, v->name);
    assert_string_equal(back.idea, v->idea);
    assert_string_equal(back.device, v->device);
    assert_string_equal(back.machine, v->machine);
    assert_int_equal(back.resource, v->resource);
    assert_int_equal(back.math, v->math);
    assert_int_equal(back.bytes, v->bytes);
    assert_int_equal(back.cores, v->cores);
    assert_int_equal(back.devices, v->devices);
    assert_int_equal(back.fate.outcome, v->fate.outcome);
    assert_string_equal(back.fate.reason, v->fate.reason);
    assert_near(back.best, v->best);
    assert_near(back.median, v->median);
    assert_near(back.low, v->low);
    assert_near(back.high, v->high);
    assert_true(back.run == 1 && back.line == 2); /* where it stands is the reader's */
}

static void a_ceiling_comes_back(void **state)
{
    struct ceiling_value v = {.name = "cpu_copy", .idea = "copies", .device = "cpu",
                              .machine = "0123456789abcdef", .math = MATH_F16,
                              .bytes = (size_t)5 << 32, .cores = 64, .devices = 3, .best = 4.38e12,
                              .median = 4.1e12, .low = 4e12, .high = 4.2e12};

    (void)state;
    for (int resource = 0; resource < RESOURCES; resource++) {
        v.resource = (enum resource)resource;
        assert_ceiling_comes_back(&v);
    }
    v = (struct ceiling_value){.name = "gpu_peer", .resource = RESOURCE_PEER, .best = NAN,
                               .median = NAN, .low = NAN, .high = NAN};
    fate_set(&v.fate, OUTCOME_REFUSED, "one GPU alone");
    assert_ceiling_comes_back(&v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_measurement_comes_back),
        cmocka_unit_test(only_plausible_evaluations_are_kept),
        cmocka_unit_test(so_do_its_unknowns),
        cmocka_unit_test(words_of_a_size_come_back),
        cmocka_unit_test(a_run_on_the_cpu_is_the_whole),
        cmocka_unit_test(what_only_the_writer_knows_is_in_the_text),
        cmocka_unit_test(each_name_is_read_as_it_was_written),
        cmocka_unit_test(a_block_comes_back),
        cmocka_unit_test(a_block_is_of_one_place_only),
        cmocka_unit_test(a_ceiling_comes_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
