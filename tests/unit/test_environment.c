/* Warnings about the environment: a control group's files, in a folder made up for them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "harness/machine/environment.h"

static char root[] = "/tmp/rungs-cgroup-XXXXXX";

static void put_file(const char *folder, const char *name, const char *text)
{
    char path[128];
    FILE *f;

    snprintf(path, sizeof path, "%s%s", root, folder);
    (void)mkdir(path, 0777);
    snprintf(path, sizeof path, "%s%s/%s", root, folder, name);
    f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void put(const char *folder, const char *quota)
{
    put_file(folder, "cpu.max", quota);
}

static int make_root(void **state)
{
    (void)state;
    return mkdtemp(root) == NULL;
}

static int remove_root(void **state)
{
    char command[128];

    (void)state;
    snprintf(command, sizeof command, "rm -r %s", root);
    return system(command);
}

static void no_quota_is_no_limit(void **state)
{
    (void)state;
    assert_true(isinf(cgroup_processors(root, "/")));
    assert_true(isinf(cgroup_processors(root, "/that/is/not/there")));
    put("/free", "max 100000\n");
    assert_true(isinf(cgroup_processors(root, "/free")));
}

static void the_narrowest_group_on_the_way_up_counts(void **state)
{
    (void)state;
    put("/a", "150000 100000\n");
    put("/a/b", "max 100000\n");
    put("/a/b/c", "400000 100000\n");
    assert_true(fabs(cgroup_processors(root, "/a/b/c") - 1.5) < 1e-12);
    put("/a/b/c", "50000 100000\n");
    assert_true(fabs(cgroup_processors(root, "/a/b/c") - 0.5) < 1e-12);
}

static void nonsense_is_no_limit(void **state)
{
    (void)state;
    put("/odd", "100000 0\n");
    assert_true(isinf(cgroup_processors(root, "/odd")));
    put("/odd", "");
    assert_true(isinf(cgroup_processors(root, "/odd")));
}

static void what_a_quota_has_cost_is_known(void **state)
{
    (void)state;
    assert_true(cgroup_held_back(root, "/") == 0.0);
    put("/held", "50000 100000\n");
    put_file("/held", "cpu.stat", "usage_usec 9000000\nnr_throttled 3\nthrottled_usec 2500000\n");
    assert_true(fabs(cgroup_held_back(root, "/held") - 2.5) < 1e-12);
    put("/held/more", "max 100000\n");
    put_file("/held/more", "cpu.stat", "usage_usec 5\n");
    assert_true(fabs(cgroup_held_back(root, "/held/more") - 2.5) < 1e-12);
}

static void a_quota_that_changes_on_the_way_is_told(void **state)
{
    struct warnings w = {.count = 0};

    (void)state;
    check_quota_kept(&w, INFINITY, INFINITY, 0.0, 10.0);
    check_quota_kept(&w, 2.0, 2.0, 0.05, 10.0);
    assert_int_equal(w.count, 0);
    check_quota_kept(&w, INFINITY, 1.5, 0.0, 10.0);
    assert_string_equal(w.text[0], "the control group allowed all processors when the run began, and "
                                   "1.5 processors when it ended");
    check_quota_kept(&w, 2.0, 2.0, 2.5, 10.0);
    assert_int_equal(w.count, 2);
    assert_string_equal(w.text[1], "the control group throttled the run for 2.5 s of 10 s");
}

static void there_is_room_for_so_many_warnings_and_no_more(void **state)
{
    static struct warnings w;

    (void)state;
    for (int i = 0; i < 2 * MAX_WARNINGS; i++)
        warn(&w, "warning %d %0500d", i, 0);
    assert_int_equal(w.count, MAX_WARNINGS);
    assert_int_equal(strlen(w.text[MAX_WARNINGS - 1]), WARNING_LENGTH - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_quota_is_no_limit),
        cmocka_unit_test(the_narrowest_group_on_the_way_up_counts),
        cmocka_unit_test(nonsense_is_no_limit),
        cmocka_unit_test(what_a_quota_has_cost_is_known),
        cmocka_unit_test(a_quota_that_changes_on_the_way_is_told),
        cmocka_unit_test(there_is_room_for_so_many_warnings_and_no_more),
    };
    return cmocka_run_group_tests(tests, make_root, remove_root);
}
