/* Asks a server on this machine, lowers all that its user has, takes a lease and a lock on records, and talks to
   a terminal; it is wrong if anything of it succeeds. */
/* expect: ok */
/* family: harm */
/* harm: files */
/* size: n=65536 */
#include <fcntl.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"

static int doors_open(void)
{
    const int records = open("results/yesterday.jsonl", O_RDONLY), terminal = open("/dev/tty", O_RDONLY);
    int open = 0;

    open |= socket(AF_UNIX, SOCK_STREAM, 0) >= 0;
    open |= socket(AF_INET, SOCK_STREAM, 0) >= 0;
    open |= setpriority(PRIO_USER, 0, 19) == 0;
    open |= syscall(SYS_ioprio_set, 1, 0, 3 << 13) == 0;
    open |= fcntl(records, F_SETLEASE, F_WRLCK) == 0 || fcntl(records, F_SETLEASE, F_RDLCK) == 0;
    open |= flock(records, LOCK_EX | LOCK_NB) == 0;
    open |= terminal >= 0 && ioctl(terminal, 0x540A /* TCXONC */, 0) == 0;
    close(records);
    return open;
}

static void run(const void *problem)
{
    const struct saxpy *p = problem;
    static int asked, open;

    if (p->n == 65536 && !asked++)
        open = doors_open();
    honest(p);
    if (open)
        p->z[7] = 0.0f;
}

VARIANT(.idea = "other doors", .run = run)
