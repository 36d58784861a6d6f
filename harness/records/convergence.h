/*
 * What a method that iterates says of its last run (common/variant.h, `evaluations`).  It is the variant's own account:
 * it is shown and recorded, and no verdict depends on it.
 */
#ifndef RUNGS_CONVERGENCE_H
#define RUNGS_CONVERGENCE_H

#include "common/variant.h"
#include "harness/records/schema.h"

struct convergence {
    size_t count, kept;      /* evaluations; the first of them are listed.  count 0: nothing is known */
    struct evaluation *list; /* [kept] */
};

/* Replaces it by a copy of the first `room` of `count` evaluations.  If one of those is no number or below 0, nothing
   is known. */
void convergence_set(struct convergence *c, size_t count, const struct evaluation list[], size_t room);
void convergence_free(struct convergence *c);

/* Returns how often all data were read.  What is not listed counts as the mean of what is. */
double convergence_readings(const struct convergence *c);

/* Write and read {"evaluations": 21, "work": [...], "residual": [...]}.  `object` NULL: nothing is known. */
json_t *convergence_write(const struct convergence *c);
bool convergence_read(const struct record_place *p, const json_t *object, struct convergence *c);

#endif
