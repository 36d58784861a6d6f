/* The results of a table with their ladder, from a file of records or merged from several. */
#ifndef RUNGS_LISTING_H
#define RUNGS_LISTING_H

#include "harness/records/ladder.h"
#include "harness/records/records.h"

struct listing {
    size_t count;
    struct result **results; /* belong to the records, which must outlive the listing */
    struct ladder ladder;
};

/* Lists the results of one table, which are consecutive in the file.  False: this program does not know their
   problem, or the problem has other axes. */
bool listing_make(struct listing *l, const struct records *p, size_t at, size_t count,
                  struct error *error);

/* Merges tables of several runs or machines.  The results of a variant become neighbours; their comparisons
   remain those within their own tables. */
struct listing listing_merge(const struct listing tables[], size_t count);

void listing_free(struct listing *l);

#endif
