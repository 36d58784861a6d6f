/* Who is compared with whom, and over which phase. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "harness/ladder.h"

enum { ROUNDS = 12, RIVALS = 7 };
enum { NAIVE, SIMD, OPENMP, SLOW, CUDA, STREAMS, BROKEN };

static double rounds[RIVALS][2][ROUNDS]; /* end to end, resident */

static struct rounds rounds_of(size_t rival, size_t phase, double seconds)
{
    for (size_t r = 0; r < ROUNDS; r++)
        rounds[rival][phase][r] = seconds;
    return rounds_of_one(rounds[rival][phase], ROUNDS);
}

static void add(struct ladder *l, size_t i, const char *name, const char *base, const char *first,
                double seconds)
{
    struct rival *r = &l->rivals[i];

    snprintf(r->name, sizeof r->name, "%s", name);
    snprintf(r->base, sizeof r->base, "%s", base);
    snprintf(r->first, sizeof r->first, "%s", first);
    r->cpu = strncmp(name, "cpu", 3) == 0;
    if (isfinite(seconds))
        r->e2e = rounds_of(i, 0, seconds);
    if (r->cpu)
        r->resident = r->e2e;
}

static struct ladder make(bool together)
{
    struct ladder l = ladder_start(RIVALS);

    add(&l, NAIVE, "cpu_naive", "", "cpu_naive", 64.0);
    add(&l, SIMD, "cpu_simd", "cpu_naive", "cpu_naive", 8.0);
    add(&l, OPENMP, "cpu_openmp", "cpu_simd", "cpu_naive", 4.0);
    add(&l, SLOW, "cpu_slow_openmp", "cpu_openmp", "cpu_naive", 32.0);
    add(&l, CUDA, "cuda_naive", "cpu_naive", "cpu_naive", 2.0);
    add(&l, STREAMS, "cuda_streams", "cuda_naive", "cpu_naive", 1.0);
    add(&l, BROKEN, "cpu_broken", "cpu_naive", "cpu_naive", NAN);
    l.rivals[OPENMP].several = l.rivals[SLOW].several = true;
    l.rivals[CUDA].resident = rounds_of(CUDA, 1, 0.5);
    ladder_compare(&l, together);
    return l;
}

static void assert_ratio(const struct comparison *c, double want)
{
    if (isnan(want) ? !isnan(c->ratio) : !(fabs(c->ratio - want) <= 1e-12 * want))
        fail_msg("%g, expected %g", c->ratio, want);
}

static void each_is_compared_with_its_four(void **state)
{
    struct ladder l = make(true);
    const struct standing *openmp = &l.standings[OPENMP], *slow = &l.standings[SLOW];

    (void)state;
    assert_ptr_equal(openmp->than[ROLE_FIRST], &l.rivals[NAIVE]);
    assert_ptr_equal(openmp->than[ROLE_BASE], &l.rivals[SIMD]);
    assert_ptr_equal(openmp->than[ROLE_SINGLE], &l.rivals[SIMD]);
    assert_ptr_equal(openmp->than[ROLE_MULTI], &l.rivals[OPENMP]); /* itself */
    assert_ratio(&openmp->e2e[ROLE_FIRST], 16.0);
    assert_ratio(&openmp->e2e[ROLE_BASE], 2.0);
    assert_ratio(&openmp->e2e[ROLE_SINGLE], 2.0);
    assert_ratio(&openmp->e2e[ROLE_MULTI], NAN); /* no ratio to itself */
    assert_ratio(&slow->e2e[ROLE_MULTI], 0.125);
    assert_int_equal(slow->e2e[ROLE_MULTI].finding, SLOWER);
    assert_int_equal(slow->e2e[ROLE_FIRST].finding, FASTER);
    assert_null(l.standings[NAIVE].than[ROLE_BASE]);
    assert_ratio(&l.standings[NAIVE].e2e[ROLE_FIRST], NAN);
    ladder_free(&l);
}

/* Six rungs have times: five comparisons a column. */
static void the_family_is_of_those_with_a_time(void **state)
{
    struct ladder l = make(true);

    (void)state;
    assert_true(fabs(l.standings[SIMD].e2e[ROLE_FIRST].confidence - 0.99) < 1e-12);
    assert_string_equal(l.standings[SIMD].e2e[ROLE_FIRST].method, "paired");
    for (size_t role = 0; role < ROLES; role++)
        assert_ratio(&l.standings[BROKEN].e2e[role], NAN);
    ladder_free(&l);
}

/* The GPU's run alone, against a CPU's whole, which is its run; not of rungs that never left it,
   nor where one of the two has no run of its own. */
static void resident_is_of_what_stays_on_a_device(void **state)
{
    struct ladder l = make(true);

    (void)state;
    assert_ratio(&l.standings[CUDA].e2e[ROLE_FIRST], 32.0);
    assert_ratio(&l.standings[CUDA].resident[ROLE_FIRST], 128.0);
    assert_ratio(&l.standings[CUDA].resident[ROLE_SINGLE], 16.0);
    assert_ratio(&l.standings[CUDA].resident[ROLE_MULTI], 8.0);
    for (size_t role = 0; role < ROLES; role++) {
        assert_ratio(&l.standings[STREAMS].resident[role], NAN);
        assert_ratio(&l.standings[SIMD].resident[role], NAN);
    }
    assert_ratio(&l.standings[STREAMS].e2e[ROLE_BASE], 2.0);
    ladder_free(&l);
}

static void what_was_timed_apart_is_compared_so(void **state)
{
    struct ladder l = make(false);

    (void)state;
    assert_ratio(&l.standings[OPENMP].e2e[ROLE_BASE], 2.0);
    assert_string_equal(l.standings[OPENMP].e2e[ROLE_BASE].method, "single launch");
    ladder_free(&l);
}

static void a_base_that_is_not_there_is_nobody(void **state)
{
    struct ladder l = ladder_start(2);

    (void)state;
    add(&l, 0, "cuda_warp", "cuda_naive", "cpu_naive", 1.0);
    add(&l, 1, "cuda_tiled", "cuda_warp", "", 1.0);
    ladder_compare(&l, true);
    for (size_t role = 0; role < ROLES; role++)
        assert_null(l.standings[0].than[role]);
    assert_null(l.standings[1].than[ROLE_FIRST]);
    assert_ratio(&l.standings[1].e2e[ROLE_BASE], 1.0);
    assert_int_equal(l.standings[1].e2e[ROLE_BASE].ties, ROUNDS);
    ladder_free(&l);
}

/* "@4" behind a name: on four of what it scales with. */
static void a_base_that_scales_is_the_one_on_as_many(void **state)
{
    struct ladder l = ladder_start(6);

    (void)state;
    add(&l, 0, "cpu_openmp@1", "", "cpu_openmp", 8.0);
    add(&l, 1, "cpu_openmp@4", "", "cpu_openmp", 2.0);
    add(&l, 2, "cpu_simd@1", "cpu_openmp", "cpu_openmp", 4.0);
    add(&l, 3, "cpu_simd@4", "cpu_openmp", "cpu_openmp", 1.0);
    add(&l, 4, "cuda_naive", "cpu_openmp", "cpu_openmp", 1.0);
    add(&l, 5, "cpu_openmp_blocked@4", "", "cpu_openmp_blocked", 1.0);
    ladder_compare(&l, true);
    assert_ptr_equal(l.standings[2].than[ROLE_BASE], &l.rivals[0]);
    assert_ptr_equal(l.standings[3].than[ROLE_BASE], &l.rivals[1]);
    assert_ptr_equal(l.standings[3].than[ROLE_FIRST], &l.rivals[1]);
    assert_ptr_equal(l.standings[4].than[ROLE_BASE], &l.rivals[1]); /* at its best */
    ladder_free(&l);
}

static void several_cores_are_threads_or_work(void **state)
{
    (void)state;
    assert_false(ladder_several(1, 1.0));
    assert_false(ladder_several(0, NAN));
    assert_true(ladder_several(2, 1.0));
    assert_true(ladder_several(1, 1.5));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_is_compared_with_its_four),
        cmocka_unit_test(the_family_is_of_those_with_a_time),
        cmocka_unit_test(resident_is_of_what_stays_on_a_device),
        cmocka_unit_test(what_was_timed_apart_is_compared_so),
        cmocka_unit_test(a_base_that_is_not_there_is_nobody),
        cmocka_unit_test(a_base_that_scales_is_the_one_on_as_many),
        cmocka_unit_test(several_cores_are_threads_or_work),
    };

    return cmocka_run_group_tests_name("ladder", tests, NULL, NULL);
}
