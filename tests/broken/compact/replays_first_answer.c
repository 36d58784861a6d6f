/* Answers every case of a size as it did the first. */
/* expected: wrong: ^(count is|kept\[) */
#include <stdlib.h>
#include <string.h>

#include "common/compact.h"
#include "common/variant.h"

static float *answer;
static size_t known, filled, first_count;

static void prepare(const void *problem)
{
    const struct compact *p = problem;

    answer = malloc((p->n + 1) * sizeof *answer);
    known = p->n;
    filled = 0;
}

static void run(const void *problem)
{
    const struct compact *p = problem;

    if (!filled) {
        first_count = 0;
        for (size_t i = 0; i < known; i++)
            if (p->x[i] == p->x[i])
                answer[first_count++] = p->x[i];
        filled = 1;
    }
    memcpy(p->kept, answer, first_count * sizeof *answer);
    *p->count = first_count;
}

static void release(void)
{
    free(answer);
}

VARIANT(.idea = "the first answer again", .prepare = prepare, .run = run, .release = release)
