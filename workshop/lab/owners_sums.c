/* Which thread stores a sum that belongs to another row or column, where threads have several of them. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "workshop/lab/owners_launch.h"

/* Returns the number of the row, or column, of an element in this row or column 0; SIZE_MAX: it is not in column 0, or row 0. */
static size_t number_in(const struct launch *l, bool rows, size_t element)
{
    if (rows)
        return element % l->cols == 0 ? element / l->cols : SIZE_MAX;
    return element < l->cols ? element : SIZE_MAX;
}

bool owners_tell_sums(const struct launch *l, const char *fact, struct mistake *m)
{
    char what[8];
    size_t at, of;

    if (sscanf(fact, "%7s %zu of c holds what belongs into %*s %zu", what, &at, &of) != 3)
        return false;
    const bool rows = strcmp(what, "row") == 0;
    const struct write *zero = launch_find(l, 0, 0, 0, 0), *next = launch_find(l, 0, 0, !rows, rows);
    if (zero == NULL || next == NULL || zero->first != 0 || zero->count < 2)
        return false;
    const size_t beside = number_in(l, rows, next->first), last = rows ? zero->most / l->cols : zero->most % l->cols;
    if (beside == at)
        mistake_add(m, "thread (x %d, y %d) of block 0 stores its first sum to %s %zu, and that is the sum of %s %zu: it was made of another %s than the "
                       "store takes", !rows, rows, what, at, what, of, what);
    else if (number_in(l, rows, zero->second) == at && of == 0)
        mistake_add(m, "thread (x 0, y 0) of block 0 stores its second sum to %s %zu, and that is the sum of %s 0, as its first: a load, or the loop that adds, "
                       "takes the first %s of the thread for the others, too", what, at, what, what);
    else if (beside != SIZE_MAX && beside > at && last >= at)
        mistake_add(m, "thread (x 0, y 0) of block 0 stores one of its sums to %s %zu, and that is the sum of %s %zu: the store takes the %ss of a thread in "
                       "another order than its sums were made", what, at, what, of, what);
    else
        return false;
    return true;
}
