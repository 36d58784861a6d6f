/*
 * The results of one table against each other: each with the first of its ladder, with the variant
 * that it improves on, and with the fastest of the CPU on one core and on several.
 *
 * End to end, which is what a user waits for; and beside it, where a variant's data can stay on its
 * device, resident: its run alone.  On the CPU both are one.
 */
#ifndef RUNGS_LADDER_H
#define RUNGS_LADDER_H

#include "harness/records/comparison.h"
#include "harness/records/result.h"

enum role { ROLE_FIRST, ROLE_BASE, ROLE_SINGLE, ROLE_MULTI, ROLES };

extern const char *const role_names[]; /* "first", "base", "1-core", "n-core" */

struct comparisons {
    const struct result *baseline[ROLES];  /* NULL: there is none; may be the result itself */
    struct comparison e2e[ROLES];      /* without a ratio where there is nothing to compare */
    struct comparison resident[ROLES]; /* only of variants that leave the CPU */
};

struct ladder {
    size_t count;
    struct comparisons *comparisons; /* of each result */
};

/* The results must outlive it. */
struct ladder ladder_make(struct result *const results[], size_t count);

/* Room for so many comparisons, which the caller fills in. */
struct ladder ladder_start(size_t count);
void ladder_free(struct ladder *l);

#endif
