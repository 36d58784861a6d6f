/* The tables of results, in any format: for people, and all that there is of them for programs. */
#ifndef RUNGS_TABLE_H
#define RUNGS_TABLE_H

#include <stdio.h>

#include "harness/records/ladder.h"
#include "harness/table/grid.h"

/* One cell, timed.  `ladder` is of the rows; NULL: there are no times.  CSV starts with a line of
   names where `first`; JSON is the records. */
void table_bench(FILE *out, enum format format, struct result *const rows[], size_t count,
                 const struct ladder *ladder, bool first);

/* What columns and flags of these tables mean. */
void table_legend(FILE *out);

/* What more threads or devices bring to the rows that have several values; else nothing. */
void table_scaling(FILE *out, enum format format, struct result *const rows[], size_t count);

/* One problem, checked and not timed. */
void table_check(FILE *out, enum format format, struct result *const rows[], size_t count,
                 bool first);

/* A ratio and its verdict, in seven characters or so: "2.54 ", "1.01=", "0.97?". */
void table_ratio(const struct comparison *c, char *text, size_t bytes);

/* "93% memory", with a word or a mark behind what is above 100 %; "" where there is no share. */
void table_limit(const char *name, double share, char *text, size_t bytes);

/* What the marks behind ratios mean, for a table's footer. */
extern const char table_marks[];

#endif
