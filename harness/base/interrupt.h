/* Ctrl-C and kill.  The first signal is noted and not acted upon at once, so that a run still prints
   its table and completes its record file. */
#ifndef RUNGS_INTERRUPT_H
#define RUNGS_INTERRUPT_H

#include <stdbool.h>

/* From now on notes SIGINT, SIGTERM and SIGHUP.  Calls `at_once` at the second one, with the number of the first; and
   with `impatient` from 10 s after the first on, which ends the program if it is where no signal is looked for. */
void interrupt_catch(void (*at_once)(int number, bool impatient));

int interrupted(void); /* returns the number of the first such signal, or 0 */

#endif
