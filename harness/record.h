/*
 * Records: what a run found, as JSON Lines (one object a line), each line flushed as it is written,
 * so that a run that is killed leaves a file that is whole up to there.
 *
 * Kinds of line, by their "record": "run" (machine, build, settings; the first), one "measurement" a
 * rung and cell, "compare" (two rungs of a cell), what a sweep found (harness/record_sweep.h), "end"
 * (the last; its absence tells of an interruption).  Times are integers in nanoseconds; what does not
 * exist is null.  results/README.md lists the fields.
 */
#ifndef RUNGS_RECORD_H
#define RUNGS_RECORD_H

#include <jansson.h>
#include <stdint.h>

#include "harness/devices.h"
#include "harness/error.h"
#include "harness/preflight.h"
#include "harness/row.h"

struct record; /* an open file */
struct ceiling_value;

/* Opens a new file, never an old one.  `file` NULL: results/COMMAND-DATE-HOST.jsonl, numbered if
   there is one.  The error says why there is none. */
struct record *record_open(const char *file, const char *command, struct error *error);
/* Opens a file that was there before, to go on at its end.  What a kill left half goes: a line without
   an end, rows of a table that lacks others.  A file that nobody else writes to. */
struct record *record_continue(const char *file, struct error *error);
bool record_is_empty(const struct record *r);
const char *record_path(const struct record *r);

struct record_run {
    int argc;
    char **argv;
    uint64_t seed;
    int threads;
    const struct steps *thread_steps, *device_steps; /* NULL or empty: no axis */
    const char *profile, *order;
    double max_time; /* seconds for one rung in one cell; 0: no matter */
    const char *resumes; /* the run that it goes on with; NULL: none */
    const struct devices *devices;   /* NULL: none */
    const struct warnings *warnings; /* likewise, and in record_end */
};

/* What record_run writes. */
json_t *record_run_json(const struct record_run *run);

bool record_run(struct record *r, const struct record_run *run, struct error *error);
bool record_row(struct record *r, const struct row *row, struct error *error);
/* All of a table, in one piece: measurements, what follows from them (a list, which is gone after it),
   and a line that says that they are whole. */
bool record_table(struct record *r, struct row *const rows[], size_t count, json_t *follows,
                  struct error *error);
/* An object of any other kind, which is the record's from now on. */
bool record_object(struct record *r, json_t *object, struct error *error);
bool record_ceiling(struct record *r, const struct ceiling_value *v, struct error *error);
/* `costs` NULL: nothing was timed. */
struct costs;
bool record_end(struct record *r, int status, double wall, const struct costs *costs,
                const struct warnings *warnings, struct error *error);
void record_close(struct record *r);

/* The rung's name as records have it: a scale is a field of its own. */
struct name record_name(const struct row *row);
/* {"threads": 4}, {"devices": 2}, or null. */
json_t *record_scale(const struct scale *scale);

/* A row's size by axis, {"n": 1024}. */
json_t *record_size(const struct row *row);

/* One row as JSON text on one line, as in the file; for free(). */
char *record_text(const struct row *row);
char *record_ceiling_text(const struct ceiling_value *v);

/* Now, as strftime writes it. */
void record_utc(char *text, size_t bytes, const char *format);

/* The lines' contents: record_run.c, record_row.c. */
json_t *record_row_json(const struct row *row);
json_t *record_ceiling_json(const struct ceiling_value *v);
json_t *record_warnings_json(const struct warnings *w);

#endif
