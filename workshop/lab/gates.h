/* The structure of a program: the simulator's counters (rungs run --counters) against an exercise's gates. */
#ifndef RUNGS_GATES_H
#define RUNGS_GATES_H

#include "workshop/lab/exercise.h"
#include "workshop/lab/mistake.h"

/* One gate and what was counted. */
struct gated {
    const struct gate *gate;
    double value; /* NaN: nothing of that kind was counted */
    bool kept;
    int line;     /* of the learner's file, which has most of it; 0: it is no sum over lines, or too small */
    double there; /* so much has this line */
    bool waits;   /* in it the host waits so often, and then queues more */
    bool touches; /* in it the host touches pages so often */
};

/* Runs the program with counters, and compares them with the gates.  A mistake that shows only now (a race) goes to
   `m`.  Returns false with an error if the program could not be run. */
bool gates_look(const struct exercise *e, const char *program, struct gated gated[],
                struct mistake *m, struct error *error);

/* Counts the bytes that one call moves: sectors of the GPU's memory, copies and migrations.  Returns false with an
   error if they could not be counted. */
bool gates_bytes(const struct exercise *e, const char *program, double *bytes, struct error *error);

/* Prints a table of the programs' counters, a column for each of their kernels.  `whose` are words for the columns. */
bool gates_table(const struct exercise *e, const char *const programs[], const char *const whose[], size_t count,
                 struct mistake *m, struct error *error);

/* Prints the counters of one call, in the simulator's format. */
bool gates_tell(const struct exercise *e, const char *program, struct mistake *m,
                struct error *error);

/* Returns a metric in words, "sectors per load", or its name if there are none. */
const char *gate_words(const char *metric);

#endif
