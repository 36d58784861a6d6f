/* Finds by which rule a program makes too few or too many steps of a loop. */
#ifndef RUNGS_LAB_TURNS_H
#define RUNGS_LAB_TURNS_H

#include "workshop/lab/witness.h"

/* `list` has the wrong ones of the first `tried` sizes.  If one rule says how many steps were made at all of them, adds it to `m`, which
   shows that steps are missing, or too many. */
void turns_look(const struct exercise *e, size_t tried, const struct witness list[], size_t count, struct mistake *m);

#endif
