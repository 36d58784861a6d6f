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

/* Returns whether a poisoned element is unchanged.  Its place is then in `text`. */
bool touch_left(const struct poisoned *p, const struct entrant *e, char *text, size_t bytes);

/* Elements of a worker's outputs that hold another element's value. */
struct decoys {
    struct {
        const struct slot *array;
        size_t index;
        unsigned char value[TOUCHED_BYTES];
        double seen;   /* when it was last there before it was replaced, by clock_now(); 0: not after it was written */
        bool replaced; /* it was not there when it was looked for */
    } element[TOUCHED];
    size_t count;
};

/* Draws a few elements and the values of others, while the entrant does not compute.  Poison would not do while it computes: a
   variant may read what it has written, and use it as an index. */
struct decoys decoys_draw(struct cell *c, const struct entrant *e);

/* Writes these values into the outputs, also while the entrant computes. */
void decoys_write(const struct decoys *d, const struct entrant *e);

/* Notes which of them have been there ever since.  Returns whether any has. */
bool decoys_look(struct decoys *d, const struct entrant *e, double now);

/* After the calls: returns when one that is replaced by now was last seen, its place in `text`.  Below 0: none is replaced. */
double decoys_seen(const struct decoys *d, const struct entrant *e, char *text, size_t bytes);

#endif
