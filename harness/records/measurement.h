/* Writes and reads a result as a "measurement" record. */
#ifndef RUNGS_MEASUREMENT_H
#define RUNGS_MEASUREMENT_H

#include "harness/records/result.h"
#include "harness/records/schema.h"

json_t *measurement_write(const struct result *r);

/* Reads a result.  result_clear() frees what it allocates, also after a failure. */
bool measurement_read(const struct record_place *p, const json_t *object, struct result *r);

/* Returns the variant's name as in records, without the scale, which is a field of its own. */
struct result_name measurement_variant(const struct result *r);

/* {"n": 1024}, and {"threads": 4}, {"devices": 2}, {"ranks": 2}, {"processes": 2} or null. */
json_t *size_write(const struct result *r);
json_t *scale_write(const struct scale *s);
bool size_read(const struct record_place *p, const json_t *object, struct axis size[RESULT_AXES],
               size_t *axes);
bool scale_read(const struct record_place *p, const json_t *object, struct scale *s);

#endif
