/* Records that are computed from results: comparisons, speed-ups, crossovers of sweeps.  results/README.md lists
   the fields. */
#ifndef RUNGS_DERIVED_H
#define RUNGS_DERIVED_H

#include <jansson.h>

#include "harness/records/ladder.h"
#include "harness/records/sweep.h"

/* Adds ratio, lo, hi, conf, rounds, ties, method, verdict to an object. */
void derived_comparison(json_t *object, const struct comparison *c);

/* Makes a "compare" record: a result, its baseline `base`, one phase.  `roles`: all comparisons of the result, from
   which the roles of this baseline are read. */
json_t *derived_compare(const struct result *r, const struct result *base,
                        const struct comparisons *roles, const char *phase,
                        const struct comparison *c);

/* Makes an array for a table: a "compare" for each result, baseline and phase (without a ladder, none), and a
   "scaling" for each speed-up and phase. */
json_t *derived_table(const struct ladder *ladder, struct result *const results[], size_t count);

/* Makes a "sweep" record, the plan of a sweep; `step`: the factor between two sizes. */
json_t *derived_sweep(const struct sweep *s, const struct sides *sides, double step);

/* Makes a "crossover" record: from which size on a contender is faster. */
json_t *derived_crossover(const struct sweep *s, size_t contender, enum view view,
                          const struct curve *curve);

/* Makes a "break_even" record: after how many calls a contender has made up for its setup, at one size. */
json_t *derived_break_even(const struct sweep *s, size_t contender, const struct curve *end_to_end,
                           size_t point);

#endif
