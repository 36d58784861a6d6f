/*
 * Can this be?  Times that no machine of this kind allows, and parts that do not make up the whole.
 *
 * Of a limit (peak.h) a variant may be a little beyond, for good reasons; so a table only marks that.
 * Here stands what has no good reason: it is a breach.
 */
#ifndef RUNGS_PLAUSIBLE_H
#define RUNGS_PLAUSIBLE_H

#include "harness/ceilings/peak.h"

/* False: faster than the nearest cache carries the bytes that a call must touch, or than all cores can
   compute the work; `text` says so. */
bool plausible_rate(const struct ceilings *all, const struct card *v, const struct result *r,
                    const struct work *work, char *text, size_t bytes);

/* False: end to end it takes far longer than upload, run and download do together. */
bool plausible_parts(const struct result *r, char *text, size_t bytes);

#endif
