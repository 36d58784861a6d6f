/*
 * Fields of records (results/README.md).  A table of fields maps members of a struct to fields of a record.
 * The same table writes and reads them, so that the two cannot differ.
 *
 * Unknown values are null in the file: "" of a text, NaN of a number.  An unknown whole number is 0, also in
 * the file, and null is read as 0.  A reader skips fields that it does not know.  Known fields must have the
 * right type, or the error names file, line and field.
 */
#ifndef RUNGS_SCHEMA_H
#define RUNGS_SCHEMA_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "harness/base/error.h"

enum field_kind {
    KIND_NAME,    /* char[]: required, and not cut */
    KIND_TEXT,    /* char[] */
    KIND_NUMBER,  /* double */
    KIND_SECONDS, /* double, seconds; in the file whole nanoseconds, 0 or more */
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

/* Adds these fields to an object. */
void fields_write(json_t *object, const struct field fields[], size_t count, const void *from);

/* The place of a record, for errors. */
struct record_place {
    const char *file;
    size_t line;
    struct error *error;
};

bool fields_read(const struct record_place *p, const json_t *object, const struct field fields[],
                 size_t count, void *to);

/* Sets the error "FILE:LINE: ...".  Returns false. */
bool place_error(const struct record_place *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Read single fields.  False with an error if object[key] has the wrong type. */
bool field_text(const struct record_place *p, const json_t *object, const char *key, char *text,
                size_t bytes);
bool field_name(const struct record_place *p, const json_t *object, const char *key, char *text,
                size_t bytes);
bool field_integer(const struct record_place *p, const json_t *object, const char *key, long long *value);
bool field_int(const struct record_place *p, const json_t *object, const char *key, int *value);
bool field_seconds(const struct record_place *p, const json_t *object, const char *key, double *value);

/* Gets the object at object[key]; NULL: none.  False with an error if it is something else. */
bool field_object(const struct record_place *p, const json_t *object, const char *key,
                  const json_t **value);

/* Returns the index of object[key] in a list of names; `otherwise`: it is missing or not in the list. */
int field_choice(const json_t *object, const char *key, const char *const names[], int count,
                 int otherwise);

#endif
