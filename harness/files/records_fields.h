/* For the reader of records: fields of a JSON object, each of the kind that it should be. */
#ifndef RUNGS_RECORDS_FIELDS_H
#define RUNGS_RECORDS_FIELDS_H

#include <jansson.h>

#include "harness/files/records.h"

/* Where a field stands, for an error. */
struct place {
    const char *file;
    size_t line;
    struct error *error;
};

/* Always false: "FILE:LINE: ...". */
bool place_error(const struct place *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Each reads object[key]; where that is null or missing, a text is "" and a number NaN or 0.
   False, and an error, where it is something else than it should be. */
bool field_text(const struct place *p, const json_t *object, const char *key, char *text,
                size_t bytes);
bool field_number(const struct place *p, const json_t *object, const char *key, double *value);
bool field_integer(const struct place *p, const json_t *object, const char *key, long long *value);
bool field_int(const struct place *p, const json_t *object, const char *key, int *value);
bool field_seconds(const struct place *p, const json_t *object, const char *key, double *value);

/* As field_text, of a name: it must be there, and whole. */
bool field_name(const struct place *p, const json_t *object, const char *key, char *text,
                size_t bytes);

/* An object at object[key]; NULL where there is none.  False where it is something else. */
bool field_object(const struct place *p, const json_t *object, const char *key,
                  const json_t **value);

/* "size" and "scale". */
bool read_size(const struct place *p, const json_t *object, struct past_axis size[PAST_AXES],
               size_t *axes);
bool read_scale(const struct place *p, const json_t *object, struct past_axis *scale);

bool read_block(const struct place *p, const json_t *object, struct past_block *block);

/* A "measurement"; what it allocates, past_free frees. */
bool read_cell(const struct place *p, const json_t *object, struct past_cell *cell);

/* A "ceiling" and a "crossover": records_more.c */
bool read_ceiling(const struct place *p, const json_t *object, struct past_ceiling *c);
bool read_crossover(const struct place *p, const json_t *object, struct past_crossover *c);

#endif
