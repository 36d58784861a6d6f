/* Judges a learner's program: at all sizes of the exercise, and in several orders of threads. */
#ifndef RUNGS_LAB_TRIAL_H
#define RUNGS_LAB_TRIAL_H

#include "workshop/lab/build.h"
#include "workshop/lab/exercise.h"
#include "workshop/lab/mistake.h"

struct trial {
    size_t sizes, right;     /* how many were tried, and how many were right */
    int orders;              /* of threads in which it was right */
    const char *failed_at;   /* the size of the mistake: "1000" */
    struct mistake mistake;  /* the one that explains most; its kind is empty if there is none */
    int threads;             /* of the program, the main thread included */
    double error;            /* the largest error of right results, in units of the tolerance */
    char printed[MISTAKE_PRINTED]; /* what it printed in the first call that printed something */
};

/* Makes the arena that all trials of this process use.  Returns false with an error if that fails. */
bool trial_begin(struct error *error);

/* Tries all sizes.  Returns false with an error if the program could not be run at all. */
bool trial_run(const struct exercise *e, const char *program, enum place place, struct trial *t,
               struct error *error);

/* Tries a size where each launch and copy is done at once; `how`: the value of RUNGS_SIM_BLOCKING. */
bool trial_blocking(const struct exercise *e, const char *program, const struct size *size, const char *how, struct mistake *m,
                    struct error *error);

/* Calls the program at the exercise's size for counters, which the simulator writes to `file`. */
bool trial_count(const struct exercise *e, const char *program, const char *file,
                 struct mistake *m, struct error *error);

/* Start, open and stop workers for times.c and busy.c.  `first` makes the case, which later workers share. */
struct worker;
bool trial_start(struct worker *w, const char *program, const char *name, enum place place,
                 struct error *error);
bool trial_open(struct worker *w, const struct exercise *e, const struct size *size, bool first,
                struct error *error);
void trial_stop(struct worker *w);

#endif
