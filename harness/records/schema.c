#include "harness/base/text.h"
#include "harness/records/schema.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/json.h"

bool place_error(const struct record_place *p, const char *format, ...)
{
    char what[sizeof p->error->text];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return error_set(p->error, "%s:%zu: %s", p->file, p->line, what);
}

/* Returns NULL if it is missing or null. */
static const json_t *known(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);

    return json_is_null(value) ? NULL : value;
}

bool field_text(const struct record_place *p, const json_t *object, const char *key, char *text,
                size_t bytes)
{
    const json_t *value = known(object, key);

    text[0] = '\0';
    if (value == NULL)
        return true;
    if (!json_is_string(value))
        return place_error(p, "\"%s\" is not a text", key);
    snprintf(text, bytes, "%s", json_string_value(value));
    text_clean(text); /* it is shown on terminals */
    return true;
}

bool field_name(const struct record_place *p, const json_t *object, const char *key, char *text,
                size_t bytes)
{
    const json_t *value = json_object_get(object, key);

    if (!json_is_string(value) || json_string_length(value) == 0)
        return place_error(p, "\"%s\" is missing, or not a name", key);
    if (json_string_length(value) >= bytes)
        return place_error(p, "\"%s\" is longer than %zu bytes", key, bytes - 1);
    return field_text(p, object, key, text, bytes);
}

static bool field_number(const struct record_place *p, const json_t *object, const char *key, double *value)
{
    const json_t *field = known(object, key);

    *value = NAN;
    if (field == NULL)
        return true;
    if (!json_is_number(field))
        return place_error(p, "\"%s\" is not a number", key);
    *value = json_number_value(field);
    return true;
}

bool field_integer(const struct record_place *p, const json_t *object, const char *key, long long *value)
{
    const json_t *field = known(object, key);

    *value = 0;
    if (field == NULL)
        return true;
    if (!json_is_integer(field))
        return place_error(p, "\"%s\" is not a whole number", key);
    *value = json_integer_value(field);
    return true;
}

bool field_int(const struct record_place *p, const json_t *object, const char *key, int *value)
{
    long long wide;

    if (!field_integer(p, object, key, &wide))
        return false;
    if (wide < 0 || wide > 1000000000)
        return place_error(p, "\"%s\" is out of range", key);
    *value = (int)wide;
    return true;
}

bool field_seconds(const struct record_place *p, const json_t *object, const char *key, double *value)
{
    if (!field_number(p, object, key, value))
        return false;
    *value *= 1e-9;
    return !(*value < 0.0) || place_error(p, "\"%s\" is below 0", key);
}

bool field_object(const struct record_place *p, const json_t *object, const char *key,
                  const json_t **value)
{
    *value = known(object, key);
    return *value == NULL || json_is_object(*value) ||
           place_error(p, "\"%s\" is not an object", key);
}

int field_choice(const json_t *object, const char *key, const char *const names[], int count,
                 int otherwise)
{
    const char *text = json_string_value(json_object_get(object, key));

    for (int i = 0; text != NULL && i < count; i++)
        if (strcmp(text, names[i]) == 0)
            return i;
    return otherwise;
}

/* --- tables of fields ------------------------------------------------------------------------- */

static json_t *write_one(const struct field *f, const char *from)
{
    double number = NAN;
    long long integer = 0;
    size_t count = 0;
    int small = 0;

    switch (f->kind) {
    case KIND_NAME: return json_string(from);
    case KIND_TEXT: return json_text(from);
    case KIND_NUMBER: memcpy(&number, from, sizeof number); return json_number(number);
    case KIND_SECONDS: memcpy(&number, from, sizeof number); return json_nanoseconds(number);
    case KIND_INT: memcpy(&small, from, sizeof small); return json_integer(small);
    case KIND_COUNT: memcpy(&count, from, sizeof count); return json_integer((json_int_t)count);
    case KIND_LONG: memcpy(&integer, from, sizeof integer); break;
    }
    return json_integer(integer);
}

void fields_write(json_t *object, const struct field fields[], size_t count, const void *from)
{
    for (size_t i = 0; i < count; i++)
        json_object_set_new(object, fields[i].key,
                            write_one(&fields[i], (const char *)from + fields[i].offset));
}

static bool read_count(const struct record_place *p, const json_t *object, const char *key, size_t *count)
{
    long long value;

    if (!field_integer(p, object, key, &value))
        return false;
    *count = (size_t)value;
    return value >= 0 || place_error(p, "\"%s\" is below 0", key);
}

static bool read_one(const struct record_place *p, const json_t *object, const struct field *f, void *to)
{
    switch (f->kind) {
    case KIND_NAME: return field_name(p, object, f->key, to, f->bytes);
    case KIND_TEXT: return field_text(p, object, f->key, to, f->bytes);
    case KIND_NUMBER: return field_number(p, object, f->key, to);
    case KIND_SECONDS: return field_seconds(p, object, f->key, to);
    case KIND_INT: return field_int(p, object, f->key, to);
    case KIND_COUNT: return read_count(p, object, f->key, to);
    case KIND_LONG: break;
    }
    return field_integer(p, object, f->key, to);
}

bool fields_read(const struct record_place *p, const json_t *object, const struct field fields[],
                 size_t count, void *to)
{
    for (size_t i = 0; i < count; i++)
        if (!read_one(p, object, &fields[i], (char *)to + fields[i].offset))
            return false;
    return true;
}
