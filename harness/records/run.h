/* A run of the program: its "run" record, and what of it and its "end" is read back. */
#ifndef RUNGS_RUN_H
#define RUNGS_RUN_H

#include <stdint.h>

#include "harness/machine/devices.h"
#include "harness/machine/environment.h"
#include "harness/machine/fingerprint.h"
#include "harness/model/size.h"
#include "harness/records/schema.h"

enum { MAX_RUN_WARNINGS = 12 };

/* One run of the program, as its "run" and "end" records have it. */
struct run {
    char id[64], started[32], version[32], commit[64], preset[32];
    char compiler[128], flags[1024]; /* by which variants were compiled */
    char cpu[128], gpus[FACT_TEXT]; /* gpus: all that the driver shows, and its version; "": none */
    int cores;                      /* 0: not known */
    size_t devices;                 /* besides the CPU, that its variants could see */
    size_t warning_count;
    char warnings[MAX_RUN_WARNINGS][160];
    long long seed;
    int threads;
    double max_time; /* seconds for one variant in one case; NaN: not known */
    struct fingerprint machine;
    bool serial; /* its variants were not timed in turns */
    char *words; /* of its command line: run_words() */
    bool ended;  /* else it was interrupted: killed, or its end is missing */
    bool resumes; /* it went on where the one before it was ended */
    int exit_status;
    double wall; /* seconds; NaN unless it ended */
    double timed, warmed, tried, called, judged; /* of it; NaN: not known */
    double held, peak; /* bytes of the largest case, and of all that it ever had; NaN: not known */
};

/* What a run is about to do, for its record. */
struct run_about {
    int argc;
    char **argv;
    uint64_t seed;
    int threads;
    const struct steps *thread_steps, *device_steps; /* NULL or empty: no axis */
    const char *preset, *order;
    double max_time; /* seconds for one variant in one case; 0: no matter */
    const char *resumes; /* the run that it goes on with; NULL: none */
    const struct devices *devices;   /* NULL: none */
    const struct warnings *warnings; /* likewise, and in record_end */
};

json_t *run_write(const struct run_about *about);
json_t *run_write_warnings(const struct warnings *w);

/* A "run" record, and the "end" of one. */
bool run_read(const struct record_place *p, const json_t *object, struct run *run);
bool run_read_end(const struct record_place *p, const json_t *object, struct run *run);

/* The words of a command line in one text, but for what may be another when it goes on: --resume, --out
   and --format.  For free(). */
char *run_words(const char *const argv[], size_t count);

/* A run's gpus, equal ones in one: "4 x NVIDIA H200, driver 580.159.04". */
void run_gpus(const struct run *run, char *text, size_t bytes);

/* Now, as strftime writes it. */
void run_utc(char *text, size_t bytes, const char *format);

#endif
