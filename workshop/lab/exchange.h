/* An exchange of two variables without a third one: a = b; b = a; */
#ifndef RUNGS_LAB_EXCHANGE_H
#define RUNGS_LAB_EXCHANGE_H

#include "workshop/lab/mistake.h"

/* Looks for one in a wrong program without comments.  Sets the mistake, and keeps the facts that were found before. */
void exchange_look(const char *text, struct mistake *m);

#endif
