/*
 * The size at which a mistake is shown.  A wrong program is usually wrong at many sizes, and the smallest
 * of them says least: at n = 1, many formulas have the same result.
 */
#ifndef RUNGS_WITNESS_H
#define RUNGS_WITNESS_H

#include "workshop/lab/exercise.h"
#include "workshop/lab/mistake.h"

struct witness {
    const struct size *size;
    struct mistake mistake;
};

/* Returns the one of `count` witnesses, in the order of their sizes, that explains most; NULL if there is none. */
const struct witness *witness_choose(const struct witness list[], size_t count);

#endif
