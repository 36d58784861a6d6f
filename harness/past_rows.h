/*
 * Records as rows again: what a run has put on file, in the shape in which tables show it.
 *
 * The rungs need not be in this program, nor their devices in this machine; only their problem must
 * be known.
 */
#ifndef RUNGS_PAST_ROWS_H
#define RUNGS_PAST_ROWS_H

#include "harness/files/records.h"
#include "harness/ladder.h"

/* One table. */
struct past_rows {
    size_t count;
    struct row **rows;
    struct variant *variants; /* as far as records know them */
    struct ladder ladder;
};

/* The measurements of one table, one behind the other in a file, which must outlive the rows.  False:
   the problem is none of ours, the error says so. */
bool past_rows_make(const struct past *p, const struct past_cell cells[], size_t count,
                    struct past_rows *t, struct error *error);
void past_rows_free(struct past_rows *t);

/* How many measurements from cells[at] on are of one table: of one run, problem and size. */
size_t past_table_length(const struct past *p, size_t at);

/* What was found of a rung; its problem, rung and size are left as they are. */
void past_row(struct row *row, const struct past_cell *c);

#endif
