/*
 * One case of an exercise: a size, with two sets of data.  The learner's program runs in a worker
 * (harness/worker/protocol.h), a process of its own.  The reference and the judge stay in this process.
 */
#ifndef RUNGS_LAB_CASE_H
#define RUNGS_LAB_CASE_H

#include "harness/worker/parent.h"
#include "workshop/lab/build.h"
#include "workshop/lab/trial.h"

/* Starts a worker.  With `races` the simulator looks for races: a race stops the program, so its result cannot be
   examined then.  On failure returns false with an error. */
bool case_start(struct worker *w, const char *program, const struct exercise *e, enum place place,
                bool races, struct error *error);
void case_stop(struct worker *w);

/* Lets a worker release what its program has made, though its result was wrong: then the simulator writes its counters. */
void case_release(struct worker *w);

/* Follows the protocol of harness/measure/cell.h, with one variant.  Sets the mistake if there is one.  Returns false
   with an error if this machine cannot do it. */
bool case_try(struct worker *w, const struct exercise *e, const struct size *size, struct trial *t,
              struct mistake *m, struct error *error);

/* As case_try, of a program that has left its outputs as they were: they hold a number before the call, and the mistake says what was
   made of it. */
bool case_try_held(const char *program, const struct exercise *e, enum place place, const struct size *size, struct mistake *m,
                   struct error *error);

/* Returns the share of right results of a program in the simulator at this size: 1 if all is right, below 0 if it does not get to
   its end.  Starts the worker if it does not run.  Each call may take `patience` seconds. */
double case_share(struct worker *w, const char *program, const struct exercise *e, bool races, const struct size *size,
                  double patience);

/* The arena that all cases use. */
bool case_begin(struct error *error);
struct arena *case_arena(void);

/* Returns by which factor other programs slow this one down, from 1 to 6. */
double case_slowness(void);

/* Returns how many threads a program for the processor gets: at least two, so that the exercise on threads works on a single core, too. */
int case_threads(void);

/* Returns the seconds that a call may take. */
double case_patience(void);

#endif
