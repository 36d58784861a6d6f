/* What a learner's program may not do, in its own process, before it begins. */
#ifndef RUNGS_CONFINE_H
#define RUNGS_CONFINE_H

/* The one folder in which it may write: the simulator's counters. */
void confine_scratch(const char *folder);

/* For a child, before exec: no files written elsewhere, no signals to others, no network (by
   Landlock, where the kernel has it), few processes, little processor time. */
void confine(void);

/* Does the kernel keep it from writing files? */
int confine_holds(void);

/* After a verdict: ends whatever the program has left, wherever it went.  How many there were. */
int confine_sweep(void);

#endif
