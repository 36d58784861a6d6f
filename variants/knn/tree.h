/*
 * A k-d tree of the references, for cpu_tree (J. L. Bentley, "Multidimensional Binary Search Trees Used for
 * Associative Searching", Communications of the ACM 18(9), 1975).
 *
 * A node has a box around its references, as unit vectors in float64, and cuts them in two across the box's
 * longest side, near the median.  So the tree follows the data: a town and the whole sphere get equally deep
 * trees.  A node is made from its own references alone, so that threads work on different nodes.
 *
 *     reference[]   | leaf | leaf | leaf | leaf | ...     a node's are neighbours
 *     node[]        root, then pairs of siblings: the sibling of node i is node i ^ 1
 *
 * Order    Cutting keeps the order of the references, so each leaf's are in order of index.
 * Copies   References at the same place are never cut apart, because cuts compare coordinates.  A leaf keeps
 *          the first k of each place only; the others cannot be among the k nearest.
 * Axes     The last axis points to the middle of the references.  So the box of a small region is flat, where a
 *          box across the axes would reach out of the sphere.  From afar that matters: then all references are
 *          nearly equally far.
 *
 * A variant includes eights_avx2.h or eights_avx512.h before this, for VECTORS.
 */
#ifndef RUNGS_KNN_TREE_H
#define RUNGS_KNN_TREE_H

#include <immintrin.h>

#include "exact.h"        /* HELPER, INLINE */
#include "trigonometry.h" /* to_fine_unit_vector */

enum { LEAF = 12, DEEPEST = 96 };   /* references of a leaf; levels.  What is deeper becomes a larger leaf */
enum { TASK = 1024, BLOCK = 64 };   /* references worth a task of their own; points placed at a time */
enum { ROOT = 1 };

struct point {
    double at[3];
    uint32_t index;
    uint32_t key; /* of an observation: what it is sorted by (tree_order.h) */
};

struct node {
    double low[3], high[3];
    uint32_t first, end;   /* its references */
    uint32_t left, parent; /* its halves are node[left] and node[left + 1]; a leaf's left is the leaf itself */
};

/* On which side of a node's cut does a point lie?  Apart from the nodes, so that more of them fit into a cache */
struct cut {
    double at;           /* a point below it belongs to the left; infinite for a leaf */
    uint32_t axis, left;
};

static struct {
    double axis[3][3];
    struct point *reference, *scratch; /* [n] */
    struct node *node;                 /* [room] */
    struct cut *cut;                   /* [room] */
    uint32_t *leaf;                    /* [n >> merged] the leaf whose first reference is j, at j >> merged */
    size_t nodes, room;
    unsigned merged;
} tree;

/* Allocates n points, and writes to them, so that a first run need not wait for pages. */
HELPER struct point *points(size_t n)
{
    const size_t bytes = (n + 1) / 2 * 2 * sizeof(struct point);

    return memset(aligned_alloc(64, bytes), 0, bytes);
}

HELPER void tree_new(size_t n)
{
    tree.merged = 2;
    while (n >> tree.merged > 1 << 24) /* a key has 32 bits */
        tree.merged++;
    tree.room = n / 2 + 64; /* n / 4 are usual */
    tree.reference = points(n);
    tree.scratch = points(n);
    tree.node = aligned_alloc(64, tree.room * sizeof *tree.node);
    tree.cut = malloc(tree.room * sizeof *tree.cut);
    tree.leaf = malloc(((n >> tree.merged) + 1) * sizeof *tree.leaf);
}

HELPER void tree_free(void)
{
    free(tree.reference);
    free(tree.scratch);
    free(tree.node);
    free(tree.cut);
    free(tree.leaf);
}

/* Turns the last axis to the middle of a sample of the references.  Where they have none, as on the whole sphere,
   the axes stay as they are. */
HELPER void turn_axes(const struct knn *p)
{
    double middle[3] = {0}, length = 0, across;
    double(*axis)[3] = tree.axis;
    int least = 0;

    for (size_t s = 0; s < BLOCK; s++) {
        size_t j = s * p->n / BLOCK;
        double at[3];

        to_fine_unit_vector(p->ref_lat[j], p->ref_lon[j], &at[0], &at[1], &at[2]);
        for (int a = 0; a < 3; a++)
            middle[a] += at[a];
    }
    for (int a = 0; a < 3; a++)
        length += middle[a] * middle[a];
    for (int a = 0; a < 3; a++) {
        axis[0][a] = 0;
        axis[2][a] = length > 1 ? middle[a] / sqrt(length) : a == 2;
        least = fabs(axis[2][a]) < fabs(axis[2][least]) ? a : least;
    }
    /* The first axis is at right angles to the last, and to the axis of the globe farthest from that; the second to
       both. */
    across = sqrt(1 - axis[2][least] * axis[2][least]);
    axis[0][(least + 1) % 3] = -axis[2][(least + 2) % 3] / across;
    axis[0][(least + 2) % 3] = axis[2][(least + 1) % 3] / across;
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, c = (a + 2) % 3;

        axis[1][a] = axis[2][b] * axis[0][c] - axis[2][c] * axis[0][b];
    }
}

/* Writes the coordinates of `count` points from `first` on, BLOCK at most.  Not inlined, and always a whole block:
   points at the same place must get the same coordinates, bit by bit. */
__attribute__((noinline)) HELPER VECTORS void place(const float *lat, const float *lon, size_t first,
                                                    size_t count, struct point *point)
{
    float some_lat[BLOCK] = {0}, some_lon[BLOCK] = {0};
    double at[3][BLOCK];

    memcpy(some_lat, lat + first, count * sizeof *lat);
    memcpy(some_lon, lon + first, count * sizeof *lon);
#pragma omp simd
    for (size_t i = 0; i < BLOCK; i++) {
        double x, y, z;

        to_fine_unit_vector(some_lat[i], some_lon[i], &x, &y, &z);
        for (int a = 0; a < 3; a++)
            at[a][i] = tree.axis[a][0] * x + tree.axis[a][1] * y + tree.axis[a][2] * z;
    }
    for (size_t i = 0; i < count; i++)
        point[i] = (struct point){{at[0][i], at[1][i], at[2][i]}, (uint32_t)(first + i), 0};
}

/* Returns a coordinate near the median: that of a sample.  The sample is random, so that no order of the data is
   slow (D. E. Knuth, MMIX's multiplier). */
HELPER double middle_of(const struct point *point, size_t count, int axis)
{
    enum { SAMPLE = 31, SMALL = 9 };
    const size_t sample = count < 128 ? SMALL : SAMPLE;
    double value[SAMPLE] = {0};
    uint64_t random = count;

    for (size_t s = 0; s < sample; s++) {
        size_t to = s;
        double x;

        random = random * 6364136223846793005u + 1442695040888963407u;
        x = point[(random >> 33) * count >> 31].at[axis];
        for (; to > 0 && value[to - 1] > x; to--)
            value[to] = value[to - 1];
        value[to] = x;
    }
    return value[sample / 2];
}

/* Moves the references below `at` to the front, in order, and returns how many they are.  Both places are written
   each time: a branch would be mispredicted every other time.  A point is moved as one vector, because a load waits
   where two stores wrote what it reads. */
HELPER VECTORS size_t divide(struct point *point, struct point *scratch, size_t count, int axis, double at)
{
    size_t below = 0, above = 0;

    for (size_t j = 0; j < count; j++) {
        size_t is_below = point[j].at[axis] < at;
        __m256d moved = _mm256_load_pd(point[j].at);

        _mm256_store_pd(point[below].at, moved);
        _mm256_store_pd(scratch[above].at, moved);
        below += is_below;
        above += 1 - is_below;
    }
    memcpy(point + below, scratch, above * sizeof *point);
    return below;
}

/* Measures a node's box. */
HELPER VECTORS void measure_box(struct node *node)
{
    const struct point *point = tree.reference + node->first;
    double low[3], high[3];

    memcpy(low, point->at, sizeof low);
    memcpy(high, point->at, sizeof high);
    for (size_t j = 1; j < node->end - node->first; j++)
        for (int a = 0; a < 3; a++) {
            low[a] = point[j].at[a] < low[a] ? point[j].at[a] : low[a];
            high[a] = point[j].at[a] > high[a] ? point[j].at[a] : high[a];
        }
    memcpy(node->low, low, sizeof low);
    memcpy(node->high, high, sizeof high);
}

/* Drops all but the first k references of each place from a leaf. */
HELPER void drop_copies(const struct knn *p, struct node *leaf)
{
    struct point *point = tree.reference + leaf->first;
    uint32_t count = leaf->end - leaf->first, kept = 0;

    for (uint32_t j = 0; j < count && count > p->k; j++) {
        const size_t index = point[j].index;
        size_t copies = 0;

        for (uint32_t c = kept; c-- > 0 && copies < p->k;)
            copies += p->ref_lat[point[c].index] == p->ref_lat[index] &&
                      p->ref_lon[point[c].index] == p->ref_lon[index];
        if (copies < p->k)
            point[kept++] = point[j];
    }
    leaf->end = count > p->k ? leaf->first + kept : leaf->end;
}

/* Returns the first of two new nodes, or 0 if there is no room. */
HELPER uint32_t two_nodes(void)
{
    size_t left;

#pragma omp atomic capture
    {
        left = tree.nodes;
        tree.nodes += 2;
    }
    return left + 2 <= tree.room ? (uint32_t)left : 0;
}

VECTORS static void grow(const struct knn *p, uint32_t id, uint32_t first, uint32_t end, int depth)
{
    struct node *node = &tree.node[id];
    const uint32_t count = end - first;
    uint32_t middle, left;
    int axis = 0;
    double at;

    node->first = first;
    node->end = end;
    measure_box(node);
    for (int a = 1; a < 3; a++)
        axis = node->high[a] - node->low[a] > node->high[axis] - node->low[axis] ? a : axis;
    left = count > LEAF && node->low[axis] < node->high[axis] && depth < DEEPEST ? two_nodes() : 0;
    if (left == 0) {
        drop_copies(p, node);
        node->left = id;
        tree.cut[id] = (struct cut){INFINITY, 0, id};
#pragma omp atomic write
        tree.leaf[first >> tree.merged] = id;
        return;
    }
    at = middle_of(tree.reference + first, count, axis);
    if (at == node->low[axis])
        at = nextafter(at, 2); /* or nothing would be below it */
    middle = first + (uint32_t)divide(tree.reference + first, tree.scratch + first, count, axis, at);
    node->left = left;
    tree.cut[id] = (struct cut){at, (uint32_t)axis, left};
    tree.node[left].parent = tree.node[left + 1].parent = id;
#pragma omp task if (count > TASK)
    grow(p, left, first, middle, depth + 1);
#pragma omp task if (count > TASK)
    grow(p, left + 1, middle, end, depth + 1);
}

/* Builds the tree.  All threads call this; turn_axes() has been called before.  At the next barrier it is complete. */
HELPER void tree_build(const struct knn *p)
{
#pragma omp for
    for (size_t j = 0; j < p->n; j += BLOCK)
        place(p->ref_lat, p->ref_lon, j, p->n - j < BLOCK ? p->n - j : BLOCK, tree.reference + j);
#pragma omp single nowait
    {
        tree.nodes = ROOT + 1;
        grow(p, ROOT, 0, (uint32_t)p->n, 0);
    }
}

#endif
