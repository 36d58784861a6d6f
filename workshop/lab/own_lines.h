/* Lines of the learner's file. */
#ifndef RUNGS_LAB_OWN_LINES_H
#define RUNGS_LAB_OWN_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include "workshop/lab/exercise.h"
#include "workshop/lab/mistake.h"

/* Quotes a line of the learner's file, unless it is in the part that the learner need not touch. */
void own_lines_quote(const struct exercise *e, int number, struct mistake *m);

/* Copies the array's name from the line that has made it: "d_x" of "cudaMalloc(&d_x, bytes)".  Returns false if there
   is none, or if the line makes several arrays: the simulator does not say which of them it is. */
bool own_lines_array(const struct exercise *e, int number, char *name, size_t room);

/* Returns whether the line is in this function: the last one that begins before it. */
bool own_lines_is_in(const struct exercise *e, int number, const char *function);

/* Returns the line of a place such as "learn/saxpy/14_hide_the_copies.cu:150,60", the calls from the inside to the outside: the first
   that the learner has written. */
int own_lines_first(const struct exercise *e, const char *place);

#endif
