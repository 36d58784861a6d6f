#define _GNU_SOURCE
#include "harness/worker/launch.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "harness/base/home.h"
#include "harness/worker/protocol.h"

/* --- the hand-over -------------------------------------------------------------------------------- */

/* An abstract socket: its name is no file, and goes with the last process that holds it. */
static socklen_t address_of(const char *name, struct sockaddr_un *a)
{
    *a = (struct sockaddr_un){.sun_family = AF_UNIX};
    const int length = snprintf(a->sun_path + 1, sizeof a->sun_path - 1, "%s", name);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
}

static bool of_this_user(int peer)
{
    struct ucred who;
    socklen_t bytes = sizeof who;

    return getsockopt(peer, SOL_SOCKET, SO_PEERCRED, &who, &bytes) == 0 && who.uid == geteuid();
}

union control {
    struct cmsghdr head;
    char room[CMSG_SPACE(sizeof(int))];
};

/* Gives the connection to the first process of this user that asks, which is rank 0: nothing else knows the name. */
_Noreturn static void hand_over(int listener, int connection)
{
    char byte = 1;
    union control control = {.room = {0}};
    struct iovec text = {&byte, 1};
    struct msghdr message = {.msg_iov = &text, .msg_iovlen = 1, .msg_control = &control,
                             .msg_controllen = sizeof control};
    int peer;

    while ((peer = accept(listener, NULL, NULL)) < 0 || !of_this_user(peer))
        if (peer >= 0)
            close(peer);
        else if (errno != EINTR)
            _exit(EXIT_FAILURE);
    control.head = (struct cmsghdr){CMSG_LEN(sizeof connection), SOL_SOCKET, SCM_RIGHTS};
    memcpy(CMSG_DATA(&control.head), &connection, sizeof connection);
    _exit(sendmsg(peer, &message, MSG_NOSIGNAL) == 1 ? EXIT_SUCCESS : EXIT_FAILURE);
}

int launch_take(const char *name)
{
    struct sockaddr_un a;
    const socklen_t length = address_of(name, &a);
    const int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    char byte;
    union control control;
    struct iovec text = {&byte, 1};
    struct msghdr message = {.msg_iov = &text, .msg_iovlen = 1, .msg_control = &control,
                             .msg_controllen = sizeof control};
    int connection = -1;

    if (s >= 0 && connect(s, (struct sockaddr *)&a, length) == 0 && recvmsg(s, &message, MSG_CMSG_CLOEXEC) == 1 &&
        CMSG_FIRSTHDR(&message) != NULL)
        memcpy(&connection, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof connection);
    if (s >= 0)
        close(s);
    return connection;
}

static void make_name(char name[33])
{
    unsigned char bits[16];

    if (getrandom(bits, sizeof bits, 0) != (ssize_t)sizeof bits)
        abort();
    for (size_t i = 0; i < sizeof bits; i++)
        sprintf(name + 2 * i, "%02x", bits[i]);
}

/* --- the launcher ----------------------------------------------------------------------------------- */

/* Ranks are placed as threads are: as many processors as ranks, and each free among them.  Settings of the environment
   reach Open MPI and, for version 5, its PRRTE; other libraries ignore them, and need none. */
static void settle(int ranks)
{
    static const char *const settings[][2] = {
        {"OMPI_MCA_hwloc_base_binding_policy", "none"}, {"PRTE_MCA_hwloc_default_binding_policy", "none"},
        {"OMPI_MCA_rmaps_base_oversubscribe", "1"},     {"PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe"},
        {"OMPI_ALLOW_RUN_AS_ROOT", "1"},                {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
        {"PRTE_ALLOW_RUN_AS_ROOT", "1"},                {"PRTE_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
    };

    cpu_set_t set;

    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        setenv(settings[i][0], settings[i][1], 0);
    if (sched_getaffinity(0, sizeof set, &set) == 0 && ranks >= CPU_COUNT(&set)) /* otherwise one that waits keeps others from the processor */
        setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
    setenv("OMP_NUM_THREADS", "1", 1);
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
}

_Noreturn void launch_ranks(const struct card *v, int ranks, size_t memory, const char *folder, int connection)
{
    enum { MOST = 64 };
    const char *asked = getenv("RUNGS_MPI");
    char name[33], count[16], bytes[32], command[1024], *words[MOST + 10], *rest = command;
    struct sockaddr_un a;
    int n = 0;

    make_name(name);
    const int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&a, address_of(name, &a)) != 0 || listen(listener, 4) != 0) {
        perror("a socket for rank 0");
        _exit(WORKER_BROKEN);
    }
    if (fork() == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        hand_over(listener, connection);
    }
    close(connection); /* otherwise the end of rank 0 would not close it */
    settle(ranks);
    if (folder[0] != '\0')
        setenv("TMPDIR", folder, 1);
    snprintf(command, sizeof command, "%s", asked != NULL && asked[0] != '\0' ? asked : "mpirun");
    for (char *word; n < MOST && (word = strtok_r(rest, " ", &rest)) != NULL;)
        words[n++] = word;
    snprintf(count, sizeof count, "%d", ranks);
    snprintf(bytes, sizeof bytes, "%zu", memory / (size_t)ranks);
    const char *const more[] = {"-n", count, home_file("rungs-ranks"), count, name, v->name.full, v->file, bytes, folder, NULL};
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        words[n++] = (char *)(uintptr_t)more[i];
    execvp(words[0], words);
    fprintf(stderr, "%s: %s\n", words[0], strerror(errno));
    _exit(WORKER_BROKEN);
}
