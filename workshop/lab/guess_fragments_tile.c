/* Which fragments the lanes had, from a result that is one tile and one slice. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "workshop/lab/guess_fragments.h"

/* Where C is one tile and one slice, 16 x 8 x 8, the fragments follow from the result: C divided by B is what the lanes had
   of A, and C divided by A is what they had of B. */
enum { ROWS = 16, SIDE = 8 };

struct tile {
    double a[ROWS][SIDE], b[SIDE][SIDE], c[ROWS][SIDE];
};

/* As at() of the exercise rounds. */
static double as_tf32(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    bits = (bits + 0x1000) & ~UINT32_C(0x1fff);
    memcpy(&x, &bits, sizeof x);
    return x;
}

static void read_tile(const struct matmul *p, struct tile *t)
{
    for (size_t i = 0; i < ROWS * SIDE; i++) {
        t->a[i / SIDE][i % SIDE] = as_tf32(p->a[i]);
        t->c[i / SIDE][i % SIDE] = p->c[i];
    }
    for (size_t i = 0; i < SIDE * SIDE; i++)
        t->b[i / SIDE][i % SIDE] = as_tf32(p->b[i]);
}

/* Solves m * x = y for `columns` columns of y by elimination with pivots; y becomes x. */
static void solve(double m[SIDE][SIDE], double y[SIDE][ROWS], size_t columns)
{
    for (size_t d = 0; d < SIDE; d++) {
        size_t best = d;
        for (size_t r = d; r < SIDE; r++)
            best = fabs(m[r][d]) > fabs(m[best][d]) ? r : best;
        for (size_t j = 0; j < SIDE; j++) {
            const double kept = m[d][j];
            m[d][j] = m[best][j];
            m[best][j] = kept;
        }
        for (size_t j = 0; j < columns; j++) {
            const double kept = y[d][j];
            y[d][j] = y[best][j];
            y[best][j] = kept;
        }
        for (size_t r = 0; r < SIDE; r++) {
            const double factor = r == d ? 0.0 : m[r][d] / m[d][d];
            for (size_t j = 0; j < SIDE; j++)
                m[r][j] -= factor * m[d][j];
            for (size_t j = 0; j < columns; j++)
                y[r][j] -= factor * y[d][j];
        }
    }
    for (size_t r = 0; r < SIDE; r++)
        for (size_t j = 0; j < columns; j++)
            y[r][j] /= m[r][r];
}

/* C divided by B: a' * b = c, for all rows. */
static void find_a(const struct tile *t, double a[ROWS][SIDE])
{
    double m[SIDE][SIDE], y[SIDE][ROWS];

    for (size_t r = 0; r < SIDE; r++) {
        for (size_t j = 0; j < SIDE; j++)
            m[r][j] = t->b[j][r];
        for (size_t i = 0; i < ROWS; i++)
            y[r][i] = t->c[i][r];
    }
    solve(m, y, ROWS);
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < SIDE; j++)
            a[i][j] = y[j][i];
}

/* C divided by A: a * b' = c, by the method of least squares. */
static void find_b(const struct tile *t, double b[SIDE][SIDE])
{
    double m[SIDE][SIDE] = {{0.0}}, y[SIDE][ROWS] = {{0.0}};

    for (size_t r = 0; r < SIDE; r++)
        for (size_t j = 0; j < SIDE; j++)
            for (size_t i = 0; i < ROWS; i++) {
                m[r][j] += t->a[i][r] * t->a[i][j];
                y[r][j] += t->a[i][r] * t->c[i][j];
            }
    solve(m, y, SIDE);
    for (size_t r = 0; r < SIDE; r++)
        for (size_t j = 0; j < SIDE; j++)
            b[r][j] = y[r][j];
}

/* Finds the number among those of a matrix of 8 columns, or 0.  Returns false if it is none of them. */
static bool find_number(double x, const double *matrix, size_t count, char *name, size_t room, char letter)
{
    enum { NEAR = 10000 };

    snprintf(name, room, "0");
    for (size_t i = 0; i < count; i++)
        if (fabs(matrix[i] - x) * NEAR < 1.0) {
            snprintf(name, room, "%c[%zu][%zu]", letter, i / SIDE, i % SIDE);
            return true;
        }
    return fabs(x) * NEAR < 1.0;
}

/* If every number found is one of the right ones, names the first that is at another one's place. */
static bool name_fragment(const double *found, const double *right, size_t count, char letter, struct mistake *m)
{
    char name[32], held[32] = "";
    size_t first = count;

    for (size_t i = 0; i < count; i++) {
        if (!find_number(found[i], right, count, name, sizeof name, letter))
            return false;
        if (first == count && fabs(found[i] - right[i]) > 1e-4) {
            first = i;
            snprintf(held, sizeof held, "%s", name);
        }
    }
    if (first == count)
        return false;
    const size_t r = first / SIDE, j = first % SIDE;
    const size_t lane = letter == 'a' ? 4 * (r % 8) + j % 4 : letter == 'b' ? 4 * j + r % 4 : 4 * (r % 8) + j / 2;
    const size_t i = letter == 'a' ? r / 8 + j / 4 * 2 : letter == 'b' ? r / 4 : r / 8 * 2 + j % 2;
    mistake_set(m, "wrong-fragment");
    if (letter == 'c')
        mistake_add(m, "c[%zu] of lane %zu belongs to c[%zu][%zu], where now %s is", i, lane, r, j, held);
    else
        mistake_add(m, "lane %zu should have %c[%zu][%zu] in its register %c[%zu], and has %s", lane, letter, r, j, letter,
                    i, held);
    return true;
}

bool fragments_of_tile(const struct matmul *p, const struct view *v, struct mistake *m)
{
    struct tile t;
    double a[ROWS][SIDE], b[SIDE][SIDE], right[ROWS][SIDE] = {{0.0}};

    if (p->m != ROWS || p->n != SIDE || p->k != SIDE)
        return false;
    read_tile(p, &t);
    find_a(&t, a);
    find_b(&t, b);
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < SIDE; j++)
            for (size_t l = 0; l < SIDE; l++)
                right[i][j] += t.a[i][l] * t.b[l][j];
    if (!name_fragment(t.c[0], right[0], ROWS * SIDE, 'c', m) && !name_fragment(a[0], t.a[0], ROWS * SIDE, 'a', m) &&
        !name_fragment(b[0], t.b[0], SIDE * SIDE, 'b', m))
        return false;
    m->explains = v->wrong_count;
    return true;
}
