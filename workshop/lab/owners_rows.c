/* What is wrong with the numbers if threads in one line write an image, and a warp or a block of them has a row. */
#include <stdint.h>

#include "workshop/lab/owners_launch.h"

enum { WARP = 32 };

/* Returns the number of the group of threads among all: of a warp, or of a block. */
static size_t group_of(const struct launch *l, const struct write *w, bool warps)
{
    return warps ? (size_t)w->block[0] * ((l->block[0] + WARP - 1) / WARP) + w->thread[0] / WARP : w->block[0];
}

/* Returns whether each group has written in one row, and the row's number is that of the group; and whether a row was written by several threads. */
static bool has_rows(const struct launch *l, bool warps)
{
    bool several = false;

    for (size_t i = 0; i < l->count; i++) {
        const struct write *w = &l->list[i];
        const size_t row = w->first / l->cols;
        if (w->most / l->cols != row || row != group_of(l, w, warps))
            return false;
        several = several || w->thread[0] % WARP > 0;
    }
    return several;
}

/* Returns whether each thread has written one element, and no element from column `end` on is written. */
static bool is_cut(const struct launch *l, size_t end)
{
    for (size_t i = 0; i < l->count; i++)
        if (l->list[i].count > 1 || l->list[i].first % l->cols >= end)
            return false;
    return end < l->cols;
}

static void tell_groups(const struct launch *l, bool warps, struct mistake *m)
{
    const size_t each = warps ? (l->block[0] + WARP - 1) / WARP : 1, there = l->grid[0] * each;
    const char *s = l->grid[0] == 1 ? "" : "s";

    if (warps)
        mistake_add(m, "each warp has a row: the launch has %u block%s of %u threads, which are %zu warps, and there are %zu rows", l->grid[0], s, l->block[0],
                    there, l->rows);
    else
        mistake_add(m, "each block has a row: the launch has %u block%s, and there are %zu rows", l->grid[0], s, l->rows);
    if (l->grid[0] == (l->rows + l->block[0] - 1) / l->block[0])
        mistake_add(m, "so many blocks would be enough if each thread had a row");
    else if (l->grid[0] == (l->cols + each - 1) / each)
        mistake_add(m, "so many blocks would be enough for %zu rows: that is the number of columns", l->cols);
    m->named = true;
}

/* Threads that count pixels one after another begin the second row after as many pixels as there are rows. */
static bool tell_exchanged(const struct launch *l, struct mistake *m)
{
    const size_t number = l->rows;
    const struct write *w = launch_find(l, (unsigned)(number / l->block[0]), 0, (unsigned)(number % l->block[0]), 0);
    const struct write *before = launch_find(l, (unsigned)((number - 1) / l->block[0]), 0, (unsigned)((number - 1) % l->block[0]), 0);

    if (l->rows == l->cols || w == NULL || before == NULL || w->first != l->cols || before->first != number - 1 || w->count > 1)
        return false;
    mistake_add(m, "thread %zu of all has the first pixel of row 1, and the one before has pixel %zu of row 0: %zu is the number of rows, and a row has %zu "
                   "pixels, one for each column", number, number - 1, l->rows, l->cols);
    m->named = true;
    return true;
}

bool owners_tell_rows(const struct launch *l, struct mistake *m)
{
    for (int warps = 1; warps >= 0; warps--) {
        const size_t each = warps ? (l->block[0] + WARP - 1) / WARP : 1, lanes = warps ? WARP : l->block[0];
        if (l->block[0] < WARP || !has_rows(l, warps))
            continue;
        if (l->grid[0] * each < l->rows)
            tell_groups(l, warps, m);
        else if (is_cut(l, lanes)) {
            mistake_add(m, "each %s has a row of %zu pixels, and each of its %zu threads has written one pixel of it: none goes on with another one",
                        warps ? "warp" : "block", l->cols, lanes);
            m->named = true;
        } else
            continue;
        return true;
    }
    return tell_exchanged(l, m);
}
