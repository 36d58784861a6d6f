/* Where a result is wrong, and whether right values lie at wrong places. */
#ifndef RUNGS_LAB_PLACES_H
#define RUNGS_LAB_PLACES_H

#include "workshop/lab/mistake.h"
#include "workshop/lab/result.h"

/* Each sets the mistake, and returns whether it was found. */

/* Right values at wrong places: rows and columns exchanged, the last one first, each one beside its place. */
bool places_exchanged(const struct view *v, struct mistake *m);

/* Right values that lie in the place of others, in a row. */
bool places_elsewhere(const struct view *v, struct mistake *m);

/* A part that is wrong: what is at the border, before or behind an element, at the edges of tiles, in a row or a column. */
bool places_pattern(const struct view *v, struct mistake *m);

/* Every so many elements one that is wrong, or right. */
bool places_step(const struct view *v, struct mistake *m);

/* Adds that wrong results lie in every second group of threads alone, as if each thread had several results. */
void places_groups(const struct view *v, struct mistake *m);

#endif
