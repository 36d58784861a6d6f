/*
 * Continues a run from its records: what was measured there in the same way, on the same machine, is not
 * measured again.
 */
#ifndef RUNGS_RESUME_H
#define RUNGS_RESUME_H

#include "harness/records/records.h"
#include "harness/records/sweep.h"
#include "harness/records/write.h"

/* Were all runs in the file made by this program, on this machine, with these settings?  The error says what
   differs. */
bool resume_fits(const struct records *p, const struct run_about *now, struct error *error);

/* Have they the same command line, except for --resume, --out and --format? */
bool resume_same_words(const struct records *p, const struct run_about *now, struct error *error);

/* Takes over the sizes at which one run has recorded all variants of the sweep: only these took turns. */
void resume_sweep(const struct records *p, struct sweep *s);

#endif
