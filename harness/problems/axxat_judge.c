/*
 * axxat: the reference, the tolerance and the verdict.
 *
 * Y is one product of n x 2n and 2n x n:
 *
 *     (A, X) * ( X   )
 *              ( A^T )
 *
 * So matmul's judge judges it, with k = 2n: up to 2^25 multiplications every element is compared with float64's, and beyond
 * a sample of elements, random sums and their mean square are (matmul_judge.c, which derives the tolerances).  A variant
 * that makes use of a symmetric X has n products and one addition more in each sum, and fewer roundings.
 */
#include <stdlib.h>
#include <string.h>

#include "common/axxat.h"
#include "common/matmul.h"
#include "harness/base/parallel.h"
#include "harness/problems/axxat.h"
#include "harness/problems/matmul.h"

struct solution {
    struct matmul product;
    void *solved; /* matmul's solution of it, in the same block, as are the product's factors */
};

struct laying {
    const struct axxat *p;
    float *a, *b;
};

/* Rows of both factors. */
static void lay_out(void *context, size_t begin, size_t end)
{
    const struct laying *to = context;
    const struct axxat *p = to->p;
    const size_t n = p->n;

    for (size_t i = begin; i < end; i++) {
        memcpy(to->a + 2 * i * n, p->a + i * n, n * sizeof(float));
        memcpy(to->a + (2 * i + 1) * n, p->x + i * n, n * sizeof(float));
        memcpy(to->b + i * n, p->x + i * n, n * sizeof(float));
        for (size_t j = 0; j < n; j++)
            to->b[(n + i) * n + j] = p->a[j * n + i];
    }
}

void *axxat_solve(const void *c)
{
    enum { ROWS = 8 };
    const struct axxat *p = c;
    const size_t numbers = 2 * p->n * p->n; /* of a factor; an even number, so that doubles can follow */
    const struct matmul shape = {.m = p->n, .n = p->n, .k = 2 * p->n};
    struct solution *s = calloc(1, sizeof *s + 2 * numbers * sizeof(float) + matmul_solution_bytes(&shape));

    if (s == NULL)
        return NULL;
    float *const a = (float *)(s + 1), *const b = a + numbers;
    struct laying to = {p, a, b};

    parallel_for(p->n, ROWS, lay_out, &to);
    s->product = shape;
    s->product.a = a;
    s->product.b = b;
    s->product.c = p->y;
    s->solved = b + numbers;
    matmul_solve_in(s->solved, &s->product);
    return s;
}

struct verdict axxat_judge(const void *c, const void *solution, enum math math, uint64_t seed)
{
    static const char *const names[][2] = {
        {"c", "y"}, {"C*r by strips", "Y*r by strips"}, {"r*C by strips", "r*Y by strips"}};
    const struct axxat *p = c;
    const struct solution *s = solution;
    struct matmul product = s->product;

    product.c = p->y; /* each variant has an answer of its own */
    struct verdict v = matmul_judge(&product, s->solved, math, seed);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (v.array != NULL && strcmp(v.array, names[i][0]) == 0)
            v.array = names[i][1];
    return v;
}
