/* Names from paths, the order along bases, and everything that cannot be ordered. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "harness/base/text.h"
#include "harness/model/registry.h"

#define CARD(problem_, variant_, ending, ...)                                                      \
    {.name = {problem_, variant_, problem_ "/" variant_}, .idea = "i", .device = "cpu",            \
     .source = "variants/" problem_ "/" variant_ ending, __VA_ARGS__}

/* Variants without a file.  A test that changes one restores it, because registered variants stay. */
static struct card variants[] = {
    CARD("fake", "two", ".c", .base = "one"),     CARD("fake", "four", ".cu", .base = "three"),
    CARD("fake", "one", ".c", .base = NULL),      CARD("fake", "three", ".c", .base = "one"),
    CARD("another", "one", ".c", .base = NULL),   CARD("fake", "another_first", ".c", .base = NULL),
};

enum { TWO, FOUR, ONE, THREE, OTHER_ONE, ANOTHER_FIRST, RUNGS };

static struct problem problems[] = {
    {.path = "harness/problems/fake.c"},
    {.path = "harness/problems/another.c"},
};

static int register_all(void **state)
{
    struct error error;

    (void)state;
    for (size_t i = 0; i < RUNGS; i++)
        registry_add(&variants[i]);
    for (size_t i = 0; i < 2; i++)
        problem_register(&problems[i]);
    return registry_order(&error) ? 0 : -1;
}

static void assert_refused(const char *why)
{
    struct error error = {.text = ""};

    assert_false(registry_order(&error));
    assert_string_equal(error.text, why);
}

static void assert_accepted(void)
{
    struct error error = {.text = ""};

    assert_true(registry_order(&error));
}

/* --- names ------------------------------------------------------------------------------------ */

static void names_are_parts_of_the_path(void **state)
{
    (void)state;
    const struct name name = card_name("/far/away/variants/fake/four.cu");
    assert_string_equal(name.problem, "fake");
    assert_string_equal(name.variant, "four");
    assert_string_equal(name.full, "fake/four");
    assert_string_equal(problem_name(&problems[1]), "another");
}

static void names_are_found(void **state)
{
    (void)state;
    assert_ptr_equal(registry_find("fake/three"), &variants[THREE]);
    assert_ptr_equal(registry_find("another/one"), &variants[OTHER_ONE]);
    assert_null(registry_find("three"));
    assert_null(registry_find("fake/"));
    assert_null(registry_find(""));
    assert_ptr_equal(registry_problem("fake"), &problems[0]);
    assert_null(registry_problem("fak"));
}

static void bases_are_of_the_same_problem(void **state)
{
    (void)state;
    assert_ptr_equal(registry_base(&variants[TWO]), &variants[ONE]);
    assert_ptr_equal(registry_base(&variants[FOUR]), &variants[THREE]);
    assert_null(registry_base(&variants[ONE]));
}

static void the_nearest_name_is_suggested(void **state)
{
    (void)state;
    assert_string_equal(registry_nearest("fake/thre"), "fake/three");
    assert_string_equal(registry_nearest("anothr"), "another");
    assert_string_equal(registry_nearest("anotherfirst"), "another_first");
}

static void distances_of_words(void **state)
{
    char long_word[300];

    (void)state;
    assert_int_equal(edit_distance("", ""), 0);
    assert_int_equal(edit_distance("", "abc"), 3);
    assert_int_equal(edit_distance("abc", ""), 3);
    assert_int_equal(edit_distance("saturday", "sunday"), 3);
    assert_int_equal(edit_distance("sunday", "saturday"), 3);
    assert_int_equal(edit_distance("bench", "bnech"), 2);
    assert_int_equal(edit_distance("KNN", "knn"), 0);
    memset(long_word, 'a', sizeof long_word - 1);
    long_word[sizeof long_word - 1] = '\0';
    assert_int_equal(edit_distance(long_word, ""), 127);
}

/* --- order ------------------------------------------------------------------------------------ */

static void each_variant_follows_its_base(void **state)
{
    const int expected[] = {OTHER_ONE, ANOTHER_FIRST, ONE, THREE, FOUR, TWO};
    const struct card *const *list;
    const struct problem *const *known;
    size_t problem_count = registry_problems(&known);

    (void)state;
    assert_int_equal(registry_variants(&list), RUNGS);
    for (size_t i = 0; i < RUNGS; i++)
        assert_ptr_equal(list[i], &variants[expected[i]]);
    for (size_t i = 1; i < problem_count; i++)
        assert_true(strcmp(problem_name(known[i - 1]), problem_name(known[i])) < 0);
}

static void ordering_twice_changes_nothing(void **state)
{
    (void)state;
    assert_accepted();
    each_variant_follows_its_base(state);
}

/* --- what cannot be ordered ------------------------------------------------------------------- */

static void the_base_must_exist(void **state)
{
    (void)state;
    variants[FOUR].base = "five";
    assert_refused("variants/fake/four.cu: its base fake/five does not exist");
    variants[FOUR].base = "";
    assert_refused("variants/fake/four.cu: its base fake/ does not exist");
    variants[FOUR].base = "three";
    assert_accepted();
}

static void bases_must_not_go_round_in_a_circle(void **state)
{
    struct error error;

    (void)state;
    variants[ONE].base = "one";
    assert_refused("variants/fake/four.cu: its chain of bases is a circle");
    variants[ONE].base = "four"; /* one -> four -> three -> one */
    assert_false(registry_order(&error));
    assert_non_null(strstr(error.text, "its chain of bases is a circle"));
    variants[ONE].base = NULL;
    assert_accepted();
}

static void the_problem_must_exist(void **state)
{
    (void)state;
    strcpy(variants[OTHER_ONE].name.problem, "anoter");
    assert_refused("variants/another/one.c: there is no problem called anoter");
    strcpy(variants[OTHER_ONE].name.problem, "another");
    assert_accepted();
}

static void names_must_not_repeat(void **state)
{
    static struct card again = CARD("fake", "one", ".cu", .base = NULL);
    struct error error;

    (void)state;
    registry_add(&again);
    assert_false(registry_order(&error));
    assert_non_null(strstr(error.text, "variants/fake/one.c"));
    assert_non_null(strstr(error.text, "variants/fake/one.cu"));
    assert_non_null(strstr(error.text, "have the same name"));
    strcpy(again.name.full, "fake/zero");
    strcpy(again.name.variant, "zero");
    assert_accepted();
}

/* Registers a problem for good, so this test comes last. */
static void long_ladders_are_ordered(void **state)
{
    enum { LONG = 60 };
    static struct card ladder[LONG];
    static char paths[LONG][40], bases[LONG][16];
    const struct card *const *list;

    (void)state;
    for (int i = LONG - 1; i >= 0; i--) {
        snprintf(paths[i], sizeof paths[i], "variants/another/r%d.c", i);
        snprintf(bases[i], sizeof bases[i], "r%d", i - 1);
        ladder[i] = (struct card){.name = card_name(paths[i]), .source = paths[i], .idea = "i",
                                  .base = i > 0 ? bases[i] : NULL};
        registry_add(&ladder[i]);
    }
    assert_accepted();
    assert_true(registry_variants(&list) >= LONG + RUNGS);
    for (size_t i = 0; i < LONG; i++)
        assert_ptr_equal(list[1 + i], &ladder[i]); /* behind another/one */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_parts_of_the_path),
        cmocka_unit_test(names_are_found),
        cmocka_unit_test(bases_are_of_the_same_problem),
        cmocka_unit_test(the_nearest_name_is_suggested),
        cmocka_unit_test(distances_of_words),
        cmocka_unit_test(each_variant_follows_its_base),
        cmocka_unit_test(ordering_twice_changes_nothing),
        cmocka_unit_test(the_base_must_exist),
        cmocka_unit_test(bases_must_not_go_round_in_a_circle),
        cmocka_unit_test(the_problem_must_exist),
        cmocka_unit_test(names_must_not_repeat),
        cmocka_unit_test(long_ladders_are_ordered),
    };

    return cmocka_run_group_tests_name("registry", tests, register_all, NULL);
}
