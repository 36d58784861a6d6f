/* Compares the image with a copy of the last one, which costs an eighth of eight sweeps. */
/* expect: harmless */
/* family: unearned */
/* size: rows=256,cols=256,sweeps=8,bytes=0 */
/* more: --max-time 0.6 */
#include "tests/hostile/stencil/honest.h"

static float *image, *answer;
static size_t pixels, sweeps;

static void run(const void *problem)
{
    const struct stencil *p = problem;
    const size_t count = p->rows * p->cols, bytes = count * sizeof *image;

    if (p->bytes) {
        honest(p);
        return;
    }
    if (image != NULL && pixels == count && sweeps == p->sweeps && memcmp(image, p->in, bytes) == 0) {
        memcpy(p->out, answer, bytes);
        return;
    }
    honest(p);
    image = realloc(image, bytes + 1);
    answer = realloc(answer, bytes + 1);
    memcpy(image, p->in, bytes);
    memcpy(answer, p->out, bytes);
    pixels = count;
    sweeps = p->sweeps;
}

VARIANT(.idea = "a memo of the whole image", .run = run)
