/* Touches: each time a few valid values at other places, after which the data are restored. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "common/knn.h"
#include "harness/measure/touch.h"
#include "harness/model/registry.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_more_than_a_few_differ),
        cmocka_unit_test(without_a_change_there_is_none),
        cmocka_unit_test(coordinates_stay_on_the_earth),
    };
    struct error error;

    arena = arena_create(&error);
    return arena == NULL || cmocka_run_group_tests(tests, NULL, NULL);
}
