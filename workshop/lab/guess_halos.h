/* stencil on several devices: which rows the halos held instead of the neighbours' newest ones. */
#ifndef RUNGS_GUESS_HALOS_H
#define RUNGS_GUESS_HALOS_H

#include "common/stencil.h"
#include "workshop/lab/pattern.h"

/* Sets the mistake if halos with other rows explain the result, or if only rows near the seams between bands are wrong. */
bool halos_look(const struct stencil *p, const struct view *v, struct mistake *m);

#endif
