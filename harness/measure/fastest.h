/*
 * The fastest variant for a case: for users who want an answer and no table.
 */
#ifndef RUNGS_FASTEST_H
#define RUNGS_FASTEST_H

#include "harness/measure/cell.h"

/*
 * Leaves in a labelled cell of variants that have a clock only those that may be fastest: all whose call is
 * predicted (harness/measure/predict.h) to take at most twice as long as the shortest, or a hundredth of a second, and of
 * these the three with the shortest predicted calls.  Of a case of little work no call is predicted, and all stay.  Where
 * memory does not hold the outputs, it leaves one.  The workers of the others end, and their results say why.
 */
void fastest_shortlist(struct cell *c);

/* Takes out, for the reason `why`, the waiting entrants with the longest predicted calls, until `most` are left.  Those
   whose calls have not been predicted stay. */
void fastest_keep(struct cell *c, size_t most, const char *why);

/* Returns the entrant whose last call was the shortest, after cell_check(), and the one after it in `second`
   (NULL: there is none).  Returns NULL if no variant has answered. */
struct entrant *fastest_entrant(struct cell *c, struct entrant **second);

#endif
