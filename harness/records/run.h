/* A run of the program: writes its "run" record, and reads "run" and "end". */
#ifndef RUNGS_RUN_H
#define RUNGS_RUN_H

#include <stdint.h>

#include "harness/machine/devices.h"
#include "harness/machine/environment.h"
#include "harness/machine/fingerprint.h"
#include "harness/model/size.h"
#include "harness/records/schema.h"

enum { MAX_RUN_WARNINGS = 12 };

/* A run, as its "run" and "end" records describe it. */
struct run {
    char id[64], started[32], version[32], commit[64], preset[32];
    char compiler[128], flags[1024]; /* of the variants */
    char cpu[128], gpus[FACT_TEXT]; /* gpus: all that the driver reports, with its version; "": none */
    int cores;                      /* 0: not known */
    size_t devices;                 /* besides the CPU, visible to its variants */
    size_t warning_count;
    char warnings[MAX_RUN_WARNINGS][160];
    long long seed;
    int threads;
    double max_time; /* seconds for one variant in one case; NaN: not known */
    struct fingerprint machine;
    bool serial; /* its variants were not timed in turns */
    char *words; /* its command line, by run_words() */
    bool ended;  /* false: interrupted or still running */
    bool resumes; /* it continued the run before it */
    int exit_status;
    double wall; /* seconds; NaN unless it ended */
    double timed, warmed, tried, called, judged; /* parts of `wall`, as in costs.h; NaN: not known */
    double held, peak; /* bytes: of the largest case; most memory of the process; NaN: not known */
};

/* What a run is going to do, for its record. */
struct run_about {
    int argc;
    char **argv;
    uint64_t seed;
    int threads;
    const struct steps *thread_steps, *device_steps, *rank_steps, *process_steps; /* NULL or empty: no axis */
    const char *preset, *order;
    double max_time; /* seconds for one variant in one case; 0: none */
    const char *resumes; /* id of the run that it continues; NULL: none */
    const struct devices *devices;   /* NULL: none */
    const struct warnings *warnings; /* NULL: none */
};

json_t *run_write(const struct run_about *about);
json_t *run_write_warnings(const struct warnings *w);

/* Read a "run" record and an "end" record. */
bool run_read(const struct record_place *p, const json_t *object, struct run *run);
bool run_read_end(const struct record_place *p, const json_t *object, struct run *run);

/* Joins the words of a command line, without --resume, --out and --format, which may differ when a run is
   continued.  For free(). */
char *run_words(const char *const argv[], size_t count);

/* Writes a run's GPUs, equal ones together: "4 x NVIDIA H200, driver 580.159.04". */
void run_gpus(const struct run *run, char *text, size_t bytes);

/* Writes the current time in the format of strftime. */
void run_utc(char *text, size_t bytes, const char *format);

#endif
