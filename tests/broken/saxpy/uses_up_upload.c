/* Works in place on its device's copy of y, so only the first run after an upload is right. */
/* expected: breach: ^a second run after one upload gives another answer: z\[0\] is */
#include <stdlib.h>
#include <string.h>

#include "common/saxpy.h"
#include "common/variant.h"

static float *x, *y;

static void prepare(const void *problem)
{
    const struct saxpy *p = problem;

    x = malloc(p->n * sizeof *x + 1);
    y = malloc(p->n * sizeof *y + 1);
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

    for (size_t i = 0; i < p->n; i++)
        y[i] += p->a * x[i];
}

static void download(const void *problem)
{
    const struct saxpy *p = problem;

    memcpy(p->z, y, p->n * sizeof *y);
}

static void release(void)
{
    free(x);
    free(y);
}

VARIANT(.idea = "works in place, without a reset", .prepare = prepare, .upload = upload, .run = run,
        .download = download, .release = release)
