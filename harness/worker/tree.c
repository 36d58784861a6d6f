#define _GNU_SOURCE
#include "harness/worker/tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/clock.h"

/* --- the list ------------------------------------------------------------------------------------ */

/* A file of /proc whole, as far as there is room.  Returns its length; 0: the process has ended. */
static size_t read_file(const char *path, char *text, size_t bytes)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t got = file >= 0 ? read(file, text, bytes - 1) : 0;

    if (file >= 0)
        close(file);
    text[got > 0 ? got : 0] = '\0';
    return got > 0 ? (size_t)got : 0;
}

/* The numbers in a folder are its threads. */
static void each_thread(pid_t process, void (*see)(const char *task, void *context), void *context)
{
    char folder[64], task[384];
    const struct dirent *entry;

    snprintf(folder, sizeof folder, "/proc/%d/task", process);
    DIR *tasks = opendir(folder);
    while (tasks != NULL && (entry = readdir(tasks)) != NULL)
        if (entry->d_name[0] != '.') {
            snprintf(task, sizeof task, "%s/%s", folder, entry->d_name);
            see(task, context);
        }
    if (tasks != NULL)
        closedir(tasks);
}

struct found {
    pid_t *list;
    size_t count, room;
};

/* A process is the child of the thread that has started it. */
static void add_children(const char *task, void *context)
{
    struct found *f = context;
    char path[400], text[8192], *at = text, *end;

    snprintf(path, sizeof path, "%s/children", task);
    read_file(path, text, sizeof text);
    for (long pid; f->count < f->room && (pid = strtol(at, &end, 10)) > 0; at = end)
        f->list[f->count++] = (pid_t)pid;
}

/* The signal comes before a process is looked into: one that is stopped starts no other.  0: no signal. */
static size_t walk(pid_t root, pid_t list[], size_t room, int number)
{
    struct found f = {list, 0, room};

    if (root > 0 && room > 0)
        list[f.count++] = root;
    for (size_t i = 0; i < f.count; i++) {
        if (number != 0)
            kill(list[i], number);
        each_thread(list[i], add_children, &f);
    }
    return f.count;
}

size_t tree_list(pid_t root, pid_t list[], size_t room)
{
    return walk(root, list, room, 0);
}

/* --- what is done with all of them --------------------------------------------------------------- */

void tree_rest(pid_t root, bool rest)
{
    pid_t list[TREE_ROOM];

    walk(root, list, TREE_ROOM, rest ? SIGSTOP : SIGCONT);
}

/* All are stopped first, so that none can start another meanwhile. */
void tree_end(pid_t root)
{
    pid_t list[TREE_ROOM];
    const size_t count = walk(root, list, TREE_ROOM, SIGSTOP);

    for (size_t i = 0; i < count; i++)
        kill(list[i], SIGKILL);
}

/* Reads the letter behind the name in parentheses.  The name may contain anything. */
static void see_state(const char *task, void *context)
{
    bool *still = context;
    char path[400], text[512];

    snprintf(path, sizeof path, "%s/stat", task);
    read_file(path, text, sizeof text);
    const char *end = strrchr(text, ')');
    if (end != NULL && end[1] != '\0' && strchr("TtZX", end[2]) == NULL)
        *still = false;
}

bool tree_stands_still(pid_t root)
{
    pid_t list[TREE_ROOM];
    const size_t count = tree_list(root, list, TREE_ROOM);
    bool still = true;

    for (size_t i = 0; i < count && still; i++)
        each_thread(list[i], see_state, &still);
    return still;
}

/* Returns the processor seconds of a process's children that have ended; the kernel counts them in ticks. */
static double cpu_of_the_dead(pid_t process)
{
    char path[64], text[512];
    unsigned long user = 0, kernel = 0;

    snprintf(path, sizeof path, "/proc/%d/stat", process);
    read_file(path, text, sizeof text);
    const char *end = strrchr(text, ')');
    if (end == NULL ||
        sscanf(end, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %lu %lu", &user, &kernel) != 2)
        return 0.0;
    return (double)(user + kernel) / (double)sysconf(_SC_CLK_TCK);
}

double tree_cpu(pid_t root)
{
    pid_t list[TREE_ROOM];
    const size_t count = tree_list(root, list, TREE_ROOM);
    double sum = 0.0;

    for (size_t i = 0; i < count; i++)
        sum += clock_cpu_of(list[i]) + cpu_of_the_dead(list[i]);
    return sum;
}

/* The first number of schedstat is the time on a processor, to the nanosecond (a kernel without it says nothing). */
static void add_thread(const char *task, void *context)
{
    struct tree_threads *t = context;
    char path[400], text[128];

    if (t->count == TREE_ROOM)
        return;
    snprintf(path, sizeof path, "%s/schedstat", task);
    if (read_file(path, text, sizeof text) > 0)
        t->thread[t->count++] =
            (struct thread_time){(pid_t)strtol(strrchr(task, '/') + 1, NULL, 10), strtoull(text, NULL, 10)};
}

void tree_threads(pid_t root, struct tree_threads *t)
{
    pid_t list[TREE_ROOM];
    const size_t count = tree_list(root, list, TREE_ROOM);

    t->count = 0;
    for (size_t i = 0; i < count; i++)
        each_thread(list[i], add_thread, t);
}

/* --- memory -------------------------------------------------------------------------------------- */

/* "VmHWM:     1234 kB" */
static double kilobytes(const char *text, const char *name)
{
    const char *at = strstr(text, name);

    return at != NULL ? strtod(at + strlen(name), NULL) : 0.0;
}

double tree_peak(pid_t root)
{
    pid_t list[TREE_ROOM];
    const size_t count = tree_list(root, list, TREE_ROOM);
    double sum = 0.0;

    for (size_t i = 0; i < count; i++) {
        char path[64], text[4096];
        snprintf(path, sizeof path, "/proc/%d/status", list[i]);
        read_file(path, text, sizeof text);
        const double own = kilobytes(text, "\nVmHWM:") - kilobytes(text, "\nRssShmem:");
        sum += own > 0.0 ? own * 1024.0 : 0.0;
    }
    return sum;
}

void tree_forget_peak(pid_t root)
{
    pid_t list[TREE_ROOM];
    const size_t count = tree_list(root, list, TREE_ROOM);

    for (size_t i = 0; i < count; i++) {
        char path[64];
        snprintf(path, sizeof path, "/proc/%d/clear_refs", list[i]);
        const int file = open(path, O_WRONLY | O_CLOEXEC);
        if (file >= 0) {
            (void)!write(file, "5", 1); /* proc(5): resets VmHWM */
            close(file);
        }
    }
}
