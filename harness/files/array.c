#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/files/npy.h"

size_t element_bytes(enum element element)
{
    static const size_t bytes[] = {
        [ELEMENT_F32] = 4, [ELEMENT_U8] = 1, [ELEMENT_COMPLEX] = 8, [ELEMENT_U32] = 4,
        [ELEMENT_F64] = 8};

    return bytes[element];
}

/* Writes the indices of element number i: "[3][17]". */
static void name_element(char *text, size_t bytes, const struct array *a, size_t i)
{
    size_t index[ARRAY_RANK] = {0}, length = 0;

    for (size_t d = a->rank; d-- > 0; i /= a->shape[d])
        index[d] = i % a->shape[d];
    text[0] = '\0';
    for (size_t d = 0; d < a->rank; d++) {
        (void)snprintf(text + length, bytes - length, "[%zu]", index[d]);
        length += strlen(text + length);
    }
}

bool array_finite(const struct array *array, const char *name, struct error *error)
{
    const float *number = array->data;
    size_t each = array->element == ELEMENT_COMPLEX ? 2 : 1, i = 0;
    char place[ARRAY_RANK * 24];

    if (array->element != ELEMENT_F32 && array->element != ELEMENT_COMPLEX)
        return true;
    while (i < array->count * each && isfinite(number[i]))
        i++;
    if (i == array->count * each)
        return true;
    name_element(place, sizeof place, array, i / each);
    return error_set(error, "%s: %s is %s", name, array->rank > 0 ? place : "the number",
                     isnan(number[i]) ? "NaN" : "infinite");
}

void array_free(struct array *array)
{
    free(array->data);
    *array = (struct array){.rank = 0};
}
