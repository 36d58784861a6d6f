#include "harness/problems/data/labelled.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/files/npy.h"

void labelled_free(struct labelled *t)
{
    for (size_t j = 0; t->names != NULL && j < t->n; j++)
        free(t->names[j]);
    free(t->names);
    free(t->x);
    free(t->y);
    *t = (struct labelled){.m = 0};
}

void labelled_remark(const struct labelled *t, char *text, size_t bytes)
{
    const struct array all = {.count = t->m * t->n, .rounded = t->rounded};

    array_remark(&all, text, bytes);
}

/* --- NPY -------------------------------------------------------------------------------------- */

static bool take_labels(const char *file, const struct array *y, struct labelled *t, struct error *error)
{
    char place[ARRAY_RANK * 24];

    if (y->element != ELEMENT_F32)
        return error_set(error, "%s: labels are numbers, 0 or 1", file);
    t->y = malloc(y->count + 1);
    if (t->y == NULL)
        return error_set(error, "%s: no memory", file);
    for (size_t i = 0; i < y->count; i++) {
        const double label = (double)((const float *)y->data)[i];
        array_place(y, i, place, sizeof place);
        if (label != 0.0 && label != 1.0)
            return error_set(error, "%s: %s is %g, but a label is 0 or 1", file, place, label);
        t->y[i] = label != 0.0;
    }
    return true;
}

static bool take_samples(const char *file, struct array *x, struct labelled *t, struct error *error)
{
    if (x->element != ELEMENT_F32 || x->rank != 2)
        return error_set(error, "%s: takes a matrix of real numbers, a row a sample", file);
    if (x->shape[0] == 0)
        return error_set(error, "%s: has no rows", file);
    if (!array_finite(x, file, error))
        return false;
    t->m = x->shape[0];
    t->n = x->shape[1];
    t->rounded = x->rounded;
    t->x = x->data;
    x->data = NULL;
    return true;
}

bool labelled_npy(const char *x_file, const char *y_file, struct labelled *t, struct error *error)
{
    struct array x = {.data = NULL}, y = {.data = NULL};
    bool good = npy_read_numbers(x_file, &x, error) && take_samples(x_file, &x, t, error) && npy_read_numbers(y_file, &y, error);

    if (good && y.count != t->m)
        good = error_set(error, "%s has %zu rows, and %s has %zu labels", x_file, t->m, y_file, y.count);
    good = good && take_labels(y_file, &y, t, error);
    array_free(&x);
    array_free(&y);
    return good;
}
