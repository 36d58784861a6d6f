/* Where threads are put.  The assertions hold on every machine, with hwloc and without. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/machine/topology.h"

static void processors_are_listed_as_ranges(void **state)
{
    cpu_set_t set;
    char text[64];

    (void)state;
    CPU_ZERO(&set);
    topology_list(&set, text, sizeof text);
    assert_string_equal(text, "");
    CPU_SET(0, &set);
    topology_list(&set, text, sizeof text);
    assert_string_equal(text, "0");
    CPU_SET(1, &set);
    CPU_SET(2, &set);
    CPU_SET(7, &set);
    CPU_SET(1023, &set);
    topology_list(&set, text, sizeof text);
    assert_string_equal(text, "0-2,7,1023");
}

static void threads_get_processors_of_their_own_that_we_may_use(void **state)
{
    cpu_set_t allowed, set;

    (void)state;
    assert_int_equal(sched_getaffinity(0, sizeof allowed, &allowed), 0);
    for (int threads = 1; threads <= CPU_COUNT(&allowed); threads++) {
        if (!topology_place(threads, &set))
            return; /* without hwloc: anywhere */
        assert_int_equal(CPU_COUNT(&set), threads);
        CPU_AND(&set, &set, &allowed);
        assert_int_equal(CPU_COUNT(&set), threads);
    }
    assert_true(topology_place(CPU_COUNT(&allowed) + 1, &set)); /* more than there are: all */
    assert_true(CPU_EQUAL(&set, &allowed));
}

static void there_is_a_core_and_no_more_than_processors(void **state)
{
    cpu_set_t allowed;

    (void)state;
    assert_int_equal(sched_getaffinity(0, sizeof allowed, &allowed), 0);
    assert_in_range(topology_cores(), 1, CPU_COUNT(&allowed));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(processors_are_listed_as_ranges),
        cmocka_unit_test(threads_get_processors_of_their_own_that_we_may_use),
        cmocka_unit_test(there_is_a_core_and_no_more_than_processors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
