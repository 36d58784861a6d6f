/* What is wrong with the numbers of threads in one line. */
#include "workshop/lab/owners_launch.h"

/* The loop of a thread that has written several elements. */
static bool tell_loop(const struct launch *l, struct mistake *m)
{
    const struct write *zero = launch_find(l, 0, 0, 0, 0), *block = launch_find(l, 1, 0, 0, 0), *next = launch_find(l, 0, 0, 1, 0);

    if (zero == NULL || zero->count < 2 || zero->second <= zero->first)
        return false;
    const size_t step = zero->second - zero->first;
    const bool same_thread = next != NULL && next->count > 1 && next->first == zero->first;
    const bool same_block = block != NULL && block->count > 1 && block->first == zero->first;
    if (same_thread)
        mistake_add(m, "thread 1 of block 0 writes elements %zu, %zu ... (%u in all), and so does thread 0: a thread's elements do not "
                       "depend on threadIdx.x", zero->first, zero->second, next->count);
    else if (same_block)
        mistake_add(m, "thread 0 of block 1 writes elements %zu, %zu ... (%u in all), and so does thread 0 of block 0: what a thread does "
                       "does not depend on blockIdx.x, so every block does all elements", zero->first, zero->second, block->count);
    else if (block != NULL && block->count > 1 && step == l->block[0] && l->grid[0] > 1)
        mistake_add(m, "each thread goes on in steps of %zu: that is the number of threads in one block, and there are %u blocks, which do "
                       "the same elements again", step, l->grid[0]);
    else if (l->grid[0] > 1 && next != NULL && block != NULL && step != launch_covered(l, 0) && next->first == zero->first + 1 &&
             block->first == zero->first + l->block[0])
        mistake_add(m, "each thread goes on in steps of %zu%s; there are %zu threads, so an element behind the first %zu has several threads, and "
                       "only steps of %zu do each element once", step, step == l->grid[0] ? ", the number of blocks (gridDim.x)" : "",
                    launch_covered(l, 0), step, launch_covered(l, 0));
    else
        return false;
    return true;
}

/* The numbers of block and thread are multiplied. */
static bool tell_product(const struct launch *l, struct mistake *m)
{
    const struct write *w = launch_find(l, 1, 0, 1, 0);
    bool all = w != NULL && w->first > 0 && l->count > l->block[0];

    for (size_t i = 0; i < l->count && all; i++)
        all = l->list[i].first == w->first * l->list[i].block[0] * l->list[i].thread[0];
    if (all)
        mistake_add(m, "each thread writes element %zu * blockIdx.x * threadIdx.x: the number of the thread is multiplied, where it should be added",
                    w->first);
    return all;
}

/* One thread of a block writes, and from block to block the element goes on by more than one. */
static bool tell_single(const struct launch *l, struct mistake *m)
{
    const struct write *zero = launch_find(l, 0, 0, 0, 0), *block = launch_find(l, 1, 0, 0, 0);
    size_t in_first = 0;

    for (size_t i = 0; i < l->count; i++)
        in_first += l->list[i].block[0] == 0;
    if (zero == NULL || block == NULL || in_first != 1 || block->first <= zero->first + 1)
        return false;
    mistake_add(m, "of a block only thread 0 writes, and from block to block the element goes on by %zu: the %zu between have no thread that "
                   "writes them (a block has %u threads, %u warps)", block->first - zero->first, block->first - zero->first - 1, l->block[0],
                l->block[0] / 32);
    return true;
}

/* One lane of each warp writes, and all warps of a block write the same element. */
static bool tell_warps(const struct launch *l, struct mistake *m)
{
    enum { WARP = 32 };
    const struct write *zero = launch_find(l, 0, 0, 0, 0);
    size_t writers = 0;

    for (size_t i = 0; i < l->count; i++) {
        const struct write *w = &l->list[i];
        if (w->block[0] != 0)
            continue;
        if (zero == NULL || w->thread[0] % WARP != 0 || w->first != zero->first)
            return false;
        writers++;
    }
    if (writers < 2)
        return false;
    mistake_add(m, "of each warp lane 0 writes, and in block 0 all %zu of them write element %zu: which element it is does not depend on the number of "
                   "the warp, threadIdx.x / %d", writers, zero->first, WARP);
    return true;
}

/* The numbers of all threads begin anew after so many as an integer of fewer bits can hold. */
static bool tell_narrow(const struct launch *l, struct mistake *m)
{
    for (unsigned bits = 8; bits <= 16; bits += 8) {
        const size_t most = (size_t)1 << bits;
        bool all = launch_covered(l, 0) > most;
        for (size_t i = 0; i < l->count && all; i++)
            all = l->list[i].count == 1 && l->list[i].first == ((size_t)l->list[i].block[0] * l->block[0] + l->list[i].thread[0]) % most;
        if (!all)
            continue;
        mistake_add(m, "thread %zu of all writes element 0 again: the numbers of the elements begin anew after %zu, as in a variable of %u bits", most,
                    most, bits);
        return true;
    }
    return false;
}

/* Each thread writes several elements side by side, and the last elements are too few for one more thread. */
static bool tell_runs(const struct launch *l, struct mistake *m)
{
    const struct write *zero = launch_find(l, 0, 0, 0, 0);
    size_t behind = 0;

    if (zero == NULL || zero->count < 2 || zero->most != zero->first + zero->count - 1)
        return false;
    for (size_t i = 0; i < l->count; i++) {
        const struct write *w = &l->list[i];
        const size_t own = ((size_t)w->block[0] * l->block[0] + w->thread[0]) * zero->count;
        if (w->count != zero->count || w->first != own || w->most != own + w->count - 1)
            return false;
        behind = w->most + 1 > behind ? w->most + 1 : behind;
    }
    if (behind >= l->cols || l->cols - behind >= zero->count)
        return false;
    mistake_add(m, "each thread writes %u elements side by side; the last %zu %s fewer than %u, and no thread writes %s", zero->count, l->cols - behind,
                l->cols - behind == 1 ? "is" : "are", zero->count, l->cols - behind == 1 ? "it" : "them");
    return true;
}

/* The first thread whose element is not the one with its number. */
static bool tell_example(const struct launch *l, struct mistake *m)
{
    for (size_t i = 0; i < l->count; i++) {
        const struct write *w = &l->list[i];
        const size_t own = (size_t)w->block[0] * l->block[0] + w->thread[0];
        if (w->first == own || w->count > 1)
            continue;
        mistake_add(m, "thread %u of block %u writes element %zu; the number of this thread is %u * %u + %u = %zu", w->thread[0], w->block[0],
                    w->first, w->block[0], l->block[0], w->thread[0], own);
        return true;
    }
    return false;
}

/* Blocks have two dimensions, and threads with the same x write the same elements, whatever their y. */
static bool tell_without_y(const struct launch *l, struct mistake *m)
{
    const struct write *zero = launch_find(l, 0, 0, 0, 0), *below = launch_find(l, 0, 0, 0, 1);

    if (l->block[1] < 2 || zero == NULL || below == NULL || below->first != zero->first)
        return false;
    mistake_add(m, "a block has %u x %u threads, and those with the same threadIdx.x write the same element: threadIdx.y is not in its number", l->block[0],
                l->block[1]);
    return true;
}

/* All lanes of a warp write the element of its lane 0. */
static bool tell_lost_lane(const struct launch *l, struct mistake *m)
{
    enum { WARP = 32 };
    bool all = l->count > WARP;

    for (size_t i = 0; i < l->count && all; i++) {
        const struct write *w = &l->list[i];
        all = w->count == 1 && w->first == (size_t)w->block[0] * l->block[0] + w->thread[0] / WARP * WARP;
    }
    if (all)
        mistake_add(m, "all threads of a warp write the element of its first thread: the lane, threadIdx.x %% %d, is not in the number", WARP);
    return all;
}

bool owners_tell_line(const struct launch *l, struct mistake *m)
{
    struct formula f;
    char text[160];
    const size_t needed = (l->cols + l->block[0] - 1) / l->block[0];

    if (tell_without_y(l, m) || tell_single(l, m) || tell_warps(l, m) || tell_lost_lane(l, m))
        return true;
    if (l->block[1] > 1) /* what follows counts threads in x */
        return false;
    if (l->grid[0] > 2 * needed || (l->cols > 1 && launch_find(l, 0, 0, 1, 0) == NULL && l->block[0] > 1)) /* several threads have an element together */
        return false;
    if (tell_runs(l, m) || tell_loop(l, m))
        return true;
    if (!launch_formula(l, ELEMENT, &f))
        return tell_product(l, m) || tell_narrow(l, m) || tell_example(l, m);
    if (!formula_counts(l, &f, 0)) {
        mistake_add(m, "each thread writes the element with the number %s; a block has %u threads, so it should be %u * blockIdx.x + "
                       "threadIdx.x", formula_words(&f, text, sizeof text), l->block[0], l->block[0]);
        return true;
    }
    if (launch_covered(l, 0) < l->cols && !l->others) {
        mistake_add(m, "the launch has %u blocks of %u threads: %zu threads for %zu elements", l->grid[0], l->block[0], launch_covered(l, 0), l->cols);
        if (l->grid[0] == l->cols / l->block[0])
            mistake_add(m, "that is %zu / %u, rounded down", l->cols, l->block[0]);
        return true;
    }
    const size_t last = (l->cols - 1) / l->block[0];
    if (last > 0 && !launch_has_written(l, (unsigned)last, 0) && launch_has_written(l, (unsigned)last - 1, 0)) {
        mistake_add(m, "no thread of block %zu, the last one, has written%s: %zu of its threads have an element", last,
                    l->grid[0] > last ? ", though it was launched" : "", l->cols - last * l->block[0]);
        return true;
    }
    return false;
}
