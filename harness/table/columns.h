/*
 * The columns of a table of results, for every format: a line each in a list of columns.c, with its
 * heading, its name for programs, and what it means.
 */
#ifndef RUNGS_TABLE_COLUMNS_H
#define RUNGS_TABLE_COLUMNS_H

#include "harness/records/ladder.h"
#include "harness/records/speedup.h"
#include "harness/table/grid.h"

/* A grid of them.  `unit`: the heading of the rates. */
struct grid columns_start(const char *unit);

/* What a row is filled from. */
struct columns_row {
    const struct result *result;
    const struct comparisons *comparisons;  /* NULL: nothing to compare with */
    const struct speedup *speedup;    /* NULL: it is not compared along what it scales with */
    bool sized;                       /* its size is for people as well: a table of several */
    double shortest;                  /* of the table, for a bar; 0: none is wanted */
};
void columns_add(struct grid *g, const struct columns_row *row);

/* Of a row of what ended so. */
enum tone columns_tone(enum outcome outcome);

/* Turns to what people see beside it, without a caption: the ratios of the runs alone, with the
   data on the device. */
void columns_resident(struct grid *g);

#endif
