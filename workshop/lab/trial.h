/*
 * A learner's program on trial: a worker (harness/worker/protocol.h) of another program than this one, which
 * is given every size of the exercise with two sets of data each.  The data, the reference and the
 * judge stay in this process.
 */
#ifndef RUNGS_TRIAL_H
#define RUNGS_TRIAL_H

#include "workshop/lab/build.h"
#include "workshop/lab/exercise.h"
#include "workshop/lab/mistake.h"

struct trial {
    size_t sizes, right;     /* how many were tried, and were right */
    int orders;              /* of threads, in which it was right */
    const char *failed_at;   /* the size that the mistake is about: "1000" */
    struct mistake mistake;  /* the one that says most; its kind is empty if all is well */
    int threads;             /* that the program used, the first included */
    double error;            /* the worst of the right answers, as a share of the allowed one */
};

/* One arena serves all trials of this process.  False: there is none. */
bool trial_begin(struct error *error);

/* Tries all sizes.  False: it could not be tried at all, the error says why. */
bool trial_run(const struct exercise *e, const char *program, enum place place, struct trial *t,
               struct error *error);

/* One call at the exercise's size for counters, with RUNGS_SIM_COUNTERS set to `file`. */
bool trial_count(const struct exercise *e, const char *program, const char *file,
                 struct mistake *m, struct error *error);

/* The processes that a program's timing takes; times.c.  `program` NULL: this one. */
struct worker;
bool trial_start(struct worker *w, const char *program, const char *name, struct error *error);
bool trial_open(struct worker *w, const struct exercise *e, const struct size *size, bool first,
                struct error *error);
struct arena *trial_arena(void);
void trial_stop(struct worker *w);

#endif
