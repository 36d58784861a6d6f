/* reduce on users' arrays: --x; the two numbers as CSV or NPY. */
#include "common/reduce.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/files/npy.h"
#include "harness/problems/reduce.h"

enum { X };

static const struct input inputs[] = {
    {"x", "FILE", "the numbers, NPY of any shape"},
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
    if (x->element != ELEMENT_F32)
        error_set(error, "%s: has complex numbers, not real ones", file);
    else if (array_finite(x, file, error)) {
        dims[0] = x->count;
        return x;
    }
    close(x);
    return NULL;
}

static void load(void *c, const void *opened)
{
    const struct reduce *p = c;
    const struct array *x = opened;

    memcpy((float *)p->x, x->data, p->n * sizeof *p->x);
}

static bool is_csv(const char *file)
{
    const size_t length = strlen(file);

    return outfile_is_stream(file) || (length > 4 && strcmp(file + length - 4, ".csv") == 0);
}

static bool writes(const void *opened, const char *file, struct error *error)
{
    const size_t length = strlen(file);

    (void)opened;
    return is_csv(file) || (length > 4 && strcmp(file + length - 4, ".npy") == 0) ||
           error_set(error, "%s: the answer is written as .csv or .npy", file);
}

static void remark(const void *opened, char *text, size_t bytes)
{
    array_remark(opened, text, bytes);
}

static bool save(const void *c, const void *opened, const char *file, struct error *error)
{
    const struct reduce *p = c;
    const float both[] = {*p->sum, *p->norm};
    const size_t two = 2;
    struct outfile out;
    char text[80];

    (void)opened;
    if (!is_csv(file))
        return npy_write(file, ELEMENT_F32, 1, &two, both, error);
    if (!outfile_open(&out, file, error))
        return false;
    outfile_write(&out, text, (size_t)snprintf(text, sizeof text, "sum,norm\n%.9g,%.9g\n", (double)both[0], (double)both[1]));
    return outfile_close(&out, error);
}

const struct user_data reduce_data = {.inputs = inputs, .open = open, .load = load, .close = close, .save = save,
                                      .writes = writes, .remark = remark};
