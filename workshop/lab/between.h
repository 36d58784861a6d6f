/* Copies from one GPU to another: which array each reads, and which it writes. */
#ifndef RUNGS_LAB_BETWEEN_H
#define RUNGS_LAB_BETWEEN_H

#include "workshop/lab/exercise.h"
#include "workshop/lab/mistake.h"

/* If halos are wrong, adds the copy that goes into another array than the one of the same name on the other GPU.  Returns false with an error if
   this machine cannot do it. */
bool between_look(const struct exercise *e, const char *program, const struct size *size, struct mistake *m, struct error *error);

#endif
