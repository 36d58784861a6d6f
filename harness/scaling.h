/*
 * Scaling: the same rungs on one thread, on two, on four; or on so many devices.  What does more of
 * them bring?
 *
 * Each value is a rung of its own in its cell, with its own worker, and takes turns with all others;
 * so a speed-up has its interval from pairs of rounds, as every ratio has.
 */
#ifndef RUNGS_SCALING_H
#define RUNGS_SCALING_H

#include <jansson.h>

#include "harness/cell.h"
#include "harness/compare.h"

/* "1,2,4" */
void steps_describe(const struct steps *s, char *text, size_t bytes);

/* In the place of a cell's rungs, each one that scales at each value: those of the CPU that were
   seen to use several threads (all have been called at the check sizes), those of all GPUs.  What
   has failed stays one rung with its fate; what asks for more devices than `there` are (0: not
   known) has no device. */
void cell_scale(struct cell *c, const struct steps *threads, const struct steps *devices, int there);

/* One rung at one value against the smallest that was timed. */
struct speedup {
    const struct row *row, *base;
    int value, from;
    struct comparison e2e, resident; /* without a ratio where there is nothing to compare */
};

/* Of all rows with a scale that were timed and are not the smallest; `list` has room for `count`. */
size_t speedups_find(struct row *const rows[], size_t count, struct speedup list[]);

/* "threads" or "devices"; NULL: it is on no axis. */
const char *scale_axis(const struct scale *s);

/* The speed-up over how many times more there are: 1 is linear. */
double speedup_efficiency(const struct speedup *s, double ratio);

/* "scaling" records: results/README.md. */
json_t *speedups_json(struct row *const rows[], size_t count);

#endif
