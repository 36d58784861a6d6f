/* The conditions of a learner's program: which are found, and what the program with the counts looks like. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "workshop/lab/conditions.h"

static struct conditions c;

static void marked(const char *program, const char *wanted)
{
    char *text = conditions_mark(program, &c);

    if (wanted == NULL)
        assert_null(text);
    else
        assert_string_equal(text, wanted);
    free(text);
}

static void branches(void **state)
{
    (void)state;
    marked("if (i >= n)\n    return;\n", "if (cudasim_branch(0, (i >= n)))\n    return;\n");
    assert_int_equal(c.list[0].kind, BRANCH);
    assert_string_equal(c.list[0].text, "i >= n");
    marked("z[i] = i < n ? x[i] : 0;", "z[i] = cudasim_branch(0, (i < n)) ? x[i] : 0;");
    marked("f(a, i < n ? 1 : b ? 2 : 3);", "f(a, cudasim_branch(0, (i < n)) ? 1 : cudasim_branch(1, (b)) ? 2 : 3);");
}

static void loops(void **state)
{
    (void)state;
    marked("x;\nfor (int i = f(1, 2); i < n; i++) while (a[i] > 0) a[i]--;",
           "x;\nfor (int i = f(1, 2); cudasim_branch(0, (i < n)); i++) while (cudasim_branch(1, (a[i] > 0))) a[i]--;");
    assert_int_equal(c.list[0].kind, LOOP);
    assert_int_equal(c.list[0].line, 2);
    marked("for (;;) x;", NULL);
    marked("while (1) x;", NULL);
}

static void parts(void **state)
{
    (void)state;
    marked("if (r == 0 || c == f(1 && 2)) x;",
           "if (cudasim_branch(0, (cudasim_branch(1, (r == 0)) || cudasim_branch(2, (c == f(1 && 2)))))) x;");
    assert_int_equal(c.list[1].kind, PART);
    assert_string_equal(c.list[2].text, "c == f(1 && 2)");
}

static void no_conditions(void **state)
{
    (void)state;
    marked("/* if (a) */ x;", NULL);
    marked("if (int v = f()) x;", NULL);
    marked("if (a", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(branches),
        cmocka_unit_test(loops),
        cmocka_unit_test(parts),
        cmocka_unit_test(no_conditions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
