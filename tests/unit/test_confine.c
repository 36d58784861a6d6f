/* What a variant's process may write: tried in a child that is confined as a worker is. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/worker/calls.h"
#include "harness/worker/confine.h"

static bool writes(const char *file, const char *text)
{
    const int f = open(file, O_WRONLY | O_TRUNC | O_CLOEXEC);
    const bool good = f >= 0 && write(f, text, strlen(text)) == (ssize_t)strlen(text);

    if (f >= 0)
        close(f);
    return good;
}

/* As CUDA's driver does in each thread that it starts; if it fails, no device is found. */
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

/* Returns how a confined child ends. */
static bool confined(bool try(void))
{
    int status = 0;
    const pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0) {
        confine(CONFINE_FULL, REACH_CARDS);
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

/* --- calls ------------------------------------------------------------------------------------ */

/* Returns how a child ends that makes a call: its signal, 0, or -1 if the call fails. */
static int calls(enum reach reach, long call(void))
{
    int status = 0;
    const pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGSYS, SIG_DFL);
        confine(CONFINE_FULL, reach);
        _exit(call() < 0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : -WEXITSTATUS(status);
}

static long signals_its_parent(void)
{
    return kill(getppid(), 0);
}

static long signals_itself(void)
{
    return kill(getpid(), 0);
}

static long traces(void)
{
    return ptrace(PTRACE_ATTACH, getppid(), NULL, NULL);
}

static long makes_a_file_in_memory(void)
{
    return memfd_create("x", 0);
}

static long leaves_its_session(void)
{
    return setsid();
}

static long limits_its_parent(void)
{
    const struct rlimit none = {0, 0};

    return prlimit(getppid(), RLIMIT_NOFILE, &none, NULL);
}

static long starts_a_thread(void)
{
    pthread_t thread;
    bool good = false;

    return pthread_create(&thread, NULL, name_itself, &good) != 0 || pthread_join(thread, NULL) != 0
               ? -1 : 0;
}

static long starts_a_process(void)
{
    const pid_t child = fork();

    if (child == 0)
        _exit(0);
    return waitpid(child, NULL, 0) == child ? 0 : -1;
}

static long makes_a_space(void)
{
    return unshare(CLONE_NEWUSER);
}

static long asks_for_a_connection(void)
{
    return socket(AF_INET, SOCK_STREAM, 0);
}

static void calls_that_harm_others_are_refused(void **state)
{
    (void)state;
    if (!calls_hold())
        skip();
    assert_int_equal(calls(false, signals_its_parent), SIGSYS);
    assert_int_equal(calls(true, signals_its_parent), -1);
    assert_int_equal(calls(false, traces), SIGSYS);
    assert_int_equal(calls(true, traces), -1);
    assert_int_equal(calls(false, makes_a_space), SIGSYS);
    assert_int_equal(calls(false, makes_a_file_in_memory), SIGSYS);
    assert_int_equal(calls(false, asks_for_a_connection), -1);
    for (enum reach reach = REACH_NOTHING; reach <= REACH_RANKS; reach++) {
        assert_int_equal(calls(reach, leaves_its_session), -1);
        assert_int_equal(calls(reach, limits_its_parent), -1);
    }
}

static long starts_a_process_in_its_memory(void)
{
    return (long)syscall(SYS_clone, CLONE_VM | CLONE_VFORK | SIGCHLD, NULL, NULL, NULL, NULL);
}

static void processes_are_for_programs_and_drivers(void **state)
{
    (void)state;
    if (!calls_hold())
        skip();
    assert_int_equal(calls(REACH_NOTHING, starts_a_process), SIGSYS);
    assert_int_equal(calls(REACH_NOTHING, starts_a_process_in_its_memory), SIGSYS);
    assert_int_equal(calls(REACH_PROCESSES, starts_a_process), 0);
    assert_int_equal(calls(REACH_PROCESSES, traces), SIGSYS);
    assert_int_equal(calls(REACH_CARDS, starts_a_process), 0);
    assert_int_equal(calls(REACH_RANKS, starts_a_process), 0);
    assert_int_equal(calls(REACH_ENGINE | REACH_PROCESSES, starts_a_process), 0);
}

static void calls_that_a_driver_makes_are_not(void **state)
{
    (void)state;
    assert_int_equal(calls(true, makes_a_file_in_memory), 0);
    assert_int_equal(calls(true, asks_for_a_connection), 0);
    for (enum reach reach = REACH_NOTHING; reach <= REACH_RANKS; reach++) {
        assert_int_equal(calls(reach, signals_itself), 0);
        assert_int_equal(calls(reach, starts_a_thread), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_card_needs_is_allowed),
        cmocka_unit_test(others_are_out_of_reach),
        cmocka_unit_test(calls_that_harm_others_are_refused),
        cmocka_unit_test(calls_that_a_driver_makes_are_not),
        cmocka_unit_test(processes_are_for_programs_and_drivers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
