/*
 * The data sets of a cell whose calls take 0.1 ms or more: each round has its own, by the same generator from an unforeseen seed.
 *
 * Touches change four elements, and what follows from these may cost less than a call.  So all variants of a
 * round are timed on data that the round before did not have.  The set of the next round is there, too: a
 * variant is called once on it in the middle of its turn.
 */
#ifndef RUNGS_DATA_SETS_H
#define RUNGS_DATA_SETS_H

#include "harness/measure/touch.h"

enum { PRESENT, NEXT, DATA_SETS }; /* of this round, and of the next */

struct data_sets {
    char *bytes[DATA_SETS]; /* copies of all inputs and of the case, whose scalars are data as well; NULL: there are none */
    uint64_t seed[DATA_SETS];
    size_t number[DATA_SETS]; /* counts the sets, from 1 */
    size_t now;               /* which of them the inputs hold, but for touches */
    double copying, drawing;  /* seconds that it took to write all inputs, and at best to draw them */
};

/* Keeps the inputs, which must be untouched, and draws others.  Without a generator, or without memory for two
   copies, does nothing. */
void data_sets_open(struct data_sets *d, struct cell *c, struct touches *touches);

/* Begins a round with other data: the next set becomes the present one. */
void data_sets_go_on(struct data_sets *d, struct cell *c, struct touches *touches);

/* Draws the next set anew, and writes the present one. */
void data_sets_draw(struct data_sets *d, struct cell *c, struct touches *touches);

/* Writes all inputs, and forgets touches. */
void data_sets_write(struct data_sets *d, struct cell *c, size_t which, struct touches *touches);

void data_sets_close(struct data_sets *d, struct cell *c, struct touches *touches);

#endif
