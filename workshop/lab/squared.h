/* Where squares are lost on the way, of which the program has computed some. */
#ifndef RUNGS_LAB_SQUARED_H
#define RUNGS_LAB_SQUARED_H

#include "workshop/lab/mistake.h"

/* The norm was made of sums: says whether the text, which has no comments, squares anything, and where it takes the same number for both
   totals. */
void squared_look(const char *text, struct mistake *m);

#endif
