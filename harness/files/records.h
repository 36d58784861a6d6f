/*
 * Files of records (results/README.md), read back: the runs in a file and what each measured.
 *
 * A file is read line by line and may hold several runs, one behind the other, as `cat a b` makes
 * them.  Kinds of record and fields that are not known are passed over; what is known must be what
 * it should be, or the error names file, line and field.
 */
#ifndef RUNGS_RECORDS_H
#define RUNGS_RECORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/error.h"
#include "harness/fingerprint.h"
#include "harness/rounds.h"

enum { PAST_WARNINGS = 12 };

struct past_run {
    char id[64], started[32], version[32], commit[64], profile[32];
    char cpu[128], gpus[FACT_TEXT]; /* gpus: all that the driver shows, and its version; "": none */
    int cores;                      /* 0: not known */
    size_t devices;                 /* besides the CPU, that its rungs could see */
    size_t warning_count;
    char warnings[PAST_WARNINGS][160];
    long long seed;
    int threads;
    double max_time; /* seconds for one rung in one cell; NaN: not known */
    struct fingerprint machine;
    bool serial; /* its rungs were not timed in turns */
    char *words; /* of its command line: past_words() */
    bool ended;  /* else it was interrupted: killed, or its end is missing */
    bool resumes; /* it went on where the one before it was ended */
    int exit_status;
    double wall; /* seconds; NaN unless it ended */
    double timed, warmed, tried, called, judged; /* of it; NaN: not known */
    double held, peak; /* bytes of the largest case, and of all that it ever had; NaN: not known */
};

/* One phase.  NULL and 0: it does not exist, or was not timed. */
struct past_series {
    size_t rounds;
    double *round; /* seconds a cycle, the median of each round's block */
    struct sitting sitting[MAX_SITTINGS]; /* whose they are */
    bool device;   /* by the device's clock: a phase of its own */
};

/* The least time that something allows; "": not known. */
struct past_limit {
    char name[24];
    double floor; /* seconds */
};

enum { PAST_AXES = 8 };

struct past_axis {
    char name[16];
    long long value;
};

/* One rung at one size. */
struct past_cell {
    size_t run;  /* index of its run */
    size_t line; /* of the file */
    char problem[64], variant[64], label[32];
    char base[64]; /* "": it is the first of its ladder */
    char device[16], math[16], idea[160];
    size_t axes;
    struct past_axis size[PAST_AXES];
    struct past_axis scale; /* "threads" or "devices" that it was given; a name of "": all */
    char status[16], reason[320]; /* "ok", or why it has no time */
    double error, exact;          /* of the limit; share of exact answers; NaN: not known */
    double flops, bytes, specials, items;
    struct past_series e2e, upload, resident, cold, download; /* resident: the run alone */
    struct past_limit limit_run, limit_e2e;
    double context, setup, first, predicted;            /* seconds; NaN: none */
    int threads;
    double cores;
    char stop[32];
    char flags[160]; /* their names, a blank between */
    bool alone;     /* not timed in turns with the others */
};

/* One turn of a rung: up to PAST_SAMPLES samples of each phase. */
enum { PAST_PHASES = 5, PAST_SAMPLES = 32, PAST_TELEMETRY = 5 };

extern const char *const past_phases[PAST_PHASES]; /* "e2e", "run", "cold", "upload", "download" */

struct past_block {
    char problem[64], variant[64], label[32];
    struct past_axis scale;
    size_t axes;
    struct past_axis size[PAST_AXES];
    long long launch, round, reps, runs;
    double took, cpu; /* seconds */
    size_t count;
    double values[PAST_PHASES][PAST_SAMPLES]; /* seconds; NaN where there is no such phase */
    double telemetry[PAST_TELEMETRY];
    unsigned long long held_back;
};

/* What a machine can do at best: one ceiling, working set and number of cores. */
struct past_ceiling {
    size_t run, line;
    char name[32], device[16], math[16], resource[32], status[16];
    double bytes; /* of the working set; 0: none */
    int cores;    /* of the CPU; 0: another device's */
    double best;  /* work a second; NaN: it could not be measured */
};

/* From which size on one rung is faster than the best of the others. */
struct past_crossover {
    size_t run, line;
    char problem[64], variant[64], against[64], phase[16], pays[16], unit[32], axis[64];
    double from, to;           /* items; NaN: see results/README.md */
    double axis_from, axis_to; /* the same in lengths of the axes that grow */
    char sentence[400];        /* all of it in words */
};

struct past {
    const char *file;
    size_t run_count, cell_count, block_count, ceiling_count, crossover_count;
    struct past_run *runs;
    struct past_cell *cells; /* in the order of the file */
    struct past_block *blocks; /* likewise; only of past_read_all */
    struct past_ceiling *ceilings;
    struct past_crossover *crossovers;
    size_t cut; /* the line that ends in its middle, which was passed over; 0: none */
};

bool past_read(const char *file, struct past *p, struct error *error);
bool past_read_all(const char *file, struct past *p, struct error *error);

struct json_t;

/* Sees each line, whole and read: the object that its text holds, and what has been read so far.
   False, with the error set: reading ends. */
struct past_visitor {
    bool (*line)(void *context, const struct past *p, const struct json_t *object, const char *text,
                 size_t bytes, struct error *error);
    void *context;
};

/* past_read, on which `visitor` looks. */
bool past_visit(const char *file, struct past *p, const struct past_visitor *visitor,
                struct error *error);
void past_free(struct past *p);

/* The words of a command line in one text, but for what may be another when it goes on: --resume, --out
   and --format.  For free(). */
char *past_words(const char *const argv[], size_t count);

/* Are these the values of the axes named, NULL behind the last? */
bool past_is_size(const struct past_axis size[], size_t axes, const char *const names[], size_t room,
                  const size_t values[]);

struct rounds past_rounds(const struct past_series *s);

/* Is there a time to show? */
bool past_timed(const struct past_cell *c);

/* "cpu_openmp", or "cpu_openmp@4" where it was given four of what it scales with. */
void past_name(const struct past_cell *c, char *text, size_t bytes);

/* A run's gpus, equal ones in one: "4 x NVIDIA H200, driver 580.159.04". */
void past_gpus(const struct past_run *run, char *text, size_t bytes);

/* "n=16777216" or "m=65536 n=8192 k=1" */
void past_size(const struct past_cell *c, char *text, size_t bytes);

#endif
