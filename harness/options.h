/* The command line: options that all commands share, and those that problems bring along. */
#ifndef RUNGS_OPTIONS_H
#define RUNGS_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/bench.h"
#include "harness/error.h"
#include "harness/problem.h"
#include "harness/table.h"

enum { MAX_WORDS = 64 };

/* --NAME VALUE of a problem: one of its inputs (--obs FILE) or axes (--k 3). */
struct setting {
    const char *name, *value;
};

struct options {
    int argc;
    char **argv; /* as it was typed; getopt has changed the order of main's */
    const char *command;
    const char *patterns[MAX_WORDS];
    size_t pattern_count;
    const char *excluded[MAX_WORDS];
    size_t excluded_count;
    const char *sizes[MAX_WORDS];
    size_t size_count;
    struct setting settings[MAX_WORDS];
    size_t setting_count;
    struct profile profile;
    double max_time; /* 0: the profile's */
    uint64_t seed;
    int threads; /* the most, where there are several values */
    struct steps thread_steps, device_steps; /* --threads 1,2,4, --devices 1,2; empty: no axis */
    double timeout;
    enum format format;
    const char *out;
    const char *from, *to; /* of sweep: bounds of the axes that grow; NULL: the problem's */
    double step;           /* the factor between two sizes */
    const char *of[MAX_WORDS], *against[MAX_WORDS]; /* which rungs it compares with which */
    size_t of_count, against_count;
    const char *resume; /* the records to go on from */
    const char *sweeps; /* the last option given that is of sweep alone; NULL: none was */
    const char *scales; /* likewise of bench alone, as it makes an axis */
    bool serial;
    bool oversubscribe; /* managed memory beyond what the device has free */
    bool once;
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

bool options_parse(int argc, char **argv, struct options *o, struct error *error);

/* A whole number in `bytes` bytes of text: 1000, 2^20, 1e6.  False: it is none. */
bool options_count(const char *text, size_t bytes, size_t *value);

/* The rungs that the patterns name, in order; `list` holds up to `room`.  0: none, with an error. */
size_t options_select(const struct options *o, const struct variant *list[], size_t room,
                      struct error *error);

/* Is it one of those that a pattern names?  "knn/cpu_*", "knn" for all of its rungs, "cpu_naive" for
   that of every problem. */
bool options_match(const char *pattern, const struct variant *v);

/* Does every pattern, given as --`option`, name one of these rungs at least? */
bool options_all_match(const char *const patterns[], size_t count, const char *option,
                       const struct variant *const rungs[], size_t rung_count,
                       struct error *error);

/* A size to run at. */
struct planned {
    char label[16];
    size_t dims[MAX_AXES];
};

/* The sizes that --size and the axes' own options ask for, else the defaults named ("S,M"; NULL:
   none).  Returns how many; 0 with an error if there is one. */
size_t options_sizes(const struct options *o, const struct problem *p, const char *defaults,
                     struct planned *sizes, size_t room, struct error *error);

/* Whether the user brought data for this problem. */
bool options_brings_data(const struct options *o, const struct problem *p);

/* Reads it; the size goes into *size.  NULL with an error. */
void *options_open(const struct options *o, const struct problem *p, struct planned *size,
                   struct error *error);

#endif
