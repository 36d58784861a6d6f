#include "harness/problems/data/pair.h"

#include <stdlib.h>

void pair_close(void *pair)
{
    struct pair *p = pair;

    array_free(&p->first);
    array_free(&p->second);
    free(p);
}

static bool read_array(const char *const given[], const struct input inputs[], size_t which,
                       bool matrix, struct array *array, struct error *error)
{
    const char *file = required_file(given, inputs, which, error);

    if (file == NULL || !npy_read_numbers(file, array, error))
        return false;
    if (array->element != ELEMENT_F32 || (matrix && array->rank != 2))
        return error_set(error, "%s: not %s of real numbers", file, matrix ? "a matrix" : "an array");
    return array_finite(array, file, error);
}

void pair_remark(const void *pair, char *text, size_t bytes)
{
    const struct pair *p = pair;
    struct array both = p->first;

    both.count += p->second.count;
    both.rounded += p->second.rounded;
    array_remark(&both, text, bytes);
}

struct pair *pair_open(const char *const given[], const struct input inputs[], size_t which,
                       bool matrices, struct error *error)
{
    struct pair *p = calloc(1, sizeof *p);

    if (p == NULL) {
        error_set(error, "no memory");
        return NULL;
    }
    if (read_array(given, inputs, which, matrices, &p->first, error) &&
        read_array(given, inputs, which + 1, matrices, &p->second, error))
        return p;
    pair_close(p);
    return NULL;
}
