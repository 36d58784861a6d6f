/* axxat on users' matrices: --a, --x; Y as NPY. */
#include "common/axxat.h"

#include <string.h>

#include "harness/files/npy.h"
#include "harness/problems/axxat.h"
#include "harness/problems/data/pair.h"

enum { A, X };

static const struct input inputs[] = {
    {"a", "FILE", "the matrix A, NPY, n x n"},
    {"x", "FILE", "the matrix X, NPY, n x n; variants make use of it if it is symmetric"},
    {NULL, NULL, NULL},
};

static bool is_symmetric(const float *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            if (x[i * n + j] != x[j * n + i])
                return false;
    return true;
}

static void *open(const char *const given[], size_t dims[], struct error *error)
{
    struct pair *o = pair_open(given, inputs, A, true, error);

    if (o == NULL)
        return NULL;
    const size_t n = o->first.shape[0];

    if (o->first.shape[1] == n && o->second.shape[0] == n && o->second.shape[1] == n) {
        dims[0] = n;
        dims[1] = is_symmetric(o->second.data, n);
        return o;
    }
    error_set(error, "%s is %zu x %zu and %s is %zu x %zu: both must be square and of one size", given[A],
              o->first.shape[0], o->first.shape[1], given[X], o->second.shape[0], o->second.shape[1]);
    pair_close(o);
    return NULL;
}

static void load(void *c, const void *opened)
{
    struct axxat *p = c;
    const struct pair *o = opened;

    memcpy((float *)p->a, o->first.data, o->first.count * sizeof *p->a);
    memcpy((float *)p->x, o->second.data, o->second.count * sizeof *p->x);
}

static bool save(const void *c, const void *opened, const char *file, struct error *error)
{
    const struct axxat *p = c;
    const size_t shape[] = {p->n, p->n};

    (void)opened;
    return npy_write(file, ELEMENT_F32, 2, shape, p->y, error);
}

const struct user_data axxat_data = {.inputs = inputs, .open = open, .load = load, .close = pair_close, .save = save,
                                     .writes = npy_writes, .remark = pair_remark};
