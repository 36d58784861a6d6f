/* Values as records hold them: what is not known is null, and times are in nanoseconds. */
#ifndef RUNGS_JSON_VALUES_H
#define RUNGS_JSON_VALUES_H

#include <jansson.h>

json_t *json_number(double x);
json_t *json_nanoseconds(double seconds); /* whole ones */
json_t *json_time(double seconds);        /* with a fraction below 10 us: means of many calls */
double time_on_record(double seconds);     /* what is left of it there, seconds again */
json_t *json_times(const double seconds[], size_t count);
json_t *json_text(const char *text); /* null for NULL and for "" */

#endif
