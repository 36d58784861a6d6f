#define _GNU_SOURCE
#include "harness/worker/keeper.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/model/arena.h"
#include "harness/worker/confine.h"

#ifndef SYS_close_range
#define SYS_close_range 436 /* Linux 5.9 */
#endif

bool keeper_holds(void)
{
    return spaces_flags(SPACES_PROCESSES) != 0;
}

/* --- the keeper ------------------------------------------------------------------------------------ */

static volatile sig_atomic_t left_alone;

static pid_t parent;

/* And again in a second, in case the signal came just before a wait.  A worker that goes on after a rest gets SIGCONT, too. */
static void note_parents_end(int number)
{
    if (number == SIGCONT && getppid() == parent)
        return;
    left_alone = 1;
    alarm(1);
}

static void close_all_but(int file)
{
    const int kept = 0;

    if (file != kept) {
        dup2(file, kept);
        close(file);
    }
    if (syscall(SYS_close_range, kept + 1, ~0U, 0) != 0)
        for (int f = kept + 1; f < 4096; f++)
            close(f);
}

static bool parent_is_gone(int report)
{
    struct pollfd end = {.fd = report};

    return left_alone || (poll(&end, 1, 0) > 0 && (end.revents & POLLERR) != 0);
}

_Noreturn static void keep(pid_t worker, int report)
{
    int status = 0;
    pid_t ended = -1;

    close_all_but(report);
    arena_forget(); /* otherwise a case's inputs would live as long as this process */
    while (!parent_is_gone(0) && (ended = waitpid(-1, &status, 0)) != worker)
        if (ended < 0 && errno != EINTR)
            break;
    if (ended == worker)
        (void)!write(0, &status, sizeof status);
    if (getpid() != 1) /* otherwise the kernel does it */
        confine_sweep();
    _exit(0);
}

/* The kernel sends SIGCONT when the parent ends: a keeper that rests with its worker would not see another signal.  Process 1
   of a namespace simply ends. */
static void begin_keeping(int spaces)
{
    const struct sigaction on_end = {.sa_handler = note_parents_end}; /* no SA_RESTART */
    const int ignored[] = {SIGINT, SIGHUP, SIGPIPE, SIGQUIT};

    setpgid(0, 0); /* Ctrl-C must reach the parent only; and the group can be ended as a whole */
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        signal(ignored[i], SIG_IGN);
    parent = getppid();
    sigaction(SIGTERM, &on_end, NULL);
    sigaction(SIGCONT, &on_end, NULL);
    sigaction(SIGALRM, &on_end, NULL);
    prctl(PR_SET_PDEATHSIG, spaces != 0 ? SIGKILL : SIGCONT);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

static void end_keeping(void)
{
    const int ours[] = {SIGINT, SIGHUP, SIGPIPE, SIGQUIT, SIGTERM, SIGALRM, SIGCONT};

    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        signal(ours[i], SIG_DFL);
    prctl(PR_SET_CHILD_SUBREAPER, 0);
}

pid_t keeper_fork(enum spaces which, int *report)
{
    const int spaces = spaces_flags(which);
    const uid_t user = geteuid();
    const gid_t group = getegid();
    int ends[2];

    *report = -1;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    const pid_t keeper = spaces_fork(spaces);
    if (keeper != 0) {
        close(ends[1]);
        if (keeper < 0)
            close(ends[0]);
        else
            *report = ends[0];
        return keeper;
    }
    close(ends[0]);
    begin_keeping(spaces);
    if (!spaces_enter(spaces, user, group))
        _exit(1);
    const pid_t worker = spaces_fork(0);
    if (worker != 0)
        keep(worker, ends[1]);
    close(ends[1]);
    end_keeping();
    return 0;
}

int keeper_status(int report, int status)
{
    struct pollfd ready = {.fd = report, .events = POLLIN};
    int its;

    if (poll(&ready, 1, 0) > 0 && read(report, &its, sizeof its) == (ssize_t)sizeof its)
        return its;
    return status;
}

pid_t keeper_worker(pid_t keeper)
{
    DIR *processes = opendir("/proc");
    const struct dirent *entry;
    pid_t found = 0;

    while (processes != NULL && found == 0 && (entry = readdir(processes)) != NULL) {
        const pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
        if (pid > 0 && confine_parent(pid) == keeper)
            found = pid;
    }
    if (processes != NULL)
        closedir(processes);
    return found;
}
