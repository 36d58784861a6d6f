#include "workshop/lab/result.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void view_free(struct view *v)
{
    free(v->want);
    free(v->wrong);
    v->want = NULL;
    v->wrong = NULL;
}

bool result_close(const struct view *v, double got, double want)
{
    if (isinf(want))
        return isinf(got) && (got > 0.0) == (want > 0.0);
    return fabs(got - want) <= v->error * (v->scale + fabs(want));
}

bool result_untouched(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits == 0xffffffff;
}

void result_compare(struct view *v)
{
    for (size_t i = 0; i < v->count; i++) {
        v->wrong[i] = !result_close(v, v->got[i], v->want[i]);
        v->wrong_count += v->wrong[i];
        v->untouched += result_untouched(v->got[i]);
    }
}

bool result_equals(const struct view *v, const double *values)
{
    size_t same = 0, asked = 0;

    for (size_t i = 0; i < v->count; i++) {
        if (!v->wrong[i] || isnan(values[i]))
            continue;
        asked++;
        same += result_close(v, v->got[i], values[i]);
    }
    return asked > 0 && same == asked;
}

bool result_is(const struct view *v, const double *values)
{
    for (size_t i = 0; i < v->count; i++)
        if (!result_close(v, v->got[i], values[i]))
            return false;
    return true;
}

const char *result_place(const struct view *v, size_t i, char *text, size_t room)
{
    if (v->names != NULL)
        snprintf(text, room, "%s", v->names[i]);
    else if (v->pairs && v->rows > 1)
        snprintf(text, room, "%s[%zu][%zu].%c", v->array, i / v->cols, i % v->cols / 2, i % 2 == 0 ? 'x' : 'y');
    else if (v->pairs)
        snprintf(text, room, "%s[%zu].%c", v->array, i / 2, i % 2 == 0 ? 'x' : 'y');
    else if (v->rows > 1)
        snprintf(text, room, "%s[%zu][%zu]", v->array, i / v->cols, i % v->cols);
    else
        snprintf(text, room, "%s[%zu]", v->array, i);
    return text;
}

size_t result_first_wrong(const struct view *v)
{
    size_t i = 0;

    while (i + 1 < v->count && !v->wrong[i])
        i++;
    return i;
}
