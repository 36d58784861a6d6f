/* fft on users' signals: --x, real or complex, one signal or a batch of rows; X as NPY. */
#include "common/fft.h"

#include <stdlib.h>
#include <string.h>

#include "harness/files/npy.h"
#include "harness/model/problem_files.h"

enum { X };

static const struct input inputs[] = {
    {"x", "FILE", "the signals, NPY, real or complex: [n] or [batch][n]"},
    {NULL, NULL, NULL},
};

static void close(void *opened)
{
    array_free(opened);
    free(opened);
}

static void *open(const char *const given[], size_t dims[], struct error *error)
{
    const char *file = required_file(given, inputs, X, error);
    struct array *x = file != NULL ? calloc(1, sizeof *x) : NULL;

    if (x == NULL || !npy_read_numbers(file, x, error)) {
        free(x);
        return NULL;
    }
    if (x->rank != 1 && x->rank != 2)
        error_set(error, "%s: has %zu axes; a signal has one, a batch of signals two", file,
                  x->rank);
    else if (array_finite(x, file, error)) {
        dims[0] = x->rank == 2 ? x->shape[0] : 1;
        dims[1] = x->shape[x->rank - 1];
        return x;
    }
    close(x);
    return NULL;
}

static void load(void *c, const void *opened)
{
    struct fft *p = c;
    const struct array *x = opened;
    struct cpx *to = (struct cpx *)p->x;
    const float *from = x->data;

    if (x->element == ELEMENT_COMPLEX)
        memcpy(to, from, x->count * sizeof *to);
    else
        for (size_t i = 0; i < x->count; i++)
            to[i] = (struct cpx){from[i], 0.0f};
}

static void remark(const void *opened, char *text, size_t bytes)
{
    array_remark(opened, text, bytes);
}

static bool save(const void *c, const void *opened, const char *file, struct error *error)
{
    const struct fft *p = c;
    const struct array *x = opened;
    const size_t shape[] = {p->batch, p->n};

    if (x != NULL && x->rank == 1)
        return npy_write(file, ELEMENT_COMPLEX, 1, &p->n, p->X, error);
    return npy_write(file, ELEMENT_COMPLEX, 2, shape, p->X, error);
}

const struct user_data fft_data = {.inputs = inputs, .open = open, .load = load, .close = close, .save = save,
                                   .writes = npy_writes, .remark = remark};
