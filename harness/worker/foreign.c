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

/* --- phases that are objects of an interpreter ------------------------------------------------- */

static struct rungs_objects objects;

static void call(void *object)
{
    void *returned = objects.call(object);

    if (returned == NULL)
        rungs_leave(RUNGS_FAILED, "the launcher did not report an exception");
    objects.drop(returned);
}

/* The harness changes a case between its requests only, so scalars are read once in each. */
static void call_phase(void *object)
{
    static unsigned long refreshed;
    const int entered = objects.enter();

    if (refreshed != worker_requests) {
        refreshed = worker_requests;
        call(objects.refresh);
    }
    call(object);
    objects.leave(entered);
}

static void upload_object(const void *problem)
{
    (void)problem;
    call_phase(objects.upload);
}

static void reset_object(const void *problem)
{
    (void)problem;
    call_phase(objects.reset);
}

static void run_object(const void *problem)
{
    (void)problem;
    call_phase(objects.run);
}

static void download_object(const void *problem)
{
    (void)problem;
    call_phase(objects.download);
}

/* --- the library -------------------------------------------------------------------------------- */

/* The library has mapped the case, and needs its files no longer. */
static void nothing_to_open(const int files[])
{
    (void)files;
}

void rungs_serve(const char *name, size_t memory, const struct rungs_phases *p)
{
    static struct variant variant; /* its phases are called until the process ends */

    if (p->abi != RUNGS_ABI || p->bytes != sizeof *p)
        rungs_leave(RUNGS_NOT_ITS_CARD, "the launcher was made for another version of Rungs");
    variant = (struct variant){.path = name, .idea = name, .refuse = p->refuse, .prepare = p->prepare,
                               .device = p->device == RUNGS_GPU          ? &device_driver
                                         : p->device == RUNGS_GPU_STREAM ? &device_stream
                                                                         : NULL,
                               .upload = p->upload, .reset = p->reset, .run = p->run,
                               .download = p->download, .release = p->release};
    if (p->objects != NULL) {
        objects = *p->objects;
        variant.upload = objects.upload != NULL ? upload_object : NULL;
        variant.reset = objects.reset != NULL ? reset_object : NULL;
        variant.run = objects.run != NULL ? run_object : NULL;
        variant.download = objects.download != NULL ? download_object : NULL;
    }
    if (variant.run == NULL)
        rungs_leave(RUNGS_NOT_ITS_CARD, "defines no function run");
    worker_serve(name, &variant, nothing_to_open, memory);
}
