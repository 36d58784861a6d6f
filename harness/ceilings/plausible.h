/*
 * Rejects impossible times: faster than any machine of this kind allows, or with parts that do not add
 * up.
 *
 * A variant can exceed its peak (peak.h) a little for legitimate reasons, which a table only marks.  The
 * cases here have no legitimate reason: they are breaches of the contract.
 */
#ifndef RUNGS_PLAUSIBLE_H
#define RUNGS_PLAUSIBLE_H

#include "harness/ceilings/peak.h"

/* Returns false if the variant is faster than the nearest cache can move the bytes that a call must
   touch, or than the cores it kept busy can compute the work.  `text` then says so. */
bool plausible_rate(const struct ceilings *all, const struct card *v, const struct result *r,
                    const struct work *work, char *text, size_t bytes);

/* Returns false if the time end to end is far longer than upload, run and download together. */
bool plausible_parts(const struct result *r, char *text, size_t bytes);

#endif
