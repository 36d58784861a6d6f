/* Adds to a wasteful access which elements neighbouring lanes of a warp use there. */
#ifndef RUNGS_LAB_LANES_H
#define RUNGS_LAB_LANES_H

#include "workshop/lab/exercise.h"
#include "workshop/lab/mistake.h"

/* `metric`: of the gate that is not kept.  Runs the program again, at the size for counters, if the metric is one of requests. */
bool lanes_look(const struct exercise *e, const char *program, const char *metric, struct mistake *m, struct error *error);

/* Of a program whose results are wrong: adds the line in which neighbouring lanes use elements that are not side by side, if there is one. */
bool lanes_look_apart(const struct exercise *e, const char *program, struct mistake *m, struct error *error);

#endif
