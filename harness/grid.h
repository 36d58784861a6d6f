/*
 * A grid of short texts with a heading row, printed as an aligned table or as Markdown.  Columns in
 * which every row has a dash are left out: a table shows what there is.
 */
#ifndef RUNGS_GRID_H
#define RUNGS_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { GRID_COLUMNS = 22, GRID_ROWS = 4096, GRID_TEXT = 40 };

struct grid {
    size_t rows, columns;
    bool left[GRID_COLUMNS];      /* flush left; numbers are flush right */
    const char *rest[GRID_ROWS];  /* if set, printed from column `rest_from` on, in the place of */
    size_t rest_from;             /* all cells there: a reason */
    char (*text)[GRID_COLUMNS][GRID_TEXT]; /* [rows] */
};

void grid_start(struct grid *g);
/* Columns are added left to right before the first row. */
void grid_column(struct grid *g, const char *heading, bool left);
/* Starts a row; its cells are dashes until set. */
void grid_row(struct grid *g);
void grid_set(struct grid *g, size_t column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void grid_print(const struct grid *g, FILE *out, bool markdown);
void grid_free(struct grid *g);

#endif
