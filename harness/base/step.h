/*
 * What this process does that may not come back: the functions of a problem, which are code of its author.
 *
 * While a step lasts, a signal that ends the program names it in one line on standard error.
 */
#ifndef RUNGS_STEP_H
#define RUNGS_STEP_H

#include <stdbool.h>

/* Begins a step, e.g. the function "judge" of "saxpy" in "bench/saxpy/problem.c". */
void step_begin(const char *function, const char *problem, const char *file);
void step_end(void);

/* From now on a fault writes its line before it ends the program. */
void step_catch_faults(void);

/* Ends the program at once, with its line, for interrupt_catch().  `impatient`: only if a step lasts. */
void step_leave(int number, bool impatient);

#endif
