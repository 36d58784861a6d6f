/*
 * The fastest variant for a case: for users who want an answer and no table.
 */
#ifndef RUNGS_FASTEST_H
#define RUNGS_FASTEST_H

#include "harness/measure/cell.h"

/*
 * Leaves in a labelled cell of variants that have a clock only those that may be fastest: all whose call is
 * predicted (harness/measure/predict.h) to take at most 0.05 s, or if there is none, 0.4 s or twice the
 * shortest, and so on up to the time limit of a call.  Where memory does not hold the outputs of all of these, it leaves the one
 * with the shortest predicted call.  The workers of the others end, and their results say why.
 */
void fastest_shortlist(struct cell *c);

/* Returns the entrant whose last call was the shortest, after cell_check(), and the one after it in `second`
   (NULL: there is none).  Returns NULL if no variant has answered. */
struct entrant *fastest_entrant(struct cell *c, struct entrant **second);

#endif
