/* Impossible times: no row of results/reference/ is accused, and made-up times are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <glob.h>
#include <math.h>

#include "harness/ceilings/plausible.h"
#include "harness/model/registry.h"
#include "harness/records/records.h"

static void load(struct ceilings *all, const char *file)
{
    struct records p;
    struct error error;

    assert_true(records_read(file, &p, &error));
    for (size_t i = 0; i < p.ceiling_count && all->count < MAX_CEILINGS; i++)
        all->values[all->count++] = p.ceilings[i];
    records_free(&p);
}

/* Records do not keep a variant's traits, so here they go by its name. */
static struct card variant_of_row(const struct result *r)
{
    struct card v = {.device = r->device, .math = r->math};
    static const char *const tensor[] = {"tensor", "cublas", "wgmma", "decide", "bf16"};
    static const char *const shortcuts[] = {"index", "faces", "grid", "cells", "tree"};

    for (size_t i = 0; i < sizeof tensor / sizeof *tensor; i++)
        v.traits |= strstr(r->variant, tensor[i]) != NULL ? TRAIT_TENSOR : 0U;
    for (size_t i = 0; i < sizeof shortcuts / sizeof *shortcuts; i++)
        v.traits |= strstr(r->variant, shortcuts[i]) != NULL ? TRAIT_SHORTCUT : 0U;
    v.traits |= strstr(r->variant, "multi") != NULL ? TRAIT_ALL_GPUS : 0U;
    v.traits |= strstr(r->variant, "vnni") != NULL ? TRAIT_PAIRS : 0U;
    return v;
}

static struct work work_of_row(const struct result *r, int cores)
{
    const struct problem *p = result_problem(r);
    size_t dims[MAX_AXES] = {0};
    struct work work = {.devices = r->scale.devices, .cores = cores};

    for (size_t a = 0; a < r->axes && a < MAX_AXES; a++)
        dims[a] = (size_t)r->size[a].value;
    const struct cost cost = p->cost(dims), least = p->least != NULL ? p->least(dims) : cost;
    work.flops = least.flops;
    work.in = cost.bytes;
    return work;
}

static void honest_rows_of(const char *pattern, const struct ceilings *all, size_t *rows)
{
    glob_t files;
    char text[200];

    assert_int_equal(glob(pattern, 0, NULL, &files), 0);
    for (size_t f = 0; f < files.gl_pathc; f++) {
        struct records p;
        struct error error;
        assert_true(records_read(files.gl_pathv[f], &p, &error));
        for (size_t i = 0; i < p.result_count; i++) {
            const struct result *r = &p.results[i];
            if (!result_timed(r) || result_problem(r) == NULL)
                continue;
            const struct card v = variant_of_row(r);
            const struct work work = work_of_row(r, p.runs[r->run].cores);
            if (!plausible_rate(all, &v, r, &work, text, sizeof text) ||
                !plausible_parts(r, text, sizeof text))
                fail_msg("%s: %s/%s %s: %s", files.gl_pathv[f], r->problem, r->variant, r->label, text);
            ++*rows;
        }
        records_free(&p);
    }
    globfree(&files);
}

static void no_reference_row_is_accused(void **state)
{
    static struct ceilings epyc, h200;
    size_t rows = 0;

    (void)state;
    load(&epyc, "results/reference/epyc-2-cores-ceilings.jsonl");
    load(&h200, "results/reference/h200-ceilings.jsonl");
    load(&h200, "results/reference/h200-goals-cpu-ceilings.jsonl");
    honest_rows_of("results/reference/epyc*.jsonl", &epyc, &rows);
    honest_rows_of("results/reference/h200*.jsonl", &h200, &rows);
    assert_in_range(rows, 1000, 100000);
}

static void made_up(struct result *r, enum phase phase, double seconds[6], double each)
{
    for (int i = 0; i < 6; i++)
        seconds[i] = each;
    r->time[phase] = series_of(seconds, 6);
}

/* saxpy of 65,536: 786,432 bytes. */
static bool is_plausible(double seconds, unsigned traits, double busy)
{
    static const struct ceilings none;
    const struct work work = {.in = 524288.0, .out = 262144.0, .flops = 1e6, .cores = 1000};
    const struct card v = {.device = "cpu", .traits = traits};
    struct result r = {.fate = {.outcome = OUTCOME_OK}, .cores = busy};
    double times[6];
    char text[200];

    made_up(&r, PHASE_E2E, times, seconds);
    return plausible_rate(&none, &v, &r, &work, text, sizeof text);
}

static void nothing_is_faster_than_its_bytes(void **state)
{
    (void)state;
    assert_true(is_plausible(10e-6, 0, 1.0));
    assert_false(is_plausible(1e-9, 0, 1.0));
    assert_false(is_plausible(0.0, TRAIT_SHORTCUT, 1.0)); /* bytes bound an index as well */
}

static void cores_that_wait_move_nothing(void **state)
{
    (void)state;
    assert_false(is_plausible(50e-9, 0, 1.0)); /* one core of a large machine */
    assert_true(is_plausible(50e-9, 0, 64.0));
    assert_true(is_plausible(50e-9, 0, NAN)); /* an old record */
}

static bool parts_are_plausible(unsigned rounds, double up, double run, double down, double whole)
{
    struct result r = {.fate = {.outcome = OUTCOME_OK}};
    double times[4][6];
    char text[200];

    made_up(&r, PHASE_UPLOAD, times[0], up);
    made_up(&r, PHASE_RUN, times[1], run);
    made_up(&r, PHASE_DOWNLOAD, times[2], down);
    made_up(&r, PHASE_E2E, times[3], whole);
    r.time[PHASE_E2E].rounds = rounds;
    return plausible_parts(&r, text, sizeof text);
}

static void parts_make_up_the_whole(void **state)
{
    (void)state;
    assert_true(parts_are_plausible(6, 50e-6, 2e-6, 40e-6, 100e-6));
    assert_true(parts_are_plausible(6, 50e-6, 2e-6, 40e-6, 280e-6)); /* launches */
    assert_false(parts_are_plausible(6, 50e-6, 10e-9, 40e-6, 5e-3)); /* the work is in none of them */
    assert_true(parts_are_plausible(5, 1e-3, 1e-3, 1.8e-3, 17.7e-3)); /* few rounds, of a disturbed CPU */
    assert_false(parts_are_plausible(5, 50e-6, 10e-9, 40e-6, 60e-3)); /* few, because the hidden work is long */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_reference_row_is_accused),
        cmocka_unit_test(nothing_is_faster_than_its_bytes),
        cmocka_unit_test(cores_that_wait_move_nothing),
        cmocka_unit_test(parts_make_up_the_whole),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
