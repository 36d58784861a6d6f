/*
 * The rungs of one cell against each other: each with the first of its ladder, with the rung that
 * it improves on, and with the fastest of the CPU on one core and on several.
 *
 * End to end, which is what a user waits for; and beside it, where a rung's data can stay on its
 * device, resident: its run alone.  On the CPU both are one.
 */
#ifndef RUNGS_LADDER_H
#define RUNGS_LADDER_H

#include <stdbool.h>

#include "harness/compare.h"
#include "harness/row.h"

enum role { ROLE_FIRST, ROLE_BASE, ROLE_SINGLE, ROLE_MULTI, ROLES };

extern const char *const role_names[]; /* "first", "base", "1-core", "n-core" */

struct rival {
    char name[64];          /* with "@4" behind it where it was given 4 of what it scales with */
    char base[64];          /* the rung that it improves on; "": none */
    char first[64];         /* the first of its ladder, maybe itself; "": not known */
    bool cpu, several;      /* several: cores at work */
    struct rounds e2e;      /* no rounds: it was not timed */
    struct rounds resident; /* no rounds: its data do not stay anywhere */
};

struct standing {
    const struct rival *than[ROLES];   /* NULL: there is none; may be the rung itself */
    struct comparison e2e[ROLES];      /* without a ratio where there is nothing to compare */
    struct comparison resident[ROLES]; /* only of rungs that leave the CPU */
};

struct ladder {
    size_t count;
    struct rival *rivals;
    struct standing *standings; /* of each */
};

/* Room for `count`; the caller fills the rivals in. */
struct ladder ladder_start(size_t count);

/* Fills the standings in.  `together`: round r of all was taken side by side. */
void ladder_compare(struct ladder *l, bool together);

/* All of that for the rows of a cell, which must outlive it. */
struct ladder ladder_of_rows(struct row *const rows[], size_t count);

void ladder_free(struct ladder *l);

/* Did more than one core work?  For a rung of so many threads and cores at work. */
bool ladder_several(int threads, double cores);

#endif
