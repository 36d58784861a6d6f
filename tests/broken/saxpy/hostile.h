/* A right saxpy, before which each of these does something that harms others. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include "common/saxpy.h"
#include "common/variant.h"

static void harm(const struct saxpy *p);

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    harm(p);
    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * p->x[i] + p->y[i];
}

/* Each process that /proc shows, but this one. */
__attribute__((unused)) static void each_other(void (*call)(pid_t pid))
{
    DIR *processes = opendir("/proc");
    char self[32] = "";
    const struct dirent *entry;

    if (readlink("/proc/self", self, sizeof self - 1) < 0)
        return;
    while (processes != NULL && (entry = readdir(processes)) != NULL)
        if (atoi(entry->d_name) > 0 && strcmp(entry->d_name, self) != 0)
            call(atoi(entry->d_name));
    if (processes != NULL)
        closedir(processes);
}

/* Harm that should have been impossible: the row shows it. */
__attribute__((unused)) static void harm_done(const char *what)
{
    fprintf(stderr, "harm done: %s\n", what);
    abort();
}
