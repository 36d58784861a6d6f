/* Tables of several runs or machines, to be shown as one: each row stands among those of its rung, and is
   compared within its own table all the same. */
#ifndef RUNGS_PAST_MERGE_H
#define RUNGS_PAST_MERGE_H

#include "harness/past_rows.h"

struct merged {
    size_t count;
    struct row **rows; /* the tables' own, which must outlive them */
    struct ladder ladder;
};

struct merged merge_tables(const struct past_rows tables[], size_t count);
void merge_free(struct merged *m);

#endif
