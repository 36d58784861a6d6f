/*
 * Touches: small changes between timed calls.
 *
 * A few input elements change, at random places; the next touch restores them, so that the data stay the
 * same.  A few lines of the output are poisoned.  A variant that returns an earlier answer is then wrong,
 * unless it compares its inputs.
 */
#ifndef RUNGS_TOUCH_H
#define RUNGS_TOUCH_H

#include "harness/measure/cell.h"

enum { TOUCHED = 4, TOUCHED_BYTES = 16 };

struct touched {
    const struct slot *array; /* an input, and an element of it; NULL: none */
    char *at;
    size_t bytes;
    unsigned char was[TOUCHED_BYTES], is[TOUCHED_BYTES];
};

/* What is changed in the open case; all zero: nothing. */
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

/* Restores the last changes and makes new ones.  Without `change`, writes as many places with the
   values that are already there, which has the same effect on a processor's caches. */
void touch_inputs(struct touches *t, struct cell *c, bool change);

/* Write at the places of the last changes: values that will not stay, and those that will. */
void touch_decoy(const struct touches *t, struct cell *c);
void touch_settle(const struct touches *t);

/* Poisons a few lines of an entrant's outputs.  It writes to their file, so they need not be mapped. */
struct poisoned touch_outputs(struct cell *c, const struct entrant *e);

/* Writes as many lines with what is there already: no poison, and the same effect on a processor's caches. */
void touch_outputs_again(struct cell *c, const struct entrant *e);

/* Elements of a worker's outputs that hold another element's value. */
struct decoys {
    struct {
        const struct slot *array;
        size_t index;
        unsigned char value[TOUCHED_BYTES];
        double seen; /* when it was last there, by clock_now(); 0: not after it was written */
    } element[TOUCHED];
    size_t count;
};

/* Writes other elements' values into a few elements of an entrant's outputs, also while it computes.  Poison would not do then: a
   variant may read what it has written, and use it as an index. */
struct decoys touch_decoys(struct cell *c, const struct entrant *e);

/* Notes which of them are there still.  Returns whether any is. */
bool touch_see_decoys(struct decoys *d, const struct entrant *e, double now);

/* When the calls are over: returns when one was last seen that has gone since, its place in `text`; 0: none was. */
double touch_gone_decoy(const struct decoys *d, const struct entrant *e, char *text, size_t bytes);

/* Returns whether a poisoned element is unchanged.  Its place is then in `text`. */
bool touch_left(const struct poisoned *p, const struct entrant *e, char *text, size_t bytes);

#endif
