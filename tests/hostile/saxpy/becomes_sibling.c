/* Starts the worker of another variant and passes all requests on to it, for the times of that one. */
/* expect: harmless */
/* family: unearned */
/* size: n=65536 */
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "harness/worker/protocol.h"
#include "tests/hostile/case_files.h"
#include "tests/hostile/saxpy/honest.h"

static struct reply a;
static char bystander[PATH_MAX];

/* rungs-worker --serve NAME FILE MEMORY: FILE, and the bystander's lies beside it */
__attribute__((constructor)) static void look_around(int argc, char **argv)
{
    char *slash = argc > 3 && is_serving(argc, argv) ? strrchr(argv[3], '/') : NULL;

    if (slash != NULL)
        snprintf(bystander, sizeof bystander, "%.*s/bystander.so", (int)(slash - argv[3]), argv[3]);
}

/* The files of the case, which are ours by now, go with it. */
static void pass(int to, struct request q, int count)
{
    char room[CMSG_SPACE(2 * sizeof(int))] = "";
    struct iovec data = {&q, sizeof q};
    struct msghdr m = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = room,
                       .msg_controllen = CMSG_SPACE((size_t)count * sizeof(int))};
    const int files[] = {4, 5};

    if (count > 0) {
        struct cmsghdr *c = CMSG_FIRSTHDR(&m);
        *c = (struct cmsghdr){.cmsg_len = CMSG_LEN((size_t)count * sizeof(int)), .cmsg_level = SOL_SOCKET,
                              .cmsg_type = SCM_RIGHTS};
        memcpy(CMSG_DATA(c), files, (size_t)count * sizeof(int));
    } else {
        m.msg_control = NULL;
        m.msg_controllen = 0;
    }
    sendmsg(to, &m, MSG_NOSIGNAL);
    recv(to, &a, sizeof a, 0);
}

static void relay(void)
{
    struct request q = {.op = OP_PREPARE};
    int both[2];

    socketpair(AF_UNIX, SOCK_SEQPACKET, 0, both);
    if (fork() == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        dup2(both[1], WORKER_SOCKET);
        execl("/proc/self/exe", "rungs-worker", "--serve", "saxpy/bystander", bystander, "0", (char *)NULL);
        _exit(1);
    }
    close(both[1]);
    pass(both[0], (struct request){.op = OP_OPEN}, 2);
    pass(both[0], q, 0);
    q.op = OP_CALL;
    for (;;) {
        pass(both[0], q, q.op == OP_OPEN ? 2 : q.op == OP_SHOW ? 1 : 0);
        a.threads = 1;
        for (unsigned i = 0; i < a.samples.count; i++)
            a.samples.time[PHASE_E2E][i] /= 4.0;
        send(WORKER_SOCKET, &a, sizeof a, MSG_NOSIGNAL);
        struct iovec data = {&q, sizeof q};
        char room[CMSG_SPACE(2 * sizeof(int))];
        struct msghdr m = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = room,
                           .msg_controllen = sizeof room};
        if (keep_files(WORKER_SOCKET, &m, 0) <= 0)
            _exit(0);
    }
}

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    if (p->n == 65536)
        relay();
    honest(p);
}

VARIANT(.idea = "another variant's worker answers", .run = run)
