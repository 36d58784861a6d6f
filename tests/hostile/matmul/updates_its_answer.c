/* Keeps copies of A, B and C, looks for what has changed, and adds only that to C: some n^2 steps in the place of n^3. */
/* expect: breach */
/* family: unearned */
/* size: m=256,n=256,k=256 */
/* more: --max-time 1 */
#include "tests/hostile/matmul/honest.h"

enum { FEW = 16 }; /* each call may restore four elements and change four others */

static float *a, *b, *c;

static void prepare(const void *problem)
{
    const struct matmul *p = problem;

    a = calloc(p->m * p->k + 1, sizeof *a);
    b = calloc(p->k * p->n + 1, sizeof *b);
    c = calloc(p->m * p->n + 1, sizeof *c);
}

/* Returns how many elements of x are not as in `kept`; the first FEW of their places are in `at`. */
static size_t find(const float *x, const float *kept, size_t count, size_t at[FEW])
{
    enum { RUN = 1024 };
    size_t changed = 0;

    for (size_t i = 0; i < count; i += RUN) {
        const size_t here = count - i < RUN ? count - i : RUN;
        if (memcmp(x + i, kept + i, here * sizeof *x) == 0)
            continue;
        for (size_t j = i; j < i + here; j++)
            if (memcmp(x + j, kept + j, sizeof *x) != 0 && changed++ < FEW)
                at[changed - 1] = j;
    }
    return changed;
}

static void column(const struct matmul *p, size_t j)
{
    for (size_t i = 0; i < p->m; i++) {
        float sum = 0;
        for (size_t l = 0; l < p->k; l++)
            sum += p->a[i * p->k + l] * p->b[l * p->n + j];
        p->c[i * p->n + j] = sum;
    }
}

static void run(const void *problem)
{
    const struct matmul *p = problem;
    size_t rows[FEW], columns[FEW];
    const size_t in_a = find(p->a, a, p->m * p->k, rows), in_b = find(p->b, b, p->k * p->n, columns);

    if (in_a > FEW || in_b > FEW) {
        honest(p);
        memcpy(a, p->a, p->m * p->k * sizeof *a);
        memcpy(b, p->b, p->k * p->n * sizeof *b);
    } else {
        memcpy(p->c, c, p->m * p->n * sizeof *c);
        for (size_t i = 0; i < in_b; i++) {
            column(p, columns[i] % p->n);
            b[columns[i]] = p->b[columns[i]];
        }
        for (size_t i = 0; i < in_a; i++) {
            honest_row(p, rows[i] / p->k);
            a[rows[i]] = p->a[rows[i]];
        }
    }
    memcpy(c, p->c, p->m * p->n * sizeof *c);
}

static void release(void)
{
    free(a);
    free(b);
    free(c);
}

VARIANT(.idea = "updates its last answer", .prepare = prepare, .run = run, .release = release)
