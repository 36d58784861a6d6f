#define _GNU_SOURCE
#include "harness/worker/spaces.h"

#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* fork() accepts no flags.  It also calls the handlers of libraries: OpenBLAS ends its threads and
   waits for them, which hangs in a child that has none.  No other thread holds a lock here, because
   the parent's helper threads have all been joined. */
pid_t spaces_fork(int flags)
{
    return (pid_t)syscall(SYS_clone, flags | SIGCHLD, NULL, NULL, NULL, NULL);
}

static bool say(const char *file, const char *text)
{
    const int f = open(file, O_WRONLY | O_CLOEXEC);
    const bool said = f >= 0 && write(f, text, strlen(text)) == (ssize_t)strlen(text);

    if (f >= 0)
        close(f);
    return said;
}

/* Keeps the user and group ids in a new user namespace. */
static bool stay_who_we_are(uid_t user, gid_t group)
{
    char text[64];

    snprintf(text, sizeof text, "%u %u 1", user, user);
    if (!say("/proc/self/setgroups", "deny") || !say("/proc/self/uid_map", text))
        return false;
    snprintf(text, sizeof text, "%u %u 1", group, group);
    return say("/proc/self/gid_map", text);
}

/* A new network's loopback is down. */
static bool raise_loopback(void)
{
    struct ifreq loopback = {.ifr_name = "lo"};
    const int any = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    bool up = any >= 0 && ioctl(any, SIOCGIFFLAGS, &loopback) == 0;

    loopback.ifr_flags |= IFF_UP;
    up = up && ioctl(any, SIOCSIFFLAGS, &loopback) == 0;
    if (any >= 0)
        close(any);
    return up;
}

/* What is mounted here shows nowhere else. */
static bool mount_own(void)
{
    const unsigned long plain = MS_NOSUID | MS_NODEV | MS_NOEXEC;

    return mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount("proc", "/proc", "proc", plain, NULL) == 0 &&
           mount("shm", "/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777,size=25%") == 0;
}

bool spaces_enter(int flags, uid_t user, gid_t group)
{
    return ((flags & CLONE_NEWUSER) == 0 || stay_who_we_are(user, group)) &&
           ((flags & CLONE_NEWNET) == 0 || raise_loopback()) && ((flags & CLONE_NEWNS) == 0 || mount_own());
}

static bool works(int flags)
{
    const uid_t user = geteuid();
    const gid_t group = getegid();
    const pid_t child = spaces_fork(flags);
    int status = 1;

    if (child == 0)
        _exit(spaces_enter(flags, user, group) ? 0 : 1);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return child > 0 && status == 0;
}

/* Root needs no user namespace, in which it would lose its rights to others' files. */
int spaces_flags(enum spaces which)
{
    static const int kinds[] = {0, CLONE_NEWPID, CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWNS};
    static int found[] = {0, -1, -1};

    if (found[which] < 0)
        found[which] = geteuid() == 0 && works(kinds[which])       ? kinds[which]
                       : works(kinds[which] | CLONE_NEWUSER) ? kinds[which] | CLONE_NEWUSER
                                                              : 0;
    return found[which];
}
