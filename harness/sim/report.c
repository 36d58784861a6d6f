/* The line that reports a mistake: place, thread, message. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/sim/trace.h"

extern const char __executable_start[];

/* Returns the address within the program's file, minus one, because a call's return address may belong
   to the next line. */
static size_t place_of(const void *at)
{
    uintptr_t place = (uintptr_t)at - 1, start = (uintptr_t)__executable_start;

    return start > 0x1000000 ? place - start : place;
}

/* Asks addr2line for the addresses; "" if it is not installed.  It uses system calls only, since this
   may run in a signal handler. */
static void ask_addr2line(const void *const at[], size_t count, char *said, size_t room)
{
    char program[1024], address[32];
    int to[2], from[2];
    size_t length = 0;
    ssize_t got = readlink("/proc/self/exe", program, sizeof program - 1);

    said[0] = '\0';
    if (mutant_runs()) /* thousands of mutants fail, and none of them is shown */
        return;
    if (got <= 0 || pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0)
        return;
    program[got] = '\0';
    pid_t child = fork();
    if (child == 0) {
        dup2(to[0], 0);
        dup2(from[1], 1);
        dup2(open("/dev/null", O_WRONLY), 2);
        execlp("addr2line", "addr2line", "-a", "-i", "-e", program, (char *)NULL);
        _exit(127);
    }
    close(from[1]);
    for (size_t i = 0; i < count; i++) { /* they fit into the pipe, even if they are not read */
        int bytes = snprintf(address, sizeof address, "%#zx\n", place_of(at[i]));
        if (write(to[1], address, (size_t)bytes) != bytes)
            break;
    }
    close(to[1]);
    close(to[0]);
    while ((got = read(from[0], said + length, room - 1 - length)) > 0)
        length += (size_t)got;
    close(from[0]);
    if (child > 0)
        waitpid(child, NULL, 0);
    said[length] = '\0';
}

/* For each address, addr2line prints the address and then the lines, the innermost first.  The first
   line outside of the simulator's headers is taken. */
void sim_lines(const void *const at[], struct sim_text text[], size_t count)
{
    static char said[1 << 18];
    size_t i = 0;
    bool found = true;

    for (size_t n = 0; n < count; n++)
        strcpy(text[n].line, "?");
    ask_addr2line(at, count, said, sizeof said);
    for (char *line = strtok(said, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        if (strncmp(line, "0x", 2) == 0) {
            found = i++ == count;
        } else if (!found && strstr(line, "sim/include/") == NULL && line[0] != '?') {
            line[strcspn(line, " ")] = '\0'; /* "(discriminator 2)" */
            snprintf(text[i - 1].line, sizeof text->line, "%s",
                     strncmp(line, "./", 2) == 0 ? line + 2 : line);
            found = true;
        }
    }
}

void sim_calls(const void *const at[], size_t count, char *text, size_t room)
{
    static char said[1 << 14];
    size_t used = 0, file = 0;

    text[0] = '\0';
    ask_addr2line(at, count, said, sizeof said);
    for (char *line = strtok(said, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        const char *from = strncmp(line, "./", 2) == 0 ? line + 2 : line, *colon = strrchr(from, ':');
        if (strncmp(line, "0x", 2) == 0 || line[0] == '?' || strstr(line, "harness/") != NULL || colon == NULL || atoi(colon + 1) == 0)
            continue;
        if (file == 0)
            file = (size_t)(colon - from);
        const bool first = used == 0, same = strncmp(from, text, file) == 0;
        if ((first || same) && used < room)
            used += (size_t)snprintf(text + used, room - used, "%.*s%s%d", first ? (int)file : 0, from, first ? ":" : ",", atoi(colon + 1));
    }
}

const char *sim_line(const void *at)
{
    static struct sim_text text;

    if (at == NULL)
        return "?";
    sim_lines(&at, &text, 1);
    return text.line;
}

static int kernel_name(const char **name)
{
    *name = sim_block.launch->name + 1; /* in parentheses */
    return (int)strlen(*name) - 1;
}

void sim_fail(const void *at, const char *format, ...)
{
    char text[1024], line[256], seed[48] = "";
    const struct sim_lane *lane = sim_lane;
    const char *name;
    va_list arguments;
    int used;

    sim_lane = NULL;
    if (sim_seed != 0)
        snprintf(seed, sizeof seed, ", RUNGS_SIM_SEED=%lu", sim_seed);
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
                         "kernel %.*s, block (%u,%u,%u), thread (%u,%u,%u)%s: ", length, name,
                         sim_block.index.x, sim_block.index.y, sim_block.index.z, lane->thread.x,
                         lane->thread.y, lane->thread.z, seed);
    }
    va_start(arguments, format);
    used += vsnprintf(text + used, sizeof text - (size_t)used - 1, format, arguments);
    va_end(arguments);
    if (used > (int)sizeof text - 2)
        used = (int)sizeof text - 2;
    text[used++] = '\n';
    text[used] = '\0';
    sim_trace_mistake(at, lane, text);
    fflush(stdout);
    if (write(2, text, (size_t)used) < 0)
        _exit(EXIT_FAILURE);
    _exit(EXIT_FAILURE);
}
