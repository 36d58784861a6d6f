/* Data sets: the present one comes back byte for byte, the next one is another, and becomes the present one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/saxpy.h"
#include "harness/measure/data_sets.h"
#include "harness/model/registry.h"

static struct arena *arena;

static struct cell open_case(const char *name, const size_t dims[MAX_AXES])
{
    struct cell c = {.arena = arena, .problem = registry_problem(name), .seed = 1};
    struct error error;

    assert_non_null(c.problem);
    arena_begin(arena);
    c.problem->shape(arena_layout(arena)->data, dims, arena);
    assert_true(arena_commit(arena, &error));
    c.problem->fill(arena_layout(arena)->data, 1);
    return c;
}

enum { COUNT = 5000 };

struct values {
    uint32_t a, x[COUNT], y[COUNT]; /* bits of numbers */
};

static struct values values_of(const struct cell *c)
{
    const struct saxpy *p = (const void *)arena_layout(c->arena)->data;
    struct values v;

    memcpy(&v.a, &p->a, sizeof v.a);
    memcpy(v.x, p->x, sizeof v.x);
    memcpy(v.y, p->y, sizeof v.y);
    return v;
}

static bool same(const struct values *a, const struct values *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static void rounds_have_their_own_data(void **state)
{
    const size_t dims[MAX_AXES] = {COUNT};
    struct cell c = open_case("saxpy", dims);
    struct data_sets d = {.now = PRESENT};
    struct touches touches = {.element = {{.array = NULL}}};
    const struct values own = values_of(&c);

    (void)state;
    data_sets_open(&d, &c, &touches);
    assert_int_equal(d.seed[PRESENT], c.seed);
    for (int round = 0; round < 20; round++) {
        const size_t next_number = d.number[NEXT];
        touch_inputs(&touches, &c, true);
        data_sets_write(&d, &c, NEXT, &touches);
        const struct values next = values_of(&c);
        assert_false(same(&own, &next));
        assert_true(next.a != own.a); /* scalars are data as well */
        touch_inputs(&touches, &c, true);
        data_sets_write(&d, &c, PRESENT, &touches);
        const struct values present = values_of(&c);
        assert_true(round > 0 || same(&own, &present));
        assert_false(same(&present, &next));
        touch_inputs(&touches, &c, true);
        data_sets_go_on(&d, &c, &touches);
        const struct values now = values_of(&c);
        assert_true(same(&next, &now));
        assert_int_equal(d.number[PRESENT], next_number);
        assert_int_equal(d.number[NEXT], next_number + 1);
    }
    data_sets_close(&d, &c, &touches);
    assert_null(d.bytes[PRESENT]);
}

static void touches_are_forgotten(void **state)
{
    const size_t dims[MAX_AXES] = {COUNT};
    struct cell c = open_case("saxpy", dims);
    struct data_sets d = {.now = PRESENT};
    struct touches touches = {.element = {{.array = NULL}}};

    (void)state;
    data_sets_open(&d, &c, &touches);
    touch_inputs(&touches, &c, true);
    data_sets_go_on(&d, &c, &touches);
    const struct values before = values_of(&c);
    touch_settle(&touches); /* would write what an earlier set had there */
    touch_inputs(&touches, &c, false);
    const struct values after = values_of(&c);
    assert_true(same(&before, &after));
    data_sets_close(&d, &c, &touches);
}

static void a_users_data_stay(void **state)
{
    const size_t dims[MAX_AXES] = {COUNT};
    struct cell c = open_case("saxpy", dims);
    struct data_sets d = {.now = PRESENT};
    struct touches touches = {.element = {{.array = NULL}}};
    char file;

    (void)state;
    c.opened = &file;
    data_sets_open(&d, &c, &touches);
    assert_null(d.bytes[PRESENT]);
    data_sets_close(&d, &c, &touches);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounds_have_their_own_data),
        cmocka_unit_test(touches_are_forgotten),
        cmocka_unit_test(a_users_data_stay),
    };
    struct error error;

    arena = arena_create(&error);
    return arena == NULL || cmocka_run_group_tests(tests, NULL, NULL);
}
