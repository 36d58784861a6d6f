/* Keeps the files of a case open: descriptor 4 for the inputs, 5 for the outputs.  They come to a
   worker with a message, and the worker closes them once they are mapped. */
#ifndef RUNGS_HOSTILE_CASE_FILES_H
#define RUNGS_HOSTILE_CASE_FILES_H

#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/hostile/worker.h"

static ssize_t keep_files(int socket, struct msghdr *m, int flags)
{
    const ssize_t got = recvmsg(socket, m, flags);
    struct cmsghdr *c = got > 0 ? CMSG_FIRSTHDR(m) : NULL;
    int files[2] = {-1, -1};

    if (c == NULL || c->cmsg_type != SCM_RIGHTS)
        return got;
    const size_t bytes = c->cmsg_len - CMSG_LEN(0);
    memcpy(files, CMSG_DATA(c), bytes);
    for (int i = 0; i < (int)(bytes / sizeof *files); i++) { /* the worker may have others, to close */
        const int moved = fcntl(files[i], F_DUPFD, 100);
        close(files[i]);
        files[i] = moved;
    }
    for (int i = 0; i < (int)(bytes / sizeof *files); i++)
        dup2(files[i], 4 + i);
    memcpy(CMSG_DATA(c), files, bytes);
    return got;
}

__attribute__((constructor)) static void listen_in(void)
{
    worker_calls("recvmsg", (void *)keep_files);
}

#endif
