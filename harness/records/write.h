/*
 * Writes records as JSON Lines (one object a line).  Each line is flushed at once, so that the file of a run
 * that is killed is complete up to that point.
 *
 * The field "record" names the kind of a line: "run" (machine, build, settings; the first line), "measurement"
 * (a result; harness/records/measurement.h), "compare" (two results of a table), records of a sweep
 * (harness/records/derived.h), and "end" (the last line; without it the run was interrupted).  Times are
 * integers in nanoseconds; missing values are null.  results/README.md lists the fields.
 */
#ifndef RUNGS_RECORD_H
#define RUNGS_RECORD_H

#include <jansson.h>

#include "harness/base/error.h"
#include "harness/machine/environment.h"
#include "harness/records/costs.h"
#include "harness/records/result.h"

struct record; /* an open file */

/* Creates a file, which must not exist.  `file` NULL: results/COMMAND-DATE-HOST.jsonl, with a number if that
   exists.  NULL with an error. */
struct record *record_open(const char *file, const char *command, struct error *error);
/* Opens an existing file to continue it, unless another run is writing to it.  Incomplete lines and tables at
   its end, which a kill leaves, do not count. */
struct record *record_continue(const char *file, struct error *error);
/* Of a file that is continued: returns how many of its bytes are complete lines and tables; record_cut() removes
   the rest. */
size_t record_whole(const struct record *r);
bool record_cut(struct record *r, struct error *error);

bool record_is_empty(const struct record *r);
const char *record_path(const struct record *r);

/* Writes a table at once: its measurements, the derived records (takes the reference to the list), and a line
   that marks the table as complete. */
bool record_table(struct record *r, struct result *const results[], size_t count, json_t *follows,
                  struct error *error);
/* Writes a record of any other kind.  Takes the reference to the object. */
bool record_object(struct record *r, json_t *object, struct error *error);
/* Writes the last line; `wall`: seconds; `costs` NULL: nothing was timed. */
bool record_end(struct record *r, int status, double wall, const struct costs *costs,
                const struct warnings *warnings, struct error *error);
void record_close(struct record *r);

/* Returns a record as a line of text, as in the file, for free().  Takes the reference to the object. */
char *record_text(json_t *object);

#endif
