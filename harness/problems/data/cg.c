/* cg on users' systems: --a, --b, --tol; x as NPY. */
#include "common/cg.h"

#include <stdlib.h>
#include <string.h>

#include "harness/files/npy.h"
#include "harness/problems/cg.h"
#include "harness/problems/data/pair.h"

enum { A, B, TOL };

static const struct input inputs[] = {
    {"a", "FILE", "the matrix A, NPY, n x n, symmetric and positive definite"},
    {"b", "FILE", "the right-hand side b, NPY of n numbers"},
    {"tol", "NUMBER", "how large the residual may be, relative to b; 1e-4 unless given"},
    {NULL, NULL, NULL},
};

static bool read_tolerance(const char *text, double *tol, struct error *error)
{
    char *end = NULL;

    *tol = text == NULL ? 1e-4 : strtod(text, &end);
    return text == NULL || (end != text && *end == '\0' && *tol >= 1e-7 && *tol < 1.0) ||
           error_set(error, "--tol takes a number from 1e-7 to below 1; got \"%s\"", text);
}

/* Returns whether A is square and symmetric with a positive diagonal.  That it is positive definite is not tested. */
static bool fits(const struct pair *o, const char *const given[], struct error *error)
{
    const size_t n = o->second.count, rows = o->first.shape[0], columns = o->first.rank == 2 ? o->first.shape[1] : 0;
    const float *a = o->first.data;

    if (o->first.rank != 2 || rows != n || columns != n)
        return error_set(error, "%s is no matrix of %zu x %zu, and %s has %zu elements", given[A], n, n, given[B], n);
    for (size_t i = 0; i < n; i++) {
        if (!(a[i * n + i] > 0.0f))
            return error_set(error, "%s: [%zu][%zu] is %g: a positive definite matrix has a positive diagonal", given[A], i, i,
                             (double)a[i * n + i]);
        for (size_t j = 0; j < i; j++)
            if (a[i * n + j] != a[j * n + i])
                return error_set(error, "%s: not symmetric: [%zu][%zu] is %g, [%zu][%zu] is %g", given[A], i, j,
                                 (double)a[i * n + j], j, i, (double)a[j * n + i]);
    }
    return true;
}

static void *open(const char *const given[], size_t dims[], struct error *error)
{
    double tol;
    struct pair *o = read_tolerance(given[TOL], &tol, error) ? pair_open(given, inputs, A, false, error) : NULL;

    if (o == NULL)
        return NULL;
    o->factor = tol;
    if (fits(o, given, error)) {
        dims[0] = o->second.count;
        return o;
    }
    pair_close(o);
    return NULL;
}

static void load(void *c, const void *opened)
{
    struct cg *p = c;
    const struct pair *o = opened;

    p->tol = (float)o->factor;
    memcpy((float *)p->a, o->first.data, o->first.count * sizeof *p->a);
    memcpy((float *)p->b, o->second.data, o->second.count * sizeof *p->b);
}

static bool save(const void *c, const void *opened, const char *file, struct error *error)
{
    const struct cg *p = c;

    (void)opened;
    return npy_write(file, ELEMENT_F32, 1, &p->n, p->x, error);
}

const struct user_data cg_data = {.inputs = inputs, .open = open, .load = load, .close = pair_close, .save = save,
                                  .writes = npy_writes, .remark = pair_remark};
