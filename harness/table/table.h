/* The tables of results, in every format.  CSV and JSON have more columns than people see. */
#ifndef RUNGS_TABLE_H
#define RUNGS_TABLE_H

#include <stdio.h>

#include "harness/records/ladder.h"
#include "harness/table/grid.h"

/* Prints the results of one problem and size.  `ladder`: the comparisons of these rows; NULL: no times.  CSV
   begins with a line of names if `first`; JSON has the records. */
void table_bench(FILE *out, enum format format, struct result *const rows[], size_t count,
                 const struct ladder *ladder, bool first);

/* Explains the columns, marks and flags of the tables that were printed as text so far. */
void table_legend(FILE *out);

/* Prints the speed-up with more threads or devices.  Without such rows it prints nothing. */
void table_scaling(FILE *out, enum format format, struct result *const rows[], size_t count);

/* Prints weak scaling, from the results of all tables of a run; likewise. */
void table_weak(FILE *out, enum format format, struct result *const rows[], size_t count);

/* Prints the results of one problem that were judged and not timed. */
void table_check(FILE *out, enum format format, struct result *const rows[], size_t count,
                 bool first);

/* Writes a ratio and the mark of its verdict: "2.54 ", "1.01=", "0.97?". */
void table_ratio(const struct comparison *c, char *text, size_t bytes);

/* Writes "93% memory"; above 100 %, ">100% memory" where a nearer cache or overlapping launches explain it, else
   "130% arithmetic ?".  Without a share it writes "". */
void table_peak(const char *name, double share, char *text, size_t bytes);

#endif
