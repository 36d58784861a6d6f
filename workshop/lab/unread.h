/* Which elements of an input no thread reads, and which words of other tiles a block reads. */
#ifndef RUNGS_LAB_UNREAD_H
#define RUNGS_LAB_UNREAD_H

#include "workshop/lab/exercise.h"
#include "workshop/lab/mistake.h"

/* If results are wrong and nothing explains them, adds which elements no thread has read.  In a look-back, adds which words a tile has read.
   Returns false with an error if this machine cannot do it. */
bool unread_look(const struct exercise *e, const char *program, const struct size *size, struct mistake *m, struct error *error);

/* compact looks back further than it need: adds that the first tile has left no number of ALL, if that is so.  Returns false with an error if
   this machine cannot say. */
bool unread_words(const struct exercise *e, const char *program, struct mistake *m, struct error *error);

#endif
