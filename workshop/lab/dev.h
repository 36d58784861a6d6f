/* What the parts of rungs lab dev check share: they print TAP. */
#ifndef RUNGS_LAB_DEV_H
#define RUNGS_LAB_DEV_H

#include "workshop/lab/exercise.h"

/* Prints "ok 17 - 03 solution passes", or "not ok ..." and below it `otherwise`, the reason.  Returns `good`. */
bool dev_ok(bool good, const struct exercise *e, const char *name, const char *otherwise);

/* dev_card.c: checks on a GPU that the solution is right and fast enough, and the starter not. */
void dev_check_on_card(const struct exercise *e);

#endif
