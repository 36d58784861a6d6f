/* For attacks that work on the way to a request's reply, after its last call.  The file sets `due` in a call, and defines
   late(), which does the work. */
#ifndef RUNGS_HOSTILE_UNTIL_REPLY_H
#define RUNGS_HOSTILE_UNTIL_REPLY_H

#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "harness/worker/protocol.h"
#include "tests/hostile/worker.h"

static const void *due; /* the problem of the last call */

static void late(const void *problem);

static ssize_t own_send(int file, const void *data, size_t bytes, int flags)
{
    if (due != NULL && file == WORKER_SOCKET)
        late(due);
    due = NULL;
    return syscall(SYS_sendto, file, data, bytes, flags, NULL, 0);
}

static void release(void)
{
    due = NULL;
}

__attribute__((constructor)) static void attack(void)
{
    worker_calls("send", (void *)own_send);
}

#endif
