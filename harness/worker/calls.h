/* The system calls that a variant may not make: a filter by seccomp(2). */
#ifndef RUNGS_CALLS_H
#define RUNGS_CALLS_H

#include <stdbool.h>

#include "harness/worker/confine.h"

/* Returns whether the kernel has such filters. */
bool calls_hold(void);

/* For a worker before exec: from now on refuses calls by which the process could harm others.  For a
   variant on the CPU such a call ends the process by SIGSYS, and the row names the call.  For a GPU or MPI
   variant the call only fails, because a driver or MPI may try calls that it can do without. */
void calls_forbid(enum reach reach);

/* Returns the name of a forbidden call, "ptrace"; NULL if the number is not one. */
const char *calls_name(int number);

#endif
