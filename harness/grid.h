/*
 * A grid of short texts with a heading row, printed as an aligned table or as Markdown.  Columns in
 * which every row has a dash are left out: a table shows what there is.
 *
 * On a terminal it takes no more columns than there are: those that can be done without go first,
 * in the order that the table names, and a line below says which; then the last one wraps.
 */
#ifndef RUNGS_GRID_H
#define RUNGS_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { GRID_COLUMNS = 22, GRID_ROWS = 4096, GRID_TEXT = 40 };

/* What a row amounts to; its colour, where there is any. */
enum tone { TONE_PLAIN, TONE_BEST, TONE_BAD, TONE_FAINT };

struct grid {
    size_t rows, columns;
    bool left[GRID_COLUMNS];      /* flush left; numbers are flush right */
    const char *rest[GRID_ROWS];  /* if set, printed from column `rest_from` on, in the place of */
    size_t rest_from;             /* all cells there: a reason */
    enum tone tone[GRID_ROWS];
    const unsigned char *spare; /* columns: grid_spare */
    size_t spare_count;
    size_t room; /* columns on the screen; 0: as many as the terminal has, if it is one */
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

/* grid_spare(&g, C_FLAGS, C_CORES);    the columns it can do without, the least needed first */
#define grid_spare(g, ...)                                                                         \
    do {                                                                                           \
        static const unsigned char spare_columns[] = {__VA_ARGS__};                                \
        (g)->spare = spare_columns;                                                                \
        (g)->spare_count = sizeof spare_columns;                                                   \
    } while (0)

/* A share of a whole as a bar, eight characters at most; `text` has GRID_TEXT bytes. */
void grid_bar(double share, char *text);

#endif
