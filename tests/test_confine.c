/* What a learner's program may write, and what not: tried in a child that is confined as it is. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workshop/lab/confine.h"

static bool writes(const char *file, const char *text)
{
    const int f = open(file, O_WRONLY | O_TRUNC | O_CLOEXEC);
    const bool good = f >= 0 && write(f, text, strlen(text)) == (ssize_t)strlen(text);

    if (f >= 0)
        close(f);
    return good;
}

/* As CUDA's driver does in each thread that it starts; where it cannot, no device is found. */
static void *name_itself(void *good)
{
    char file[64];

    snprintf(file, sizeof file, "/proc/self/task/%d/comm", (int)gettid());
    *(bool *)good = writes(file, "named");
    return NULL;
}

static bool names_a_thread(void)
{
    pthread_t thread;
    bool good = false;

    return pthread_create(&thread, NULL, name_itself, &good) == 0 &&
           pthread_join(thread, NULL) == 0 && good;
}

static bool names_its_parent(void)
{
    char file[64];

    snprintf(file, sizeof file, "/proc/%d/task/%d/comm", (int)getppid(), (int)getppid());
    return writes(file, "mine");
}

static bool writes_to_null(void)
{
    return writes("/dev/null", "nothing");
}

static char own[] = "/tmp/test_confine-XXXXXX";

static bool writes_a_file(void)
{
    return writes(own, "a verdict");
}

/* What a confined child comes to. */
static bool confined(bool try(void))
{
    int status = 0;
    const pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0) {
        confine();
        _exit(try() ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status) == 0;
}

static void what_a_card_needs_is_allowed(void **state)
{
    (void)state;
    assert_true(confined(writes_to_null));
    assert_true(confined(names_a_thread));
}

static void others_are_out_of_reach(void **state)
{
    (void)state;
    if (!confine_holds())
        skip();
    const int f = mkstemp(own);

    assert_true(f >= 0);
    close(f);
    const bool written = confined(writes_a_file), named = confined(names_its_parent);
    assert_int_equal(unlink(own), 0);
    assert_false(written);
    assert_false(named);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_card_needs_is_allowed),
        cmocka_unit_test(others_are_out_of_reach),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
