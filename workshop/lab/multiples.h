/* Finds that a program is right at those sizes only that are a multiple of some number: it leaves out the rest of a division. */
#ifndef RUNGS_LAB_MULTIPLES_H
#define RUNGS_LAB_MULTIPLES_H

#include "workshop/lab/witness.h"

/* `list` has the wrong ones of the first `tried` sizes.  Adds the number to `m`, which shows that the last elements are missing. */
void multiples_look(const struct exercise *e, size_t tried, const struct witness list[], size_t count, struct mistake *m);

#endif
