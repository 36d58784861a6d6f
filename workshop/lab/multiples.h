/* Finds which sizes are wrong: those that are no multiple of a number, because the rest of a division is left out; those that are one; or 0. */
#ifndef RUNGS_LAB_MULTIPLES_H
#define RUNGS_LAB_MULTIPLES_H

#include "workshop/lab/witness.h"

/* `list` has the wrong ones of the first `tried` sizes.  Adds what they have in common to `m`. */
void multiples_look(const struct exercise *e, size_t tried, const struct witness list[], size_t count, struct mistake *m);

#endif
