/* Touches: each time a few valid values at other places, after which the data are restored. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <math.h>

#include "common/compact.h"
#include "common/knn.h"
#include "harness/measure/touch.h"
#include "harness/model/registry.h"
#include "harness/problems/knn_kinds.h"

static struct arena *arena;

static struct cell open_case(const char *name, const size_t dims[MAX_AXES])
{
    struct cell c = {.arena = arena, .problem = registry_problem(name)};
    struct error error;

    assert_non_null(c.problem);
    arena_begin(arena);
    c.problem->shape(arena_layout(arena)->data, dims, arena);
    assert_true(arena_commit(arena, &error));
    c.problem->fill(arena_layout(arena)->data, 1);
    return c;
}

/* Counts changes in all inputs, one after another. */
static size_t copy_inputs(char *to, size_t most)
{
    const struct layout *l = arena_layout(arena);
    size_t used = 0;

    for (size_t i = 0; i < l->count; i++)
        if (!l->slots[i].output) {
            assert_true(used + l->slots[i].bytes <= most);
            memcpy(to + used, l->slots[i].start, l->slots[i].bytes);
            used += l->slots[i].bytes;
        }
    return used;
}

static size_t differing(const char *a, const char *b, size_t bytes)
{
    size_t count = 0;

    for (size_t i = 0; i < bytes; i += 4)
        count += memcmp(a + i, b + i, bytes - i < 4 ? bytes - i : 4) != 0;
    return count;
}

static char before[1 << 20], after[1 << 20];

static void no_more_than_a_few_differ(void **state)
{
    static const struct {
        const char *problem;
        size_t dims[MAX_AXES];
    } cases[] = {{"saxpy", {1000}}, {"saxpy", {1}}, {"matmul", {30, 40, 50}}, {"fft", {2, 64}},
                 {"knn", {200, 300, 1}}, {"stencil", {40, 50, 1, 0}}, {"stencil", {40, 50, 1, 1}},
                 {"saxpy", {0}}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cell c = open_case(cases[i].problem, cases[i].dims);
        struct touches t = {.element = {{.array = NULL}}};
        const size_t bytes = copy_inputs(before, sizeof before);
        size_t most = 0;
        for (int turn = 0; turn < 500; turn++) {
            touch_inputs(&t, &c, true);
            copy_inputs(after, sizeof after);
            const size_t now = differing(before, after, bytes);
            assert_true(now <= 2 * TOUCHED); /* a number of fft has two parts */
            most = now > most ? now : most;
        }
        assert_true(bytes == 0 || most > 0);
    }
}

static void without_a_change_there_is_none(void **state)
{
    const size_t dims[MAX_AXES] = {50};
    struct cell c = open_case("saxpy", dims);
    struct touches t = {.element = {{.array = NULL}}};

    (void)state;
    for (int turn = 0; turn < 500; turn++) {
        touch_inputs(&t, &c, true);
        const size_t bytes = copy_inputs(before, sizeof before);
        touch_inputs(&t, &c, false);
        copy_inputs(after, sizeof after);
        assert_int_equal(differing(before, after, bytes), 0);
        touch_decoy(&t, &c);
        touch_settle(&t);
        copy_inputs(after, sizeof after);
        assert_int_equal(differing(before, after, bytes), 0);
    }
}

static void coordinates_stay_on_the_earth(void **state)
{
    const size_t dims[MAX_AXES] = {20, 20, 1};
    struct cell c = open_case("knn", dims);
    struct touches t = {.element = {{.array = NULL}}};
    const struct knn *p = (const void *)arena_layout(arena)->data;

    (void)state;
    for (int turn = 0; turn < 2000; turn++) {
        touch_inputs(&t, &c, true);
        for (size_t i = 0; i < 20; i++) {
            assert_true(fabsf(p->obs_lat[i]) < 1.5708f && fabsf(p->ref_lat[i]) < 1.5708f);
            assert_true(p->obs_lon[i] > -3.1416f && p->obs_lon[i] < 6.2832f);
            assert_true(p->ref_lon[i] > -3.1416f && p->ref_lon[i] < 6.2832f);
        }
    }
}

enum { POINTS = 300 };

static float lat_was[POINTS], lon_was[POINTS];

/* Returns how far reference i is from where it was, in km. */
static double moved(const struct knn *p, size_t i)
{
    const double north = (double)p->ref_lat[i] - lat_was[i],
                 east = remainder((double)p->ref_lon[i] - lon_was[i], 2.0 * M_PI) * cos((double)lat_was[i]);

    return 6371.0 * hypot(north, east);
}

static bool multiple(float x, float of)
{
    return x / of == floorf(x / of);
}

/* How far a touch may move a reference of each kind, in km; uniform ones go anywhere. */
static const double farthest[KNN_KINDS] = {
    [KNN_UNIFORM] = INFINITY, [KNN_PLACES] = 3500.0, [KNN_COUNTRY] = 1200.0, [KNN_TOWN] = 25.0,
    [KNN_SPIRAL] = 1000.0,    [KNN_LATTICE] = 0.0,   [KNN_COPIES] = 0.0,     [KNN_COAST] = 500.0,
    [KNN_TRACK] = 1.0,        [KNN_DATELINE] = INFINITY};

/* Country and spiral are in order of latitude.  Observations of the lattice are on nodes and between. */
static void assert_of_kind(const struct knn *p, enum knn_kind kind)
{
    for (size_t i = 0; i < POINTS; i++) {
        assert_true(moved(p, i) <= farthest[kind]);
        if ((kind == KNN_COUNTRY || kind == KNN_SPIRAL) && i > 0)
            assert_true(p->ref_lat[i] >= p->ref_lat[i - 1]);
        if (kind == KNN_LATTICE)
            assert_true(multiple(p->obs_lat[i], 1.0f / 128) && multiple(p->obs_lon[i], 1.0f / 64));
        if (kind == KNN_COUNTRY)
            assert_true(p->obs_lat[i] > 0.733f && p->obs_lat[i] < 0.891f && fabsf(p->obs_lon[i]) < 0.14f);
        if (kind == KNN_DATELINE)
            assert_true(fabsf(p->ref_lon[i]) > 3.124f && fabsf(p->obs_lon[i]) > 3.124f && p->obs_lon[i] < 3.16f);
    }
}

static void points_stay_of_their_kind(void **state)
{
    (void)state;
    for (size_t kind = 0; kind < KNN_KINDS; kind++) {
        const size_t dims[MAX_AXES] = {POINTS, POINTS, 1, kind};
        struct cell c = open_case("knn", dims);
        struct touches t = {.element = {{.array = NULL}}};
        const struct knn *p = (const void *)arena_layout(arena)->data;
        size_t most = 0;

        memcpy(lat_was, p->ref_lat, sizeof lat_was);
        memcpy(lon_was, p->ref_lon, sizeof lon_was);
        const size_t bytes = copy_inputs(before, sizeof before);
        for (int turn = 0; turn < 1000; turn++) {
            touch_inputs(&t, &c, true);
            assert_of_kind(p, kind);
            copy_inputs(after, sizeof after);
            const size_t now = differing(before, after, bytes);
            most = now > most ? now : most;
        }
        assert_true(most >= 2); /* also where references have one place alone */
    }
}

/* compact writes no more than it keeps, and how much that is depends on the data. */
static void poison_lies_where_every_call_writes(void **state)
{
    static const size_t shares[] = {0, 20, 50, 99, 100};

    (void)state;
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        const size_t dims[MAX_AXES] = {10000, shares[i]};
        struct cell c = open_case("compact", dims);
        const struct compact *p = (const void *)arena_layout(arena)->data;
        const struct entrant e = {.worker = {.output_file = arena_make_outputs(arena_layout(arena)->output_bytes)}};
        size_t kept = 0, poisoned = 0;

        for (size_t j = 0; j < p->n; j++)
            kept += isnan(p->x[j]) ? 0 : 1;
        for (int turn = 0; turn < 500; turn++) {
            const struct poisoned poison = touch_outputs(&c, &e);
            for (size_t j = 0; j < poison.count; j++)
                if (poison.element[j].array->start == (const char *)p->kept) {
                    assert_true(poison.element[j].index < kept);
                    poisoned++;
                }
        }
        assert_true(poisoned > 0 || shares[i] >= 99);
        close(e.worker.output_file);
    }
}

/* Where no inputs change, an answer that is right stays so. */
static void written_again_an_output_is_the_same(void **state)
{
    const size_t dims[MAX_AXES] = {1000};
    struct cell c = open_case("saxpy", dims);
    const size_t bytes = arena_layout(arena)->output_bytes;
    const struct entrant e = {.worker = {.output_file = arena_make_outputs(bytes)}};

    (void)state;
    assert_true(bytes <= sizeof before);
    touch_outputs(&c, &e);
    assert_int_equal(pread(e.worker.output_file, before, bytes, 0), bytes);
    touch_outputs_again(&c, &e);
    assert_int_equal(pread(e.worker.output_file, after, bytes, 0), bytes);
    assert_memory_equal(before, after, bytes);
    touch_outputs(&c, &e);
    assert_int_equal(pread(e.worker.output_file, after, bytes, 0), bytes);
    assert_memory_not_equal(before, after, bytes);
    close(e.worker.output_file);
}

/* A call that is late is told from one in time, and from one whose own values pass through another's. */
static void a_value_counts_until_it_is_first_replaced(void **state)
{
    const size_t dims[MAX_AXES] = {1000};
    struct cell c = open_case("saxpy", dims);
    const size_t bytes = arena_layout(arena)->output_bytes;
    const struct entrant e = {.worker = {.output_file = arena_make_outputs(bytes)}};
    static const float zero;
    char text[64];

    (void)state;
    assert_int_equal(decoys_draw(&c, &e).count, 0); /* all zero */
    assert_true(bytes <= sizeof before);
    for (size_t i = 0; i < bytes / sizeof zero; i++) {
        const float value = i % 2 == 0 ? zero : (float)i;
        memcpy(before + i * sizeof value, &value, sizeof value);
    }
    assert_int_equal(pwrite(e.worker.output_file, before, bytes, 0), bytes);
    struct decoys d = {.count = 0};
    for (int turn = 0; turn < 100 || d.count == 0; turn++) {
        d = decoys_draw(&c, &e);
        for (size_t i = 0; i < d.count; i++)
            assert_memory_not_equal(d.element[i].value, &zero, sizeof zero); /* an output may begin with it in each call */
    }
    assert_int_equal(pread(e.worker.output_file, after, bytes, 0), bytes);
    assert_memory_equal(before, after, bytes); /* drawn, not written */
    decoys_write(&d, &e);
    assert_int_equal(pread(e.worker.output_file, after, bytes, 0), bytes);
    assert_int_not_equal(differing(before, after, bytes), 0);
    assert_true(decoys_look(&d, &e, 1.0));
    assert_true(decoys_seen(&d, &e, text, sizeof text) < 0.0); /* nothing has replaced them */
    assert_int_equal(pwrite(e.worker.output_file, before, bytes, 0), bytes);
    assert_true(decoys_seen(&d, &e, text, sizeof text) == 1.0);
    assert_false(decoys_look(&d, &e, 2.0));
    decoys_write(&d, &e);
    assert_false(decoys_look(&d, &e, 3.0)); /* there again, by chance */
    assert_int_equal(pwrite(e.worker.output_file, before, bytes, 0), bytes);
    assert_true(decoys_seen(&d, &e, text, sizeof text) == 1.0);
    close(e.worker.output_file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_more_than_a_few_differ),
        cmocka_unit_test(without_a_change_there_is_none),
        cmocka_unit_test(coordinates_stay_on_the_earth),
        cmocka_unit_test(points_stay_of_their_kind),
        cmocka_unit_test(poison_lies_where_every_call_writes),
        cmocka_unit_test(written_again_an_output_is_the_same),
        cmocka_unit_test(a_value_counts_until_it_is_first_replaced),
    };
    struct error error;

    arena = arena_create(&error);
    return arena == NULL || cmocka_run_group_tests(tests, NULL, NULL);
}
