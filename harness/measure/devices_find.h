/* Finds the devices that variants will run on, by asking a worker.  The parent itself never starts a
   device. */
#ifndef RUNGS_DEVICES_FIND_H
#define RUNGS_DEVICES_FIND_H

#include "harness/model/card.h"
#include "harness/machine/devices.h"
#include "harness/model/arena.h"

/* Describes the devices of the first of these variants that is not for the CPU. */
void devices_find(struct devices *d, const struct card *const variants[], size_t count);

#endif
