/* What the simulator's counters say of a mistake beside the gate that is not kept. */
#ifndef RUNGS_LAB_COUNTED_H
#define RUNGS_LAB_COUNTED_H

#include "workshop/lab/gates.h"

/* Numbers count several times in a total: adds whether the kernel has read them so often, or has added up again what it had read once.  Returns false with an
   error if this machine cannot count. */
bool counted_readings(const struct exercise *e, const char *program, struct mistake *m, struct error *error);

/* Adds how many floats a thread of matmul reads from shared memory for its multiply-adds, if that is too much. */
void counted_reads(const struct exercise *e, const struct gated *g, struct mistake *m);

#endif
