/* Looks for one small change, or two, with which a wrong program is right: where that is, the mistake is. */
#ifndef RUNGS_LAB_REPAIR_H
#define RUNGS_LAB_REPAIR_H

#include "workshop/lab/verdict.h"

/* Returns how many of the mistake's first facts tell the change, or the two changes: each by its line, and what is to be changed
   there, but not into what.  0: there is none, the program was not judged in the simulator, or none was found in time. */
int repair_look(const struct exercise *e, const char *source, enum place place, struct lab_verdict *v);

#endif
