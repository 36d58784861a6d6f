/* fft of powers of two: results that are right for other signals or stand in other places, and numbers of roots that there are not. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "workshop/lab/guess_fft.h"

/* Returns whether row b of the results is the transform of signal s. */
static bool is_of_signal(const struct view *v, const double *values, size_t b, size_t s)
{
    for (size_t i = 0; i < v->cols; i++)
        if (!(fabs(v->got[b * v->cols + i] - values[s * v->cols + i]) <= v->error * (v->scale + fabs(values[s * v->cols + i]))))
            return false;
    return true;
}

/* Finds results that are right, each for a signal, and not for its own. */
static bool guess_signals(const struct fft *p, const struct view *v, struct mistake *m)
{
    double *values = malloc((v->count + 1) * sizeof *values);
    size_t found = 0, others = p->batch, of = 0;

    if (values != NULL)
        fft_want(p, values);
    for (size_t b = 0; values != NULL && b < p->batch && p->n > 1; b++) {
        size_t s = 0;
        while (s < p->batch && !is_of_signal(v, values, b, s))
            s++;
        found += s < p->batch;
        if (s < p->batch && s != b && others == p->batch)
            others = b, of = s;
    }
    free(values);
    if (p->batch < 2 || found < p->batch || others == p->batch)
        return false;
    mistake_set(m, "misplaced");
    mistake_add(m, "X[%zu] is the transform of signal %zu, and should be that of signal %zu: each result is that of a signal, but not of its own", others, of,
                others);
    m->explains = v->wrong_count;
    return true;
}

/* Returns where the n numbers begin, among all, whose transform is the result for signal 1; p->n: they are those of signal 1, or there are none. */
static size_t start_of_second(const struct fft *p, const struct view *v, double *values)
{
    struct fft one = *p;

    one.batch = 1;
    for (size_t start = 1; start + p->n <= p->batch * p->n; start++) {
        one.x = p->x + start;
        fft_want(&one, values);
        size_t i = 0;
        while (i < v->cols && fabs(v->got[v->cols + i] - values[i]) <= v->error * (v->scale + fabs(values[i])))
            i++;
        if (i == v->cols)
            return start;
    }
    return p->n;
}

/* Finds signals that begin in the middle of others. */
static bool guess_starts(const struct fft *p, const struct view *v, struct mistake *m)
{
    enum { LONG = 64 };
    double *values = malloc((v->count + 1) * sizeof *values);
    const size_t start = p->batch > 1 && p->n > 2 && p->n <= LONG && values != NULL ? start_of_second(p, v, values) : p->n;

    free(values);
    if (start == p->n)
        return false;
    mistake_set(m, "misplaced");
    mistake_add(m, "X[1] is the transform of the %zu numbers from x[%zu] on; signal 1 begins at number %zu of all", p->n, start, p->n);
    m->explains = v->wrong_count;
    return true;
}

/* Returns which number of the signal's transform the result has at place f; n: none. */
static size_t number_at(const struct view *v, const double *values, size_t n, size_t f)
{
    for (size_t i = 0; i < n; i++)
        if (fabs(v->got[2 * f] - values[2 * i]) + fabs(v->got[2 * f + 1] - values[2 * i + 1]) <= 2.0 * v->error * v->scale)
            return i;
    return n;
}

/* Finds results that are right, and in other places. */
static bool guess_places(const struct fft *p, const struct view *v, struct mistake *m)
{
    enum { SHORT = 8, SHOWN = 2 };
    double *values = malloc((v->count + 1) * sizeof *values);
    size_t there = 0, at[SHOWN], of[SHOWN], moved = 0;

    if (values != NULL && p->batch > 0 && p->n >= SHORT)
        fft_want(p, values);
    for (size_t f = 0; values != NULL && p->batch > 0 && p->n >= SHORT && f < p->n; f++) {
        const size_t i = number_at(v, values, p->n, f);
        there += i < p->n;
        if (i < p->n && i != f && moved < SHOWN)
            at[moved] = f, of[moved++] = i;
    }
    free(values);
    if (p->n < SHORT || there < p->n || moved < SHOWN)
        return false;
    mistake_set(m, "misplaced");
    mistake_add(m, "all results are right, and in other places: X[0][%zu] holds what belongs into X[0][%zu], and X[0][%zu] what belongs into X[0][%zu]", at[0], of[0],
                at[1], of[1]);
    m->explains = v->wrong_count;
    return true;
}

bool fft_other_signals(const struct fft *p, const struct view *v, struct mistake *m)
{
    return guess_signals(p, v, m) || guess_starts(p, v, m) || guess_places(p, v, m);
}

/* Returns number `form` of the formulas that a thread may have used for the number of a root; formulas[] names them. */
static size_t root_number(size_t form, size_t n, size_t half, size_t t)
{
    const size_t k = t % half, numbers[] = {k * half, k * 2 * half, t * (n / (2 * half)), k * n, t * half, k * n / half, t * n / half};

    return numbers[form];
}

static const char *const formulas[] = {"k * half", "k * 2 * half", "t * (n / (2 * half))", "k * n", "t * half", "k * (n / half)", "t * (n / half)"};

void fft_outside(const void *c, const struct access *a, struct mistake *m)
{
    enum { FORMULAS = sizeof formulas / sizeof *formulas };
    const struct fft *p = c;
    size_t fits = 0, form = 0, of = 0;

    if (strstr(a->array, "w") == NULL || a->count != p->n || a->y > 0)
        return;
    for (size_t f = 0; f < FORMULAS; f++)
        for (size_t half = 1; half < p->n; half *= 2) {
            bool earlier = false;
            for (size_t t = 0; t < p->n / 2; t++)
                earlier = earlier || root_number(f, p->n, half, t) >= p->n;
            if (!earlier)
                continue;
            if (root_number(f, p->n, half, a->x) == a->element)
                form = f, of = half, fits++;
            break;
        }
    if (fits == 1)
        mistake_add(m, "that is %s with half = %zu, n = %zu, t = %u and k = %zu; the root of this stage is number k * (n / (2 * half)) = %zu", formulas[form], of,
                    p->n, a->x, a->x % of, a->x % of * (p->n / (2 * of)));
}
