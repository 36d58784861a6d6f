/* A condition that tests another index than the one which is used behind it. */
#ifndef RUNGS_LAB_TESTED_H
#define RUNGS_LAB_TESTED_H

#include "workshop/lab/mistake.h"

/* For an access outside of an array: adds whether its line tests a sum, such as "from + y < k", and the index has another one, "from + x". */
void tested_look(const char *text, struct mistake *m);

#endif
