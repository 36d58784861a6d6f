/*
 * Reads CSV (RFC 4180), one field at a time.  Beyond the RFC: semicolons or tabs may separate the fields,
 * LF, CRLF and CR all end a line, the last line may lack its end, a quotation mark inside an unquoted field
 * is an ordinary character, and UTF-8's byte order mark is skipped.  A first line sep=; names the separator,
 * as spreadsheets have it, which do not show that line.
 */
#ifndef RUNGS_CSV_H
#define RUNGS_CSV_H

#include <stddef.h>

#include "harness/files/infile.h"

enum { CSV_TEXT = 255 };

/* What followed a field. */
enum csv_end {
    CSV_FIELD, /* another field of the same row */
    CSV_ROW,   /* the end of the row, or of the file */
    CSV_EMPTY, /* no field: an empty line instead of a row */
    CSV_FILE,  /* no field: the end of the file instead of a row */
    CSV_WRONG  /* the error is set */
};

struct csv_field {
    size_t line, column;     /* where it begins */
    size_t length;           /* in bytes, without quotation marks */
    char text[CSV_TEXT + 1]; /* longer fields are cut */
};

/* Skips a byte order mark.  Call it once, before the first field; csv_read_head() does. */
void csv_skip_mark(struct infile *in);

/* The first row of a file that is not blank.  It is kept as text, because only the whole row tells what
   separates its fields. */
struct csv_head {
    char separator;    /* ',', ';' or '\t' */
    struct infile row; /* reads the row */
    char *text;        /* of the row */
    size_t hidden;     /* lines that a spreadsheet does not show: 1 after sep=, else 0 */
};

/* Reads the head, after blank lines and a byte order mark.  On success free it with csv_head_free(). */
bool csv_read_head(struct infile *in, struct csv_head *head, struct error *error);
void csv_head_free(struct csv_head *head);

/* Reads one field; `first` means that it begins a row. */
enum csv_end csv_next(struct infile *in, char separator, bool first, struct csv_field *field,
                      struct error *error);

/* Makes the field's comma a decimal point, if it has one.  For numbers in files where commas do not separate. */
void csv_decimal_comma(struct csv_field *field);

#endif
