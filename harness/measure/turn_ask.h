/* One request of a turn, and what belongs to each. */
#ifndef RUNGS_TURN_ASK_H
#define RUNGS_TURN_ASK_H

#include "harness/measure/turn.h"

enum { TOGETHER = 2 }; /* samples in a request, for short calls */

/* A whole block's request: SAMPLES samples, unless its time is over before. */
struct request turn_request(const struct turn *t, const struct preset *p);

/* Moves the entrant's memory, if that does not take too long.  The next cycle must not be a sample, because it pays for the new pages. */
bool turn_relocate(struct cell *c, struct turn *t, const struct preset *p);

/* Sends a request, in brackets, and adds the reply to the block.  Returns false if the entrant is out or misses this turn. */
bool turn_ask(struct cell *c, struct turn *t, const struct request *q, struct reply *a);

/* The same with poison in the output, none of which may be left. */
bool turn_ask_poisoned(struct cell *c, struct turn *t, const struct request *q, struct reply *a);

#endif
