/*
 * Fields of records: results/README.md.  A table of fields says what a record holds of a struct; it
 * both writes and reads them, so that neither can forget one.
 *
 * What is not known is null in the file: "" of a text, NaN of a number.  A whole one is 0 then, in the
 * file as well, and null is read as 0.  A reader passes over fields that it does not know; what it
 * knows must be what it should be, or the error names file, line and field.
 */
#ifndef RUNGS_SCHEMA_H
#define RUNGS_SCHEMA_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "harness/base/error.h"

enum field_kind {
    KIND_NAME,    /* char[]: must be there, and whole */
    KIND_TEXT,    /* char[] */
    KIND_NUMBER,  /* double */
    KIND_SECONDS, /* double; in the file whole nanoseconds, 0 or more */
    KIND_INT,     /* int, 0 or more */
    KIND_COUNT,   /* size_t */
    KIND_LONG     /* long long */
};

struct field {
    const char *key;
    enum field_kind kind;
    size_t offset, bytes; /* in the struct */
};

#define RECORD_FIELD(type, key, kind, member)                                                             \
    {key, kind, offsetof(type, member), sizeof(((type *)NULL)->member)}

/* Adds them to an object. */
void fields_write(json_t *object, const struct field fields[], size_t count, const void *from);

/* Where a record stands, for an error. */
struct record_place {
    const char *file;
    size_t line;
    struct error *error;
};

bool fields_read(const struct record_place *p, const json_t *object, const struct field fields[],
                 size_t count, void *to);

/* Always false: "FILE:LINE: ...". */
bool place_error(const struct record_place *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Single ones.  False, and an error, where object[key] is something else than it should be. */
bool field_text(const struct record_place *p, const json_t *object, const char *key, char *text,
                size_t bytes);
bool field_name(const struct record_place *p, const json_t *object, const char *key, char *text,
                size_t bytes);
bool field_integer(const struct record_place *p, const json_t *object, const char *key, long long *value);
bool field_int(const struct record_place *p, const json_t *object, const char *key, int *value);
bool field_seconds(const struct record_place *p, const json_t *object, const char *key, double *value);

/* An object at object[key]; NULL where there is none.  False where it is something else. */
bool field_object(const struct record_place *p, const json_t *object, const char *key,
                  const json_t **value);

/* The index of object[key] in a list of names; `otherwise` where it is missing or none of them. */
int field_choice(const json_t *object, const char *key, const char *const names[], int count,
                 int otherwise);

#endif
