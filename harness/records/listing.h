/* A table's results with their ladder: as a file of records holds them, or several such as one. */
#ifndef RUNGS_LISTING_H
#define RUNGS_LISTING_H

#include "harness/records/ladder.h"
#include "harness/records/records.h"

struct listing {
    size_t count;
    struct result **results; /* the records' own, which must outlive it */
    struct ladder ladder;
};

/* The results of one table, one behind the other in a file.  False: this program does not know their
   problem, or not by this size; the error says so. */
bool listing_make(struct listing *l, const struct records *p, size_t at, size_t count,
                  struct error *error);

/* Tables of several runs or machines as one: each result stands among those of its variant, and is
   compared within its own table all the same. */
struct listing listing_merge(const struct listing tables[], size_t count);

void listing_free(struct listing *l);

#endif
