/* The CPU as a device: its work is done when a call returns, and its clock is the host's. */
#include "common/device.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/clock.h"

static double marks[DEVICE_MARKS];

static const char *missing(void)
{
    return NULL;
}

static void mark(int i)
{
    marks[i] = clock_now();
}

static double seconds(int i, int j)
{
    return marks[j] - marks[i];
}

static void nothing_to_wait_for(void)
{
}

/* perf waits for a word at one pipe and answers at another (harness/profile/perf.c).  RUNGS_PERF names
   the folder of both. */
static int open_pipe(const char *name, int flags)
{
    const char *folder = getenv("RUNGS_PERF");
    char path[600];

    snprintf(path, sizeof path, "%s/%s", folder != NULL ? folder : "", name);
    return folder != NULL ? open(path, flags | O_CLOEXEC) : -1;
}

static void capture(int on)
{
    static int control = -1, answer = -1;
    const char *word = on ? "enable\n" : "disable\n";
    char said = '\0';

    if (control < 0) {
        control = open_pipe("control", O_WRONLY | O_NONBLOCK); /* without a reader this fails */
        answer = open_pipe("answer", O_RDONLY);
    }
    if (control < 0 || answer < 0 || write(control, word, strlen(word)) < 0)
        return;
    while (said != '\n' && read(answer, &said, 1) == 1)
        ;
}

const struct device device_cpu = {
    .name = "cpu", .missing = missing,
    .mark = mark,  .seconds = seconds, .sync = nothing_to_wait_for,
    .capture = capture,
};
