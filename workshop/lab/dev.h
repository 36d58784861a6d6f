/* What the parts of rungs lab dev check share: TAP. */
#ifndef RUNGS_LAB_DEV_H
#define RUNGS_LAB_DEV_H

#include "workshop/lab/exercise.h"

/* "ok 17 - 03 solution passes"; `otherwise` says what is the case instead. */
bool dev_ok(bool good, const struct exercise *e, const char *name, const char *otherwise);

/* dev_card.c: on a card, is the solution right and fast enough, and the starter not? */
void dev_check_on_card(const struct exercise *e);

#endif
