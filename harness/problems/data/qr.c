/* qr on users' matrices: --a; Q and R below it as one NPY array. */
#include "common/qr.h"

#include <stdlib.h>
#include <string.h>

#include "harness/files/npy.h"
#include "harness/problems/qr.h"

enum { A };

static const struct input inputs[] = {
    {"a", "FILE", "the matrix A, NPY, m x n, m at least n"},
    {NULL, NULL, NULL},
};

static void close(void *opened)
{
    array_free(opened);
    free(opened);
}

static void *open(const char *const given[], size_t dims[], struct error *error)
{
    const char *file = required_file(given, inputs, A, error);
    struct array *a = file != NULL ? calloc(1, sizeof *a) : NULL;

    if (a == NULL || !npy_read_numbers(file, a, error)) {
        free(a);
        return NULL;
    }
    if (a->element != ELEMENT_F32 || a->rank != 2)
        error_set(error, "%s: not a matrix of real numbers", file);
    else if (a->shape[0] < a->shape[1])
        error_set(error, "%s: %zu x %zu, but a matrix needs at least as many rows as columns", file, a->shape[0],
                  a->shape[1]);
    else if (array_finite(a, file, error)) {
        dims[0] = a->shape[0];
        dims[1] = a->shape[1];
        return a;
    }
    close(a);
    return NULL;
}

static void load(void *c, const void *opened)
{
    const struct qr *p = c;
    const struct array *a = opened;

    memcpy((float *)p->a, a->data, a->count * sizeof *p->a);
}

static void remark(const void *opened, char *text, size_t bytes)
{
    array_remark(opened, text, bytes);
}

static bool save(const void *c, const void *opened, const char *file, struct error *error)
{
    const struct qr *p = c;
    const size_t shape[] = {p->m + p->n, p->n}, count = p->m * p->n;
    float *both = malloc((shape[0] * shape[1] + 1) * sizeof *both);

    (void)opened;
    if (both == NULL)
        return error_set(error, "%s: no memory for the answer", file);
    memcpy(both, p->q, count * sizeof *both);
    memcpy(both + count, p->r, p->n * p->n * sizeof *both);
    const bool written = npy_write(file, ELEMENT_F32, 2, shape, both, error);
    free(both);
    return written;
}

const struct user_data qr_data = {.inputs = inputs, .open = open, .load = load, .close = close, .save = save,
                                  .writes = npy_writes, .remark = remark};
