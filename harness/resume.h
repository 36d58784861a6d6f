/*
 * Going on with a sweep that was ended, by its records: what is measured there need not be measured
 * again, if it was measured in the same way on the same machine.
 */
#ifndef RUNGS_RESUME_H
#define RUNGS_RESUME_H

#include "harness/sweep.h"

struct resume; /* a file of records, read */

/* NULL with an error that names file and line. */
struct resume *resume_read(const char *file, struct error *error);
void resume_free(struct resume *r);

/* Was it made by this program, here, with these settings?  The error says what differs. */
bool resume_fits(const struct resume *r, const struct options *o, struct error *error);

/* Takes over the sizes at which all rungs of the sweep are on record, from one start: only then have
   they taken turns. */
bool resume_sweep(const struct resume *r, struct sweep *s, const struct options *o,
                  struct error *error);

#endif
