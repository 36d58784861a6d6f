/* A run of rungs bench: its tables, gone through in one sitting after the other. */
#ifndef RUNGS_SITTINGS_H
#define RUNGS_SITTINGS_H

#include "harness/commands/command.h"
#include "harness/resume.h"

/* A table, from its first sitting to its last. */
struct sheet {
    struct row **rows; /* NULL: not begun, or on record already */
    size_t count;
    bool shown;
};

struct session {
    const struct options *options;
    const struct bench_kind *kind;
    struct arena *arena;
    struct record *record;
    struct past past; /* what an earlier run has measured, with --resume */
    struct journal journal;
    struct costs costs;
    struct progress progress;
    const struct cell *cell; /* that is being timed */
    unsigned sitting;
    struct sheet *sheets; /* in the order of a sitting */
    size_t sheet_count;
    struct tally tally;
    struct devices devices;
    struct warnings warnings;
    bool first; /* no table has been printed yet */
    struct ceilings ceilings; /* of this machine, or none */
};

/* Once through all problems and sizes: judges, measures and, in the last sitting, shows and records. */
bool sit(struct session *s, const struct variant *const rungs[], size_t count, struct error *error);

/* What an interrupted run has of tables that it did not come back to. */
bool report_unfinished(struct session *s, struct error *error);

void sheets_free(struct session *s);

#endif
