/* A run of check, bench or sweep on this machine, from its start to the last line of its records. */
#ifndef RUNGS_SESSION_H
#define RUNGS_SESSION_H

#include "harness/ceilings/peak.h"
#include "harness/commands/command.h"
#include "harness/commands/progress.h"
#include "harness/records/resume.h"

struct session {
    const struct options *options;
    bool may_differ; /* --resume accepts another command line than that of the first run */
    struct arena *arena;
    struct record *record; /* NULL: nothing is recorded */
    struct records past;   /* of the file that --resume names */
    struct journal journal;
    struct costs costs;
    struct progress progress;
    struct tally tally;
    struct devices devices;
    struct warnings warnings;
    struct ceilings ceilings; /* of this machine, or none */
    double start; /* seconds, by clock_now() */
    bool begun; /* a table has been printed */
};

/* Refuses --out together with --resume, because both name the file of records. */
bool session_one_file(const struct options *o, struct error *error);

/* Finds the devices for these variants, and what makes measurements on this machine unreliable. */
bool session_begin(struct session *s, const struct card *const variants[], size_t count,
                   struct error *error);

/* Creates the file of records: results/NAME-DATE-HOST.jsonl, or the file that --out names.  With --resume
   it opens and reads that file.  It then records what this run is going to do. */
bool session_open(struct session *s, const char *name, struct error *error);

/* Loads this machine's ceilings, and prints what stands above the tables: machine, build, settings. */
void session_announce(struct session *s);

/* Judges and times all variants of a cell whose label and size are set.  They take turns unless --order
   serial is given or memory is too small for all outputs.  False: the case cannot be made; the error says
   why. */
bool session_time(struct session *s, struct cell *c, const struct preset *preset,
                  bench_progress *show, void *context, struct error *error);

void session_note_interruption(const struct session *s);

/* Writes the last line of the records and returns the exit status of the program.  Prints the error if the
   status is STATUS_USAGE. */
int session_end(struct session *s, int status, bool timed, const struct error *error);

#endif
