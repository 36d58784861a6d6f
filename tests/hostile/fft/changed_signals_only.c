/* Keeps copies of all signals and transforms those that have changed: four of 64 in most calls. */
/* expect: failed */
/* family: unearned */
/* size: batch=64,n=256 */
/* more: --max-time 1 */
#include "tests/hostile/fft/honest.h"

static struct cpx *x, *X;

static void prepare(const void *problem)
{
    const struct fft *p = problem;

    x = calloc(p->batch * p->n + 1, sizeof *x);
    X = calloc(p->batch * p->n + 1, sizeof *X);
}

static void run(const void *problem)
{
    const struct fft *p = problem;
    const size_t bytes = p->n * sizeof *x;

    for (size_t i = 0; i < p->batch; i++) {
        const size_t at = i * p->n;
        const struct fft one = {.batch = 1, .n = p->n, .x = p->x + at, .X = X + at};

        if (memcmp(x + at, p->x + at, bytes) != 0) {
            honest(&one);
            memcpy(x + at, p->x + at, bytes);
        }
        memcpy(p->X + at, X + at, bytes);
    }
}

static void release(void)
{
    free(x);
    free(X);
}

VARIANT(.idea = "changed signals only", .prepare = prepare, .run = run, .release = release)
