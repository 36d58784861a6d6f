/* An element that is set in a loop, under a condition by which it is the same one in each turn: if (r == l) got[r] = other; */
#ifndef RUNGS_LAB_ONE_PLACE_H
#define RUNGS_LAB_ONE_PLACE_H

#include "workshop/lab/exercise.h"
#include "workshop/lab/mistake.h"

/* fft in registers is wrong: looks for one in the program without comments, and adds it as a fact. */
void one_place_look(const struct exercise *e, const char *text, struct mistake *m);

#endif
