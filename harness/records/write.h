/*
 * Records: what a run found, as JSON Lines (one object a line), each line flushed as it is written,
 * so that a run that is killed leaves a file that is whole up to there.
 *
 * Kinds of line, by their "record": "run" (machine, build, settings; the first), one "measurement" a
 * result (harness/records/measurement.h), "compare" (two results of a table), what a sweep found
 * (harness/records/derived.h), "end" (the last; its absence tells of an interruption).  Times are
 * integers in nanoseconds; what does not exist is null.  results/README.md lists the fields.
 */
#ifndef RUNGS_RECORD_H
#define RUNGS_RECORD_H

#include <jansson.h>

#include "harness/base/error.h"
#include "harness/machine/environment.h"
#include "harness/records/costs.h"
#include "harness/records/result.h"

struct record; /* an open file */

/* Opens a new file, never an old one.  `file` NULL: results/COMMAND-DATE-HOST.jsonl, numbered if
   there is one.  The error says why there is none. */
struct record *record_open(const char *file, const char *command, struct error *error);
/* Opens a file that was there before, to go on at its end.  What a kill left half goes: a line without
   an end, results of a table that lacks others.  A file that no other run writes to. */
struct record *record_continue(const char *file, struct error *error);
/* Of a file that is continued: how many bytes of it are whole lines and tables; and cuts off what is not,
   once it is clear that the file will be continued. */
size_t record_whole(const struct record *r);
bool record_cut(struct record *r, struct error *error);

bool record_is_empty(const struct record *r);
const char *record_path(const struct record *r);

/* All of a table, in one piece: its measurements, what follows from them (a list, which is gone after it),
   and a line that says that they are whole. */
bool record_table(struct record *r, struct result *const results[], size_t count, json_t *follows,
                  struct error *error);
/* An object of any other kind, which is the record's from now on. */
bool record_object(struct record *r, json_t *object, struct error *error);
/* The last line; `costs` NULL: nothing was timed. */
bool record_end(struct record *r, int status, double wall, const struct costs *costs,
                const struct warnings *warnings, struct error *error);
void record_close(struct record *r);

/* One line of text, as in the file, for free(); the object is gone after it. */
char *record_text(json_t *object);

#endif
