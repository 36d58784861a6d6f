/* The simulator's messages in words for a beginner. */
#ifndef RUNGS_LAB_PLAIN_H
#define RUNGS_LAB_PLAIN_H

#include <stddef.h>

#include "workshop/lab/exercise.h"

/* Rewrites a message in place: names of arrays and lines of the learner's file, which is called `name`, for addresses and places. */
void plain_message(const struct exercise *e, const char *name, char *text, size_t room);

/* Turns "kernel scale, block (3,0,0), thread (232,0,0): " into "thread 232 of block 3: ", with x and y if it is 2-D.
   Returns what follows. */
const char *plain_thread(const char *said, char *text, size_t room);

#endif
