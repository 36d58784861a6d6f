/* What more threads or devices bring, with made-up times. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "harness/model/size.h"
#include "harness/records/speedup.h"

enum { ROWS = 6, ROUNDS = 20 };

static const char openmp[] = "cpu_openmp", multi[] = "cuda_multi";
static struct result store[ROWS];
static double rounds[ROWS][2][ROUNDS]; /* end to end, and of the run alone */
static struct result *rows[ROWS];

/* Adds a variant with these threads or devices that takes `seconds`, with small differences between
   rounds. */
static void add(size_t i, const char *variant, struct scale scale, double seconds)
{
    struct result *row = rows[i] = &store[i];

    *row = (struct result){.problem = "saxpy", .scale = scale};
    snprintf(row->variant, sizeof row->variant, "%s", variant);
    snprintf(row->device, sizeof row->device, "%s", variant == openmp ? "cpu" : "gpu");
    for (size_t r = 0; r < ROUNDS; r++) {
        rounds[i][0][r] = seconds * (1.0 + 0.001 * (double)((r * 7 + i) % 5));
        rounds[i][1][r] = seconds / 10.0;
    }
    row->time[PHASE_E2E] = series_of(rounds[i][0], isfinite(seconds) ? ROUNDS : 0);
    if (variant != openmp)
        row->time[PHASE_RUN] = series_of(rounds[i][1], row->time[PHASE_E2E].rounds);
}

static void add_all(void)
{
    add(0, openmp, (struct scale){.threads = 1}, 8.0);
    add(1, openmp, (struct scale){.threads = 2}, 4.0);
    add(2, openmp, (struct scale){.threads = 4}, 4.0);
    add(3, multi, (struct scale){.devices = 1}, 6.0);
    add(4, multi, (struct scale){.devices = 3}, 2.0);
    add(5, openmp, (struct scale){0}, 1.0); /* on no axis */
}

static bool near(double a, double b)
{
    return fabs(a - b) <= 0.01 * b;
}

static void each_is_compared_with_the_smallest(void **state)
{
    struct speedup list[ROWS];

    (void)state;
    add_all();
    assert_int_equal(speedups_find(rows, ROWS, list), 3);
    assert_ptr_equal(list[0].result, rows[1]);
    assert_ptr_equal(list[1].base, rows[0]);
    assert_ptr_equal(list[2].base, rows[3]);
    assert_true(list[1].value == 4 && list[1].from == 1 && list[2].value == 3);
    assert_true(near(list[0].e2e.ratio, 2.0) && near(list[1].e2e.ratio, 2.0));
    assert_true(near(speedup_efficiency(&list[0], list[0].e2e.ratio), 1.0));
    assert_true(near(speedup_efficiency(&list[1], list[1].e2e.ratio), 0.5));
    assert_true(near(list[2].e2e.ratio, 3.0) && near(list[2].resident.ratio, 3.0));
    assert_true(isnan(list[0].resident.ratio)); /* on the CPU both are one */
    assert_true(list[0].e2e.low <= list[0].e2e.ratio && list[0].e2e.ratio <= list[0].e2e.high);
    assert_string_equal(list[0].e2e.method, "paired");
    /* Two threads and four are judged together. */
    assert_true(fabs(list[0].e2e.confidence - 0.975) < 1e-9);
    assert_true(fabs(list[2].e2e.confidence - 0.95) < 1e-9);
}

static void without_a_time_there_is_no_base(void **state)
{
    struct speedup list[ROWS];

    (void)state;
    add_all();
    add(0, openmp, (struct scale){.threads = 1}, NAN); /* would take too long */
    assert_int_equal(speedups_find(rows, ROWS, list), 2);
    assert_true(list[0].value == 4 && list[0].from == 2 && near(list[0].e2e.ratio, 1.0));
    assert_true(near(speedup_efficiency(&list[0], list[0].e2e.ratio), 0.5));
    add(1, openmp, (struct scale){.threads = 2}, NAN);
    assert_int_equal(speedups_find(rows, ROWS, list), 1); /* the devices'; four threads are alone */
    assert_ptr_equal(list[0].result, rows[4]);
}

static void machines_are_not_mixed(void **state)
{
    static const char a[] = "A", b[] = "B";
    struct speedup list[ROWS];

    (void)state;
    add_all();
    for (size_t i = 0; i < ROWS; i++)
        rows[i]->machine = i == 0 || i == 3 ? a : b;
    assert_int_equal(speedups_find(rows, ROWS, list), 1);
    assert_ptr_equal(list[0].result, rows[2]);
    assert_ptr_equal(list[0].base, rows[1]);
}

static void what_was_timed_apart_is_compared_so(void **state)
{
    struct speedup list[ROWS];

    (void)state;
    add_all();
    rows[0]->alone = true;
    assert_int_equal(speedups_find(rows, ROWS, list), 3);
    assert_string_equal(list[0].e2e.method, "single launch");
}

static void label(size_t i, const char *text)
{
    snprintf(rows[i]->label, sizeof rows[i]->label, "%s", text);
}

/* Twice the work on two ranks takes 1.25 times as long, so 1.6 times the work is done in the same time. */
static void weak_scaling_goes_from_table_to_table(void **state)
{
    struct speedup list[ROWS];

    (void)state;
    add_all();
    add(0, multi, (struct scale){.ranks = 1}, 4.0);
    add(1, multi, (struct scale){.ranks = 2}, 3.0);
    add(2, multi, (struct scale){.ranks = 1}, 8.0);
    add(3, multi, (struct scale){.ranks = 2}, 5.0);
    label(0, "S");
    label(1, "S");
    label(2, "S*2");
    label(3, "S*2");
    assert_int_equal(speedups_find_weak(rows, 4, list), 1);
    assert_ptr_equal(list[0].result, rows[3]);
    assert_ptr_equal(list[0].base, rows[0]);
    assert_true(near(list[0].e2e.ratio, 1.6));
    assert_true(near(speedup_efficiency(&list[0], list[0].e2e.ratio), 0.8));
    label(2, "M*2");
    label(3, "M*2");
    assert_int_equal(speedups_find_weak(rows, 4, list), 0); /* of another size */
}

static void names_say_how_many(void **state)
{
    struct steps steps = {3, {1, 2, 16}};
    char text[32];

    (void)state;
    add_all();
    assert_string_equal(result_name(rows[2]).text, "cpu_openmp@4");
    assert_string_equal(result_name(rows[4]).text, "cuda_multi@3");
    assert_string_equal(result_name(rows[5]).text, "cpu_openmp");
    rows[5]->twin = true;
    assert_string_equal(result_name(rows[5]).text, "cpu_openmp@2");
    assert_string_equal(scale_axis(&rows[4]->scale), "devices");
    assert_null(scale_axis(&rows[5]->scale));
    steps_describe(&steps, text, sizeof text);
    assert_string_equal(text, "1,2,16");
    assert_true(result_several(rows[1]));
    rows[0]->cores = 1.9; /* measured, and busy because of others */
    assert_false(result_several(rows[0]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_is_compared_with_the_smallest),
        cmocka_unit_test(without_a_time_there_is_no_base),
        cmocka_unit_test(machines_are_not_mixed),
        cmocka_unit_test(what_was_timed_apart_is_compared_so),
        cmocka_unit_test(weak_scaling_goes_from_table_to_table),
        cmocka_unit_test(names_say_how_many),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
