/* matmul on users' matrices: --a, --b; C as NPY. */
#include "common/matmul.h"

#include <stdlib.h>
#include <string.h>

#include "harness/files/npy.h"
#include "harness/user_data.h"

enum { A, B };

static const struct input inputs[] = {
    {"a", "FILE", "the matrix A, NPY, m x k"},
    {"b", "FILE", "the matrix B, NPY, k x n"},
    {NULL, NULL, NULL},
};

struct opened {
    struct array a, b;
};

static void close(void *opened)
{
    struct opened *o = opened;

    array_free(&o->a);
    array_free(&o->b);
    free(o);
}

static bool read_matrix(const char *const given[], size_t which, struct array *array,
                        struct error *error)
{
    const char *file = required_file(given, inputs, which, error);

    if (file == NULL || !npy_read(file, array, error))
        return false;
    if (array->element != ELEMENT_F32 || array->rank != 2)
        return error_set(error, "%s: not a matrix of float32 or float64", file);
    return array_finite(array, file, error);
}

static void *open(const char *const given[], size_t dims[], struct error *error)
{
    struct opened *o = calloc(1, sizeof *o);

    if (o == NULL) {
        error_set(error, "no memory");
        return NULL;
    }
    if (read_matrix(given, A, &o->a, error) && read_matrix(given, B, &o->b, error)) {
        dims[0] = o->a.shape[0];
        dims[1] = o->b.shape[1];
        dims[2] = o->a.shape[1];
        if (o->a.shape[1] == o->b.shape[0])
            return o;
        error_set(error, "%s is %zu x %zu and %s is %zu x %zu: the inner lengths differ", given[A],
                  o->a.shape[0], o->a.shape[1], given[B], o->b.shape[0], o->b.shape[1]);
    }
    close(o);
    return NULL;
}

static void load(void *c, const void *opened)
{
    struct matmul *p = c;
    const struct opened *o = opened;

    memcpy((float *)p->a, o->a.data, o->a.count * sizeof *p->a);
    memcpy((float *)p->b, o->b.data, o->b.count * sizeof *p->b);
}

static bool save(const void *c, const void *opened, const char *file, struct error *error)
{
    const struct matmul *p = c;
    const size_t shape[] = {p->m, p->n};

    (void)opened;
    return npy_write(file, ELEMENT_F32, 2, shape, p->c, error);
}

const struct user_data matmul_data = {inputs, open, load, close, save};
