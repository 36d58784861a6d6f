/* Values as records hold them.  Unknown values are null; times are in nanoseconds. */
#ifndef RUNGS_JSON_VALUES_H
#define RUNGS_JSON_VALUES_H

#include <jansson.h>

json_t *json_number(double x);
json_t *json_nanoseconds(double seconds); /* rounded to whole nanoseconds */
json_t *json_time(double seconds);        /* below 10 us with a fraction: a mean of many calls */
double time_on_record(double seconds);     /* the same time, in seconds, after the rounding of
                                              json_time */
json_t *json_times(const double seconds[], size_t count);
json_t *json_text(const char *text); /* null for NULL and for "" */

#endif
