/*
 * A report: one page of HTML about one or several files of records, which needs nothing but itself.
 *
 * Each section is a file of this folder and a function that writes it; harness/report/page.c puts
 * them together.  What is styled and what can be clicked is page.css and page.js, which are in the
 * program as they stand.
 */
#ifndef RUNGS_REPORT_H
#define RUNGS_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "harness/error.h"
#include "harness/files/records.h"
#include "harness/flags.h"
#include "harness/ladder.h"
#include "harness/report/raw.h"
#include "harness/report/source.h"

enum { REPORT_FILES = 32, REPORT_CELLS = 10000 /* in all; more is no page for people */ };

/* One table: the cells of a run, problem and size, one behind the other. */
struct report_table {
    const struct past_cell *cells;
    size_t count;
    struct ladder ladder;
};

struct report_file {
    struct past past;
    char name[96];              /* of the file, without its folders and ending */
    char **about;               /* HTML: what each of past.runs says of its machine and build */
    size_t about_count;
    struct raw raw;
    struct past_cell *cells;    /* as in past, but those of a table together */
    size_t table_count;
    struct report_table *tables;
};

/* A rung that any file has times or failures of. */
struct report_rung {
    const struct past_cell *cell; /* the last of its records */
    struct source source;
};

struct report {
    struct report_file *files;
    size_t file_count, cell_count;
    struct report_rung *rungs; /* in the order of the files */
    size_t rung_count;
    bool no_plots; /* not wanted */
};

/* Reads the files; the error names file and line. */
bool report_read(struct report *r, const char *const names[], size_t count, struct error *error);
void report_free(struct report *r);

/* The whole page, to where ftell knows how much has been written. */
void report_page(FILE *out, const struct report *r);

/* --- sections --------------------------------------------------------------------------------- */

void report_attention(FILE *out, const struct report *r);
void report_machines(FILE *out, const struct report *r);
void report_tables(FILE *out, const struct report *r);
bool report_is_combined(const struct report *r); /* is there anything to be seen side by side? */
void report_combined(FILE *out, const struct report *r);
void report_crossovers(FILE *out, const struct report *r);
void report_plots(FILE *out, const struct report *r);
void report_rungs(FILE *out, const struct report *r);
void report_legend(FILE *out, const struct report *r);

/* The machine and build of a run, from its record; for free(). */
char *report_about(const struct json_t *run);

/* --- what several sections show --------------------------------------------------------------- */

/* A rung's name, with its problem's if `full`; a link to its section if its name can be an id. */
void report_link(FILE *out, const struct past_cell *c, bool full);

/* Did the rung do something wrong?  (Not: could it be measured.) */
bool report_failed(const struct past_cell *c);
/* The share of a time that its limit explains; NaN where there is none. */
double report_share(const struct past_limit *limit, const struct past_series *time);
bool report_has_flag(const struct past_cell *c, enum flag flag);

/* A table up to the first of its rows.  A heading of NULL is left out; `left` has a bit for each
   column that is flush left. */
void report_table_start(FILE *out, const char *caption, const char *const headings[], size_t count,
                        unsigned left);
void report_table_end(FILE *out);

/* Seconds as the program prints them; "" for what is not finite. */
void report_duration(double seconds, char *text, size_t bytes);

#endif
