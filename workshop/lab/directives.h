/* The OpenMP directives of a source without comments, and the statements that they stand before. */
#ifndef RUNGS_LAB_DIRECTIVES_H
#define RUNGS_LAB_DIRECTIVES_H

#include "workshop/lab/token.h"

enum { MAX_DIRECTIVES = 32 };

struct directive {
    char words[400]; /* what follows "omp", with the lines that continue it */
    int line;
    size_t begin, end; /* the tokens of its statement: from begin to end - 1 */
};

struct directives {
    struct directive list[MAX_DIRECTIVES];
    size_t count;
};

void directives_read(struct directives *d, const struct tokens *t);

/* Returns whether the directive has one of these words, which blanks separate, outside of brackets: "for", "parallel". */
bool directive_has(const struct directive *d, const char *list);

/* Returns whether one of its clauses gives each thread its own variable of this name, which is token i. */
bool directive_owns(const struct directive *d, const struct tokens *t, size_t i);

/* Returns whether the inner one stands in the statement of the outer one, or between it and that statement. */
bool directive_within(const struct directive *inner, const struct directive *outer);

/* Returns the token behind the statement that begins at i. */
size_t directive_statement_end(const struct tokens *t, size_t i);

#endif
