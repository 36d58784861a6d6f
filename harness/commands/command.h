/* The subcommands: each takes the options and returns the program's exit status. */
#ifndef RUNGS_COMMAND_H
#define RUNGS_COMMAND_H

#include <stdio.h>

#include "harness/commands/options.h"
#include "harness/measure/cell.h"
#include "harness/records/write.h"

enum status {
    STATUS_OK = 0,
    STATUS_FAILED = 1,     /* a variant was wrong, crashed or broke the contract */
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
    void (*more_help)(FILE *out); /* behind that, what the program must look up; or NULL */
    const char *words; /* what may stand behind it, for completion: words between blanks, and VARIANT,
                          FILE, COMMAND for any of these */
    int (*run)(const struct options *o);
};

extern const struct command command_list, command_build, command_check, command_bench, command_sweep, command_run,
    command_ceilings, command_compare, command_selftest, command_show, command_plot,
    command_report, command_profile, command_lab, command_completion, command_help, command_version;

extern const struct command *const commands[]; /* all of them; ends with NULL */
const struct command *command_find(const char *name, struct error *error);

/* What --help shows: of a command, or of all (NULL). */
void help_print(FILE *out, const struct command *command);

/* "rungs: " and the error, on standard error; returns STATUS_USAGE. */
int usage_error(const struct error *error);

/* A line on standard error for each file whose last line is half, and was passed over. */
void note_cut(const struct records *p);

/* What all results of a run amount to. */
struct tally {
    size_t failed, ok, other; /* other: refused, skipped, no device, stopped */
};

void tally_result(struct tally *t, const struct result *r);
int tally_status(const struct tally *t);

/* One problem's share of the chosen variants, which are sorted by problem; of none behind the last. */
struct group {
    const struct problem *problem;
    const struct card *const *variants;
    size_t count, left; /* behind it */
};

struct group group_first(const struct card *const variants[], size_t count);
struct group group_next(const struct group *g);

/* Its variants, in new workers, without a size yet. */
void check_enlist(struct cell *c, const struct group *g, const struct options *o);

/* Enlists variants that are to be timed, and judges them at every check size, whatever the sizes that
   are asked for.  Fates and verdicts end up in their results. */
bool check_before_timing(struct cell *c, const struct group *g, const struct options *o,
                         struct error *error);

/* On record, and where JSON is asked for, printed; the object is gone. */
bool record_and_print(struct record *record, json_t *object, enum format format,
                      struct error *error);

/* A run of bench's protocol for another purpose: what it shows and records of each cell, and its
   exit status, are its own. */
struct bench_kind {
    const char *name; /* begins the name of the records' file */
    bool twins;       /* every variant takes part twice, each right behind the other in `results` */
    bool (*report)(void *context, struct result *const results[], size_t count,
                   struct record *record, struct error *error);
    int (*finish)(void *context, const struct tally *tally, struct record *record);
    void *context;
};

int bench_run(const struct options *o, const struct bench_kind *kind);

#endif
