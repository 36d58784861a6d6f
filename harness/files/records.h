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

struct past_run {
    char id[64], started[32], version[32], commit[64], profile[32];
    char cpu[128], gpus[FACT_TEXT]; /* gpus: all that the driver shows, and its version; "": none */
    int cores;                      /* 0: not known */
    long long seed;
    int threads;
    double max_time; /* seconds for one rung in one cell; NaN: not known */
    struct fingerprint machine;
    bool serial; /* its rungs were not timed in turns */
    bool ended;  /* else it was interrupted: killed, or its end is missing */
    int exit_status;
    double wall; /* seconds; NaN unless it ended */
};

/* One phase.  NULL and 0: it does not exist, or was not timed. */
struct past_series {
    size_t rounds;
    double *round; /* seconds a cycle, the median of each round's block */
    size_t first;  /* rounds before these, dropped for drift */
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
    char flags[160]; /* their names, a blank between */
    double context, setup, first, predicted;            /* seconds; NaN: none */
    int threads;
    double cores;
    char stop[32];
    bool alone;     /* not timed in turns with the others */
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
    size_t run_count, cell_count, ceiling_count, crossover_count;
    struct past_run *runs;
    struct past_cell *cells; /* in the order of the file */
    struct past_ceiling *ceilings;
    struct past_crossover *crossovers;
};

bool past_read(const char *file, struct past *p, struct error *error);

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

/* Is there a time to show? */
bool past_timed(const struct past_cell *c);

/* "cpu_openmp", or "cpu_openmp@4" where it was given four of what it scales with. */
void past_name(const struct past_cell *c, char *text, size_t bytes);

/* "n=16777216" or "m=65536 n=8192 k=1" */
void past_size(const struct past_cell *c, char *text, size_t bytes);

#endif
