/*
 * Figures that a learner's own benchmark prints, beside what the lab measures.
 *
 * The benchmark prints lines "figure NAME NUMBER".  It may also print "mistake KIND TEXT" for what is wrong in any case,
 * even if two mistakes cancel out, and "cause KIND TEXT" for what is wrong if a time is.  It runs in prepare, so it is not
 * part of what the lab times, and only if RUNGS_FIGURES is set, because variants must not print.
 */
#ifndef RUNGS_FIGURES_H
#define RUNGS_FIGURES_H

#include <stddef.h>

#include "workshop/lab/exercise.h"
#include "workshop/lab/mistake.h"

/* One figure and the lab's own, in the same unit. */
struct figured {
    double value, ours; /* NaN: not printed */
    bool kept;
};

/* Runs the program several times at the exercise's size for counters, and measures in turns with it.  Both sides' least
   times are compared, because whatever else runs only adds to a time.  Returns false with an error if the program could not
   be run. */
bool figures_look(const struct exercise *e, const char *program, struct figured figured[], struct mistake *m,
                  struct error *error);

/* Runs the program once, at that size, and gives all that it prints. */
bool figures_print(const struct exercise *e, const char *program, char *prints, size_t room, struct error *error);

#endif
