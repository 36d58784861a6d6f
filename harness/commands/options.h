/* The parsed command line, which every command gets.  option_table.h lists the options. */
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
    const char *option; /* the option that named them, as the user typed it; NULL: none did */
    size_t count;
    const char *word[MAX_WORDS];
};

/* An option of a problem: one of its inputs (--obs FILE) or axes (--k 3). */
struct setting {
    const char *name, *value;
};

struct options {
    int argc;
    char **argv; /* in the order that the user typed, then the user's defaults; getopt reorders main's */
    struct words defaults; /* the user's defaults that count for this command, as words: "--max-time=2" */
    const struct command *command; /* NULL: none is named */
    struct words patterns;         /* the words after it: patterns, or files */
    struct words excluded, sizes;
    struct words folders; /* more folders of variants */
    struct setting settings[MAX_WORDS];
    size_t setting_count;
    struct preset preset;
    double max_time; /* seconds; 0: the preset's */
    unsigned passes; /* 0: the preset's */
    struct shard {
        size_t part, parts; /* each so many-th check size, from the part-th on; 0 parts: all of them */
    } shard;
    uint64_t seed;
    int threads; /* the largest of several values */
    struct steps thread_steps, device_steps, rank_steps, process_steps; /* --threads 1,2,4 and so on; empty: no axis */
    double timeout; /* seconds */
    enum format format;
    const char *out;
    const char *from, *to; /* sweep: bounds of the axes that grow; NULL: the problem's */
    double step;           /* the factor between two sizes */
    struct words contenders, baseline; /* sweep: which variants it compares with which */
    int most_ranks;     /* scale: 0: the default */
    const char *network; /* scale: alpha and beta; NULL: as measured */
    const char *resume; /* the file of records to continue */
    bool serial;
    bool weak;          /* each size once for each number of ranks or threads, as many times as large */
    bool all;           /* also the problems that are only measured by name */
    bool oversubscribe; /* managed memory beyond what the GPU has free */
    bool if_missing;    /* ceilings: measure only if there are none */
    bool names;         /* list: only names */
    double fail_slower; /* compare: this share slower, or more, is a failure; NaN: never */
    bool force;         /* compare: also different machines */
    bool counters;
    double capture; /* run: seconds of calls for a profiler; 0: one call; NaN: none */
    const char *tool; /* profile: the profiler; NULL: the first that works */
    bool no_plots; /* report: without pictures */
    unsigned pictures; /* plot: PICTURE_SVG | ...; 0: the default formats */
    bool gpu; /* lab: on a GPU, not in the simulator */
    const char *listen; /* lab serve: ADDRESS[:PORT]; NULL: this machine alone */
    bool quiet, legend; /* no progress and no legend; a legend in any case */
    bool help, version;
};

/* Parses the command line and the user's defaults (defaults.h).  With --help or --version it ignores all other
   options. */
bool options_parse(int argc, char **argv, struct options *o, struct error *error);

#endif
