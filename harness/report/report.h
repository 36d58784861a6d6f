/*
 * A report: one self-contained HTML page about one or several files of records.
 *
 * Each section has a file in this folder and a function that writes it; page.c puts them together.
 * page.css and page.js hold styles and behaviour, and are compiled into the program.
 */
#ifndef RUNGS_REPORT_H
#define RUNGS_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "harness/base/error.h"
#include "harness/records/ladder.h"
#include "harness/records/records.h"
#include "harness/report/raw.h"
#include "harness/table/grid.h"

enum { REPORT_FILES = 32, REPORT_CELLS = 10000 /* of all files */ };

/* One table: the results of a run at one problem and size. */
struct report_table {
    struct result **results;
    size_t count;
    struct ladder ladder;
};

struct report_file {
    struct records past;
    char name[96];           /* of the file, without folders and ending */
    json_t **runs;           /* the records of past.runs */
    size_t run_count;
    struct raw raw;
    struct result **results; /* of `past`, sorted by tables */
    size_t table_count;
    struct report_table *tables;
};

/* A result, and the index of its file.  The results of a table are together. */
struct report_result {
    const struct result *is;
    size_t file;
};

struct report {
    struct report_file *files;
    size_t file_count, result_count;
    struct report_result *results;
    const struct result **variants; /* the last result of each variant, in the order of the files */
    size_t variant_count;
    bool no_plots; /* leave out the pictures */
};

/* Reads the files; the error names file and line. */
bool report_read(struct report *r, const char *const names[], size_t count, struct error *error);
void report_free(struct report *r);

/* Writes the whole page.  ftell() must work on `out`. */
void report_page(FILE *out, const struct report *r);

/* --- pictures: plots.c ------------------------------------------------------------------------ */

struct report_pictures;

/* Draws all pictures.  NULL: the page is to have none.  What failed is said in the section of plots. */
struct report_pictures *report_draw(const struct report *r);
void report_pictures_free(struct report_pictures *p);

/* Writes `before` and then the picture of a table's times.  Returns false and writes nothing if there is none. */
bool report_picture(FILE *out, struct report_pictures *p, const struct report_file *f,
                    const struct report_table *t, const char *before);

/* --- sections --------------------------------------------------------------------------------- */

void report_answer(FILE *out, const struct report *r, struct report_pictures *pictures);
void report_summary(FILE *out, const struct report *r);
void report_machines(FILE *out, const struct report *r);
bool report_is_combined(const struct report *r); /* has the page a section "side by side"? */
void report_combined(FILE *out, const struct report *r);
void report_crossovers(FILE *out, const struct report *r);
void report_tables(FILE *out, const struct report *r);
void report_plots(FILE *out, const struct report_pictures *p); /* those that are not in the page yet */
void report_variants(FILE *out, const struct report *r);
void report_legend(FILE *out);

/* Begins a section with its heading.  Links find it by `id`. */
void report_section(FILE *out, const char *id, const char *title);

/* Fills the first column of a row: the variant, with a link to its source. */
void report_name(struct grid *g, const struct result *result);

/* Writes the machine of a run: processor, cores, GPUs. */
void report_machine(const struct run *run, char *text, size_t bytes);

/* The id of a problem's tables in the page; "": its name cannot be one. */
void report_problem_id(const char *problem, char *id, size_t bytes);

/* Returns the next problem that has a table, in the order of the files; NULL: no more.  Begin with *at = 0. */
const char *report_next_problem(const struct report *r, size_t *at);

/* Writes "S: n=65536". */
void report_size(const struct result *result, char *text, size_t bytes);

#endif
