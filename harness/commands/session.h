/* What check, bench and sweep share: a run on this machine, from its begin to its records' end. */
#ifndef RUNGS_SESSION_H
#define RUNGS_SESSION_H

#include "harness/ceilings/peak.h"
#include "harness/commands/command.h"
#include "harness/commands/progress.h"
#include "harness/records/resume.h"

struct session {
    const struct options *options;
    bool may_differ; /* what goes on with --resume may have been asked for in other words */
    struct arena *arena;
    struct record *record; /* NULL: none are kept */
    struct records past;   /* what an earlier run has measured, with --resume */
    struct journal journal;
    struct costs costs;
    struct progress progress;
    struct tally tally;
    struct devices devices;
    struct warnings warnings;
    struct ceilings ceilings; /* of this machine, or none */
    double start;
    bool begun; /* a table has been printed */
};

/* --out and --resume both name the file of records: one of them may be given. */
bool session_one_file(const struct options *o, struct error *error);

/* Where variants are to run, and what speaks against measuring there. */
bool session_begin(struct session *s, const struct card *const variants[], size_t count,
                   struct error *error);

/* A new file of records, results/NAME-DATE-HOST.jsonl unless --out names another; or the one to go
   on with, and what is in it.  Its next line says what is asked for. */
bool session_open(struct session *s, const char *name, struct error *error);

/* Looks for this machine's ceilings, and says above the tables what is measured on what. */
void session_announce(struct session *s);

/* Judges and times all variants of a cell that is labelled and fits, in turns unless --order or memory
   forbids it: its results say what became of them.  False: there is no such case, the error says
   why. */
bool session_time(struct session *s, struct cell *c, const struct preset *preset,
                  bench_progress *show, void *context, struct error *error);

void session_note_interruption(const struct session *s);

/* The last line of the records, where there are any, and the status that the program is to end
   with.  Says the error where the status is STATUS_USAGE. */
int session_end(struct session *s, int status, bool timed, const struct error *error);

#endif
