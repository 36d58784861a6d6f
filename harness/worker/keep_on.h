/* On the worker's side of harness/measure/companions.h: makes cycles without a pause, and knows how many were made when. */
#ifndef RUNGS_KEEP_ON_H
#define RUNGS_KEEP_ON_H

#include <stdbool.h>

#include "harness/worker/sample.h"

/* Makes cycles until `asked` returns true. */
void keep_on(const struct stage *s, bool (*asked)(void));

/* Returns how many cycles that made between two times, by clock_now(); of a cycle that a time divides, the share. */
double keep_on_cycles(double from, double until);

/* For a test: what keep_on notes at the start, and after each cycle. */
void keep_on_note(bool first, double now);

#endif
