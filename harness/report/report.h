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

#include "harness/base/error.h"
#include "harness/records/ladder.h"
#include "harness/records/records.h"
#include "harness/report/raw.h"
#include "harness/table/grid.h"

enum { REPORT_FILES = 32, REPORT_CELLS = 10000 /* in all; more is no page for people */ };

/* One table: the results of a run, problem and size, one behind the other. */
struct report_table {
    struct result **results;
    size_t count;
    struct ladder ladder;
};

struct report_file {
    struct records past;
    char name[96];           /* of the file, without its folders and ending */
    json_t **runs;           /* the records of past.runs */
    size_t run_count;
    struct raw raw;
    struct result **results; /* of past, those of a table together */
    size_t table_count;
    struct report_table *tables;
};

/* Each result of each file, those of a table together. */
struct report_result {
    const struct result *is;
    size_t file;
};

struct report {
    struct report_file *files;
    size_t file_count, result_count;
    struct report_result *results;
    const struct result **variants; /* the last of each one's results; in the order of the files */
    size_t variant_count;
    bool no_plots; /* not wanted */
};

/* Reads the files; the error names file and line. */
bool report_read(struct report *r, const char *const names[], size_t count, struct error *error);
void report_free(struct report *r);

/* The whole page, to where ftell knows how much has been written. */
void report_page(FILE *out, const struct report *r);

/* --- sections --------------------------------------------------------------------------------- */

void report_summary(FILE *out, const struct report *r);
void report_machines(FILE *out, const struct report *r);
bool report_is_combined(const struct report *r); /* is there anything to be seen side by side? */
void report_combined(FILE *out, const struct report *r);
void report_crossovers(FILE *out, const struct report *r);
void report_tables(FILE *out, const struct report *r);
void report_plots(FILE *out, const struct report *r);
void report_variants(FILE *out, const struct report *r);
void report_legend(FILE *out);

/* Begins a section and its heading, by which links find it. */
void report_section(FILE *out, const char *id, const char *title);

/* The first column of a row: the variant, with a link to its source. */
void report_name(struct grid *g, const struct result *result);

/* "S: n=65536" */
void report_size(const struct result *result, char *text, size_t bytes);

#endif
