/* Adds to a mistake at one element what the element is: whether the thread has it, on which row it lies, how far behind an array's start. */
#ifndef RUNGS_LAB_ELEMENT_H
#define RUNGS_LAB_ELEMENT_H

#include "workshop/lab/exercise.h"
#include "workshop/lab/mistake.h"

void element_add(const struct exercise *e, const struct size *size, struct mistake *m);

#endif
