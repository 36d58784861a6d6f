#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/files/npy.h"

size_t element_bytes(enum element element)
{
    static const size_t bytes[] = {
        [ELEMENT_F32] = 4, [ELEMENT_U8] = 1, [ELEMENT_COMPLEX] = 8, [ELEMENT_U32] = 4,
        [ELEMENT_F64] = 8, [ELEMENT_I16] = 2};

    return bytes[element];
}

void array_place(const struct array *a, size_t i, char *text, size_t bytes)
{
    size_t index[ARRAY_RANK] = {0}, length = 0;

    for (size_t d = a->rank; d-- > 0; i /= a->shape[d])
        index[d] = i % a->shape[d];
    (void)snprintf(text, bytes, "%s", a->rank > 0 ? "" : "the number");
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
    array_place(array, i / each, place, sizeof place);
    if (!isnan(number[i]) && array->beyond > 0)
        return error_set(error, "%s: %s is too large for float32, whose largest number is 3.4e38", name, place);
    return error_set(error, "%s: %s is %s", name, place,
                     isnan(number[i]) ? "NaN" : "infinite");
}

void array_remark(const struct array *array, char *text, size_t bytes)
{
    const size_t each = array->element == ELEMENT_COMPLEX ? 2 : 1;

    if (array->rounded > 0)
        text_add(text, bytes, "%s%zu of %zu numbers were rounded to float32", text[0] != '\0' ? "; " : "", array->rounded,
                 array->count * each);
    if (array->beyond > 0)
        text_add(text, bytes, ", %zu of them to infinity", array->beyond);
}

void array_free(struct array *array)
{
    free(array->data);
    *array = (struct array){.rank = 0};
}
