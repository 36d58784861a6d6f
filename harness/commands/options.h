/* The command line, parsed: what every command gets.  option_table.h says which options there are. */
#ifndef RUNGS_OPTIONS_H
#define RUNGS_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/base/error.h"
#include "harness/measure/bench.h"
#include "harness/model/size.h"
#include "harness/table/table.h"

struct command;

enum { MAX_WORDS = 256 };

struct words {
    size_t count;
    const char *word[MAX_WORDS];
};

/* --NAME VALUE of a problem: one of its inputs (--obs FILE) or axes (--k 3). */
struct setting {
    const char *name, *value;
};

struct options {
    int argc;
    char **argv; /* as it was typed; getopt has changed the order of main's */
    const struct command *command; /* NULL: none is named */
    struct words patterns;         /* the words behind it: patterns, or files */
    struct words excluded, sizes;
    struct words folders; /* of variants, besides the program's own */
    struct setting settings[MAX_WORDS];
    size_t setting_count;
    struct profile profile;
    double max_time; /* 0: the profile's */
    unsigned passes; /* likewise */
    uint64_t seed;
    int threads; /* the most, where there are several values */
    struct steps thread_steps, device_steps; /* --threads 1,2,4, --devices 1,2; empty: no axis */
    double timeout;
    enum format format;
    const char *out;
    const char *from, *to; /* sweep: bounds of the axes that grow; NULL: the problem's */
    double step;           /* the factor between two sizes */
    struct words of, against; /* which variants it compares with which */
    const char *resume; /* the records to go on from */
    bool serial;
    bool oversubscribe; /* managed memory beyond what the device has free */
    bool once;
    bool names;         /* list: nothing but names */
    double fail_slower; /* compare: the share from which on slower is a failure; NaN: never */
    bool force;         /* compare: different machines as well */
    bool counters;
    double capture; /* run: calls for a profiler that waits for them, seconds; 0: one; NaN: none */
    const char *tool; /* profile: by what; NULL: what there is */
    bool no_plots; /* report: without pictures */
    unsigned pictures; /* plot: PICTURE_SVG | ...; 0: the usual ones */
    bool gpu; /* lab: on a card, not in the simulator */
    bool help;
};

/* Finds the command, and stores what its options say.  Where help is asked for, other options are not
   looked at. */
bool options_parse(int argc, char **argv, struct options *o, struct error *error);

#endif
