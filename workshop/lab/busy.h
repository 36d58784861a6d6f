/* How the threads of a CPU variant share the work, from the time that the Linux kernel accounts to each. */
#ifndef RUNGS_BUSY_H
#define RUNGS_BUSY_H

#include "workshop/lab/exercise.h"

struct busy {
    int threads;      /* all of them */
    int at_work;      /* those with at least a tenth of the busiest thread's time */
    double imbalance; /* the busiest thread's time over the average of all; 1: all had the same */
};

/* Runs the program for about 0.15 s at the exercise's size for counters. */
bool busy_look(const struct exercise *e, const char *program, struct busy *b, struct error *error);

#endif
