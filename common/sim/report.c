/* One line for a mistake: where, who, what. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim.h"

extern const char __executable_start[];

/* Runs addr2line, and takes the innermost line that is not in the simulator's headers.  By hand,
   since this may be in a signal's handler. */
const char *sim_line(const void *at)
{
    static char text[4096];
    char program[1024], address[32];
    int ends[2];
    size_t length = 0;
    ssize_t got = readlink("/proc/self/exe", program, sizeof program - 1);

    if (at == NULL || got <= 0 || pipe2(ends, O_CLOEXEC) != 0)
        return "?";
    program[got] = '\0';
    /* One back: a call's return address may be on the next line already. */
    uintptr_t place = (uintptr_t)at - 1, start = (uintptr_t)__executable_start;
    snprintf(address, sizeof address, "%#zx", (size_t)(start > 0x1000000 ? place - start : place));
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 1);
        dup2(open("/dev/null", O_WRONLY), 2);
        execlp("addr2line", "addr2line", "-i", "-e", program, address, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    while ((got = read(ends[0], text + length, sizeof text - 1 - length)) > 0)
        length += (size_t)got;
    close(ends[0]);
    if (child > 0)
        waitpid(child, NULL, 0);
    text[length] = '\0';
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        if (strstr(line, "sim/include/") != NULL || line[0] == '?')
            continue;
        line[strcspn(line, " ")] = '\0'; /* "(discriminator 2)" */
        return strncmp(line, "./", 2) == 0 ? line + 2 : line;
    }
    return "?";
}

static int kernel_name(const char **name)
{
    *name = sim_block.launch->name + 1; /* it stands in parentheses */
    return (int)strlen(*name) - 1;
}

void sim_fail(const void *at, const char *format, ...)
{
    char text[1024], line[256];
    const struct sim_lane *lane = sim_lane;
    const char *name;
    va_list arguments;
    int used;

    sim_lane = NULL;
    if (at != NULL)
        snprintf(line, sizeof line, "%s", sim_line(at));
    else if (lane != NULL && lane->place != NULL)
        snprintf(line, sizeof line, "%s:%d", lane->place->file, lane->place->line);
    else
        snprintf(line, sizeof line, "simulator");
    used = snprintf(text, sizeof text, "%s: ", line);
    if (lane != NULL) {
        int length = kernel_name(&name);
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "kernel %.*s, block (%u,%u,%u), thread (%u,%u,%u): ", length, name,
                         sim_block.index.x, sim_block.index.y, sim_block.index.z, lane->thread.x,
                         lane->thread.y, lane->thread.z);
    }
    va_start(arguments, format);
    used += vsnprintf(text + used, sizeof text - (size_t)used - 1, format, arguments);
    va_end(arguments);
    if (used > (int)sizeof text - 2)
        used = (int)sizeof text - 2;
    text[used++] = '\n';
    fflush(stdout);
    if (write(2, text, (size_t)used) < 0)
        _exit(EXIT_FAILURE);
    _exit(EXIT_FAILURE);
}
