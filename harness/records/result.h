/*
 * A result: the outcome of one variant at one problem and size, with its times.
 *
 * It is a row of a table and a "measurement" in a file (results/README.md).  Its problem and variant are
 * names, because a result read from a file may be of a variant that this program does not have.
 */
#ifndef RUNGS_RESULT_H
#define RUNGS_RESULT_H

#include "harness/machine/telemetry.h"
#include "harness/model/outcome.h"
#include "harness/model/samples.h"
#include "harness/model/size.h"
#include "harness/model/rank_facts.h"
#include "harness/records/convergence.h"
#include "harness/records/counts.h"
#include "harness/records/series.h"

enum { RESULT_AXES = 8 };

/* One axis of a size: "n" and 16777216; "data", 3 and "town". */
struct axis {
    char name[16];
    long long value;
    char word[16]; /* shown in place of the value; "": none */
};

/* The least time that a result can take on this machine (harness/ceilings/peak.h). */
struct bound {
    char name[24]; /* the resource that sets it: "memory", "cache", "arithmetic" ...; "": not known */
    double floor;  /* seconds */
};

struct result {
    size_t run, line; /* index of its run, and its line, in the file that it was read from */

    char problem[64], variant[64];
    char base[64]; /* STRATEGY of its base; "": none */
    char idea[160];
    char device[16]; /* "cpu", "gpu", "sim" */
    char engine[16];   /* "dask", "spark"; "": it has none */
    char language[16]; /* "Python"; "": C, CUDA, or one that is compiled */
    enum math math;
    char label[32]; /* of the size: "M", "given", "file" */
    size_t axes;
    struct axis size[RESULT_AXES];
    struct scale scale;
    struct cost work;     /* NaN: not known */
    const char *machine;  /* its name in a table of several; else NULL */
    bool twin;            /* the second of the same variant, in `rungs selftest aa` */
    bool alone;           /* timed by itself, not in turns with the others */
    bool clockless;       /* its device has no clock, so it has no times */
    bool any_tie;         /* it need not keep the problem's rule for ties */
    bool host_clock;      /* phases on its device are timed by the host's clock */
    bool varies;          /* its answers to the same data have differed in their bits */

    struct fate fate;
    double error;           /* the worst, in units of the tolerance; NaN: not known */
    double exact;           /* share of answers equal to those of float64; NaN: not judged */
    struct verdict verdict; /* the worst verdict; not read from files */
    size_t sizes_ok, sizes_refused; /* check sizes passed and refused */

    double predicted;     /* seconds of a call, as predicted; NaN: it was not predicted */
    double context;       /* seconds to start the device; NaN: nothing to start */
    double setup;         /* seconds of prepare(); NaN: none */
    double first, last;   /* the first and the last judged call, seconds */
    int threads;          /* alive after a call, including the main thread, or at work in the blocks; of all ranks */
    int at_work;          /* the latter (harness/measure/at_work.h); not read from files */
    struct rank_facts mpi;       /* of an MPI variant */
    char mps[16];         /* with several processes on a GPU: what runs of MPS (harness/machine/mps.h); else "" */
    double cores;         /* processor time divided by wall time */
    double memory;        /* bytes resident at most, without the case's arrays; NaN: not known */
    unsigned long reps;   /* cycles in one sample of PHASE_E2E */
    unsigned long runs;   /* runs in each sample of PHASE_RUN */
    char stop[32];        /* why sampling ended: "converged", "max_time", ...; "": it has not */
    double elapsed, cpu;  /* seconds that its timing took: wall time, and processor time of its threads */
    int drift_restarts;   /* how often older rounds were dropped because times had drifted */
    size_t resumed;       /* blocks taken from the record of an earlier run */
    size_t blocks;        /* blocks of samples, including dropped ones */
    struct telemetry *telemetry; /* after each block; not read from files */
    unsigned flags;       /* harness/records/caveats.h */

    struct series time[PHASES]; /* without copies only PHASE_E2E has times */
    struct counts counts;              /* of a simulated variant */
    struct convergence convergence;    /* of a method that iterates: its last judged call */
    struct bound bound_run, bound_e2e; /* of PHASE_RUN (if empty, of PHASE_E2E) and of PHASE_E2E */
};

/* Returns an empty result, for result_free(). */
struct result *result_new(void);

/* Frees a result and what it contains; NULL is allowed.  result_clear() frees only what it contains. */
void result_free(struct result *r);
void result_clear(struct result *r);

/* Resets a result for a variant of a problem at a size. */
void result_begin(struct result *r, const struct problem *problem, const struct card *variant,
                  const struct scale *scale, const char *label, const size_t dims[]);

/* Adds a verdict. */
void result_judged(struct result *r, const struct verdict *v);

/* Adds a block of samples. */
void result_add(struct result *r, unsigned pass, const struct samples *s,
                const struct telemetry *telemetry);

/* Copies all but raw samples. */
void result_copy(struct result *to, const struct result *from);

/* Returns its problem; NULL: this program does not know it. */
const struct problem *result_problem(const struct result *r);

/* "cpu_openmp"; "cpu_openmp@4" with four threads (or devices) of several numbers; "@2" for a twin. */
struct result_name {
    char text[80];
};
struct result_name result_name(const struct result *r);

/* Writes "n=16777216" or "m=65536 n=8192 k=1 data=town". */
void result_size(const struct result *r, char *text, size_t bytes);

/* Is this its size?  `dims` NULL: are its axes those of the problem?  Records of before an axis got words,
   and those of users' files, do not have that axis: it counts as 0. */
bool result_has_size(const struct result *r, const struct problem *p, const size_t dims[]);

/* Orders sizes by the names and values of their axes; 0: equal.  Zeros at the end do not count, because older
   records do not have the newer axes. */
int axes_order(const struct axis a[], size_t a_count, const struct axis b[], size_t b_count);

/* Do both belong to one table: the same problem, size and label? */
bool result_same_table(const struct result *a, const struct result *b);

/* Has it a time?  A variant that failed has none, even if it was timed before. */
bool result_timed(const struct result *r);

/* Is its time that of a single call (harness/measure/single_call.h)? */
#define RESULT_SINGLE_CALL "single_call" /* as `stop` */
bool result_single_call(const struct result *r);

/* Is it of a CPU variant, whose data are always resident? */
bool result_on_cpu(const struct result *r);

/* Did it use more than one core? */
bool result_several(const struct result *r);

/* Returns the resident times: PHASE_RUN; on the CPU, PHASE_E2E. */
const struct series *result_resident(const struct result *r);

/* Returns the share of peak: the least time divided by the time taken; NaN: not known. */
double result_peak_share(const struct bound *limit, const struct series *time);

/* Returns the problem's work that its rate counts, whatever a variant really does, and the unit of 1e9 of it a
   second: "GFLOP/s". */
double result_rate_work(const struct result *r, const char **unit);

#endif
