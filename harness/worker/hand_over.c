#define _GNU_SOURCE
#include "harness/worker/hand_over.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

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
_Noreturn static void serve_one(int listener, int connection)
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

int hand_over_take(const char *name)
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

static void make_name(char name[HAND_OVER_NAME])
{
    unsigned char bits[16];

    if (getrandom(bits, sizeof bits, 0) != (ssize_t)sizeof bits)
        abort();
    for (size_t i = 0; i < sizeof bits; i++)
        sprintf(name + 2 * i, "%02x", bits[i]);
}

bool hand_over_begin(int connection, char name[HAND_OVER_NAME])
{
    struct sockaddr_un a;

    make_name(name);
    const socklen_t length = address_of(name, &a);
    const int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const pid_t child = listener >= 0 && bind(listener, (struct sockaddr *)&a, length) == 0 && listen(listener, 4) == 0
                            ? fork() : -1;
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        serve_one(listener, connection);
    }
    close(connection); /* otherwise the end of rank 0 would not close it */
    return child > 0;
}
