/* saxpy on users' arrays: --a, --x, --y; z in the shape of x. */
#include "common/saxpy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/files/npy.h"
#include "harness/user_data.h"

enum { A, X, Y };

static const struct input inputs[] = {
    {"a", "NUMBER", "the factor (default 1)"},
    {"x", "FILE", "the array x, NPY"},
    {"y", "FILE", "the array y, NPY, of as many elements"},
    {NULL, NULL, NULL},
};

struct opened {
    double a;
    struct array x, y;
};

static void close(void *opened)
{
    struct opened *o = opened;

    array_free(&o->x);
    array_free(&o->y);
    free(o);
}

static bool read_array(const char *const given[], size_t which, struct array *array,
                       struct error *error)
{
    const char *file = required_file(given, inputs, which, error);

    if (file == NULL || !npy_read(file, array, error))
        return false;
    if (array->element != ELEMENT_F32)
        return error_set(error, "%s: not an array of float32 or float64", file);
    return array_finite(array, file, error);
}

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
    struct opened *o = calloc(1, sizeof *o);

    if (o == NULL) {
        error_set(error, "no memory");
        return NULL;
    }
    if (read_factor(given[A], &o->a, error) && read_array(given, X, &o->x, error) &&
        read_array(given, Y, &o->y, error)) {
        dims[0] = o->x.count;
        if (o->x.count == o->y.count)
            return o;
        error_set(error, "%s has %zu elements, and %s has %zu", given[X], o->x.count, given[Y],
                  o->y.count);
    }
    close(o);
    return NULL;
}

static void load(void *c, const void *opened)
{
    struct saxpy *p = c;
    const struct opened *o = opened;

    p->a = (float)o->a;
    memcpy((float *)p->x, o->x.data, p->n * sizeof *p->x);
    memcpy((float *)p->y, o->y.data, p->n * sizeof *p->y);
}

static bool save(const void *c, const void *opened, const char *file, struct error *error)
{
    const struct saxpy *p = c;
    const struct opened *o = opened;

    if (o == NULL)
        return npy_write(file, ELEMENT_F32, 1, &p->n, p->z, error);
    return npy_write(file, ELEMENT_F32, o->x.rank, o->x.shape, p->z, error);
}

const struct user_data saxpy_data = {inputs, open, load, close, save};
