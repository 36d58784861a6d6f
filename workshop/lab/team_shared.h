/* A variable that is one for all threads of an OpenMP team, and each of them writes to it. */
#ifndef RUNGS_LAB_TEAM_SHARED_H
#define RUNGS_LAB_TEAM_SHARED_H

#include "workshop/lab/directives.h"
#include "workshop/lab/mistake.h"

/* Looks for one in the region of this directive.  Regions in which threads take turns or have tasks of their own are not looked at.
   Sets the mistake, keeps the facts that were found before, and returns whether there is such a variable. */
bool team_shared_look(const struct tokens *t, const struct directives *all, const struct directive *region, struct mistake *m);

/* Returns whether a condition may keep all threads but one from token i, which stands between `from` and `to`: one that has more than
   a comparison by < or > of variables. */
bool team_shared_chosen(const struct tokens *t, size_t i, size_t from, size_t to);

#endif
