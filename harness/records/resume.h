/*
 * Going on with a sweep that was ended, by its records: what is measured there need not be measured
 * again, if it was measured in the same way on the same machine.
 */
#ifndef RUNGS_RESUME_H
#define RUNGS_RESUME_H

#include "harness/records/records.h"
#include "harness/records/sweep.h"
#include "harness/records/write.h"

/* Were all runs in the file made by this program, here, with these settings?  The error says what
   differs. */
bool resume_fits(const struct records *p, const struct run_about *now, struct error *error);

/* The same of its command line, word by word, but for --resume, --out and --format. */
bool resume_same_words(const struct records *p, const struct run_about *now, struct error *error);

/* Takes over the sizes at which all variants of the sweep are on record, of one run: only then have
   they taken turns. */
void resume_sweep(const struct records *p, struct sweep *s);

#endif
