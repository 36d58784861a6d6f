/*
 * The environment's variables whose names begin with RUNGS_.  A misspelt one has no effect, which nothing else would tell.
 */
#ifndef RUNGS_VARIABLES_H
#define RUNGS_VARIABLES_H

/* Prints a line on standard error for each variable that is nearly, but not quite, one that Rungs reads.  Others may belong
   to other programs. */
void variables_name_misspelt(void);

#endif
