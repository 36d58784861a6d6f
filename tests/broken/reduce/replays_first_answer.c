/* Answers every case of a size as it did the first. */
/* expected: wrong: ^(sum|norm)\[0\] is */
#include <math.h>

#include "common/reduce.h"
#include "common/variant.h"

static size_t known;
static float answers[2];
static int filled;

static void run(const void *problem)
{
    const struct reduce *p = problem;
    double sum = 0.0, squares = 0.0;

    for (size_t i = 0; i < p->n; i++) {
        sum += p->x[i];
        squares += (double)p->x[i] * p->x[i];
    }
    if (!filled || known != p->n) {
        answers[0] = (float)sum;
        answers[1] = (float)sqrt(squares);
        known = p->n;
        filled = 1;
    }
    *p->sum = answers[0];
    *p->norm = answers[1];
}

VARIANT(.idea = "the first answer again", .run = run)
