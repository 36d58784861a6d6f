/* Everything that a worker has started ends with the worker, and with its parent; in a namespace or
   not. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/worker/keeper.h"

/* In the worker: starts a process that leaves it; both announce themselves. */
_Noreturn static void become_daemon(int file)
{
    if (fork() == 0) {
        setsid();
        if (fork() == 0) {
            (void)!write(file, "d", 1);
            for (;;)
                pause();
        }
        _exit(0);
    }
    (void)!write(file, "w", 1);
    for (;;)
        pause();
}

static int status_of(bool alone, int signal_number)
{
    int report, status;
    const pid_t keeper = keeper_fork(alone ? SPACES_PROCESSES : SPACES_NONE, &report);

    assert_true(keeper >= 0);
    if (keeper == 0) {
        if (signal_number != 0)
            raise(signal_number);
        _exit(7);
    }
    assert_int_equal(waitpid(keeper, &status, 0), keeper);
    status = keeper_status(report, status);
    close(report);
    return status;
}

static void a_worker_ends_as_it_does(void **state)
{
    (void)state;
    for (int alone = 0; alone < 2; alone++) {
        const int left = status_of(alone, 0), killed = status_of(alone, SIGKILL),
                  aborted = status_of(alone, SIGABRT);
        assert_true(WIFEXITED(left) && WEXITSTATUS(left) == 7);
        assert_true(WIFSIGNALED(killed) && WTERMSIG(killed) == SIGKILL);
        assert_true(WIFSIGNALED(aborted) && WTERMSIG(aborted) == SIGABRT);
    }
}

/* The end of the file: no process holds it any more. */
static bool all_end(int file)
{
    struct pollfd end = {.fd = file, .events = POLLIN};
    char c;

    return poll(&end, 1, 30000) > 0 && read(file, &c, 1) == 0;
}

static void nothing_outlives_the_parent(void **state)
{
    (void)state;
    for (int alone = 0; alone < 2; alone++) {
        int ends[2], status, report;
        char c;

        assert_int_equal(pipe(ends), 0);
        const pid_t parent = fork();
        assert_true(parent >= 0);
        if (parent == 0) {
            close(ends[0]);
            const pid_t keeper = keeper_fork(alone ? SPACES_PROCESSES : SPACES_NONE, &report);
            if (keeper == 0)
                become_daemon(ends[1]);
            close(ends[1]);
            for (;;)
                pause();
        }
        close(ends[1]);
        assert_int_equal(read(ends[0], &c, 1), 1);
        assert_int_equal(read(ends[0], &c, 1), 1);
        kill(parent, SIGKILL);
        assert_int_equal(waitpid(parent, &status, 0), parent);
        assert_true(all_end(ends[0]));
        close(ends[0]);
    }
}

static void nothing_outlives_the_worker(void **state)
{
    (void)state;
    for (int alone = 0; alone < 2; alone++) {
        int ends[2], report, status;
        char c;

        assert_int_equal(pipe(ends), 0);
        const pid_t keeper = keeper_fork(alone ? SPACES_PROCESSES : SPACES_NONE, &report);
        assert_true(keeper >= 0);
        if (keeper == 0)
            become_daemon(ends[1]);
        close(ends[1]);
        assert_int_equal(read(ends[0], &c, 1), 1);
        assert_int_equal(read(ends[0], &c, 1), 1);
        kill(keeper_worker(keeper), SIGKILL);
        assert_int_equal(waitpid(keeper, &status, 0), keeper);
        assert_true(all_end(ends[0]));
        close(ends[0]);
        close(report);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_worker_ends_as_it_does),
        cmocka_unit_test(nothing_outlives_the_parent),
        cmocka_unit_test(nothing_outlives_the_worker),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
