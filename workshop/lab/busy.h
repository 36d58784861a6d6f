/* How the processor's threads share the work: from the kernel's own account of each. */
#ifndef RUNGS_BUSY_H
#define RUNGS_BUSY_H

#include "workshop/lab/exercise.h"

struct busy {
    int threads;      /* that there were */
    int at_work;      /* of these, with at least a quarter of the busiest one's time */
    double imbalance; /* the busiest one's time over the average; 1: all had the same */
};

/* Lets the program work for a moment at the exercise's size for counters. */
bool busy_look(const struct exercise *e, const char *program, struct busy *b, struct error *error);

#endif
