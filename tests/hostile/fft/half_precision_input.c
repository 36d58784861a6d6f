/* Rounds its inputs to 16 bits, and says that it computes in float32. */
/* expect: wrong */
/* family: mistake */
/* size: batch=4,n=1024 */
#include "tests/hostile/fft/honest.h"

static float rounded(float x)
{
    unsigned word;

    memcpy(&word, &x, sizeof word);
    word = (word + 0x80) & ~0xffu;
    memcpy(&x, &word, sizeof word);
    return x;
}

static void run(const void *problem)
{
    struct fft p = *(const struct fft *)problem;
    struct cpx *x = malloc((p.batch * p.n + 1) * sizeof *x);

    for (size_t i = 0; i < p.batch * p.n; i++)
        x[i] = (struct cpx){rounded(p.x[i].re), rounded(p.x[i].im)};
    p.x = x;
    honest(&p);
    free(x);
}

VARIANT(.idea = "inputs of 16 bits", .run = run)
