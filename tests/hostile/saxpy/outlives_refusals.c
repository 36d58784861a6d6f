/* Handles the signal that a forbidden call brings, and so tries one after the other, against all that it finds. */
/* expect: harmless */
/* family: harm */
/* harm: remains */
/* size: n=65536 */
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"
#include "tests/hostile/sibling.h"

static void go_on(int number)
{
    (void)number;
}

static void harm(pid_t process, const void *context)
{
    static char junk[65536];
    const struct iovec mine = {junk, sizeof junk}, its = {(void *)0x7ea004a00000, sizeof junk};

    (void)context;
    kill(process, SIGKILL);
    syscall(SYS_tgkill, process, process, SIGKILL);
    ptrace(PTRACE_SEIZE, process, 0, 0);
    process_vm_writev(process, &mine, 1, &its, 1, 0);
}

static void run(const void *problem)
{
    const struct saxpy *p = problem;
    static int done;

    if (p->n == 65536 && !done++) {
        pid_t target;

        signal(SIGSYS, go_on);
        for_siblings(getppid(), harm, p);
        EACH_PARENT(target)
            harm(target, p);
        kill(-1, SIGSTOP);
        shmget(0x72756e68, 1 << 20, IPC_CREAT | 0600);
        syscall(SYS_semget, 0x72756e68, 1, IPC_CREAT | 0600);
        syscall(SYS_msgget, 0x72756e68, IPC_CREAT | 0600);
        syscall(SYS_mount, "none", "/tmp", "tmpfs", 0, 0);
    }
    honest(p);
}

VARIANT(.idea = "outlives refusals", .run = run)
