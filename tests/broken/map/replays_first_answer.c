/* Answers every case of a size as it did the first. */
/* expected: wrong: ^z\[[0-9]+\] is  */
#include <string.h>

#include "rest.h"

static void *answer;
static int known;

static void prepare(const void *problem)
{
    const struct map *p = problem;

    answer = malloc(p->n * sizeof *p->z + 1);
    known = 0;
}

static void release(void)
{
    free(answer);
}

static void run(const void *problem)
{
    const struct map *p = problem;

    const size_t bytes = p->n * (p->f == MAP_SUPPRESS ? sizeof *p->z16 : sizeof *p->z);
    void *out = p->f == MAP_SUPPRESS ? (void *)p->z16 : p->z;

    if (!known) {
        map_right(p, 0, p->n);
        memcpy(answer, out, bytes);
        known = 1;
    }
    memcpy(out, answer, bytes);
}

VARIANT(.idea = "the first answer again", .prepare = prepare, .release = release, .run = run)
