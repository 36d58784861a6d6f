/*
 * A result: one variant in one case, and what became of it.  A row of a table, a "measurement" of a
 * file (results/README.md), and the same whether it was measured just now or read from a file: it
 * names its problem and variant, which need not be in this program.
 */
#ifndef RUNGS_RESULT_H
#define RUNGS_RESULT_H

#include "harness/machine/telemetry.h"
#include "harness/model/outcome.h"
#include "harness/model/samples.h"
#include "harness/model/size.h"
#include "harness/records/series.h"

enum { RESULT_AXES = 8 };

/* One axis of a size: "n" and 16777216. */
struct axis {
    char name[16];
    long long value;
};

/* The least time that something takes here (harness/ceilings/peak.h). */
struct limit {
    char name[24]; /* of what it waits for: "memory", "cache", "arithmetic" ...; "": not known */
    double floor;  /* seconds */
};

struct result {
    size_t run, line; /* index of its run, and its line, in the file that it was read from */

    char problem[64], variant[64];
    char base[64]; /* the variant that it improves on; "": it is the first of its ladder */
    char idea[160];
    char device[16]; /* "cpu", "gpu", "sim" */
    enum math math;
    char label[32]; /* of the size: "M", "given", "file" */
    size_t axes;
    struct axis size[RESULT_AXES];
    struct scale scale;
    struct cost work;     /* NaN: not known */
    const char *machine;  /* in a table of several; else NULL */
    bool twin;            /* the second of the same variant, in `rungs selftest aa` */
    bool alone;           /* timed by itself, not in turns with the others */
    bool clockless;       /* its device has no clock: whatever it took is no time */

    struct fate fate;
    double error;           /* the worst, in units of the tolerance; NaN: not known */
    double exact;           /* share of answers that are float64's; NaN: not asked */
    struct verdict verdict; /* the worst of all that were given here; not read from files */
    size_t sizes_ok, sizes_refused; /* check sizes passed and refused */

    double predicted;     /* seconds a call, estimated before it was made; NaN: it was not */
    double context;       /* to start the device, seconds; NaN: there is nothing to start */
    double setup;         /* prepare, seconds; NaN: there is none */
    double first, last;   /* the first and the last call that was judged, seconds */
    int threads;          /* alive after a call, the main thread included */
    double cores;         /* processor time over wall time: how many cores were at work */
    unsigned long reps;   /* cycles in one sample of PHASE_E2E */
    unsigned long runs;   /* runs behind each figure of PHASE_RUN */
    char stop[32];        /* why sampling ended: "converged", "max_time", ...; "": it has not */
    double elapsed, cpu;  /* what the timing of this result took: seconds, and of all its threads */
    int drift_restarts;   /* how often older rounds were dropped, as times had moved on */
    size_t resumed;       /* blocks that an earlier run has taken */
    size_t blocks;        /* of samples, dropped ones included */
    struct telemetry *telemetry; /* after each block; not read from files */
    unsigned flags;       /* harness/records/caveats.h */

    struct series time[PHASES]; /* without copies all but PHASE_E2E are empty */
    struct limit limit_run, limit_e2e; /* of PHASE_RUN (of PHASE_E2E, where that is empty) and of e2e */
};

/* One with nothing in it; for result_free(). */
struct result *result_new(void);

/* Frees what it holds, and itself; NULL will do.  result_clear: what it holds alone. */
void result_free(struct result *r);
void result_clear(struct result *r);

/* Names it for a variant of a problem at a size; all that was found of another size is forgotten. */
void result_begin(struct result *r, const struct problem *problem, const struct card *variant,
                  const struct scale *scale, const char *label, const size_t dims[]);

/* Takes a verdict into account. */
void result_judged(struct result *r, const struct verdict *v);

/* Takes a block of samples into account. */
void result_add(struct result *r, unsigned pass, const struct samples *s,
                const struct telemetry *telemetry);

/* Copies all but raw samples. */
void result_copy(struct result *to, const struct result *from);

/* Its problem, NULL where this program does not know it. */
const struct problem *result_problem(const struct result *r);

/* "cpu_openmp"; "cpu_openmp@4" where it was given four of what it scales with; "@2" for a twin. */
struct result_name {
    char text[80];
};
struct result_name result_name(const struct result *r);

/* "n=16777216" or "m=65536 n=8192 k=1" */
void result_size(const struct result *r, char *text, size_t bytes);

/* Is this its size, by the problem's axes?  `dims` NULL: is it any size by these? */
bool result_has_size(const struct result *r, const struct problem *p, const size_t dims[]);

/* Orders sizes by number of axes, their names and their values; 0: equal. */
int axes_order(const struct axis a[], size_t a_count, const struct axis b[], size_t b_count);

/* Are both of one table: of one problem, size and label? */
bool result_same_table(const struct result *a, const struct result *b);

/* Is there a time to show?  Not for a variant that has failed. */
bool result_timed(const struct result *r);

/* Is its time that of a single call (harness/measure/single_call.h)? */
#define RESULT_SINGLE_CALL "single_call" /* as `stop` */
bool result_single_call(const struct result *r);

/* Is it for the CPU, whose data are always at home? */
bool result_on_cpu(const struct result *r);

/* Does it use more than one core? */
bool result_several(const struct result *r);

/* The times with its data on its device already: PHASE_RUN; for the CPU, PHASE_E2E. */
const struct series *result_resident(const struct result *r);

/* The share of a time that the limit explains, 1 at best; NaN where there is none. */
double result_limit_share(const struct limit *limit, const struct series *time);

/* The problem's work that its rate column counts, whatever a variant does to get there, and the unit
   of 1e9 of it a second: "GFLOP/s". */
double result_rate_work(const struct result *r, const char **unit);

#endif
