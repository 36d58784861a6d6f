/* Computes whole 16 x 16 tiles only: right for multiples of 16. */
/* expected: nan: ^c\[0\]\[0\] is -?nan, expected */
#include "common/matmul.h"
#include "common/variant.h"

enum { TILE = 16 };

static void tile(const struct matmul *p, size_t row, size_t column)
{
    for (size_t i = row; i < row + TILE; i++)
        for (size_t j = column; j < column + TILE; j++) {
            float sum = 0.0f;

            for (size_t l = 0; l < p->k; l++)
                sum += p->a[i * p->k + l] * p->b[l * p->n + j];
            p->c[i * p->n + j] = sum;
        }
}

static void run(const void *problem)
{
    const struct matmul *p = problem;

    for (size_t row = 0; row + TILE <= p->m; row += TILE)
        for (size_t column = 0; column + TILE <= p->n; column += TILE)
            tile(p, row, column);
}

VARIANT(.idea = "whole tiles only", .run = run)
