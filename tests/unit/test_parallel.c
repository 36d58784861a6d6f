/* Ranges in chunks, on any number of threads: each item handled once, with the same bits. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <dirent.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness/base/interrupt.h"
#include "harness/base/parallel.h"
#include "harness/base/step.h"
#include "harness/base/random.h"
#include "harness/model/judge.h"
#include "harness/model/registry.h"

static const size_t threads[] = {1, 2, 7, 0};

enum { FEW = 4 };

/* --- every item once -------------------------------------------------------------------------- */

enum { MANY = 1003 };

struct visits {
    unsigned char times[MANY];
    size_t grain;
    atomic_size_t chunks;
    atomic_bool cut_elsewhere;
};

static void visit(void *context, size_t begin, size_t end)
{
    struct visits *v = context;

    if (begin % v->grain != 0 || (end != begin + v->grain && end != MANY) || end <= begin)
        atomic_store(&v->cut_elsewhere, true);
    atomic_fetch_add(&v->chunks, 1);
    for (size_t i = begin; i < end; i++)
        v->times[i]++;
}

static void all_is_done_once(void **state)
{
    static const size_t grains[] = {1, 7, 1002, 1003, 1004, 100000};

    (void)state;
    for (size_t t = 0; t < FEW; t++)
        for (size_t g = 0; g < sizeof grains / sizeof *grains; g++) {
            struct visits v = {.grain = grains[g]};

            assert_true(parallel_for_on(threads[t], MANY, grains[g], visit, &v));
            assert_int_equal(atomic_load(&v.chunks), parallel_chunks(MANY, grains[g]));
            assert_false(atomic_load(&v.cut_elsewhere));
            for (size_t i = 0; i < MANY; i++)
                assert_int_equal(v.times[i], 1);
        }
}

static void nothing_is_nothing(void **state)
{
    struct visits v = {.grain = 1};

    (void)state;
    for (size_t t = 0; t < FEW; t++)
        assert_true(parallel_for_on(threads[t], 0, 5, visit, &v));
    assert_int_equal(atomic_load(&v.chunks), 0);
    assert_int_equal(parallel_chunks(0, 5), 0);
    assert_int_equal(parallel_chunks(0, 0), 0);
}

static void a_grain_of_nothing_is_one(void **state)
{
    struct visits v = {.grain = 1};

    (void)state;
    assert_true(parallel_for(MANY, 0, visit, &v));
    assert_int_equal(atomic_load(&v.chunks), MANY);
}

static void a_grain_makes_few_chunks(void **state)
{
    (void)state;
    for (size_t count = 0; count < (size_t)1 << 40; count = 3 * count + 1) {
        const size_t grain = parallel_grain(count, 100);

        assert_true(grain >= 100);
        assert_true(parallel_chunks(count, grain) <= MAX_CHUNKS);
    }
    assert_int_equal(parallel_grain(1 << 20, 1), (1 << 20) / MAX_CHUNKS);
}

/* --- the same bits ---------------------------------------------------------------------------- */

enum { GRAIN = 1000, CHUNKS = 101, NUMBERS = 100001 };

static void add_up(void *context, size_t begin, size_t end)
{
    double *sums = context;

    for (size_t i = begin; i < end; i++)
        sums[begin / GRAIN] += (double)random_float(3, 1, i) / 3.0;
}

static double sum_on(size_t count)
{
    double sums[CHUNKS] = {0.0}, sum = 0.0;

    assert_true(parallel_for_on(count, NUMBERS, GRAIN, add_up, sums));
    for (size_t i = 0; i < CHUNKS; i++)
        sum += sums[i];
    return sum;
}

static void a_sum_does_not_depend_on_the_threads(void **state)
{
    const double one = sum_on(1);

    (void)state;
    for (size_t t = 0; t < FEW; t++)
        for (int again = 0; again < 20; again++) {
            const double sum = sum_on(threads[t]);
            assert_memory_equal(&sum, &one, sizeof sum);
        }
}

/* --- threads ---------------------------------------------------------------------------------- */

static size_t count_threads(void)
{
    DIR *tasks = opendir("/proc/self/task");
    size_t count = 0;

    assert_non_null(tasks);
    while (readdir(tasks) != NULL)
        count++;
    closedir(tasks);
    return count - 2; /* . and .. */
}

struct meeting {
    atomic_size_t here, most;
};

static void meet(void *context, size_t begin, size_t end)
{
    struct meeting *m = context;
    const size_t here = atomic_fetch_add(&m->here, 1) + 1;

    (void)begin;
    (void)end;
    if (here > atomic_load(&m->most))
        atomic_store(&m->most, here);
    usleep(20000);
    atomic_fetch_sub(&m->here, 1);
}

static void threads_work_at_once_and_none_stays(void **state)
{
    const size_t before = count_threads();
    struct meeting m = {0};

    (void)state;
    assert_true(parallel_for_on(7, 14, 1, meet, &m));
    assert_true(atomic_load(&m.most) > 1);
    assert_true(atomic_load(&m.most) <= 7);
    for (int wait = 0; wait < 100 && count_threads() > before; wait++)
        usleep(10000); /* joined is not yet gone from the list */
    assert_int_equal(count_threads(), before);
}

static void on_one_processor_there_are_no_threads(void **state)
{
    cpu_set_t all, one;
    struct meeting m = {0};

    (void)state;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    CPU_ZERO(&one);
    for (size_t i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; i++)
        if (CPU_ISSET(i, &all))
            CPU_SET(i, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_true(parallel_for(5, 1, meet, &m));
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
    assert_int_equal(atomic_load(&m.most), 1);
}

/* --- verdicts --------------------------------------------------------------------------------- */

enum { ROWS = 5000, LENGTH = 16, VALUES = ROWS * LENGTH };

struct answer {
    float got[VALUES];
    double want[VALUES], tolerance[VALUES];
};

static void see_rows(struct verdict *v, const void *context, size_t begin, size_t end)
{
    const struct answer *a = context;

    verdict_see_row(v, "z", begin, end - begin, a->got + begin, a->want + begin, a->tolerance + begin);
}

/* What verdict_see() says of one value after another. */
static struct verdict plainly(const struct answer *a)
{
    struct verdict v = verdict_start();

    for (size_t i = 0; i < VALUES; i++)
        if (!verdict_see(&v, "z", i, a->got[i], a->want[i], a->tolerance[i]))
            break;
    return v;
}

static void assert_same(const struct verdict *a, const struct verdict *b)
{
    assert_memory_equal(&a->error, &b->error, sizeof a->error);
    assert_int_equal(a->finite, b->finite);
    assert_int_equal(a->seen, b->seen);
    assert_int_equal(a->wrong, b->wrong);
    assert_int_equal(a->where, b->where);
    assert_memory_equal(&a->got, &b->got, sizeof a->got);
    assert_memory_equal(&a->want, &b->want, sizeof a->want);
    assert_memory_equal(&a->limit, &b->limit, sizeof a->limit);
}

static void assert_all_ways_agree(const struct answer *a)
{
    const struct verdict plain = plainly(a), chunks = verdict_of(VALUES, 100, see_rows, a);
    struct verdict row = verdict_start();

    see_rows(&row, a, 0, VALUES);
    assert_same(&row, &plain);
    assert_same(&chunks, &plain);
}

/* Errors of all sizes around any tolerance, including 0 and nearest floats. */
static void make_answer(struct answer *a, uint64_t seed, double worst)
{
    for (size_t i = 0; i < VALUES; i++) {
        const uint64_t kind = random_bits(seed, 0, i) % 8;

        a->want[i] = (double)random_float(seed, 1, i) * (1.0 + 1e-9 * random_unit(seed, 2, i));
        a->tolerance[i] = kind == 0 ? 0.0 : 1e-6 * random_unit(seed, 3, i);
        a->got[i] = kind < 4 ? (float)a->want[i]
                             : (float)(a->want[i] + worst * a->tolerance[i] *
                                       (2.0 * random_unit(seed, 4, i) - 1.0));
    }
}

static void a_row_is_seen_as_value_by_value(void **state)
{
    static struct answer a;
    static const float strange[] = {NAN, INFINITY, -INFINITY, 0.0f};

    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++) {
        make_answer(&a, seed, seed % 2 ? 0.5 : 1.5);
        assert_all_ways_agree(&a);
        for (size_t i = 0; i < 4; i++) { /* the later one first, so that each decides in turn */
            const size_t at = (4 - i) * (VALUES / 5) + random_bits(seed, 5, i) % 1000;
            a.got[at] = strange[i];
            a.tolerance[at] = seed % 3 ? a.tolerance[at] : INFINITY;
            assert_all_ways_agree(&a);
        }
    }
}

static void strange_limits_are_kept(void **state)
{
    static struct answer a;
    static const double strange[] = {NAN, -1.0, INFINITY};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        make_answer(&a, i, 0.5);
        a.tolerance[777] = strange[i];
        a.got[777] += 1.0f;
        assert_all_ways_agree(&a);
        a.want[778] = 1e39; /* an overflow that must be one */
        a.got[778] = i == 0 ? INFINITY : -INFINITY;
        assert_all_ways_agree(&a);
    }
}

static void reject_some(struct verdict *v, const void *context, size_t begin, size_t end)
{
    (void)context;
    for (size_t i = begin; i < end; i++) {
        v->same++;
        v->asked += 2;
        if (i % 1000 == 999) {
            verdict_reject(v, "item %zu", i);
            return;
        }
    }
}

static void the_first_reject_decides(void **state)
{
    const struct verdict v = verdict_of(100000, 10, reject_some, NULL);
    const struct verdict fine = verdict_of(999, 10, reject_some, NULL);

    (void)state;
    assert_string_equal(v.note, "item 999");
    assert_false(verdict_right(&v));
    assert_true(verdict_right(&fine));
    assert_int_equal(fine.same, 999);
    assert_int_equal(fine.asked, 2 * 999);
}

/* --- problems --------------------------------------------------------------------------------- */

/* A case in ordinary memory: the arrays that shape() would carve from the arena. */
static uint64_t data_of(const struct problem *p, const size_t dims[], size_t on)
{
    struct error error;
    struct arena *arena = arena_create(&error);
    uint64_t sum = 0;
    cpu_set_t all, few;

    assert_non_null(arena);
    arena_begin(arena);
    p->shape(arena_layout(arena)->data, dims, arena);
    assert_true(arena_commit(arena, &error));
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    CPU_ZERO(&few);
    for (size_t i = 0; i < CPU_SETSIZE && (size_t)CPU_COUNT(&few) < on; i++)
        if (CPU_ISSET(i, &all))
            CPU_SET(i, &few);
    assert_int_equal(sched_setaffinity(0, sizeof few, &few), 0);
    p->fill(arena_layout(arena)->data, 11);
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
    for (size_t i = 0; i < arena_layout(arena)->count; i++) {
        const struct slot *s = &arena_layout(arena)->slots[i];
        for (size_t b = 0; !s->output && b < s->bytes; b++)
            sum = random_mix(sum + (unsigned char)s->start[b]);
    }
    return sum;
}

static void data_do_not_depend_on_the_threads(void **state)
{
    const struct problem *const *problems;
    struct error error;

    (void)state;
    assert_true(registry_order(&error));
    for (size_t i = 0, count = registry_problems(&problems); i < count; i++)
        assert_true(data_of(problems[i], problems[i]->bench_sizes[0].dims, 1) ==
                    data_of(problems[i], problems[i]->bench_sizes[0].dims, 2));
}

/* --- interrupted ------------------------------------------------------------------------------ */

static void raise_at_ten(void *context, size_t begin, size_t end)
{
    atomic_size_t *done = context;

    (void)end;
    if (begin == 10)
        raise(SIGINT);
    while (begin > 10 && !interrupted())
        usleep(100); /* otherwise the other thread may finish before the signal arrives */
    atomic_fetch_add(done, 1);
}

/* The last test, because the signal cannot be taken back. */
static void an_interrupt_ends_it_soon(void **state)
{
    atomic_size_t done = 0;

    (void)state;
    interrupt_catch(step_leave);
    assert_false(parallel_for_on(2, 100000, 1, raise_at_ten, &done));
    assert_true(atomic_load(&done) < 100000);
    const struct verdict v = verdict_of(100, 10, reject_some, NULL);
    assert_false(verdict_right(&v));
    assert_string_equal(v.note, "interrupted");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_is_done_once),
        cmocka_unit_test(nothing_is_nothing),
        cmocka_unit_test(a_grain_of_nothing_is_one),
        cmocka_unit_test(a_grain_makes_few_chunks),
        cmocka_unit_test(a_sum_does_not_depend_on_the_threads),
        cmocka_unit_test(threads_work_at_once_and_none_stays),
        cmocka_unit_test(on_one_processor_there_are_no_threads),
        cmocka_unit_test(a_row_is_seen_as_value_by_value),
        cmocka_unit_test(strange_limits_are_kept),
        cmocka_unit_test(the_first_reject_decides),
        cmocka_unit_test(data_do_not_depend_on_the_threads),
        cmocka_unit_test(an_interrupt_ends_it_soon),
    };

    return cmocka_run_group_tests_name("parallel", tests, NULL, NULL);
}
