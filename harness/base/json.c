#include "harness/base/json.h"

#include <math.h>

json_t *json_number(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

json_t *json_nanoseconds(double seconds)
{
    return isfinite(seconds) ? json_integer((json_int_t)llround(seconds * 1e9)) : json_null();
}

/* Times below 10 microseconds keep a fraction, because they are means of many calls. */
static const double SHORT = 1e-5;

double time_on_record(double seconds)
{
    return seconds < SHORT ? round(seconds * 1e12) / 1e12 : round(seconds * 1e9) / 1e9;
}

json_t *json_time(double seconds)
{
    return seconds < SHORT ? json_number(round(seconds * 1e12) / 1e3) : json_nanoseconds(seconds);
}

json_t *json_times(const double values[], size_t count)
{
    json_t *list = json_array();

    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_time(values[i]));
    return list;
}

json_t *json_text(const char *text)
{
    return text != NULL && text[0] != '\0' ? json_string(text) : json_null();
}
