/* saxpy on users' arrays: --a, --x, --y; z in the shape of x. */
#include "common/saxpy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/files/npy.h"
#include "harness/problems/data/pair.h"

enum { A, X, Y };

static const struct input inputs[] = {
    {"a", "NUMBER", "the factor (default 1)"},
    {"x", "FILE", "the array x, NPY"},
    {"y", "FILE", "the array y, NPY, as long as x"},
    {NULL, NULL, NULL},
};

static bool read_factor(const char *text, double *a, struct error *error)
{
    char *end = NULL;

    *a = text != NULL ? strtod(text, &end) : 1.0;
    if (text != NULL && (end == text || *end != '\0' || !isfinite((float)*a)))
        return error_set(error, "--a takes a finite float32 number, not \"%s\"", text);
    return true;
}

static void *open(const char *const given[], size_t dims[], struct error *error)
{
    double factor;
    struct pair *o =
        read_factor(given[A], &factor, error) ? pair_open(given, inputs, X, false, error) : NULL;

    if (o == NULL)
        return NULL;
    o->factor = factor;
    dims[0] = o->first.count;
    if (o->first.count == o->second.count)
        return o;
    error_set(error, "%s has %zu elements, and %s has %zu", given[X], o->first.count, given[Y],
              o->second.count);
    pair_close(o);
    return NULL;
}

static void load(void *c, const void *opened)
{
    struct saxpy *p = c;
    const struct pair *o = opened;

    p->a = (float)o->factor;
    memcpy((float *)p->x, o->first.data, p->n * sizeof *p->x);
    memcpy((float *)p->y, o->second.data, p->n * sizeof *p->y);
}

static bool save(const void *c, const void *opened, const char *file, struct error *error)
{
    const struct saxpy *p = c;
    const struct pair *o = opened;

    if (o == NULL)
        return npy_write(file, ELEMENT_F32, 1, &p->n, p->z, error);
    return npy_write(file, ELEMENT_F32, o->first.rank, o->first.shape, p->z, error);
}

const struct user_data saxpy_data = {.inputs = inputs, .open = open, .load = load, .close = pair_close, .save = save,
                                     .writes = npy_writes, .remark = pair_remark};
