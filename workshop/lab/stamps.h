/*
 * How a time that a learner's benchmark prints follows from the pairs of stamps that it has taken, and what lies between them.
 *
 * The benchmark prints "pairs NAME COLD STARTS SECONDS SECONDS ...": the number of the pair with the first start of all in it (from 1; 0: it is
 * in none), how many starts the pair has that has most, and the differences of all pairs, in their order.
 */
#ifndef RUNGS_LAB_STAMPS_H
#define RUNGS_LAB_STAMPS_H

#include <stdbool.h>

#include "workshop/lab/exercise.h"
#include "workshop/lab/mistake.h"

/* Adds how the figure, which is wrong, was made of the pairs: their sum, the greatest, the last.  Sets the kind no-warm-up if the pair with
   the first start is what makes it wrong.  n: the elements.  Returns whether that is known, and is no right way. */
bool stamps_of(const char *prints, const char *name, double value, double n, struct mistake *m);

/* Adds what the text has between the two stamps of the function with this name, apart from the work. */
void stamps_between(const struct exercise *e, const char *name, struct mistake *m);

/* A figure of the host's loop over n elements is far too small: adds whether the compiler has left the loop out, or it does not stand between
   the two stamps.  Returns false if neither is so. */
bool stamps_left_out(const struct exercise *e, const char *prints, const char *name, double n, struct mistake *m);

/* Adds whether nothing in the text reads this array of the host, so that the compiler may leave out what computes it. */
void stamps_unread(const struct exercise *e, const char *array, struct mistake *m);

#endif
