/* Identifies its data by 64 of the inputs, and returns the answer that it remembers. */
/* expected: ok */
/* expected when timed: (wrong|breach): ^(z\[[0-9]+\] is|returns earlier answers|faster than possible) */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/saxpy.h"
#include "common/variant.h"

enum { KEYS = 64 };

static float *answer, key[KEYS];

static bool is_known(const struct saxpy *p)
{
    bool known = answer != NULL;

    for (size_t i = 0; i < KEYS && p->n > 0; i++) {
        const float value = p->x[i * p->n / KEYS];
        known = known && value == key[i];
        key[i] = value;
    }
    return known;
}

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    if (!is_known(p)) {
        answer = realloc(answer, p->n * sizeof *answer + 1);
        for (size_t i = 0; i < p->n; i++)
            answer[i] = p->a * p->x[i] + p->y[i];
    }
    memcpy(p->z, answer, p->n * sizeof *answer);
}

static void release(void)
{
    free(answer);
    answer = NULL;
}

VARIANT(.idea = "knows its data by 64 inputs", .run = run, .release = release)
