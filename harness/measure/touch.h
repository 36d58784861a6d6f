/*
 * Touches: what changes between calls that are timed.
 *
 * A few elements of the inputs change, at places that cannot be foreseen.  The next touch restores them,
 * so that the data stay the same.  A few lines of the output are poisoned.  A variant that returns an
 * earlier answer is then wrong, or has to look.
 */
#ifndef RUNGS_TOUCH_H
#define RUNGS_TOUCH_H

#include "harness/measure/cell.h"

enum { TOUCHED = 4, TOUCHED_BYTES = 16 };

struct touched {
    const struct slot *array; /* an input, and an element of it; NULL: there is none */
    char *at;
    size_t bytes;
    unsigned char was[TOUCHED_BYTES], is[TOUCHED_BYTES];
};

/* What is changed in the case that is open; all zero: nothing. */
struct touches {
    struct touched element[TOUCHED];
};

/* Poisoned elements of a worker's outputs. */
struct poisoned {
    struct {
        const struct slot *array;
        size_t index;
    } element[TOUCHED];
    size_t count;
};

/* Puts other values at other places.  Without `change` as many places are written, with what is there
   already: what that does to a processor's caches is the same. */
void touch_inputs(struct touches *t, struct cell *c, bool change);

/* At the same places: values that are not to stay, and those that are. */
void touch_decoy(const struct touches *t, struct cell *c);
void touch_settle(const struct touches *t);

/* Poisons a few lines of an entrant's outputs; they are files in memory and need not be mapped. */
struct poisoned touch_outputs(struct cell *c, const struct entrant *e);

/* Is one of them still as it was?  Then its place is in `text`. */
bool touch_left(const struct poisoned *p, const struct entrant *e, char *text, size_t bytes);

#endif
