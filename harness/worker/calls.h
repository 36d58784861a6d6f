/* What a variant may not ask the kernel for: a filter of system calls, by seccomp(2). */
#ifndef RUNGS_CALLS_H
#define RUNGS_CALLS_H

#include <stdbool.h>

/* Does the kernel have such filters? */
bool calls_hold(void);

/* For a worker before exec, as the process that it will be: what harms others is refused from now on.
   On a CPU the call ends the process by SIGSYS, so that its row can name it; beside a card's driver,
   which may try things that it can do without, the call fails. */
void calls_forbid(bool on_card);

/* "ptrace"; NULL: not one of those. */
const char *calls_name(int number);

#endif
