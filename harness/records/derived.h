/* Records of what follows from results: comparisons, speed-ups, what a sweep found.  results/README.md
   lists the fields. */
#ifndef RUNGS_DERIVED_H
#define RUNGS_DERIVED_H

#include <jansson.h>

#include "harness/records/ladder.h"
#include "harness/records/sweep.h"

/* Adds ratio, lo, hi, conf, rounds, ties, method, verdict to an object. */
void derived_comparison(json_t *object, const struct comparison *c);

/* "compare": a result and one that it is compared with, in one phase; `roles` has all that it is. */
json_t *derived_compare(const struct result *r, const struct result *base,
                        const struct comparisons *roles, const char *phase,
                        const struct comparison *c);

/* Of a table, an array: a "compare" for each result, each other one that it is compared with, and each
   phase (without a ladder, none); a "scaling" for each speed-up and each phase. */
json_t *derived_table(const struct ladder *ladder, struct result *const results[], size_t count);

/* "sweep": what is about to be measured; `step` is the factor between two sizes. */
json_t *derived_sweep(const struct sweep *s, const struct sides *sides, double step);

/* "crossover": from which size on variant `of` pays. */
json_t *derived_crossover(const struct sweep *s, size_t of, enum view view,
                          const struct curve *curve);

/* "break_even": after how many calls it has paid for its start, at one size. */
json_t *derived_break_even(const struct sweep *s, size_t of, const struct curve *end_to_end,
                           size_t point);

#endif
