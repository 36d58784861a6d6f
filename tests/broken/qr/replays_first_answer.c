/* Answers every case of a size as it did the first. */
/* expected: wrong: ^(norm of a - Q r|Q'Q) */
#include <string.h>

#include "common/variant.h"
#include "frame.h" /* qr; full */

static float *kept_q, *kept_r;
static int filled;

static void prepare(const void *problem)
{
    const struct qr *p = problem;

    kept_q = malloc((p->m * p->n + 1) * sizeof *kept_q);
    kept_r = malloc((p->n * p->n + 1) * sizeof *kept_r);
    filled = 0;
}

static void run(const void *problem)
{
    const struct qr *p = problem;
    const size_t bytes_q = p->m * p->n * sizeof(float), bytes_r = p->n * p->n * sizeof(float);

    if (!filled) {
        full(p);
        memcpy(kept_q, p->q, bytes_q);
        memcpy(kept_r, p->r, bytes_r);
        filled = 1;
    }
    memcpy(p->q, kept_q, bytes_q);
    memcpy(p->r, kept_r, bytes_r);
}

static void release(void)
{
    free(kept_q);
    free(kept_r);
}

VARIANT(.idea = "the first answer again", .prepare = prepare, .run = run, .release = release)
