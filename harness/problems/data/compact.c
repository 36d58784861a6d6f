/* compact on users' arrays: --x; the kept numbers as NPY. */
#include "common/compact.h"

#include <stdlib.h>
#include <string.h>

#include "harness/files/npy.h"
#include "harness/problems/compact.h"

enum { X };

static const struct input inputs[] = {
    {"x", "FILE", "the numbers, NPY of any shape, NaN among them"},
    {NULL, NULL, NULL},
};

static void close(void *opened)
{
    array_free(opened);
    free(opened);
}

/* Returns the share of NaN in percent, rounded: it is an axis of the problem. */
static size_t percent_of(const struct array *x)
{
    const float *values = x->data;
    size_t nan = 0;

    for (size_t i = 0; i < x->count; i++)
        nan += compact_is_nan(compact_bits(&values[i]));
    return x->count > 0 ? (size_t)(100.0 * (double)nan / (double)x->count + 0.5) : 0;
}

static void *open(const char *const given[], size_t dims[], struct error *error)
{
    const char *file = required_file(given, inputs, X, error);
    struct array *x = file != NULL ? calloc(1, sizeof *x) : NULL;

    if (x == NULL || !npy_read_numbers(file, x, error)) {
        free(x);
        return NULL;
    }
    if (x->element != ELEMENT_F32) {
        error_set(error, "%s: has complex numbers, not real ones", file);
        close(x);
        return NULL;
    }
    dims[0] = x->count;
    dims[1] = percent_of(x);
    return x;
}

static void load(void *c, const void *opened)
{
    const struct compact *p = c;
    const struct array *x = opened;

    memcpy((float *)p->x, x->data, p->n * sizeof *p->x);
}

static void remark(const void *opened, char *text, size_t bytes)
{
    array_remark(opened, text, bytes);
}

static bool save(const void *c, const void *opened, const char *file, struct error *error)
{
    const struct compact *p = c;
    const size_t count = (size_t)*p->count;

    (void)opened;
    return npy_write(file, ELEMENT_F32, 1, &count, p->kept, error);
}

const struct user_data compact_data = {.inputs = inputs, .open = open, .load = load, .close = close, .save = save,
                                       .writes = npy_writes, .remark = remark};
