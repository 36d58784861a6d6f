/* What the commands share that need variants in the simulator. */
#ifndef RUNGS_SIMULATED_H
#define RUNGS_SIMULATED_H

#include "harness/commands/options.h"
#include "harness/model/card.h"

/* Keeps the variants that run in the simulator, and returns their number.  If none does, this process becomes the
   same command of the simulator's build (build-sim/rungs beside build/rungs); if that is not there, returns 0 with
   an error that says how to build it. */
size_t simulated_keep(const struct options *o, const struct card *variants[], size_t count, struct error *error);

/* Creates an empty file for what a simulated worker writes, and its name. */
enum { TRACE_PATH = 256 };
bool simulated_file(char file[TRACE_PATH], const char *what, const char *ending, struct error *error);

#endif
