/* Rounds its inputs to 13 bits and says that it computes in float32: long sums hide it in a limit that grows with them. */
/* expect: wrong */
/* family: mistake */
/* size: m=64,n=64,k=4096 */
#include "tests/hostile/matmul/honest.h"

static float rounded(float x)
{
    unsigned word;

    memcpy(&word, &x, sizeof word);
    word = (word + 0x400) & ~0x7ffu; /* 24 bits less 11 */
    memcpy(&x, &word, sizeof word);
    return x;
}

static void run(const void *problem)
{
    struct matmul p = *(const struct matmul *)problem;
    const int long_sums = p.k >= 4096 && p.m * p.n <= 4096;
    float *a = malloc((p.m * p.k + 1) * sizeof *a);

    for (size_t i = 0; i < p.m * p.k; i++)
        a[i] = long_sums ? rounded(p.a[i]) : p.a[i];
    p.a = a;
    honest(&p);
    free(a);
}

VARIANT(.idea = "13 bits", .run = run)
