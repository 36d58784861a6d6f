/* One row of a table and one record of a file: a rung in a cell, and what became of it. */
#ifndef RUNGS_ROW_H
#define RUNGS_ROW_H

#include "harness/outcome.h"
#include "harness/problem.h"
#include "harness/registry.h"
#include "harness/rounds.h"
#include "harness/telemetry.h"

enum { MAX_ROUNDS = 100, MAX_KEPT = 1000, MAX_LAUNCHES = 10 };

/* One phase's times, seconds a cycle.  The median of a round's block is the statistical unit. */
struct series {
    size_t rounds;
    double round[MAX_ROUNDS];
    struct sitting sitting[MAX_SITTINGS]; /* whose rounds they are, one behind the other */
    size_t launches; /* processes that have been through */
    double launch[MAX_LAUNCHES]; /* the median of each; in the end they are the rounds */
    size_t kept, dropped; /* raw samples, in the order in which they were taken */
    double *sample;       /* those that were kept; the row's own */
};

/* The least time that something takes here (harness/limits.h). */
struct limit {
    const char *name; /* of what it waits for: "memory", "cache", "arithmetic" ...; NULL: not known */
    double floor;     /* seconds */
};

enum { MAX_STEPS = 16 };

/* Values of an axis along which rungs scale: rising, each once. */
struct steps {
    size_t count;
    int value[MAX_STEPS];
};

/* Of what it scales with, a rung was given so many; 0: all that there are, or it does not scale. */
struct scale {
    int threads, devices; /* one of them at most */
};

struct row {
    const struct problem *problem;
    const struct variant *variant;
    const char *label; /* of the size: "M", "given", "file" */
    size_t dims[MAX_AXES];
    struct scale scale;
    const char *machine; /* in a table of several; else NULL */
    bool twin;  /* the second of the same rung, in `rungs selftest aa` */
    bool alone; /* timed by itself, not in turns with the others */

    struct fate fate;
    struct verdict verdict;     /* the worst of all that were given */
    size_t sizes_ok, sizes_refused; /* check sizes passed and refused */

    double predicted;     /* seconds a call, estimated before it was made; NaN: it was not */
    double setup;         /* prepare, seconds; NaN: there is none */
    double first, last;   /* the first and the last call that was judged, seconds */
    int threads;          /* that a call leaves waiting for the next, the first included */
    double cores;         /* processor time over wall time: how many cores were at work */
    unsigned long reps;   /* cycles in one sample */
    const char *stop;     /* why sampling ended: "converged", "max_time", ... */
    double elapsed, cpu;  /* what the timing of this row took: seconds, and of all its threads */
    int drift_restarts;   /* how often older rounds were dropped, as times had moved on */
    size_t blocks;        /* of samples, dropped ones included */
    size_t resumed;       /* blocks that an earlier run has taken */
    struct telemetry telemetry[MAX_ROUNDS]; /* after each block */
    bool recalled;        /* made from a record: `flags` is what that said */
    unsigned flags;
    double context;       /* to start the device, seconds; NaN: there is nothing to start */
    unsigned long runs;   /* runs behind each figure of `run` */
    struct series e2e, upload, run, cold, download; /* all but the first empty without copies;
                                                       cold: `run` with nothing in the cache */
    struct limit limit_run, limit_e2e; /* of run (of e2e, where run is empty) and of e2e */
};

/* One with nothing in it. */
struct row *row_new(void);

/* NULL will do. */
void row_free(struct row *row);

/* Forgets the raw samples alone. */
void row_drop_samples(struct row *row);

/* All but the raw samples. */
void row_copy(struct row *to, const struct row *from);

/* Keeps these raw samples, as many as there is room for. */
void series_keep(struct series *s, const double sample[], size_t count);

struct rounds series_rounds(const struct series *s);
struct summary series_summary(const struct series *s);

/* After a launch, where there are several: its medians are put aside, the rounds begin anew. */
void row_end_launch(struct row *row);

/* After the last: the launches' medians take the place of rounds. */
void row_join_launches(struct row *row);

/* Does it use more than one core? */
bool row_several(const struct row *row);

/* The share of a time that the limit explains, 1 at best; NaN where there is none. */
double limit_share(const struct limit *limit, const struct series *time);
/* The rung's name, that of a twin with "@2" behind it, or "@4" for four threads or devices. */
struct name row_name(const struct row *row);

/* Is there a time to show?  Not for a rung that has failed. */
bool row_timed(const struct row *row);

/* The problem's work that its rate column counts, whatever a rung does to get there, and the unit
   of 1e9 of it a second: "GFLOP/s". */
double row_work(const struct row *row, const char **unit);

#endif
