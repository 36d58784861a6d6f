/* Builds the program that has the mutants of a learner's program, without those that do not compile. */
#ifndef RUNGS_MUTANT_BUILD_H
#define RUNGS_MUTANT_BUILD_H

#include <stdbool.h>

#include "workshop/lab/mutant.h"

/* Writes them to the file `source` and builds that by `commands`.  Mutants that the compiler complains about are marked dead, and it is
   built again.  Returns false if it does not compile in the end. */
bool mutants_build(struct mutants *all, const char *source, char *commands);

#endif
