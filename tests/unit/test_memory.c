/* What control groups leave of a machine's memory: their files, made up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/base/memory.h"

static char root[] = "/tmp/test_memory-XXXXXX";

static void put(const char *name, const char *text)
{
    char file[256];

    snprintf(file, sizeof file, "%s/%s", root, name);
    FILE *f = fopen(file, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static int set_up(void **state)
{
    char folder[256];

    (void)state;
    if (mkdtemp(root) == NULL)
        return -1;
    snprintf(folder, sizeof folder, "%s/a", root);
    mkdir(folder, 0777);
    snprintf(folder, sizeof folder, "%s/a/b", root);
    return mkdir(folder, 0777);
}

static int tear_down(void **state)
{
    char command[256];

    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    return system(command);
}

static void groups_without_a_limit_leave_all(void **state)
{
    (void)state;
    assert_true(isinf(memory_group_left(root, "/a/b", false)));
    put("a/memory.max", "max\n");
    put("a/memory.current", "4096\n");
    assert_true(isinf(memory_group_left(root, "/a/b", false)));
    put("a/memory.limit_in_bytes", "9223372036854771712\n");
    put("a/memory.usage_in_bytes", "4096\n");
    assert_true(isinf(memory_group_left(root, "/a/b", true)));
}

static void the_least_on_the_way_up_counts(void **state)
{
    (void)state;
    put("a/memory.max", "1000000\n");
    put("a/memory.current", "600000\n");
    put("a/b/memory.max", "900000\n");
    put("a/b/memory.current", "100000\n");
    assert_true(memory_group_left(root, "/a/b", false) == 400000.0);
    put("a/memory.stat", "anon 5\ninactive_file 50000\n"); /* the kernel takes it when it needs it */
    assert_true(memory_group_left(root, "/a/b", false) == 450000.0);
    put("a/memory.current", "2000000\n");
    assert_true(memory_group_left(root, "/a/b", false) == 0.0);
}

static void the_old_version_has_other_names(void **state)
{
    (void)state;
    put("a/b/memory.limit_in_bytes", "1000\n");
    put("a/b/memory.usage_in_bytes", "300\n");
    put("a/b/memory.stat", "inactive_file 9\ntotal_inactive_file 100\n");
    assert_true(memory_group_left(root, "/a/b", true) == 800.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_without_a_limit_leave_all),
        cmocka_unit_test(the_least_on_the_way_up_counts),
        cmocka_unit_test(the_old_version_has_other_names),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
