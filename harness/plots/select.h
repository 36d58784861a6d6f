/*
 * Divides the lines of a tidy table among pictures, by the comments of the script:
 *
 *     # rows: most=1 e2e_s>0     take only these lines
 *     # each: table axis         one picture for each combination of these columns
 *     # order: started           sort its lines by this column
 *     # needs: 2 given           leave out pictures with fewer values of this column
 */
#ifndef RUNGS_PLOTS_SELECT_H
#define RUNGS_PLOTS_SELECT_H

#include "harness/plots/scripts.h"
#include "harness/plots/tidy.h"

/* The lines of one picture. */
struct selection {
    size_t count, *lines;
    char *fields; /* their common values of the columns of "each" */
};

struct selections {
    size_t count;
    struct selection *list; /* in the order of their first lines */
};

/* `brief`: the condition "# all: " must hold, too.  False: the error names a column that does not exist. */
bool select_lines(struct selections *s, const struct script *script, bool brief,
                  const struct tidy *t, struct error *error);
void select_free(struct selections *s);

/* Returns how many different texts or numbers a column has in these lines. */
size_t select_distinct(const struct tidy *t, const struct selection *s, const char *column);

#endif
