/*
 * A table that is declared and filled once, and written in five formats.
 *
 * A column has a heading for people, a name for programs, or both.  A cell has a text for people and a
 * value for programs: a number, a truth value or a word.  Without a value, programs get the text.  People
 * see the columns and rows of a view, in its order.  Programs get every column that has a name, in the
 * order in which the columns were added.
 *
 * Text, Markdown and HTML leave out a column in which every row has a dash.  If the table is wider than
 * the terminal, columns are left out in the order that the view names, and a line below the table names
 * them.  If that is not enough, the last column wraps.
 */
#ifndef RUNGS_GRID_H
#define RUNGS_GRID_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum format { FORMAT_TABLE, FORMAT_MARKDOWN, FORMAT_CSV, FORMAT_JSON, FORMAT_HTML };

/* The meaning of a row or a cell, shown as its colour. */
enum tone { TONE_PLAIN, TONE_BEST, TONE_BAD, TONE_FAINT };

struct grid_column {
    const char *heading; /* NULL: people do not see it */
    const char *name;    /* NULL: programs do not get it */
    bool left;           /* flush left; numbers are flush right */
    bool quoted;         /* in CSV its fields have quotation marks, whatever they hold */
    const char *meaning; /* for a legend; NULL: not in it */
};

enum value { VALUE_TEXT, VALUE_WORD, VALUE_NUMBER, VALUE_TRUTH };

struct grid_cell {
    char *text;       /* for people; NULL: a dash */
    char *word;       /* for programs, with VALUE_WORD */
    double number;    /* for programs, with VALUE_NUMBER and VALUE_TRUTH; NaN: none */
    enum value value; /* VALUE_TEXT: programs get the text */
    enum tone tone;   /* this and the following for HTML only: */
    char *hint;       /* tooltip */
    char *link;       /* the id in the same page that the text links to */
    double share;     /* length of a bar behind the text, up to 1; 0: none */
};

enum { SEEN_PEOPLE = 1, SEEN_PROGRAMS = 2, SEEN_BESIDE = 4, SEEN_COUNTED = 8 /* these two: people, in other views */ };

struct grid_row {
    struct grid_cell *cells; /* one a column */
    char *rest;     /* if set, replaces all cells from column `rest_from` on */
    enum tone tone;
    unsigned seen;  /* SEEN_ bits; at first people and programs */
    json_t *record; /* JSON prints this instead of the cells; NULL: the cells */
};

/* The columns and rows that people see. */
struct grid_view {
    const unsigned char *columns; /* in this order; NULL: all that have a heading */
    size_t count;
    const unsigned char *spare;   /* columns that may be left out, the least needed first */
    size_t spare_count;
    unsigned rows;                /* shows rows with one of these bits; 0: SEEN_PEOPLE */
    const char *first;            /* replaces the heading of the first column; NULL: its own */
};

struct grid {
    size_t count, column_count, room, column_room;
    struct grid_row *rows;
    struct grid_column *columns;
    struct grid_view view;
    size_t rest_from;
    char *caption;  /* above it; NULL: none */
    bool continued; /* CSV: continues an earlier table, without a line of names */
    size_t width;   /* of the output, in characters; 0: the terminal's, if it is one */
};

void grid_start(struct grid *g);
void grid_free(struct grid *g);

/* Adds columns.  All must be added before the first row.  Copies headings and names. */
void grid_columns(struct grid *g, const struct grid_column columns[], size_t count);
void grid_column(struct grid *g, const char *heading, bool left); /* for people only */

/* Starts a row.  The functions below fill its cells. */
struct grid_row *grid_row(struct grid *g);
void grid_duration(struct grid *g, size_t column, double seconds); /* for people and programs; NaN: a dash */
void grid_count(struct grid *g, size_t column, size_t count);      /* for people and programs */
void grid_number(struct grid *g, size_t column, double number);    /* for programs */
void grid_truth(struct grid *g, size_t column, bool truth);        /* for programs */
void grid_word(struct grid *g, size_t column, const char *word);   /* for programs; NULL: none */
void grid_link(struct grid *g, size_t column, const char *part, const char *name); /* "part.name" */
void grid_rest(struct grid *g, const char *text);
struct grid_cell *grid_cell(struct grid *g, size_t column);

/* Sets a text, and frees the one before. */
void grid_say(char **place, const char *format, ...) __attribute__((format(printf, 2, 3)));
#define grid_set(g, column, ...) grid_say(&grid_cell(g, column)->text, __VA_ARGS__)
#define grid_hint(g, column, ...) grid_say(&grid_cell(g, column)->hint, __VA_ARGS__)
#define grid_caption(g, ...) grid_say(&(g)->caption, __VA_ARGS__)

/* Names the columns that may be left out: grid_spare(&g, C_FLAGS, C_CORES); */
#define grid_spare(g, ...)                                                                         \
    do {                                                                                           \
        static const unsigned char spare_columns[] = {__VA_ARGS__};                                \
        (g)->view.spare = spare_columns;                                                           \
        (g)->view.spare_count = sizeof spare_columns;                                              \
    } while (0)

/* Names the columns that people see, in order: grid_order(&g, C_VARIANT, C_TIME); */
#define grid_order(g, ...)                                                                         \
    do {                                                                                           \
        static const unsigned char shown_columns[] = {__VA_ARGS__};                                \
        (g)->view.columns = shown_columns;                                                         \
        (g)->view.count = sizeof shown_columns;                                                    \
    } while (0)

/* Writes the table with its caption and an empty line after it.  A table without rows is not written,
   except the line of names in CSV. */
void grid_print(const struct grid *g, enum format format, FILE *out);

/* Writes a share, 0 to 1, as a bar of at most eight characters; `text` has GRID_BAR bytes. */
enum { GRID_BAR = 40 };
void grid_bar(double share, char *text);

/* --- for writers ------------------------------------------------------------------------------ */

/* The columns of the view in which at least one row has a text, by number. */
struct grid_shape {
    size_t count;
    unsigned char column[256];
    size_t rest; /* the place at which `rest` of a row begins; `count`: none */
};

struct grid_shape grid_shape(const struct grid *g);
bool grid_is_seen(const struct grid *g, const struct grid_row *row);
const char *grid_heading(const struct grid *g, size_t column);

void grid_text(const struct grid *g, FILE *out);
void grid_text_markdown(const struct grid *g, FILE *out);
void grid_data_csv(const struct grid *g, FILE *out);
void grid_data_json(const struct grid *g, FILE *out);
void grid_data_record(json_t *object, FILE *out); /* one line; takes the reference to the object */
void grid_html(const struct grid *g, FILE *out);

#endif
