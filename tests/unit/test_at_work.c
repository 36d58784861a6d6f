/* Threads at work: by their shares of the processor time, not by how much of it they get. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/measure/at_work.h"

static struct tree_threads before = {.count = 3, .thread = {{7, 900}, {8, 10}, {9, 10}}};

/* Threads 7, 8 and 9 have used so much since; `used` is that of all, also of those that have ended. */
static int counted(unsigned long long a, unsigned long long b, unsigned long long c, double used, int ended)
{
    struct tree_threads after = {.count = 3, .thread = {{7, 900 + a}, {8, 10 + b}, {9, 10 + c}}};

    return at_work_count(&before, &after, used, ended);
}

static void shares_count(void **state)
{
    (void)state;
    assert_int_equal(counted(1000, 0, 0, 1000, 1), 1);
    assert_int_equal(counted(1000, 1000, 0, 2000, 1), 2);
    assert_int_equal(counted(10, 1000, 900, 1910, 1), 2); /* the first one waits for the others */
    assert_int_equal(counted(1000, 300, 300, 1600, 1), 3);
    assert_int_equal(counted(1000, 100, 100, 1200, 1), 1); /* a compiler, a collector */
}

static void new_threads_count(void **state)
{
    struct tree_threads after = {.count = 2, .thread = {{7, 1900}, {20, 950}}};

    (void)state;
    assert_int_equal(at_work_count(&before, &after, 1950, 1), 2);
}

static void ended_threads_count_as_told(void **state)
{
    (void)state;
    assert_int_equal(counted(100, 0, 0, 2000, 1), 1);
    assert_int_equal(counted(100, 0, 0, 2000, 8), 8);
    assert_int_equal(counted(1000, 0, 0, 1200, 8), 1); /* little of it is missing: the clocks are read one by one */
}

static void no_times_no_threads(void **state)
{
    (void)state;
    assert_int_equal(counted(0, 0, 0, 2000, 8), 0); /* a kernel without schedstat, or a worker that has ended */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_count),
        cmocka_unit_test(new_threads_count),
        cmocka_unit_test(ended_threads_count_as_told),
        cmocka_unit_test(no_times_no_threads),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
