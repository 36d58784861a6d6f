/*
 * Compares each result of a table with four baselines: the first of its ladder, its base, the
 * fastest CPU variant on one core, and the fastest on several.
 *
 * Each comparison is made end to end and, for variants that leave the CPU, resident: the run with the data
 * on the device already.  On the CPU the two are the same.
 */
#ifndef RUNGS_LADDER_H
#define RUNGS_LADDER_H

#include "harness/records/comparison.h"
#include "harness/records/result.h"

enum role { ROLE_FIRST, ROLE_BASE, ROLE_SINGLE, ROLE_MULTI, ROLES };

extern const char *const role_names[]; /* "first", "base", "1-core", "n-core" */

/* The comparisons of one result. */
struct comparisons {
    const struct result *baseline[ROLES]; /* NULL: none; may be the result itself */
    struct comparison e2e[ROLES];         /* without a ratio if there is nothing to compare */
    struct comparison resident[ROLES];    /* only for variants that leave the CPU */
};

struct ladder {
    size_t count;
    struct comparisons *comparisons; /* one for each result */
};

/* Compares these results, which must outlive the ladder. */
struct ladder ladder_make(struct result *const results[], size_t count);

/* Allocates a ladder for `count` results, whose comparisons the caller fills in. */
struct ladder ladder_start(size_t count);
void ladder_free(struct ladder *l);

#endif
