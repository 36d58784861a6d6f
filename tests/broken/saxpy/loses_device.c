/* Is right, on a device of its own that can be lost.  With RUNGS_LOSES_DEVICE=FILE, the first run
   after that file exists fails as CUDA does when a GPU falls off the bus.  For tests/timing/machine.t,
   which also shows the device to a made-up NVML. */
/* expected: ok */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/saxpy.h"
#include "common/variant.h"

static float *x, *y, *z;

static const char *missing(void)
{
    return NULL;
}

static int facts(struct device_facts list[], int room)
{
    (void)room;
    list[0] = (struct device_facts){.name = "Made-up Card", .bus = "0000:1b:00.0", .units = 1};
    return 1;
}

static void mark(int i)
{
    device_cpu.mark(i);
}

static double seconds(int i, int j)
{
    return device_cpu.seconds(i, j);
}

static void wait_for_all(void)
{
}

static const struct device card = {
    .name = "gpu", .missing = missing, .facts = facts, .mark = mark, .seconds = seconds, .sync = wait_for_all,
};

static void prepare(const void *problem)
{
    const struct saxpy *p = problem;

    x = malloc(p->n * sizeof *x + 1);
    y = malloc(p->n * sizeof *y + 1);
    z = malloc(p->n * sizeof *z + 1);
}

static void upload(const void *problem)
{
    const struct saxpy *p = problem;

    memcpy(x, p->x, p->n * sizeof *x);
    memcpy(y, p->y, p->n * sizeof *y);
}

static void run(const void *problem)
{
    const struct saxpy *p = problem;
    const char *lost = getenv("RUNGS_LOSES_DEVICE");

    if (lost != NULL && access(lost, F_OK) == 0) {
        fprintf(stderr, "%s:%d: cudaDeviceSynchronize(): CUDA-capable device(s) is/are busy or "
                        "unavailable\n", "loses_device.c", __LINE__);
        exit(EXIT_FAILURE); /* as common/cuda.h does */
    }
    for (size_t i = 0; i < p->n; i++)
        z[i] = p->a * x[i] + y[i];
}

static void download(const void *problem)
{
    const struct saxpy *p = problem;

    memcpy(p->z, z, p->n * sizeof *z);
}

static void release(void)
{
    free(x);
    free(y);
    free(z);
}

VARIANT(.idea = "a card that can be lost", .device = &card, .prepare = prepare, .upload = upload,
        .run = run, .download = download, .release = release)
