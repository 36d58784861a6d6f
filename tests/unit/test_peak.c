/* Peaks: which ceiling applies to a variant, and how long it takes at least. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "harness/ceilings/peak.h"
#include "harness/model/registry.h"

static const struct card on_cpu = {.device = "cpu"}, on_gpu = {.device = "gpu"};

enum { KIB = 1 << 10, MIB = 1 << 20 };

/* --- a machine -------------------------------------------------------------------------------- */

static void add(struct ceilings *all, const char *device, enum resource resource, enum math math,
                size_t bytes, int cores, double best)
{
    struct ceiling_value *v = &all->values[all->count++];

    *v = (struct ceiling_value){.resource = resource, .math = math, .bytes = bytes, .cores = cores,
                                .devices = 1, .best = best};
    snprintf(v->device, sizeof v->device, "%s", device);
}

/* 16 cores, and a GPU. */
static struct ceilings machine(void)
{
    struct ceilings all = {.count = 0};

    add(&all, "cpu", RESOURCE_MEMORY, MATH_F32, 16 * KIB, 1, 200e9);
    add(&all, "cpu", RESOURCE_MEMORY, MATH_F32, 2 * MIB, 1, 50e9);
    add(&all, "cpu", RESOURCE_MEMORY, MATH_F32, 512 * MIB, 1, 18e9);
    add(&all, "cpu", RESOURCE_MEMORY, MATH_F32, 512 * MIB, 1, 20e9); /* another way to move them */
    add(&all, "cpu", RESOURCE_MEMORY, MATH_F32, 512 * MIB, 16, 160e9);
    add(&all, "cpu", RESOURCE_ARITHMETIC, MATH_F32, 0, 1, 100e9);
    add(&all, "cpu", RESOURCE_ARITHMETIC, MATH_F32, 0, 16, 1600e9);
    add(&all, "gpu", RESOURCE_MEMORY, MATH_F32, 8 * MIB, 0, 6e12);
    add(&all, "gpu", RESOURCE_MEMORY, MATH_F32, (size_t)2048 * MIB, 0, 4e12);
    add(&all, "gpu", RESOURCE_ARITHMETIC, MATH_F32, 0, 0, 60e12);
    add(&all, "gpu", RESOURCE_ARITHMETIC, MATH_TF32, 0, 0, 400e12);
    add(&all, "gpu", RESOURCE_ARITHMETIC, MATH_F16, 0, 0, 900e12);
    add(&all, "gpu", RESOURCE_SPECIAL, MATH_F32, 0, 0, 4e12);
    add(&all, "gpu", RESOURCE_UPLOAD, MATH_F32, 0, 0, 10e9);
    add(&all, "gpu", RESOURCE_UPLOAD, MATH_F32, 0, 0, 50e9);
    add(&all, "gpu", RESOURCE_DOWNLOAD, MATH_F32, 0, 0, 40e9);
    add(&all, "gpu", RESOURCE_LAUNCH, MATH_F32, 0, 0, 1.0 / 2.5e-6);
    add(&all, "gpu", RESOURCE_ROUND_TRIP, MATH_F32, 0, 0, 1.0 / 8e-6);
    return all;
}

/* Removes what was measured of a resource. */
static void forget(struct ceilings *all, const char *device, enum resource resource)
{
    for (size_t i = 0; i < all->count; i++)
        if (all->values[i].resource == resource && strcmp(all->values[i].device, device) == 0)
            fate_set(&all->values[i].fate, OUTCOME_CRASH, "gone");
}

static void expect(struct bound limit, const char *name, double floor)
{
    if (name == NULL) {
        assert_string_equal(limit.name, "");
        return;
    }
    assert_string_equal(limit.name, name);
    if (!(fabs(limit.floor - floor) <= 1e-12 * floor))
        fail_msg("%.17g, expected %.17g", limit.floor, floor);
}

static struct work bytes_of(double in, double out)
{
    return (struct work){.in = in, .out = out};
}

/* --- memory ----------------------------------------------------------------------------------- */

static void far_memory_limits_what_no_cache_holds(void **state)
{
    const struct ceilings all = machine();
    const struct work work = bytes_of(3e9, 1e9);

    (void)state;
    expect(peak_resident(&all, &on_cpu, false, &work), "memory", 4e9 / 20e9);
    expect(peak_resident(&all, &on_cpu, true, &work), "memory", 4e9 / 160e9);
    expect(peak_resident(&all, &on_gpu, false, &work), "memory", 4e9 / 4e12);
}

static void a_cache_limits_what_it_holds(void **state)
{
    const struct ceilings all = machine();
    const struct work small = bytes_of(16 * KIB, 4 * KIB), two = bytes_of(MIB, MIB),
                      below = bytes_of(MIB, MIB - 4), more = bytes_of(400.0 * MIB, 100.0 * MIB),
                      tiny = bytes_of(4, 4);

    (void)state;
    expect(peak_resident(&all, &on_cpu, false, &small), "cache", 20.0 * KIB / 200e9);
    expect(peak_resident(&all, &on_cpu, false, &below), "cache", (2.0 * MIB - 4) / 200e9);
    expect(peak_resident(&all, &on_cpu, false, &two), "cache", 2.0 * MIB / 50e9);
    expect(peak_resident(&all, &on_cpu, false, &more), "cache", 500.0 * MIB / 50e9);
    expect(peak_resident(&all, &on_cpu, false, &tiny), "cache", 8 / 200e9);
}

/* A rate measured for a larger working set holds for a smaller one; and that of one core, for all. */
static void noise_in_a_ceiling_makes_no_limit_that_can_be_passed(void **state)
{
    struct ceilings all = machine();
    const struct work work = bytes_of(2.0 * MIB, 2.0 * MIB);

    (void)state;
    add(&all, "cpu", RESOURCE_MEMORY, MATH_F32, 8 * MIB, 1, 70e9);
    expect(peak_resident(&all, &on_cpu, false, &work), "cache", 4.0 * MIB / 70e9);
    forget(&all, "cpu", RESOURCE_ARITHMETIC);
    add(&all, "cpu", RESOURCE_ARITHMETIC, MATH_F32, 0, 1, 100e9);
    add(&all, "cpu", RESOURCE_ARITHMETIC, MATH_F32, 0, 16, 90e9);
    expect(peak_resident(&all, &on_cpu, true, &(struct work){.flops = 1e9}), "arithmetic", 1e-2);
}

/* --- arithmetic ------------------------------------------------------------------------------- */

static void the_longest_of_them_counts(void **state)
{
    const struct ceilings all = machine();
    struct work work = {.flops = 1e9, .specials = 1e9, .in = 4e8};

    (void)state;
    expect(peak_resident(&all, &on_cpu, false, &work), "arithmetic", 1e-2);
    work.flops = 1e8;
    expect(peak_resident(&all, &on_cpu, false, &work), "cache", 8e-3);
}

static void arithmetic_limits_on_one_core_and_on_all(void **state)
{
    const struct ceilings all = machine();
    const struct work work = {.flops = 1e12, .specials = 1e12, .in = 1e6, .out = 1e6};

    (void)state; /* a processor has no rate of special functions */
    expect(peak_resident(&all, &on_cpu, false, &work), "arithmetic", 10.0);
    expect(peak_resident(&all, &on_cpu, true, &work), "arithmetic", 0.625);
    expect(peak_resident(&all, &on_gpu, false, &work), "special functions", 0.25);
}

static void precision_sets_the_arithmetic(void **state)
{
    struct ceilings all = machine();
    const struct work work = {.flops = 1e15, .in = 1e6};
    struct card v = on_gpu;

    (void)state;
    expect(peak_resident(&all, &v, false, &work), "arithmetic", 1e15 / 60e12);
    v.math = MATH_FAST;
    expect(peak_resident(&all, &v, false, &work), "arithmetic", 1e15 / 60e12);
    v.math = MATH_TF32;
    expect(peak_resident(&all, &v, false, &work), "tensor cores", 1e15 / 400e12);
    v.math = MATH_F16;
    expect(peak_resident(&all, &v, false, &work), "tensor cores", 1e15 / 900e12);
    v.math = MATH_F32; /* three products of halves for one */
    v.traits = TRAIT_TENSOR;
    expect(peak_resident(&all, &v, false, &work), "tensor cores", 1e15 / 300e12);
    all.values[11].best = 90e12; /* no faster than without */
    all.values[10].best = 90e12;
    expect(peak_resident(&all, &v, false, &work), "arithmetic", 1e15 / 60e12);
    v.traits = TRAIT_PAIRS;
    expect(peak_resident(&all, &v, false, &work), "arithmetic", 1e15 / 120e12);
}

static void a_shortcut_is_bound_by_bytes_alone(void **state)
{
    const struct ceilings all = machine();
    const struct work work = {.flops = 1e12, .specials = 1e12, .in = 3e9, .out = 1e9};
    const struct card v = {.device = "cpu", .traits = TRAIT_SHORTCUT};

    (void)state;
    expect(peak_resident(&all, &v, false, &work), "memory", 4e9 / 20e9);
}

/* --- devices ---------------------------------------------------------------------------------- */

static void a_launch_is_the_least_there_is_on_a_device(void **state)
{
    const struct ceilings all = machine();
    const struct work work = bytes_of(400, 400), none = bytes_of(0, 0);

    (void)state;
    expect(peak_resident(&all, &on_gpu, false, &work), "launch", 2.5e-6);
    expect(peak_e2e(&all, &on_gpu, false, &work), "launch", 8e-6);
    expect(peak_resident(&all, &on_gpu, false, &none), NULL, 0);
    expect(peak_resident(&all, &on_cpu, false, &none), NULL, 0);
}

static void the_bus_limits_the_way_there_and_back(void **state)
{
    const struct ceilings all = machine();
    const struct work up = bytes_of(3e9, 1e9), down = bytes_of(1e9, 3e9),
                      hard = {.flops = 60e12, .in = 3e9, .out = 1e9};

    (void)state;
    expect(peak_e2e(&all, &on_gpu, false, &up), "bus", 3e9 / 50e9);
    expect(peak_e2e(&all, &on_gpu, false, &down), "bus", 3e9 / 40e9);
    expect(peak_e2e(&all, &on_gpu, false, &hard), "arithmetic", 1.0);
    expect(peak_e2e(&all, &on_cpu, false, &up), "memory", 4e9 / 20e9);
}

static void all_gpus_share_the_work(void **state)
{
    struct ceilings all = machine();
    const struct work work = {.flops = 240e12, .in = 1e12}, bytes = bytes_of(3e12, 1e12);
    struct card v = on_gpu;

    (void)state;
    for (size_t i = 0; i < all.count; i++)
        all.values[i].devices = 4;
    expect(peak_resident(&all, &v, false, &work), "arithmetic", 4.0);
    v.traits = TRAIT_ALL_GPUS;
    expect(peak_resident(&all, &v, false, &work), "arithmetic", 1.0);
    expect(peak_resident(&all, &v, false, &bytes), "memory", 4e12 / 16e12);
    expect(peak_e2e(&all, &v, false, &bytes), "bus", 3e12 / 200e9);
    expect(peak_resident(&all, &v, false, &(struct work){.in = 8}), "launch", 2.5e-6);
}

/* --- what is not known ------------------------------------------------------------------------ */

static void no_ceilings_no_limit(void **state)
{
    const struct ceilings none = {.count = 0};
    const struct work work = {.flops = 1e12, .in = 1e9};

    (void)state;
    expect(peak_resident(&none, &on_cpu, false, &work), NULL, 0);
    expect(peak_e2e(&none, &on_gpu, false, &work), NULL, 0);
}

static void half_of_them_make_no_limit(void **state)
{
    const struct work work = {.flops = 1e12, .in = 1e9};
    struct ceilings all = machine();

    (void)state;
    forget(&all, "cpu", RESOURCE_ARITHMETIC);
    expect(peak_resident(&all, &on_cpu, false, &work), NULL, 0);
    forget(&all, "gpu", RESOURCE_MEMORY);
    expect(peak_e2e(&all, &on_gpu, false, &work), NULL, 0);
    all = machine();
    forget(&all, "gpu", RESOURCE_DOWNLOAD);
    expect(peak_resident(&all, &on_gpu, false, &work), "arithmetic", 1e12 / 60e12);
    expect(peak_e2e(&all, &on_gpu, false, &work), NULL, 0);
}

static void a_share_is_of_the_median(void **state)
{
    double rounds[] = {4.0, 2.0, 9.0};
    const struct series time = series_of(rounds, 3);
    const struct bound one = {"memory", 1.0}, none = {"", 0.0};

    (void)state;
    assert_true(result_peak_share(&one, &time) == 0.25);
    assert_true(isnan(result_peak_share(&none, &time)));
    assert_true(isnan(result_peak_share(&one, &(struct series){.rounds = 0})));
}

/* --- what is counted -------------------------------------------------------------------------- */

static struct work work_of(const char *problem, const size_t dims[])
{
    static struct arena *arena;
    const struct problem *p = registry_problem(problem);
    struct error error;

    if (arena == NULL)
        arena = arena_create(&error);
    assert_non_null(arena);
    assert_non_null(p);
    arena_begin(arena);
    p->shape(arena_layout(arena)->data, dims, arena);
    return peak_work(p, dims, arena_layout(arena));
}

static void each_input_and_output_counts_once(void **state)
{
    const struct work s = work_of("saxpy", (const size_t[MAX_AXES]){1000}),
                      m = work_of("matmul", (const size_t[MAX_AXES]){10, 20, 30});

    (void)state;
    assert_true(s.in == 8000.0 && s.out == 4000.0 && s.flops == 2000.0);
    assert_true(m.in == 4.0 * (300 + 600) && m.out == 4.0 * 200 && m.flops == 12000.0);
}

/* Not the textbook's sines for each pair, nor a pass through memory for each sweep. */
static void only_the_least_work_counts(void **state)
{
    const struct work k = work_of("knn", (const size_t[MAX_AXES]){100, 50, 2}),
                      s = work_of("stencil", (const size_t[MAX_AXES]){40, 30, 16, 0}),
                      b = work_of("stencil", (const size_t[MAX_AXES]){40, 30, 16, 1});

    (void)state;
    assert_true(k.flops == 4.0 * 5000 && k.specials == 4.0 * 150);
    assert_true(k.in == 8.0 * 150 && k.out == 8.0 * 200);
    assert_true(s.in == 4800.0 && s.out == 4800.0 && s.flops == 5.0 * 38 * 28 * 16); /* the border stays */
    assert_true(b.in == 1200.0 && b.out == 1200.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(far_memory_limits_what_no_cache_holds),
        cmocka_unit_test(a_cache_limits_what_it_holds),
        cmocka_unit_test(noise_in_a_ceiling_makes_no_limit_that_can_be_passed),
        cmocka_unit_test(the_longest_of_them_counts),
        cmocka_unit_test(arithmetic_limits_on_one_core_and_on_all),
        cmocka_unit_test(precision_sets_the_arithmetic),
        cmocka_unit_test(a_shortcut_is_bound_by_bytes_alone),
        cmocka_unit_test(a_launch_is_the_least_there_is_on_a_device),
        cmocka_unit_test(the_bus_limits_the_way_there_and_back),
        cmocka_unit_test(all_gpus_share_the_work),
        cmocka_unit_test(no_ceilings_no_limit),
        cmocka_unit_test(half_of_them_make_no_limit),
        cmocka_unit_test(a_share_is_of_the_median),
        cmocka_unit_test(each_input_and_output_counts_once),
        cmocka_unit_test(only_the_least_work_counts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
