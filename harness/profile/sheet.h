/*
 * A profiler's CSV: lines of other text, then a row of names, then the values.  The first row with
 * several fields is taken as the names.
 */
#ifndef RUNGS_SHEET_H
#define RUNGS_SHEET_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/error.h"

enum { SHEET_COLUMNS = 4096, SHEET_TEXT = 256 };

struct sheet {
    size_t rows, columns;     /* without the row of names */
    char (*names)[SHEET_TEXT]; /* [columns] */
    char (*cells)[SHEET_TEXT]; /* [rows][columns]; a missing field is empty */
};

bool sheet_read(struct sheet *s, const char *file, struct error *error);
void sheet_free(struct sheet *s);

/* Returns the column of that name; s->columns: there is none. */
size_t sheet_column(const struct sheet *s, const char *name);

/* Returns a field; empty if there is no such column. */
const char *sheet_text(const struct sheet *s, size_t row, size_t column);

/* Returns a field as a number: "1,234.5" is 1234.5.  NaN: not a number, or no such column. */
double sheet_number(const struct sheet *s, size_t row, size_t column);

#endif
