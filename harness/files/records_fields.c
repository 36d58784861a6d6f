#include "harness/files/records_fields.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool place_error(const struct place *p, const char *format, ...)
{
    char what[sizeof p->error->text];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return error_set(p->error, "%s:%zu: %s", p->file, p->line, what);
}

bool field_text(const struct place *p, const json_t *object, const char *key, char *text,
                size_t bytes)
{
    const json_t *value = json_object_get(object, key);

    text[0] = '\0';
    if (value == NULL || json_is_null(value))
        return true;
    if (!json_is_string(value))
        return place_error(p, "\"%s\" is not a text", key);
    snprintf(text, bytes, "%s", json_string_value(value));
    text_clean(text); /* it will be shown on terminals */
    return true;
}

bool field_name(const struct place *p, const json_t *object, const char *key, char *text,
                size_t bytes)
{
    const json_t *value = json_object_get(object, key);

    if (!json_is_string(value) || json_string_length(value) == 0)
        return place_error(p, "\"%s\" is missing, or not a name", key);
    if (json_string_length(value) >= bytes)
        return place_error(p, "\"%s\" is longer than %zu bytes", key, bytes - 1);
    return field_text(p, object, key, text, bytes);
}

bool field_number(const struct place *p, const json_t *object, const char *key, double *value)
{
    const json_t *field = json_object_get(object, key);

    *value = NAN;
    if (field == NULL || json_is_null(field))
        return true;
    if (!json_is_number(field))
        return place_error(p, "\"%s\" is not a number", key);
    *value = json_number_value(field);
    return true;
}

bool field_integer(const struct place *p, const json_t *object, const char *key, long long *value)
{
    const json_t *field = json_object_get(object, key);

    *value = 0;
    if (field == NULL || json_is_null(field))
        return true;
    if (!json_is_integer(field))
        return place_error(p, "\"%s\" is not a whole number", key);
    *value = json_integer_value(field);
    return true;
}

bool field_int(const struct place *p, const json_t *object, const char *key, int *value)
{
    long long wide;

    if (!field_integer(p, object, key, &wide))
        return false;
    if (wide < 0 || wide > 1000000000)
        return place_error(p, "\"%s\" is out of range", key);
    *value = (int)wide;
    return true;
}

bool field_seconds(const struct place *p, const json_t *object, const char *key, double *value)
{
    if (!field_number(p, object, key, value))
        return false;
    *value *= 1e-9;
    return !(*value < 0.0) || place_error(p, "\"%s\" is below 0", key);
}

bool field_object(const struct place *p, const json_t *object, const char *key,
                  const json_t **value)
{
    *value = json_object_get(object, key);
    if (*value == NULL || json_is_null(*value)) {
        *value = NULL;
        return true;
    }
    return json_is_object(*value) || place_error(p, "\"%s\" is not an object", key);
}
