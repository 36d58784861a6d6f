/* matmul on users' matrices: --a, --b; C as NPY. */
#include "common/matmul.h"

#include <string.h>

#include "harness/files/npy.h"
#include "harness/problems/data/pair.h"

enum { A, B };

static const struct input inputs[] = {
    {"a", "FILE", "the matrix A, NPY, m x k"},
    {"b", "FILE", "the matrix B, NPY, k x n"},
    {NULL, NULL, NULL},
};

static void *open(const char *const given[], size_t dims[], struct error *error)
{
    struct pair *o = pair_open(given, inputs, A, true, error);

    if (o == NULL)
        return NULL;
    dims[0] = o->first.shape[0];
    dims[1] = o->second.shape[1];
    dims[2] = o->first.shape[1];
    if (o->first.shape[1] == o->second.shape[0])
        return o;
    error_set(error, "%s is %zu x %zu and %s is %zu x %zu: the inner lengths differ", given[A],
              o->first.shape[0], o->first.shape[1], given[B], o->second.shape[0],
              o->second.shape[1]);
    pair_close(o);
    return NULL;
}

static void load(void *c, const void *opened)
{
    struct matmul *p = c;
    const struct pair *o = opened;

    memcpy((float *)p->a, o->first.data, o->first.count * sizeof *p->a);
    memcpy((float *)p->b, o->second.data, o->second.count * sizeof *p->b);
}

static bool save(const void *c, const void *opened, const char *file, struct error *error)
{
    const struct matmul *p = c;
    const size_t shape[] = {p->m, p->n};

    (void)opened;
    return npy_write(file, ELEMENT_F32, 2, shape, p->c, error);
}

const struct user_data matmul_data = {.inputs = inputs, .open = open, .load = load, .close = pair_close, .save = save,
                                      .writes = npy_writes, .remark = pair_remark};
