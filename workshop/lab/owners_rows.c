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

/* Returns whether each thread has written in one row, and all of a warp in the same. */
static bool warps_have_rows(const struct launch *l)
{
    for (size_t i = 0; i < l->count; i++) {
        const struct write *w = &l->list[i], *first = launch_find(l, w->block[0], 0, w->thread[0] / WARP * WARP, 0);
        if (w->first / l->cols != w->most / l->cols || (first != NULL && first->first / l->cols != w->first / l->cols))
            return false;
    }
    return l->block[0] > WARP;
}

/* The warps of block 0 have one row after another, and block 1 does not go on with the next row. */
static bool tell_next_block(const struct launch *l, struct mistake *m)
{
    const unsigned warps = l->block[0] / WARP;
    const struct write *next = launch_find(l, 1, 0, 0, 0);

    for (unsigned w = 0; w < warps; w++) {
        const struct write *first = launch_find(l, 0, 0, w * WARP, 0);
        if (first == NULL || first->first / l->cols != w)
            return false;
    }
    if (l->grid[0] < 2 || warps >= l->rows || (next != NULL && next->first / l->cols == warps))
        return false;
    if (next != NULL)
        mistake_add(m, "the %u warps of block 0 have rows 0 to %u, so the first warp of block 1 should have row %u, and it has row %zu", warps, warps - 1, warps,
                    next->first / l->cols);
    else
        mistake_add(m, "the %u warps of block 0 have rows 0 to %u, so the first warp of block 1 should have row %u, and it has written nothing", warps, warps - 1,
                    warps);
    m->named = true;
    return true;
}

/* All warps of a block write the same elements. */
static bool tell_same_row(const struct launch *l, struct mistake *m)
{
    for (unsigned t = 0; t < l->block[0]; t++) {
        const struct write *own = launch_find(l, 0, 0, t, 0), *of_first = launch_find(l, 0, 0, t % WARP, 0);
        if (own == NULL || of_first == NULL || own->first != of_first->first || own->most != of_first->most)
            return false;
    }
    mistake_add(m, "the %u warps of block 0 all write the same elements: the number of the warp, threadIdx.x / %d, is not in the numbers by which a thread "
                   "finds its own", l->block[0] / WARP, WARP);
    m->named = true;
    return true;
}

/* The first lanes of warps begin behind the beginning of their rows, or lanes go on in steps of more pixels than there are lanes. */
static bool tell_columns(const struct launch *l, struct mistake *m)
{
    const struct write *zero = launch_find(l, 0, 0, 0, 0), *next = launch_find(l, 0, 0, WARP, 0);

    if (zero == NULL || next == NULL || zero->first / l->cols == next->first / l->cols || zero->first % l->cols != 0)
        return false; /* several warps may share a row */
    for (size_t i = 0; i < l->count; i++) {
        const struct write *w = &l->list[i];
        const size_t column = w->first % l->cols, lane = w->thread[0] % WARP;
        if (w->count > 1 && w->second > w->first + WARP) {
            mistake_add(m, "each warp has a row, and each of its 32 lanes goes on in steps of %zu pixels: of each step it does 32, and no lane does the others",
                        w->second - w->first);
        } else if (lane == 0 && column > 0) {
            mistake_add(m, "each warp has a row, and lane 0 of warp %u of block %u begins in column %zu, and that of warp 0 in column 0", w->thread[0] / WARP,
                        w->block[0], column);
        } else
            continue;
        m->named = true;
        return true;
    }
    return false;
}

bool owners_tell_rows(const struct launch *l, struct mistake *m)
{
    if (warps_have_rows(l) && tell_same_row(l, m))
        return true;
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
    if (warps_have_rows(l) && (tell_next_block(l, m) || tell_columns(l, m)))
        return true;
    return tell_exchanged(l, m);
}
