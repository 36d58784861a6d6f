/*
 * The observations in the order of the tree's leaves, for cpu_tree: those that lie in the same leaf, or would, are
 * neighbours, and so are those on the same side of it.
 *
 *     key of an observation    | number of the leaf's first reference, its lowest bits cut off | sector |
 *
 * Sector   Which of 48: the signs of the three differences from the middle of the leaf's box, and the order of their
 *          sizes.  For an observation in the leaf it says where in it; for one far away, in which direction, where
 *          all of them lie in a few outermost leaves.
 *
 * A radix sort, digit by digit from the lowest on.  Each thread counts the digits of its own part.  When all have
 * counted, each can tell where its own points go.
 */
#ifndef RUNGS_KNN_TREE_ORDER_H
#define RUNGS_KNN_TREE_ORDER_H

#include <omp.h>

#include "tree.h" /* tree, point, place */

enum { SECTOR_BITS = 6, MOST_BITS = 10 }; /* of a digit */

static struct {
    struct point *point, *spare;      /* [room] */
    size_t room;                      /* observations that are sorted at a time */
    unsigned digits, bits;            /* of a key; of a digit */
    uint32_t (*held)[1 << MOST_BITS]; /* [threads] how many points of a thread's part have each digit */
} order;

HELPER void order_new(const struct knn *p, size_t threads, size_t most)
{
    unsigned key_bits = SECTOR_BITS;

    while (p->n >> tree.merged >> (key_bits - SECTOR_BITS) > 0)
        key_bits++;
    order.digits = (key_bits + MOST_BITS - 1) / MOST_BITS;
    order.bits = (key_bits + order.digits - 1) / order.digits;
    order.room = p->m < most ? p->m : most;
    order.point = points(order.room);
    order.spare = points(order.room);
    order.held = malloc(threads * sizeof *order.held);
}

HELPER void order_free(void)
{
    free(order.point);
    free(order.spare);
    free(order.held);
}

INLINE uint32_t sector(const struct node *leaf, const double at[3])
{
    double x = 2 * at[0] - leaf->low[0] - leaf->high[0];
    double y = 2 * at[1] - leaf->low[1] - leaf->high[1];
    double z = 2 * at[2] - leaf->low[2] - leaf->high[2];

    return (uint32_t)(x < 0) | (uint32_t)(y < 0) << 1 | (uint32_t)(z < 0) << 2 |
           (uint32_t)(fabs(x) < fabs(y)) << 3 | (uint32_t)(fabs(y) < fabs(z)) << 4 |
           (uint32_t)(fabs(z) < fabs(x)) << 5;
}

/* Writes the keys of `count` points.  Several go down the tree together: each step waits for memory. */
HELPER void find_keys(struct point *point, size_t count)
{
    enum { TOGETHER = 16 };

    for (size_t i = 0; i < count; i += TOGETHER) {
        const size_t some = count - i < TOGETHER ? count - i : TOGETHER;
        uint32_t at[TOGETHER], moved = 1;

        for (size_t l = 0; l < TOGETHER; l++)
            at[l] = ROOT;
        while (moved != 0) {
            moved = 0;
            for (size_t l = 0; l < TOGETHER; l++) {
                const struct cut cut = tree.cut[at[l]];
                uint32_t next = cut.left + (point[i + (l < some ? l : 0)].at[cut.axis] >= cut.at);

                moved |= next ^ at[l]; /* a leaf leads to itself */
                at[l] = next;
            }
        }
        for (size_t l = 0; l < some; l++) {
            const struct node *leaf = &tree.node[at[l]];

            point[i + l].key = leaf->first >> tree.merged << SECTOR_BITS | sector(leaf, point[i + l].at);
        }
    }
}

/* Places `count` observations from `from` on.  Threads share the loop, and do not wait for each other. */
HELPER void order_place(const struct knn *p, size_t from, size_t count)
{
#pragma omp for schedule(dynamic, 4) nowait
    for (size_t i = 0; i < count; i += BLOCK)
        place(p->obs_lat, p->obs_lon, from + i, count - i < BLOCK ? count - i : BLOCK, order.point + i);
}

/* Moves the points of thread t's part, first .. end - 1, to where they belong by one digit. */
HELPER void scatter(const struct point *from, struct point *to, size_t first, size_t end, unsigned shift)
{
    const uint32_t bins = 1u << order.bits;
    const size_t threads = (size_t)omp_get_num_threads(), t = (size_t)omp_get_thread_num();
    uint32_t next[1 << MOST_BITS], before = 0;

    for (uint32_t b = 0; b < bins; b++) {
        next[b] = before;
        for (size_t o = 0; o < threads; o++) {
            next[b] += o < t ? order.held[o][b] : 0;
            before += order.held[o][b];
        }
    }
    for (size_t i = first; i < end; i++)
        to[next[from[i].key >> shift & (bins - 1)]++] = from[i];
}

/* Sorts the `count` observations that have been placed, and returns where they are.  All threads call this. */
HELPER const struct point *order_sort(size_t count)
{
    const uint32_t bins = 1u << order.bits;
    const size_t threads = (size_t)omp_get_num_threads(), t = (size_t)omp_get_thread_num();
    const size_t first = count * t / threads, end = count * (t + 1) / threads;
    struct point *from = order.point, *to = order.spare;

#pragma omp barrier
    find_keys(from + first, end - first);
    for (unsigned d = 0; d < order.digits; d++) {
        const unsigned shift = d * order.bits;
        struct point *swap = from;

        memset(order.held[t], 0, bins * sizeof **order.held);
        for (size_t i = first; i < end; i++)
            order.held[t][from[i].key >> shift & (bins - 1)]++;
#pragma omp barrier
        scatter(from, to, first, end, shift);
#pragma omp barrier
        from = to;
        to = swap;
    }
    return from;
}

#endif
