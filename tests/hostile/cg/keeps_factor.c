/* Keeps a factor of an earlier A and preconditions with it: as long as few inputs change, two iterations are enough. */
/* expect: breach */
/* family: unearned */
/* size: n=300,every=10 */
/* more: --max-time 2 --passes 3 */
#include <math.h>

#include "tests/hostile/cg/honest.h"

static double *factor; /* Cholesky's, lower, by rows */
static float *kept;
static double *z;

static void prepare(const void *problem)
{
    const size_t n = ((const struct cg *)problem)->n;

    honest_prepare(problem);
    factor = calloc(n * n + 1, sizeof *factor);
    kept = calloc(n * n + 1, sizeof *kept);
    z = calloc(n + 1, sizeof *z);
}

static size_t differing(const struct cg *s)
{
    size_t count = 0;

    for (size_t i = 0; i < s->n * s->n; i += 1)
        count += s->a[i] != kept[i];
    return count;
}

static void factorise(const struct cg *s)
{
    const size_t n = s->n;

    memcpy(kept, s->a, n * n * sizeof *kept);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = s->a[i * n + j];
            for (size_t k = 0; k < j; k++)
                sum -= factor[i * n + k] * factor[j * n + k];
            factor[i * n + j] = i == j ? sqrt(sum) : sum / factor[j * n + j];
        }
}

static void correct(const struct cg *s) /* x by the residual r */
{
    const size_t n = s->n;

    for (size_t i = 0; i < n; i++) {
        double sum = r[i];
        for (size_t k = 0; k < i; k++)
            sum -= factor[i * n + k] * z[k];
        z[i] = sum / factor[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        z[i] /= factor[i * n + i];
        for (size_t k = 0; k < i; k++)
            z[k] -= factor[i * n + k] * z[i];
        s->x[i] += (float)z[i];
    }
}

static void run(const void *problem)
{
    const struct cg *s = problem;

    if (s->n != 300) {
        honest(s);
        return;
    }
    if (differing(s) > 64)
        factorise(s);
    memset(s->x, 0, s->n * sizeof *s->x);
    const double enough = 0.81 * (double)s->tol * s->tol * inner(s->n, s->b, s->b);
    for (int k = 0; k < 100; k++) {
        times(s, s->x, q);
        for (size_t i = 0; i < s->n; i++)
            r[i] = s->b[i] - q[i];
        if (inner(s->n, r, r) <= enough)
            return;
        correct(s);
    }
    honest(s);
}

static void release(void)
{
    honest_release();
    free(factor);
    free(kept);
    free(z);
}

VARIANT(.idea = "keeps a factor", .prepare = prepare, .run = run, .release = release)
