/* Ctrl-C and kill: noted, not acted upon at once, so that the run ends with a table and a whole
   record file. */
#ifndef RUNGS_INTERRUPT_H
#define RUNGS_INTERRUPT_H

void interrupt_catch(void); /* from now on, SIGINT, SIGTERM and SIGHUP are noted */
int interrupted(void);      /* the number of the first such signal, or 0 */

#endif
