/* The card of an exercise: the comment at the top of its master, "key argument: value" in each entry. */
#ifndef RUNGS_EXERCISE_CARD_H
#define RUNGS_EXERCISE_CARD_H

#include "workshop/lab/exercise.h"

/* Reads the card of e->master from its text, which it cuts into lines, and keeps the code behind it.  Returns false with an error, which
   names the line, if an entry is not understood, or if one that is needed is not there. */
bool exercise_card_read(struct exercise *e, char *text, struct error *error);

#endif
