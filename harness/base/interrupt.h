/* Ctrl-C and kill.  The signals are noted and not acted upon at once, so that a run still prints
   its table and completes its record file. */
#ifndef RUNGS_INTERRUPT_H
#define RUNGS_INTERRUPT_H

void interrupt_catch(void); /* from now on notes SIGINT, SIGTERM and SIGHUP */
int interrupted(void);      /* returns the number of the first such signal, or 0 */

#endif
