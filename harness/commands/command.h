/* The subcommands: each takes the options and returns the program's exit status. */
#ifndef RUNGS_COMMAND_H
#define RUNGS_COMMAND_H

#include <stdio.h>

#include "harness/cell.h"
#include "harness/limits.h"
#include "harness/options.h"
#include "harness/record.h"

enum status {
    STATUS_OK = 0,
    STATUS_FAILED = 1,     /* a rung was wrong, crashed or broke the contract */
    STATUS_USAGE = 2,      /* the command line or a file that it names is at fault */
    STATUS_REGRESSION = 3, /* a comparison found something slower */
    STATUS_NOTHING = 4,    /* nothing could be measured: all refused, or no device */
    STATUS_SIGNAL = 128    /* plus the signal's number: interrupted */
};

struct command {
    const char *name;
    const char *usage; /* behind "rungs " */
    const char *about; /* one line */
    const char *help;  /* the rest of its --help */
    const char *options; /* its own; NULL: those that rungs and sizes are chosen with */
    int (*run)(const struct options *o);
};

extern const struct command command_list, command_check, command_bench, command_sweep, command_run,
    command_ceilings, command_compare, command_selftest, command_show, command_plot,
    command_report, command_profile, command_lab;

/* "rungs: " and the error, on standard error; returns STATUS_USAGE. */
int usage_error(const struct error *error);

/* The records' last line (where there are any; NULL: there are none), and the status that the
   program is to end with.  Says the error where the status is STATUS_USAGE, and on standard error
   what has changed about the machine meanwhile.  `costs` NULL: nothing was timed. */
int command_end(struct record *record, int status, double wall, const struct costs *costs,
                const struct error *error);
void costs_add(struct costs *to, const struct costs *more);

/* A line on standard error for each file whose last line is half, and was passed over. */
void note_cut(const struct past *p);

/* What all rows of a run amount to. */
struct tally {
    size_t failed, ok, other; /* other: refused, skipped, no device, stopped */
};

void tally_row(struct tally *t, const struct row *row);
int tally_status(const struct tally *t);

/* One problem's share of the chosen rungs. */
struct group {
    const struct problem *problem;
    const struct variant *const *rungs;
    size_t count;
};

/* The group that begins at rungs[at]; they are sorted by problem. */
struct group group_at(const struct variant *const rungs[], size_t count, size_t at);

/* Every check size (or those asked for), all rungs of the cell; fates and verdicts end up in their
   rows. */
bool check_all_sizes(struct cell *c, const struct options *o, struct error *error);

/* The machine, the build, the settings, and what speaks against measuring: above the tables. */
void print_header(const struct options *o, const struct devices *d, const struct warnings *w,
                  const struct record *r);

/* For the record of a run that times: what was asked for, and on what. */
struct record_run about_run(const struct options *o, const struct devices *d,
                            const struct warnings *w);

/* Judges and times all rungs of a cell that is labelled and fits, in turns unless --order or memory
   forbids it: its rows say what became of them.  False: there is no such case, the error says why. */
bool time_cell(struct cell *c, const struct options *o, const struct profile *profile,
               bench_progress *show, void *context, struct error *error);

/* This machine's, as far as they are known.  A file that cannot be trusted is as good as none (a line
   on standard error says so), but not a reason to measure nothing. */
void find_ceilings(struct ceilings *ceilings);

/* How near each row of a timed cell came to them; the case is still laid out. */
void set_limits(struct cell *c, const struct ceilings *ceilings);

/* A run of bench's protocol for another purpose: what it shows and records of each cell, and its exit
   status, are its own. */
struct bench_kind {
    const char *name; /* begins the name of the records' file */
    bool twins;       /* every rung takes part twice, each right behind the other in `rows` */
    bool (*report)(void *context, struct row *const rows[], size_t count, struct record *record,
                   struct error *error);
    int (*finish)(void *context, const struct tally *tally, struct record *record);
    void *context;
};

int bench_run(const struct options *o, const struct bench_kind *kind);
/* What run --counters shows.  Before the worker starts: counters go to a file; false with an error.
   After its end: to `out` with them. */
bool counters_begin(const struct options *o, const struct variant *rung, struct error *error);
void counters_end(FILE *out);

/* What is going on, on standard error, if that is a terminal: a line, or while a cell is timed one
   more for each of its rungs.  Drawn over, and gone without a trace when it is cleared. */
struct progress {
    double start;
    size_t done, all; /* rungs and sizes */
    double most;      /* seconds that one of them may take; 0: not known */
    size_t lines;     /* that are drawn */
    double drawn;     /* when */
};

void progress_start(struct progress *p, size_t cells);
void progress_show(struct progress *p, const char *what, size_t round);
void progress_cell(struct progress *p, const struct cell *c, const struct entrant *now,
                   size_t round);
void progress_clear(struct progress *p);

#endif
