/* Which statements of a kernel all threads of a block execute in the same way, as far as its text proves it. */
#ifndef RUNGS_LAB_UNIFORM_H
#define RUNGS_LAB_UNIFORM_H

#include "workshop/lab/token.h"

enum uniform {
    UNIFORM_NOT,  /* this is not known */
    UNIFORM_WARP, /* all lanes of a warp, though not all warps */
    UNIFORM_BLOCK /* all threads of the block */
};

/* Returns of which threads the text proves that all of them execute the statement at token i, a store, and compute the same place there. */
enum uniform uniform_store(const struct tokens *t, size_t i);

/* Returns the condition or loop by which, as far as the text shows, the number of the thread decides whether, or how often, token i is
   executed; 0: there is none, or this is not known. */
size_t uniform_choice(const struct tokens *t, size_t i);

#endif
