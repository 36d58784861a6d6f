/* Tables for people (text, Markdown) and for programs (CSV, JSON), all from the same rows. */
#ifndef RUNGS_TABLE_H
#define RUNGS_TABLE_H

#include <stdio.h>

#include "harness/ladder.h"

enum format { FORMAT_TABLE, FORMAT_MARKDOWN, FORMAT_CSV, FORMAT_JSON };

/* What the rows of a cell are compared with. */
struct references {
    const struct ladder *ladder; /* of the rows; NULL: there are no times */
};

/* One cell, timed.  CSV starts with a line of names where `first`. */
void table_bench(FILE *out, enum format format, struct row *const rows[], size_t count,
                 const struct references *references, bool first);

/* What columns and flags of these tables mean. */
void table_legend(FILE *out);

/* What more threads or devices bring to the rows that have several values; else nothing. */
void table_scaling(FILE *out, bool markdown, struct row *const rows[], size_t count);

/* One problem, checked and not timed. */
void table_check(FILE *out, enum format format, struct row *const rows[], size_t count,
                 bool first);

/* The same for programs: times in seconds, all digits.  `ladder` may be NULL. */
void table_csv(FILE *out, struct row *const rows[], size_t count, const struct ladder *ladder,
               bool first);
void table_json(FILE *out, struct row *const rows[], size_t count, const struct ladder *ladder);

/* A field of a CSV file, in quotation marks (RFC 4180); and one behind a comma, empty where there
   is no number. */
void table_csv_text(FILE *out, const char *text);
void table_csv_number(FILE *out, double x);

/* A ratio and its verdict, in seven characters or so: "2.54 ", "1.01=", "0.97?". */
void table_ratio(const struct comparison *c, char *text, size_t bytes);

/* "93% memory", with a word or a mark behind what is above 100 %; "" where there is no share. */
void table_limit(const char *name, double share, char *text, size_t bytes);

/* What the marks behind ratios mean, for a table's footer. */
extern const char table_marks[];

/* "n=16777216" or "m=65536 n=8192 k=1" */
void table_size(const struct problem *p, const size_t dims[], char *text, size_t bytes);

#endif
