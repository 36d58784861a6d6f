/* What a sweep found, as records: results/README.md lists the fields. */
#ifndef RUNGS_RECORD_SWEEP_H
#define RUNGS_RECORD_SWEEP_H

#include <jansson.h>

#include "harness/sweep.h"

/* "sweep": what is about to be measured. */
json_t *json_sweep(const struct sweep *s, const struct options *o);

/* "crossover": from which size on rung `of` pays. */
json_t *json_crossover(const struct sweep *s, size_t of, enum view view, const struct curve *curve);

/* "break_even": after how many calls it has paid for its start, at one size. */
json_t *json_break_even(const struct sweep *s, size_t of, const struct curve *end_to_end,
                        size_t point);

#endif
