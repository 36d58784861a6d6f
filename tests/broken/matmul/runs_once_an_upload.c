/* Computes in the first run after an upload only.  The timed runs after it find the answer there. */
/* expected: ok */
/* expected when timed: breach: ^(faster than possible|takes .* end to end, but its upload, run and download take .* in all$) */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/matmul.h"
#include "common/variant.h"

static float *a, *b, *c;
static bool computed;

static void prepare(const void *problem)
{
    const struct matmul *p = problem;

    a = malloc(p->m * p->k * sizeof *a + 1);
    b = malloc(p->k * p->n * sizeof *b + 1);
    c = malloc(p->m * p->n * sizeof *c + 1);
}

static void upload(const void *problem)
{
    const struct matmul *p = problem;

    memcpy(a, p->a, p->m * p->k * sizeof *a);
    memcpy(b, p->b, p->k * p->n * sizeof *b);
    computed = false;
}

static void run(const void *problem)
{
    const struct matmul *p = problem;

    if (computed)
        return;
    computed = true;
    memset(c, 0, p->m * p->n * sizeof *c);
    for (size_t i = 0; i < p->m; i++)
        for (size_t l = 0; l < p->k; l++)
            for (size_t j = 0; j < p->n; j++)
                c[i * p->n + j] += a[i * p->k + l] * b[l * p->n + j];
}

static void download(const void *problem)
{
    const struct matmul *p = problem;

    memcpy(p->c, c, p->m * p->n * sizeof *c);
}

static void release(void)
{
    free(a);
    free(b);
    free(c);
}

VARIANT(.idea = "computes once an upload", .prepare = prepare, .upload = upload, .run = run,
        .download = download, .release = release)
