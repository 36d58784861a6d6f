/*
 * The columns of a table of results, in every format.  columns.c lists them, one a line, with heading, name
 * for programs, and meaning.
 */
#ifndef RUNGS_TABLE_COLUMNS_H
#define RUNGS_TABLE_COLUMNS_H

#include "harness/records/ladder.h"
#include "harness/records/speedup.h"
#include "harness/table/grid.h"

/* Returns a grid with these columns.  `unit`: the heading of the rates. */
struct grid columns_start(const char *unit);

/* The data of a row. */
struct columns_row {
    const struct result *result;
    const struct comparisons *comparisons; /* NULL: none */
    const struct speedup *speedup;         /* NULL: none */
    bool sized;      /* the column `size` is shown: the table has several sizes */
    bool memory;     /* the column `memory` is shown: a variant of the table is in another language */
    unsigned folded; /* flags that are not shown, because most rows of the table have them */
    double shortest; /* the shortest time of the table in seconds, for bars; 0: no bars */
};
void columns_add(struct grid *g, const struct columns_row *row);

/* Adds a row, for people only, that stands for several variants with this outcome. */
void columns_absent(struct grid *g, size_t variants, enum outcome outcome);

/* Returns the tone of a row with this outcome. */
enum tone columns_tone(enum outcome outcome);

/* Switches to the second view, without a caption: times and ratios of `run`, with resident data. */
void columns_resident(struct grid *g);

/* Switches to the view of what was counted in the simulator. */
void columns_counted(struct grid *g);

/* What a reader has seen so far and needs explained. */
struct columns_seen {
    bool column[256]; /* by its number in the grid */
    bool resident, ratios;
    unsigned flags;
    char unit[24]; /* the heading of rates; "rate": several */
};

/* Adds what this table shows. */
void columns_see(struct columns_seen *seen, const struct grid *g);

/* Prints a line for each column that was seen and has a meaning: `print` gets heading and meaning. */
void columns_explain(const struct columns_seen *seen,
                     void (*print)(void *context, const char *heading, const char *meaning), void *context);

#endif
