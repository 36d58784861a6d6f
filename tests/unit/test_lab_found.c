/* What the lab tells of the changes that its search has found: the cause where the verdict is a symptom, the line where the verdict says why,
   and all of several places. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "workshop/lab/found.h"

static const char *const program = "void run(void) /* step by step */\n{\n    size_t step = gridDim.x;\n    for (size_t i = 0; i < n; i += step)\n        z[i] = a * x[i];\n}\n";

/* Returns all that is told of these changes to a verdict of this kind, in one text. */
static const char *told(struct found *found, const char *kind)
{
    static char text[4000];
    struct mistake m;

    mistake_set(&m, kind);
    mistake_add(&m, "an old fact");
    const int count = found_tell(found, program, "all is right", false, &m);
    text[0] = '\0';
    for (int i = 0; i < count; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s\n", m.fact[i]);
    assert_string_equal(m.fact[count], "an old fact");
    return text;
}

static void the_cause_of_a_symptom(void **state)
{
    (void)state;
    struct found found = {.change = {{.line = 5, .priority = 1, .words = "a is wrong"}}, .count = 1, .any = true};
    assert_string_equal(told(&found, "race"), "the cause is most likely in line 5: a is wrong\n    5 |         z[i] = a * x[i];\nwith one change there all is right\n");
}

static void an_unlikely_change_is_no_cause(void **state)
{
    (void)state;
    struct found found = {.change = {{.line = 5, .priority = 4, .words = "a is wrong"}}, .count = 1, .any = true};
    assert_string_equal(told(&found, "race"), "with one change in line 5 all is right: a is wrong\n    5 |         z[i] = a * x[i];\n");
}

static void a_name_may_be_another_one(void **state)
{
    (void)state;
    struct found found = {.change = {{.line = 3, .priority = 1, .words = "gridDim.x stands where another name belongs"}}, .count = 1, .any = true};
    assert_string_equal(told(&found, "race"), "the cause is most likely in line 3\n    3 |     size_t step = gridDim.x;\nwith one change there all is right\n");
}

static void a_change_that_misses_goals_is_no_cause(void **state)
{
    (void)state;
    struct found found = {.change = {{.line = 5, .priority = 1, .words = "a is wrong"}}, .count = 1, .any = true, .misses = true};
    assert_string_equal(told(&found, "race"), "with one change in line 5 all is right, but goals of the exercise are missed\n    5 |         z[i] = a * x[i];\n");
    struct mistake m;
    mistake_set(&m, "race");
    mistake_quote(&m, program, 4);
    assert_int_equal(found_tell(&found, program, "all is right", false, &m), 0);
}

static void the_line_where_the_verdict_says_why(void **state)
{
    (void)state;
    struct found found = {.change = {{.line = 5, .priority = 1, .words = "a is wrong"}, {.line = 4, .words = "n is wrong"}}, .count = 1, .any = true};
    assert_string_equal(told(&found, "wrong-sign"), "with one change in line 5 all is right\n    5 |         z[i] = a * x[i];\n");
    found.count = 2;
    assert_string_equal(told(&found, "wrong-sign"), "");
}

static void no_other_line_than_the_verdicts(void **state)
{
    (void)state;
    struct found found = {.change = {{.line = 5, .priority = 1, .words = "a is wrong"}}, .count = 1, .any = true};
    struct mistake m;

    mistake_set(&m, "wrong-sign");
    mistake_quote(&m, program, 4);
    assert_int_equal(found_tell(&found, program, "all is right", false, &m), 0);
    mistake_quote(&m, program, 5);
    assert_int_equal(found_tell(&found, program, "all is right", false, &m), 2);
}

static void nothing_where_the_verdict_says_why(void **state)
{
    (void)state;
    struct mistake m;

    mistake_set(&m, "no-order");
    assert_false(found_wanted(&m, false));
    mistake_set(&m, "pages-wander");
    mistake_add(&m, "line 41: the access of a warp takes 32 sectors");
    assert_true(found_wanted(&m, true));
    mistake_add(&m, "line 41: the host touches pages there that are on the GPU (8 times), so they move");
    assert_false(found_wanted(&m, true));
    assert_true(found_wanted(&m, false));
}

static void several_places(void **state)
{
    (void)state;
    struct found found = {.change = {{.line = 4, .words = "n is wrong"}, {.line = 5, .words = "a is wrong"}}, .count = 2, .any = true};
    assert_non_null(strstr(told(&found, "race"), "there are 2 places with one change of which all is right, so the cause is in one of them; line 4: n is wrong\n"));
    assert_non_null(strstr(told(&found, "race"), "\nor line 5: a is wrong\n"));
}

static void the_value_and_its_only_use(void **state)
{
    (void)state;
    struct found found = {.change = {{.line = 4, .words = "+= is wrong"}, {.line = 3, .words = "gridDim.x is wrong"}}, .count = 2, .any = true};
    assert_non_null(strstr(told(&found, "race"), "most likely in line 3: gridDim.x is wrong\n"));
    struct found use = {.change = {{.line = 4, .words = "step stands where another name belongs", .about = "step"}}, .count = 1, .any = true};
    assert_non_null(strstr(told(&use, "race"), "or its value is not the right one: step gets that in line 3\n"));
}

static void two_changes_together(void **state)
{
    (void)state;
    struct found found = {.change = {{.line = 4, .words = "n is wrong"}, {.line = 5, .words = "a is wrong"}}, .count = 2};
    assert_non_null(strstr(told(&found, "race"), "with two changes, the first in line 4 all is right: n is wrong\n"));
    assert_non_null(strstr(told(&found, "race"), "\nand the second in line 5: a is wrong\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cause_of_a_symptom),
        cmocka_unit_test(an_unlikely_change_is_no_cause),
        cmocka_unit_test(a_name_may_be_another_one),
        cmocka_unit_test(a_change_that_misses_goals_is_no_cause),
        cmocka_unit_test(the_line_where_the_verdict_says_why),
        cmocka_unit_test(no_other_line_than_the_verdicts),
        cmocka_unit_test(nothing_where_the_verdict_says_why),
        cmocka_unit_test(several_places),
        cmocka_unit_test(the_value_and_its_only_use),
        cmocka_unit_test(two_changes_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
