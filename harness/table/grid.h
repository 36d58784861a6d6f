/*
 * The one table: columns that are declared once, rows that are filled once, and five writers.
 *
 * A column has a heading for people, a name for programs, or both.  A cell has a text for people,
 * and for programs a value: a number, a truth or a word; without a value it has its text for them
 * as well.  People see the columns and rows of a view, in its order; programs get every column that
 * has a name, in the order in which the columns were added.
 *
 * Text, Markdown and HTML leave out a column in which every row has a dash.  On a terminal a table
 * takes no more columns than there are: those that can be done without go first, in the order that
 * the view names, and a line below says which; then the last one wraps.
 */
#ifndef RUNGS_GRID_H
#define RUNGS_GRID_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum format { FORMAT_TABLE, FORMAT_MARKDOWN, FORMAT_CSV, FORMAT_JSON, FORMAT_HTML };

/* What a row or a cell amounts to; its colour, where there is any. */
enum tone { TONE_PLAIN, TONE_BEST, TONE_BAD, TONE_FAINT };

struct grid_column {
    const char *heading; /* NULL: people do not see it */
    const char *name;    /* NULL: programs do not get it */
    bool left;           /* flush left; numbers are flush right */
    bool quoted;         /* in CSV its fields have quotation marks, whatever they hold */
    const char *meaning; /* for a legend; NULL: nothing needs to be said */
};

enum value { VALUE_TEXT, VALUE_WORD, VALUE_NUMBER, VALUE_TRUTH };

struct grid_cell {
    char *text;       /* for people; NULL: a dash */
    char *word;       /* for programs, where `value` says so */
    double number;    /* likewise; NaN: there is none */
    enum value value; /* VALUE_TEXT: what people see */
    enum tone tone;   /* the rest is HTML's alone: */
    char *hint;       /* shown when the cell is pointed at */
    char *link;       /* the id of what the text leads to, in the same page */
    double share;     /* a bar behind the text, up to 1; 0: none */
};

enum { SEEN_PEOPLE = 1, SEEN_PROGRAMS = 2, SEEN_BESIDE = 4 /* by people, in a second view */ };

struct grid_row {
    struct grid_cell *cells; /* one a column */
    char *rest;     /* if set, stands in the place of all cells from column `rest_from` on */
    enum tone tone;
    unsigned seen;  /* by people, programs or both, as at first */
    json_t *record; /* what JSON has of it in the place of its cells; NULL: nothing else */
};

/* What people see. */
struct grid_view {
    const unsigned char *columns; /* in this order; NULL: all that have a heading */
    size_t count;
    const unsigned char *spare;   /* columns it can do without, the least needed first */
    size_t spare_count;
    unsigned rows;                /* those that are seen by one of these; 0: SEEN_PEOPLE */
    const char *first;            /* the first column's heading; NULL: its own */
};

struct grid {
    size_t count, column_count, room, column_room;
    struct grid_row *rows;
    struct grid_column *columns;
    struct grid_view view;
    size_t rest_from;
    char *caption;  /* above it; NULL: none */
    bool continued; /* CSV: it goes on, and its line of names was there before */
    size_t width;   /* columns on the screen; 0: as many as the terminal has, if it is one */
};

void grid_start(struct grid *g);
void grid_free(struct grid *g);

/* Columns are added before the first row; their texts are copied. */
void grid_columns(struct grid *g, const struct grid_column columns[], size_t count);
void grid_column(struct grid *g, const char *heading, bool left); /* one for people alone */

/* Starts a row.  What follows is said of its cells. */
struct grid_row *grid_row(struct grid *g);
void grid_duration(struct grid *g, size_t column, double seconds); /* for both; NaN: a dash */
void grid_count(struct grid *g, size_t column, size_t count);      /* for both */
void grid_number(struct grid *g, size_t column, double number);    /* for programs */
void grid_truth(struct grid *g, size_t column, bool truth);        /* for programs */
void grid_word(struct grid *g, size_t column, const char *word);   /* for programs; NULL: none */
void grid_link(struct grid *g, size_t column, const char *part, const char *name); /* "part.name" */
void grid_rest(struct grid *g, const char *text);
struct grid_cell *grid_cell(struct grid *g, size_t column);

/* Texts: the one there takes the place of an older one. */
void grid_say(char **place, const char *format, ...) __attribute__((format(printf, 2, 3)));
#define grid_set(g, column, ...) grid_say(&grid_cell(g, column)->text, __VA_ARGS__)
#define grid_hint(g, column, ...) grid_say(&grid_cell(g, column)->hint, __VA_ARGS__)
#define grid_caption(g, ...) grid_say(&(g)->caption, __VA_ARGS__)

/* grid_spare(&g, C_FLAGS, C_CORES); */
#define grid_spare(g, ...)                                                                         \
    do {                                                                                           \
        static const unsigned char spare_columns[] = {__VA_ARGS__};                                \
        (g)->view.spare = spare_columns;                                                           \
        (g)->view.spare_count = sizeof spare_columns;                                              \
    } while (0)

/* grid_order(&g, C_VARIANT, C_TIME);    what people see, in this order */
#define grid_order(g, ...)                                                                         \
    do {                                                                                           \
        static const unsigned char shown_columns[] = {__VA_ARGS__};                                \
        (g)->view.columns = shown_columns;                                                         \
        (g)->view.count = sizeof shown_columns;                                                    \
    } while (0)

/* Writes it, with its caption and an empty line behind it.  People get nothing of a table without
   rows; programs still get its line of names. */
void grid_print(const struct grid *g, enum format format, FILE *out);

/* A share of a whole as a bar, eight characters at most; `text` has GRID_BAR bytes. */
enum { GRID_BAR = 40 };
void grid_bar(double share, char *text);

/* --- for writers ------------------------------------------------------------------------------ */

/* The columns of the view that any of its rows has something in, by number. */
struct grid_shape {
    size_t count;
    unsigned char column[256];
    size_t rest; /* the place from which on a reason stands; `count`: there is none */
};

struct grid_shape grid_shape(const struct grid *g);
bool grid_is_seen(const struct grid *g, const struct grid_row *row);
const char *grid_heading(const struct grid *g, size_t column);

void grid_text(const struct grid *g, FILE *out);
void grid_text_markdown(const struct grid *g, FILE *out);
void grid_data_csv(const struct grid *g, FILE *out);
void grid_data_json(const struct grid *g, FILE *out);
void grid_data_record(json_t *object, FILE *out); /* one line; the object is gone after it */
void grid_html(const struct grid *g, FILE *out);

#endif
