/*
 * Which lines of a tidy table belong to which picture, by the words of its script:
 *
 *     # rows: most=1 e2e_s>0     these lines alone
 *     # each: table axis         a picture for each combination of these columns
 *     # order: started           its lines in this order
 *     # needs: 2 given           if it has so many values of this column
 */
#ifndef RUNGS_SELECT_H
#define RUNGS_SELECT_H

#include "harness/plots/scripts.h"
#include "harness/plots/tidy.h"

/* The lines of one picture. */
struct selection {
    size_t count, *lines;
    char *fields; /* what they have in common: the columns of "each" */
};

struct selections {
    size_t count;
    struct selection *list; /* in the order of their first lines */
};

/* `brief`: "# all: " must hold as well.  False: the script names a column that there is not, and the
   error says which. */
bool select_lines(struct selections *s, const struct script *script, bool brief,
                  const struct tidy *t, struct error *error);
void select_free(struct selections *s);

/* How many different texts or numbers a column has there. */
size_t select_distinct(const struct tidy *t, const struct selection *s, const char *column);

#endif
