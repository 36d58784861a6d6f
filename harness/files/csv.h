/*
 * The grammar of CSV (RFC 4180), a field at a time.  Beyond the RFC: LF, CRLF and CR all end a
 * line, the last line may lack its end, a quotation mark inside an unquoted field is a character
 * like any other, and UTF-8's byte order mark is skipped.
 */
#ifndef RUNGS_CSV_H
#define RUNGS_CSV_H

#include <stddef.h>

#include "harness/files/infile.h"

enum { CSV_TEXT = 255 };

/* What came after a field. */
enum csv_end {
    CSV_COMMA, /* another field of the same row */
    CSV_ROW,   /* the end of the row, perhaps of the file too */
    CSV_EMPTY, /* no field: an empty line where a row would begin */
    CSV_FILE,  /* no field: the end of the file where a row would begin */
    CSV_WRONG  /* the error says what */
};

struct csv_field {
    size_t line, column;     /* where it begins */
    size_t length;           /* in bytes, without quotation marks */
    char text[CSV_TEXT + 1]; /* a longer field is cut */
};

/* To be called once, before the first field. */
void csv_skip_mark(struct infile *in);

/* Reads one field; `first` says that it begins a row. */
enum csv_end csv_next(struct infile *in, bool first, struct csv_field *field, struct error *error);

#endif
