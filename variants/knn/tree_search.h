/*
 * For cpu_tree and cpu_tree_avx512: packets of eight observations that search the tree together, one in each lane.
 *
 *     packet  o o o o o o o o     neighbours, by tree_order.h
 *                root             1. Look at the leaf of the first observation.
 *               /    \            2. Climb to the root.  At each step visit the sibling, and below it the nearer half
 *             /\      /\             first, as far as its box is within the limit of any lane.
 *           [ ] [ ] [ ] [ ]
 *
 * Lists    The k nearest so far of each lane, and MORE, sorted.  A vector holds one rank of all lanes, so a reference
 *          is inserted by minima, maxima and choices, without a branch.
 * Limit    The chord to the k-th nearest of a lane's list, and some slack for rounding.
 * Ties     If the lists show that chords do not tell which of two references is nearer, ties.h decides.  If there may
 *          be more of these than the lists hold, a second walk collects all references within the limit.
 *
 * A variant includes eights_avx2.h or eights_avx512.h before this.
 */
#ifndef RUNGS_KNN_TREE_SEARCH_H
#define RUNGS_KNN_TREE_SEARCH_H

#include <omp.h>

#include "ties.h"       /* slack, near_by, angle_of, distance_of, found, answer_found */
#include "tree_order.h" /* order; of tree.h, tree, node, point */

enum { MOST = 1 << 18, SOME = 1024 }; /* observations that are sorted at a time; that a thread takes at a time */
enum { LONGEST = 256, MORE = 2 };     /* a list's longest k; what it holds besides */

static struct thread {
    eight *list; /* [2 (k + MORE)] */
    struct within {
        struct found *found;
        size_t count, room;
    } within[LANES]; /* the references within the limit of each lane */
} *thread; /* [threads] */
static size_t threads;

struct packet {
    eight at[3];
    eight limit;         /* squared chords: what is farther does not matter */
    eight *chord, *name; /* [k + MORE] squared, the shortest first; and whose: indexes, as float64 */
};

static void prepare(const void *problem)
{
    const struct knn *p = problem;
    const size_t slots = (p->k <= LONGEST ? p->k : 1) + MORE;

    threads = (size_t)omp_get_max_threads();
    tree_new(p->n);
    order_new(p, threads, MOST);
    thread = calloc(threads, sizeof *thread);
    for (size_t t = 0; t < threads; t++)
        thread[t].list = aligned_alloc(64, 2 * slots * sizeof(eight));
}

/* Is any point of the node's box within the limit of a lane? */
INLINE VECTORS int reaches(const struct packet *q, const struct node *node)
{
    eight sum = everywhere(0);

    for (int a = 0; a < 3; a++) {
        eight in_box = smaller(larger(q->at[a], everywhere(node->low[a])), everywhere(node->high[a]));

        sum = square_plus(minus(q->at[a], in_box), sum);
    }
    return bits(below(sum, q->limit)) != 0;
}

INLINE VECTORS eight squared_chord(const struct packet *q, const struct point *point)
{
    eight sum = everywhere(0);

    for (int a = 0; a < 3; a++)
        sum = square_plus(minus(q->at[a], everywhere(point->at[a])), sum);
    return sum;
}

/* Inserts a reference into the lists, behind those that are equally far.  The last slot has no name. */
INLINE VECTORS void insert(struct packet *q, size_t k, const struct point *point)
{
    eight chord = squared_chord(q, point), index = everywhere(point->index);
    choice here = below(chord, q->chord[k + 1]); /* in this slot or before it */

    if (k > 1 && bits(here) == 0)
        return;
    for (size_t s = k + 1; s > 0; s--) {
        choice before = below(chord, q->chord[s - 1]);

        q->chord[s] = larger(q->chord[s - 1], smaller(chord, q->chord[s]));
        if (s <= k)
            q->name[s] = choose(choose(q->name[s], index, here), q->name[s - 1], before);
        here = before;
    }
    q->chord[0] = smaller(chord, q->chord[0]);
    q->name[0] = choose(q->name[0], index, here);
}

/* Inserts a leaf's references into the lists. */
INLINE VECTORS void look(struct packet *q, const struct node *leaf, size_t k)
{
    for (uint32_t r = leaf->first; r < leaf->end; r++)
        insert(q, k, &tree.reference[r]);
    q->limit = lengthen(q->chord[k - 1], slack);
}

/* Collects those of a leaf's references that are within a lane's limit. */
VECTORS static void collect(const struct packet *q, const struct node *leaf, struct thread *t)
{
    for (uint32_t r = leaf->first; r < leaf->end; r++) {
        eight squared = squared_chord(q, &tree.reference[r]);
        double chord[LANES];

        store(chord, squared);
        for (unsigned lanes = bits(below(squared, q->limit)); lanes != 0; lanes &= lanes - 1) {
            int lane = __builtin_ctz(lanes); /* the lowest bit set, which the loop clears */
            struct within *w = &t->within[lane];

            if (w->count == w->room) {
                w->room = 2 * w->room + 16;
                w->found = realloc(w->found, w->room * sizeof *w->found);
            }
            w->found[w->count++] = (struct found){chord[lane], tree.reference[r].index};
        }
    }
}

/* Goes to all leaves of the node `top` that are within a lane's limit, from the leaf `id` on.  k > 0: looks; k = 0:
   collects */
INLINE VECTORS void walk(struct packet *q, uint32_t id, uint32_t top, const struct point *first, size_t k,
                         struct thread *t)
{
    uint32_t stack[DEEPEST + 2];

    if (k > 0)
        look(q, &tree.node[id], k);
    else
        collect(q, &tree.node[id], t);
    for (; id != top; id = tree.node[id].parent) {
        size_t height = 1;

        stack[0] = id ^ 1;
        while (height > 0) {
            const uint32_t next = stack[--height];
            const struct node *node = &tree.node[next];
            const struct cut *cut = &tree.cut[next];

            if (!reaches(q, node))
                continue;
            if (node->left != next) {
                uint32_t nearer_half = cut->left + (first->at[cut->axis] >= cut->at);

                stack[height++] = nearer_half ^ 1;
                stack[height++] = nearer_half;
            } else if (k > 0) {
                look(q, node, k);
            } else {
                collect(q, node, t);
            }
        }
    }
}

/* Answers those lanes whose bits are set, from all references within their limits. */
VECTORS static void answer_by_walk(const struct knn *p, struct thread *t, struct packet *q, uint32_t home,
                                   const struct point *point, unsigned lanes)
{
    double limit[LANES];

    store(limit, q->limit);
    for (int l = 0; l < LANES; l++) {
        t->within[l].count = 0;
        limit[l] = lanes >> l & 1 ? limit[l] : -1;
    }
    q->limit = load(limit);
    walk(q, home, ROOT, point, 0, t);
    for (; lanes != 0; lanes &= lanes - 1) {
        int lane = __builtin_ctz(lanes);

        answer_found(p, point[lane].index, t->within[lane].found, t->within[lane].count);
    }
}

/* Answers observation i, from its lane's list. */
HELPER void answer_by_list(const struct knn *p, const struct packet *q, int lane, size_t i)
{
    struct found found[LONGEST + 1];

    for (size_t s = 0; s <= p->k; s++)
        found[s] = (struct found){((const double *)&q->chord[s])[lane],
                                  (uint32_t)((const double *)&q->name[s])[lane]};
    answer_found(p, i, found, p->k + 1);
}

/* Writes the distances of observation i once more, of those neighbours in its lane that are near by. */
HELPER void measure_near(const struct knn *p, const struct packet *q, int lane, size_t i)
{
    double distance = 0;

    for (size_t s = 0; s < p->k && ((const double *)&q->chord[s])[lane] < near_by * near_by; s++) {
        size_t at = i * p->k + s;

        distance = fmax(distance, distance_of(p, i, p->index[at], ((const double *)&q->chord[s])[lane]));
        p->distance[at] = (float)distance;
    }
}

/* Returns in which lanes chords s and s + 1 are too close to tell which is shorter. */
INLINE VECTORS unsigned ties(const struct packet *q, size_t s)
{
    return bits(below(q->chord[s + 1], lengthen(q->chord[s], slack)));
}

/* Answers `count` observations from their lists. */
INLINE VECTORS void answer_by_lists(const struct knn *p, struct thread *t, struct packet *q, uint32_t home,
                                    const struct point *point, size_t count, size_t k)
{
    double angle[LANES] = {0};
    unsigned near = bits(below(q->chord[0], everywhere(near_by * near_by))), tied = 0, many;

    for (size_t s = 0; s < k; s++) {
        double chord[LANES], name[LANES];

        store(chord, q->chord[s]);
        store(name, q->name[s]);
        tied |= ties(q, s);
        for (size_t l = 0; l < LANES; l++) { /* never less than before, however the arcsine rounds */
            double next = angle_of(chord[l]);

            angle[l] = next > angle[l] ? next : angle[l];
        }
        for (size_t l = 0; l < count; l++) {
            p->index[point[l].index * k + s] = (uint32_t)name[l];
            p->distance[point[l].index * k + s] = (float)angle[l];
        }
    }
    tied &= (1u << count) - 1;
    for (near &= ((1u << count) - 1) & ~tied; near != 0; near &= near - 1)
        measure_near(p, q, __builtin_ctz(near), point[__builtin_ctz(near)].index);
    if (tied == 0)
        return;
    many = tied & ties(q, k - 1) & ties(q, k); /* what else ties may be on no list */
    for (unsigned lanes = tied & ~many; lanes != 0; lanes &= lanes - 1)
        answer_by_list(p, q, __builtin_ctz(lanes), point[__builtin_ctz(lanes)].index);
    if (many != 0)
        answer_by_walk(p, t, q, home, point, many);
}

/* Sets the limits to the k-th nearest in a node that has so many references. */
VECTORS static void set_limits(struct thread *t, struct packet *q, uint32_t home, const struct point *point, size_t k)
{
    uint32_t top = home;
    double limit[LANES];

    while (tree.node[top].end - tree.node[top].first < k && top != ROOT)
        top = tree.node[top].parent;
    for (int l = 0; l < LANES; l++)
        t->within[l].count = 0;
    walk(q, home, top, point, 0, t);
    for (int l = 0; l < LANES; l++) {
        sort_found(t->within[l].found, t->within[l].count);
        limit[l] = with_slack(t->within[l].found[k - 1].rank);
    }
    q->limit = load(limit);
}

/* Answers a packet: `count` observations, LANES at most. */
INLINE VECTORS void answer_packet(const struct knn *p, struct thread *t, const struct point *point, size_t count,
                                  size_t k)
{
    const uint32_t home = tree.leaf[point[0].key >> SECTOR_BITS];
    eight lists[2 * (1 + MORE)];
    struct packet q = {.limit = everywhere(INFINITY), .chord = k == 1 ? lists : t->list};
    double at[LANES];

    for (int a = 0; a < 3; a++) {
        for (size_t l = 0; l < LANES; l++)
            at[l] = point[l < count ? l : 0].at[a];
        q.at[a] = load(at);
    }
    if (k > LONGEST) {
        set_limits(t, &q, home, point, k);
        answer_by_walk(p, t, &q, home, point, (1u << count) - 1);
        return;
    }
    q.name = q.chord + k + MORE;
    for (size_t s = 0; s < k + MORE; s++) {
        q.chord[s] = everywhere(INFINITY);
        q.name[s] = everywhere(0);
    }
    walk(&q, home, ROOT, point, k, t);
    answer_by_lists(p, t, &q, home, point, count, k);
}

/* For k = 1 the compiler makes a second copy, whose lists are in registers. */
VECTORS static void answer_some(const struct knn *p, struct thread *t, const struct point *point, size_t count)
{
    for (size_t i = 0; i < count; i += LANES) {
        size_t together = count - i < LANES ? count - i : LANES;

        if (p->k == 1)
            answer_packet(p, t, point + i, together, 1);
        else
            answer_packet(p, t, point + i, together, p->k);
    }
}

static void run(const void *problem)
{
    const struct knn *p = problem;

    turn_axes(p);
#pragma omp parallel num_threads((int)threads)
    {
        tree_build(p);
        for (size_t from = 0; from < p->m; from += order.room) {
            const size_t count = p->m - from < order.room ? p->m - from : order.room;
            const struct point *point;

            order_place(p, from, count); /* by those threads that have no part of the tree to build */
            point = order_sort(count);
#pragma omp for schedule(dynamic)
            for (size_t i = 0; i < count; i += SOME)
                answer_some(p, &thread[omp_get_thread_num()], point + i, count - i < SOME ? count - i : SOME);
        }
    }
}

static void release(void)
{
    for (size_t t = 0; t < threads; t++) {
        free(thread[t].list);
        for (int l = 0; l < LANES; l++)
            free(thread[t].within[l].found);
    }
    free(thread);
    order_free();
    tree_free();
}

#endif
