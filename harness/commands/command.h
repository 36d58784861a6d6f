/* The subcommands, and the functions that several of them share. */
#ifndef RUNGS_COMMAND_H
#define RUNGS_COMMAND_H

#include <stdio.h>

#include "harness/commands/options.h"
#include "harness/measure/cell.h"
#include "harness/records/write.h"

enum status {
    STATUS_OK = 0,
    STATUS_FAILED = 1,     /* a variant was wrong, crashed or broke the contract */
    STATUS_USAGE = 2,      /* a mistake in the command line or in a file that it names */
    STATUS_REGRESSION = 3, /* compare found a variant that became slower */
    STATUS_NOTHING = 4,    /* nothing could be measured: all variants refused, or no device */
    STATUS_SIGNAL = 128    /* plus the signal's number: interrupted */
};

struct command {
    const char *name;
    const char *usage; /* after "rungs " */
    const char *about; /* one line */
    const char *help;  /* the rest of its --help */
    void (*more_help)(FILE *out); /* prints what help cannot know when compiled; or NULL */
    const char *words; /* its arguments, for completion: words separated by blanks; VARIANT, FILE and COMMAND
                          stand for any of these */
    /* Returns the exit status of the program. */
    int (*run)(const struct options *o);
};

extern const struct command command_list, command_build, command_check, command_bench, command_sweep, command_count,
    command_run,
    command_ceilings, command_compare, command_selftest, command_show, command_scale, command_plot,
    command_report, command_profile, command_view, command_serve, command_lab, command_config, command_completion, command_help, command_version;

extern const struct command *const commands[]; /* all of them; ends with NULL */
const struct command *command_find(const char *name, struct error *error);

/* Prints the help of a command, or of the program (NULL). */
void help_print(FILE *out, const struct command *command);

/* Prints "rungs: " and the error on standard error.  Returns STATUS_USAGE. */
int usage_error(const struct error *error);

/* Says on standard error that the last line of a file was incomplete and left out. */
void note_cut(const struct records *p);

/* The outcomes of all results of a run. */
struct tally {
    size_t failed, ok, other; /* other: refused, skipped, no device, stopped */
};

void tally_result(struct tally *t, const struct result *r);
int tally_status(const struct tally *t);

/* The chosen variants of one problem.  The variants are sorted by problem; after the last group, count is 0. */
struct group {
    const struct problem *problem;
    const struct card *const *variants;
    size_t count, left; /* left: variants after this group */
};

struct group group_first(const struct card *const variants[], size_t count);
struct group group_next(const struct group *g);

/* Enlists the variants of a group in new workers, without a size. */
void check_enlist(struct cell *c, const struct group *g, const struct options *o);

/* Enlists variants and judges them at every check size, whatever sizes will be timed.  Their results
   get the outcomes and verdicts. */
bool check_before_timing(struct cell *c, const struct group *g, const struct options *o,
                         struct error *error);

/* Records an object; with --format json also prints it.  Takes the reference to the object. */
bool record_and_print(struct record *record, json_t *object, enum format format,
                      struct error *error);

/* Another use of bench's protocol, with its own output, records and exit status. */
struct bench_kind {
    const char *name; /* begins the name of the file of records */
    bool twins;       /* every variant takes part twice; in `results` the two are neighbours */
    bool (*report)(void *context, struct result *const results[], size_t count,
                   struct record *record, struct error *error);
    int (*finish)(void *context, const struct tally *tally, struct record *record);
    void *context;
};

int bench_run(const struct options *o, const struct bench_kind *kind);

#endif
