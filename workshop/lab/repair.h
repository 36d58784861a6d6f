/* Looks for one small change with which a wrong program is right: where that is, the mistake is. */
#ifndef RUNGS_LAB_REPAIR_H
#define RUNGS_LAB_REPAIR_H

#include "workshop/lab/verdict.h"

/* Returns whether there is such a change.  Then the mistake's first REPAIR_FACTS facts tell its line and what is to be changed
   there, but not into what.  Leaves all as it is if the program is right, was not judged in the simulator, or is not found to
   be right in time. */
enum { REPAIR_FACTS = 2 };
bool repair_look(const struct exercise *e, const char *source, enum place place, struct lab_verdict *v);

#endif
