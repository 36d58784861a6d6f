/* Computes once and returns the same answer from then on.  With one set of data this would not show. */
/* expected: wrong: ^z\[0\] is .* \(1 of 1 wrong\)$ */
#include <stdlib.h>
#include <string.h>

#include "common/saxpy.h"
#include "common/variant.h"

static float *answer;

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    if (answer == NULL) {
        answer = malloc(p->n * sizeof *answer + 1);
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

VARIANT(.idea = "replays its first answer", .run = run, .release = release)
