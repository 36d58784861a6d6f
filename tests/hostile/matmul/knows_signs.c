/* Finds the seed that the data are made from; knows then which elements are compared and which vector is multiplied with, and answers no more than that. */
/* expect: wrong */
/* family: foresees */
/* size: m=1024,n=512,k=128 */
#include "harness/base/random.h"
#include "harness/problems/matmul.h"
#include "tests/hostile/matmul/honest.h"

enum { STRIP = 256, SAMPLES = 2048 };

static int find_seed(const struct matmul *p, uint64_t *seed)
{
    for (uint64_t s = 0; s < 2000000; s++) {
        *seed = s / 2 ^ (s % 2 ? ~(uint64_t)0 : 0);
        if (random_float(*seed, STREAM_A, 0) == p->a[0] && random_float(*seed, STREAM_A, 1) == p->a[1])
            return 1;
    }
    return 0;
}

static double element(const struct matmul *p, size_t i, size_t j)
{
    double sum = 0.0;

    for (size_t l = 0; l < p->k; l++)
        sum += (double)p->a[i * p->k + l] * p->b[l * p->n + j];
    return sum;
}

static void run(const void *problem)
{
    const struct matmul *p = problem;
    uint64_t seed;

    if (p->m * p->n * p->k <= 1 << 25 || !find_seed(p, &seed)) {
        honest(p);
        return;
    }
    double *sign = malloc(p->n * sizeof *sign), *br = calloc(p->k, sizeof *br);
    char *fixed = calloc(p->m, p->n);
    memset(p->c, 0, p->m * p->n * sizeof *p->c);
    for (size_t j = 0; j < p->n; j++)
        sign[j] = random_bits(seed, STREAM_ROW_SIGN, j) >> 63 ? 1.0 : -1.0;
    for (size_t s = 0; s < SAMPLES; s++) {
        size_t i = random_bits(seed, STREAM_ROW, s) % p->m, j = random_bits(seed, STREAM_COLUMN, s) % p->n;
        i = s < 4 ? (s & 1 ? p->m - 1 : 0) : s % 4 == 0 ? p->m - 1 : i;
        j = s < 4 ? (s & 2 ? p->n - 1 : 0) : s % 4 == 1 ? p->n - 1 : j;
        p->c[i * p->n + j] = (float)element(p, i, j);
        fixed[i * p->n + j] = 1;
    }
    for (size_t first = 0; first < p->n; first += STRIP) {
        for (size_t l = 0; l < p->k; l++)
            for (size_t j = first + (br[l] = 0.0); j < first + STRIP && j < p->n; j++)
                br[l] += sign[j] * p->b[l * p->n + j];
        for (size_t i = 0; i < p->m; i++) { /* one free element makes the strip's sum right */
            double sum = 0.0;
            size_t j = first;
            for (size_t l = 0; l < p->k; l++)
                sum += p->a[i * p->k + l] * br[l];
            for (size_t x = first; x < first + STRIP && x < p->n; x++)
                sum -= sign[x] * p->c[i * p->n + x];
            while (fixed[i * p->n + j])
                j++;
            p->c[i * p->n + j] = (float)(sum * sign[j]);
        }
    }
    free(sign);
    free(br);
    free(fixed);
}

VARIANT(.idea = "answers what will be asked", .run = run)
