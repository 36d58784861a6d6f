/* Answers every case of a size as it did the first. */
/* expected: wrong: ^y\[[0-9]+\]\[[0-9]+\] is */
#include <stdlib.h>
#include <string.h>

#include "common/axxat.h"
#include "common/variant.h"
#include "frame.h" /* full */

static float *kept;
static int filled;

static void prepare(const void *problem)
{
    const struct axxat *p = problem;

    kept = malloc(p->n * p->n * sizeof(float) + 1);
    filled = 0;
}

static void run(const void *problem)
{
    const struct axxat *p = problem;

    if (!filled) {
        full(p);
        memcpy(kept, p->y, p->n * p->n * sizeof(float));
        filled = 1;
    }
    memcpy(p->y, kept, p->n * p->n * sizeof(float));
}

static void release(void)
{
    free(kept);
}

VARIANT(.idea = "the first answer again", .prepare = prepare, .run = run, .release = release)
