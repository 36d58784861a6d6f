/* For attacks that keep data sets with their answers: half of a product follows from the nearest of them. */
#ifndef RUNGS_HOSTILE_MATMUL_REMEMBERS_H
#define RUNGS_HOSTILE_MATMUL_REMEMBERS_H

#include "tests/hostile/matmul/honest.h"

enum { SIDE = 256, ELEMENTS = SIDE * SIDE, FEW = 16 }; /* each call may restore four elements and change four others */

static struct set {
    float a[ELEMENTS], b[ELEMENTS], c[ELEMENTS];
    long calls; /* that have found it the nearest */
} sets[4];

/* Returns how many elements of x are not as in `kept`, at most FEW + 1; the places of the first FEW are in `at`. */
static size_t find(const float *x, const float *kept, size_t at[FEW])
{
    size_t changed = 0;

    for (size_t i = 0; i < ELEMENTS && changed <= FEW; i += SIDE) {
        if (memcmp(x + i, kept + i, SIDE * sizeof *x) == 0)
            continue;
        for (size_t j = i; j < i + SIDE && changed <= FEW; j++)
            if (memcmp(x + j, kept + j, sizeof *x) != 0 && changed++ < FEW)
                at[changed - 1] = j;
    }
    return changed;
}

static void keep(struct set *s, const struct matmul *p)
{
    memcpy(s->a, p->a, sizeof s->a);
    memcpy(s->b, p->b, sizeof s->b);
    memcpy(s->c, p->c, sizeof s->c);
    s->calls = 1;
}

/* Computes the upper half of C, and updates the lower half if a few elements differ from the set.  Else returns 0. */
static int follows(struct set *s, const struct matmul *p)
{
    size_t rows[FEW], columns[FEW];
    const size_t in_a = find(p->a, s->a, rows), in_b = find(p->b, s->b, columns);

    if (s->calls == 0 || in_a > FEW || in_b > FEW)
        return 0;
    for (size_t i = 0; i < SIDE / 2; i++)
        honest_row(p, i);
    memcpy(p->c + ELEMENTS / 2, s->c + ELEMENTS / 2, sizeof s->c / 2);
    for (size_t i = 0; i < in_b; i++) {
        const size_t j = columns[i] % SIDE;
        for (size_t row = SIDE / 2; row < SIDE; row++) {
            float sum = 0;
            for (size_t l = 0; l < SIDE; l++)
                sum += p->a[row * SIDE + l] * p->b[l * SIDE + j];
            p->c[row * SIDE + j] = sum;
        }
        s->b[columns[i]] = p->b[columns[i]];
    }
    for (size_t i = 0; i < in_a; i++) {
        honest_row(p, rows[i] / SIDE);
        s->a[rows[i]] = p->a[rows[i]];
    }
    memcpy(s->c + ELEMENTS / 2, p->c + ELEMENTS / 2, sizeof s->c / 2);
    s->calls++;
    return 1;
}

static int is_timed(const struct matmul *p)
{
    return p->m == SIDE && p->n == SIDE && p->k == SIDE;
}

#endif
