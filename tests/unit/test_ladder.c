/* Ladders: which pairs are compared, and by which phase. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "harness/records/ladder.h"

enum { ROUNDS = 12, CONTENDERS = 7 };
enum { NAIVE, SIMD, OPENMP, SLOW, CUDA, STREAMS, BROKEN };

static double rounds[CONTENDERS][2][ROUNDS]; /* end to end, resident */
static struct result results[CONTENDERS];
static struct result *table[CONTENDERS];

static struct series rounds_of(size_t contender, size_t phase, double seconds)
{
    for (size_t r = 0; r < ROUNDS; r++)
        rounds[contender][phase][r] = seconds;
    return series_of(rounds[contender][phase], ROUNDS);
}

/* NaN seconds: it has failed. */
static struct result *add(size_t i, const char *name, const char *base, double seconds)
{
    struct result *r = table[i] = &results[i];

    *r = (struct result){.threads = 1, .cores = 1.0};
    snprintf(r->variant, sizeof r->variant, "%s", name);
    snprintf(r->base, sizeof r->base, "%s", base);
    snprintf(r->device, sizeof r->device, "%s", strncmp(name, "cpu", 3) == 0 ? "cpu" : "gpu");
    r->fate.outcome = isfinite(seconds) ? OUTCOME_OK : OUTCOME_WRONG;
    if (isfinite(seconds))
        r->time[PHASE_E2E] = rounds_of(i, 0, seconds);
    return r;
}

static struct ladder make(bool together)
{
    add(NAIVE, "cpu_naive", "", 64.0);
    add(SIMD, "cpu_simd", "cpu_naive", 8.0);
    add(OPENMP, "cpu_openmp", "cpu_simd", 4.0)->threads = 4;
    add(SLOW, "cpu_slow_openmp", "cpu_openmp", 32.0)->cores = 3.5;
    add(CUDA, "cuda_naive", "cpu_naive", 2.0)->time[PHASE_RUN] = rounds_of(CUDA, 1, 0.5);
    add(STREAMS, "cuda_streams", "cuda_naive", 1.0);
    add(BROKEN, "cpu_broken", "cpu_naive", NAN);
    for (size_t i = 0; i < CONTENDERS; i++)
        results[i].alone = !together;
    return ladder_make(table, CONTENDERS);
}

static void assert_ratio(const struct comparison *c, double want)
{
    if (isnan(want) ? !isnan(c->ratio) : !(fabs(c->ratio - want) <= 1e-12 * want))
        fail_msg("%g, expected %g", c->ratio, want);
}

static void each_is_compared_with_its_four(void **state)
{
    struct ladder l = make(true);
    const struct comparisons *openmp = &l.comparisons[OPENMP], *slow = &l.comparisons[SLOW];

    (void)state;
    assert_ptr_equal(openmp->baseline[ROLE_FIRST], &results[NAIVE]);
    assert_ptr_equal(openmp->baseline[ROLE_BASE], &results[SIMD]);
    assert_ptr_equal(openmp->baseline[ROLE_SINGLE], &results[SIMD]);
    assert_ptr_equal(openmp->baseline[ROLE_MULTI], &results[OPENMP]); /* itself */
    assert_ratio(&openmp->e2e[ROLE_FIRST], 16.0);
    assert_ratio(&openmp->e2e[ROLE_BASE], 2.0);
    assert_ratio(&openmp->e2e[ROLE_SINGLE], 2.0);
    assert_ratio(&openmp->e2e[ROLE_MULTI], NAN); /* no ratio to itself */
    assert_ratio(&slow->e2e[ROLE_MULTI], 0.125);
    assert_int_equal(slow->e2e[ROLE_MULTI].finding, SLOWER);
    assert_int_equal(slow->e2e[ROLE_FIRST].finding, FASTER);
    assert_null(l.comparisons[NAIVE].baseline[ROLE_BASE]);
    assert_ratio(&l.comparisons[NAIVE].e2e[ROLE_FIRST], NAN);
    ladder_free(&l);
}

/* Six variants have times: five comparisons a column. */
static void the_family_is_of_those_with_a_time(void **state)
{
    struct ladder l = make(true);

    (void)state;
    assert_true(fabs(l.comparisons[SIMD].e2e[ROLE_FIRST].confidence - 0.99) < 1e-12);
    assert_string_equal(l.comparisons[SIMD].e2e[ROLE_FIRST].method, "paired");
    for (size_t role = 0; role < ROLES; role++)
        assert_ratio(&l.comparisons[BROKEN].e2e[role], NAN);
    ladder_free(&l);
}

/* The GPU's run alone is compared with a CPU's whole time, which is its run.  Variants that never left
   the device are not compared, nor pairs of which one has no run of its own. */
static void resident_is_of_what_stays_on_a_device(void **state)
{
    struct ladder l = make(true);

    (void)state;
    assert_ratio(&l.comparisons[CUDA].e2e[ROLE_FIRST], 32.0);
    assert_ratio(&l.comparisons[CUDA].resident[ROLE_FIRST], 128.0);
    assert_ratio(&l.comparisons[CUDA].resident[ROLE_SINGLE], 16.0);
    assert_ratio(&l.comparisons[CUDA].resident[ROLE_MULTI], 8.0);
    for (size_t role = 0; role < ROLES; role++) {
        assert_ratio(&l.comparisons[STREAMS].resident[role], NAN);
        assert_ratio(&l.comparisons[SIMD].resident[role], NAN);
    }
    assert_ratio(&l.comparisons[STREAMS].e2e[ROLE_BASE], 2.0);
    ladder_free(&l);
}

static void what_was_timed_apart_is_compared_so(void **state)
{
    struct ladder l = make(false);

    (void)state;
    assert_ratio(&l.comparisons[OPENMP].e2e[ROLE_BASE], 2.0);
    assert_string_equal(l.comparisons[OPENMP].e2e[ROLE_BASE].method, "single launch");
    ladder_free(&l);
}

/* One that was timed by itself is enough: it shares no rounds with others. */
static void all_have_taken_turns_or_none_has(void **state)
{
    (void)state;
    struct ladder l = make(true);
    ladder_free(&l);
    results[CUDA].alone = true;
    l = ladder_make(table, CONTENDERS);
    assert_string_equal(l.comparisons[OPENMP].e2e[ROLE_BASE].method, "single launch");
    ladder_free(&l);
}

/* If the table lacks a base, no other takes its place. */
static void a_missing_base_is_not_replaced(void **state)
{
    (void)state;
    add(0, "cuda_warp", "cuda_naive", 1.0);
    add(1, "cuda_tiled", "cuda_warp", 1.0);
    struct ladder l = ladder_make(table, 2);
    assert_int_equal(l.count, 2);
    for (size_t role = 0; role < ROLES; role++)
        assert_null(l.comparisons[0].baseline[role]);
    assert_null(l.comparisons[1].baseline[ROLE_FIRST]);
    assert_ratio(&l.comparisons[1].e2e[ROLE_BASE], 1.0);
    assert_int_equal(l.comparisons[1].e2e[ROLE_BASE].ties, ROUNDS);
    ladder_free(&l);
}

/* If a step is missing, the only variant without a base is the first; if there are two, neither is. */
static void the_first_is_found_without_all_steps(void **state)
{
    (void)state;
    add(0, "cpu_naive", "", 4.0);
    add(1, "cuda_warp", "cuda_naive", 1.0);
    add(2, "cuda_tiled", "cuda_warp", 1.0);
    struct ladder l = ladder_make(table, 3);
    assert_ptr_equal(l.comparisons[1].baseline[ROLE_FIRST], &results[0]);
    assert_ptr_equal(l.comparisons[2].baseline[ROLE_FIRST], &results[0]);
    assert_ratio(&l.comparisons[2].e2e[ROLE_FIRST], 4.0);
    ladder_free(&l);
    add(3, "cpu_other", "", 4.0);
    l = ladder_make(table, 4);
    assert_null(l.comparisons[1].baseline[ROLE_FIRST]);
    assert_null(l.comparisons[2].baseline[ROLE_FIRST]);
    assert_ptr_equal(l.comparisons[3].baseline[ROLE_FIRST], &results[3]);
    ladder_free(&l);
}

/* only a file can have this */
static void a_circle_of_bases_has_no_first(void **state)
{
    (void)state;
    add(0, "cpu_hen", "cpu_egg", 2.0);
    add(1, "cpu_egg", "cpu_hen", 1.0);
    struct ladder l = ladder_make(table, 2);
    assert_null(l.comparisons[0].baseline[ROLE_FIRST]);
    assert_ptr_equal(l.comparisons[0].baseline[ROLE_BASE], &results[1]);
    assert_ptr_equal(l.comparisons[1].baseline[ROLE_BASE], &results[0]);
    ladder_free(&l);
}

/* On four of what it scales with: "cpu_openmp@4". */
static void a_base_that_scales_is_the_one_on_as_many(void **state)
{
    (void)state;
    add(0, "cpu_openmp", "", 8.0)->scale.threads = 1;
    add(1, "cpu_openmp", "", 2.0)->scale.threads = 4;
    add(2, "cpu_simd", "cpu_openmp", 4.0)->scale.threads = 1;
    add(3, "cpu_simd", "cpu_openmp", 1.0)->scale.threads = 4;
    add(4, "cuda_naive", "cpu_openmp", 1.0);
    add(5, "cpu_openmp_blocked", "", 1.0)->scale.threads = 4;
    struct ladder l = ladder_make(table, 6);
    assert_ptr_equal(l.comparisons[2].baseline[ROLE_BASE], &results[0]);
    assert_ptr_equal(l.comparisons[3].baseline[ROLE_BASE], &results[1]);
    assert_ptr_equal(l.comparisons[3].baseline[ROLE_FIRST], &results[1]);
    assert_ptr_equal(l.comparisons[4].baseline[ROLE_BASE], &results[1]); /* at its best */
    ladder_free(&l);
}

static bool several(int threads, double cores, int scale)
{
    return result_several(&(struct result){
        .threads = threads, .cores = cores, .scale = {.threads = scale}});
}

static void several_cores_are_threads_or_work(void **state)
{
    (void)state;
    assert_false(several(1, 1.0, 0));
    assert_false(several(0, NAN, 0));
    assert_true(several(2, 1.0, 0));
    assert_true(several(1, 1.5, 0));
    assert_false(several(3, 1.5, 1)); /* what it was given says more */
    assert_true(several(1, 1.0, 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_is_compared_with_its_four),
        cmocka_unit_test(the_family_is_of_those_with_a_time),
        cmocka_unit_test(resident_is_of_what_stays_on_a_device),
        cmocka_unit_test(what_was_timed_apart_is_compared_so),
        cmocka_unit_test(all_have_taken_turns_or_none_has),
        cmocka_unit_test(a_missing_base_is_not_replaced),
        cmocka_unit_test(the_first_is_found_without_all_steps),
        cmocka_unit_test(a_circle_of_bases_has_no_first),
        cmocka_unit_test(a_base_that_scales_is_the_one_on_as_many),
        cmocka_unit_test(several_cores_are_threads_or_work),
    };

    return cmocka_run_group_tests_name("ladder", tests, NULL, NULL);
}
