/* What the simulator's counters say of a mistake beside the gate that is not kept. */
#ifndef RUNGS_LAB_COUNTED_H
#define RUNGS_LAB_COUNTED_H

#include "workshop/lab/gates.h"

/* Numbers count several times in a total: adds whether the kernel has read them so often, or has added up again what it had read once.  Returns false with an
   error if this machine cannot count. */
bool counted_readings(const struct exercise *e, const char *program, struct mistake *m, struct error *error);

/* Adds what the counts of a gate that is not kept say of its cause: how often something is read, by which threads, and how often would do. */
void counted_gate(const struct exercise *e, const struct gated *g, struct mistake *m);

#endif
