/* librungs-worker.so: the worker as a library, for variants in other languages. */
#include "common/foreign.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/machine/device_driver.h"
#include "harness/worker/protocol.h"

const char *rungs_case(void)
{
    const struct layout *open = arena_open_layout();

    return open != NULL ? open->text : "";
}

void rungs_leave(int status, const char *reason)
{
    /* One write: what a library prints at the same time comes before or after it. */
    char line[512];
    const int length = snprintf(line, sizeof line, "%.500s\n", reason);

    if (length > 0)
        (void)!write(STDERR_FILENO, line, strlen(line));
    _exit(status);
}

/* The library has mapped the case, and needs its files no longer. */
static void nothing_to_open(const int files[])
{
    (void)files;
}

void rungs_serve(const char *name, size_t memory, const struct rungs_phases *p)
{
    static struct variant variant; /* its phases are called until the process ends */

    if (p->abi != RUNGS_ABI || p->bytes != sizeof *p || p->run == NULL)
        rungs_leave(RUNGS_NOT_ITS_CARD, p->run == NULL ? "defines no function run"
                                                       : "the launcher was made for another version of Rungs");
    variant = (struct variant){.path = name, .idea = name, .refuse = p->refuse, .prepare = p->prepare,
                               .device = p->device == RUNGS_GPU          ? &device_driver
                                         : p->device == RUNGS_GPU_STREAM ? &device_stream
                                                                         : NULL,
                               .upload = p->upload, .reset = p->reset, .run = p->run,
                               .download = p->download, .release = p->release};
    worker_serve(name, &variant, nothing_to_open, memory);
}
