/* Tables for people (text, Markdown) and for programs (CSV, JSON), all from the same rows. */
#ifndef RUNGS_TABLE_H
#define RUNGS_TABLE_H

#include <stdio.h>

#include "harness/row.h"

enum format { FORMAT_TABLE, FORMAT_MARKDOWN, FORMAT_CSV, FORMAT_JSON };

/* What the rows of a cell are compared with. */
struct references {
    const struct row *single, *multi;  /* the fastest CPU rungs on one core and on several, or NULL */
};

struct references table_references(struct row *const rows[], size_t count);

/* One cell, timed.  CSV starts with a line of names where `first`. */
void table_bench(FILE *out, enum format format, struct row *const rows[], size_t count,
                 const struct references *references, bool first);

/* One problem, checked and not timed. */
void table_check(FILE *out, enum format format, struct row *const rows[], size_t count,
                 bool first);

/* The same for programs: times in seconds, all digits. */
void table_csv(FILE *out, struct row *const rows[], size_t count, bool first);
void table_json(FILE *out, struct row *const rows[], size_t count);

/* "n=16777216" or "m=65536 n=8192 k=1" */
void table_size(const struct problem *p, const size_t dims[], char *text, size_t bytes);

#endif
