/* The devices that variants will run on, asked of a worker: the parent never starts one itself. */
#ifndef RUNGS_DEVICES_FIND_H
#define RUNGS_DEVICES_FIND_H

#include "harness/model/card.h"
#include "harness/machine/devices.h"
#include "harness/model/arena.h"

/* What the first of these variants that is not for the CPU finds. */
void devices_find(struct devices *d, const struct card *const variants[], size_t count);

#endif
