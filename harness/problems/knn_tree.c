/*
 * knn: a k-d tree over unit vectors (J. L. Bentley, "Multidimensional Binary Search Trees Used for
 * Associative Searching", Communications of the ACM 18(9), 1975), with a box around each node's points.
 *
 * On the unit sphere the straight line between two points, the chord, has length 2 sin(d/2), so chords
 * rank pairs as distances d do.  The tree compares chords, which take three products each.  Only a pair
 * that its chord does not exclude gets its haversine, and the haversine decides.
 *
 * References at one place are one point of the tree; otherwise a few places with many references each
 * would be searched in full again and again.  Nodes are split in the middle, so the depth is at most
 * log2(n).  An observation that is equally far from all references in float64 takes n haversines, and no
 * more.
 */
#include "harness/problems/knn_tree.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "harness/base/random.h"

enum { LEAF = 8 }; /* places in a leaf; some have one more */

struct place {
    double at[3];          /* the unit vector */
    uint32_t first, count; /* its references: those in `sorted` from `first` on, by rising index */
};

struct box {
    double low[3], high[3];
};

struct reference {
    struct knn_place where;
    uint32_t index;
};

/* Node 0 has all places; the halves of node i are nodes 2i+1 and 2i+2; all leaves are at `depth`. */
struct knn_tree {
    struct reference *sorted; /* by place */
    struct place *place;
    struct box *box;
    size_t places, depth;
};

double knn_haversine(struct knn_place from, struct knn_place to)
{
    const double sin_lat = sin((to.lat - from.lat) / 2.0);
    const double sin_lon = sin((to.lon - from.lon) / 2.0);
    const double h = sin_lat * sin_lat + cos(from.lat) * cos(to.lat) * sin_lon * sin_lon;

    return 2.0 * asin(sqrt(fmin(h, 1.0)));
}

static void unit_vector(struct knn_place p, double at[3])
{
    at[0] = cos(p.lat) * cos(p.lon);
    at[1] = cos(p.lat) * sin(p.lon);
    at[2] = sin(p.lat);
}

/* --- planting --------------------------------------------------------------------------------- */

static bool same_place(const struct knn_place *a, const struct knn_place *b)
{
    return a->lat == b->lat && a->lon == b->lon;
}

static int by_place(const void *left, const void *right)
{
    const struct reference *a = left, *b = right;

    if (a->where.lat != b->where.lat)
        return a->where.lat < b->where.lat ? -1 : 1;
    if (a->where.lon != b->where.lon)
        return a->where.lon < b->where.lon ? -1 : 1;
    return a->index < b->index ? -1 : 1;
}

/* Fills `sorted` and `place`. */
static void gather_places(struct knn_tree *t, size_t n, const struct knn_place references[])
{
    for (size_t j = 0; j < n; j++)
        t->sorted[j] = (struct reference){references[j], (uint32_t)j};
    qsort(t->sorted, n, sizeof *t->sorted, by_place);
    for (size_t j = 0; j < n; j++) {
        const struct knn_place *where = &t->sorted[j].where;

        if (j == 0 || !same_place(where, &t->sorted[j - 1].where)) {
            struct place *place = &t->place[t->places++];
            unit_vector(*where, place->at);
            place->first = (uint32_t)j;
            place->count = 0;
        }
        t->place[t->places - 1].count++;
    }
}

static struct box box_around(const struct place *place, size_t count)
{
    struct box b = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

    for (size_t i = 0; i < count; i++)
        for (int axis = 0; axis < 3; axis++) {
            b.low[axis] = fmin(b.low[axis], place[i].at[axis]);
            b.high[axis] = fmax(b.high[axis], place[i].at[axis]);
        }
    return b;
}

static int widest_axis(const struct box *b)
{
    int widest = 0;

    for (int axis = 1; axis < 3; axis++)
        if (b->high[axis] - b->low[axis] > b->high[widest] - b->low[widest])
            widest = axis;
    return widest;
}

/* Moves the lower half of the places to the front (C. A. R. Hoare, "Algorithm 65: Find",
   Communications of the ACM 4(7), 1961).  The pivot is random, so that no order of the data is slow. */
static void halve(struct place *place, size_t count, int axis)
{
    size_t low = 0, high = count - 1;
    const size_t middle = count / 2;

    while (low < high) {
        const double pivot = place[low + random_bits(count, low, high) % (high - low)].at[axis];
        size_t up = low, down = high;

        for (;;) {
            while (place[up].at[axis] < pivot)
                up++;
            while (place[down].at[axis] > pivot)
                down--;
            if (up >= down)
                break;
            const struct place swap = place[up];
            place[up++] = place[down];
            place[down--] = swap;
        }
        /* Up to `down` no place is above the pivot, after it none below. */
        if (up == down && middle == up)
            return;
        if (middle <= down)
            high = up == down ? down - 1 : down;
        else
            low = down + 1;
    }
}

static void grow(struct knn_tree *t, size_t node, size_t begin, size_t end, size_t depth)
{
    const size_t middle = begin + (end - begin) / 2;

    t->box[node] = box_around(t->place + begin, end - begin);
    if (depth == t->depth)
        return;
    halve(t->place + begin, end - begin, widest_axis(&t->box[node]));
    grow(t, 2 * node + 1, begin, middle, depth + 1);
    grow(t, 2 * node + 2, middle, end, depth + 1);
}

struct knn_tree *knn_tree_plant(size_t n, const struct knn_place references[])
{
    struct knn_tree *t = calloc(1, sizeof *t);

    if (t == NULL)
        return NULL;
    t->sorted = malloc((n + 1) * sizeof *t->sorted);
    t->place = malloc((n + 1) * sizeof *t->place);
    if (t->sorted == NULL || t->place == NULL) {
        knn_tree_fell(t);
        return NULL;
    }
    gather_places(t, n, references);
    while (t->places >> t->depth > LEAF)
        t->depth++;
    t->box = malloc(((size_t)2 << t->depth) * sizeof *t->box);
    if (t->box == NULL) {
        knn_tree_fell(t);
        return NULL;
    }
    grow(t, 0, 0, t->places, 0);
    return t;
}

void knn_tree_fell(struct knn_tree *t)
{
    free(t->sorted);
    free(t->place);
    free(t->box);
    free(t);
}

void knn_tree_twins(const struct knn_tree *t, uint32_t twin[])
{
    for (size_t i = 0; i < t->places; i++) {
        const struct reference *here = t->sorted + t->place[i].first;

        for (uint32_t r = 0; r < t->place[i].count; r++)
            twin[here[r].index] = r > 0 ? here[r - 1].index : NO_TWIN;
    }
}

/* --- searching -------------------------------------------------------------------------------- */

/* The nearest so far form a heap with the worst on top (J. W. J. Williams, "Algorithm 232: Heapsort",
   Communications of the ACM 7(6), 1964), so a large k takes log2(k) steps. */
struct search {
    const struct knn_tree *t;
    struct knn_place from;  /* the observation */
    double at[3];           /* its unit vector */
    size_t k, found;
    double reach;           /* square of the chord beyond which no reference matters */
    struct neighbour *heap; /* [k] */
};

static bool is_worse(const struct neighbour *a, const struct neighbour *b)
{
    return a->distance > b->distance || (a->distance == b->distance && a->index > b->index);
}

static void sink(struct neighbour *heap, size_t count, size_t from, struct neighbour item)
{
    for (size_t child; (child = 2 * from + 1) < count; from = child) {
        if (child + 1 < count && is_worse(&heap[child + 1], &heap[child]))
            child++;
        if (!is_worse(&heap[child], &item))
            break;
        heap[from] = heap[child];
    }
    heap[from] = item;
}

static void rise(struct neighbour *heap, size_t from, struct neighbour item)
{
    for (; from > 0 && is_worse(&item, &heap[(from - 1) / 2]); from = (from - 1) / 2)
        heap[from] = heap[(from - 1) / 2];
    heap[from] = item;
}

static void sort(struct neighbour *heap, size_t count)
{
    while (count > 1) {
        const struct neighbour worst = heap[0];

        count--;
        sink(heap, count, 0, heap[count]);
        heap[count] = worst;
    }
}

/* Unit vectors in float64, and so chords, are accurate to 1e-15; so are haversines, by their chords. */
static void set_reach(struct search *s)
{
    const double slack = 1e-14, chord = 2.0 * sin(s->heap[0].distance / 2.0) + slack;

    s->reach = chord * chord;
}

/* Adds the references of a place while they are better than the worst of the list. */
static void offer(struct search *s, const struct place *place)
{
    const struct reference *here = s->t->sorted + place->first;
    struct neighbour item = {knn_haversine(s->from, here[0].where), 0};

    for (uint32_t r = 0; r < place->count; r++) {
        item.index = here[r].index;
        if (s->found < s->k)
            rise(s->heap, s->found++, item);
        else if (is_worse(&s->heap[0], &item))
            sink(s->heap, s->k, 0, item);
        else
            break;
    }
    if (s->found == s->k)
        set_reach(s);
}

static double chord_to_place(const struct search *s, const struct place *place)
{
    const double x = place->at[0] - s->at[0], y = place->at[1] - s->at[1],
                 z = place->at[2] - s->at[2];

    return x * x + y * y + z * z;
}

static double chord_to_box(const struct search *s, const struct box *b)
{
    double sum = 0.0;

    for (int axis = 0; axis < 3; axis++) {
        const double below = b->low[axis] - s->at[axis], above = s->at[axis] - b->high[axis];
        const double outside = below > above ? below : above;

        sum += outside > 0.0 ? outside * outside : 0.0;
    }
    return sum;
}

static void visit(struct search *s, size_t node, size_t begin, size_t end, size_t depth)
{
    const size_t middle = begin + (end - begin) / 2, left = 2 * node + 1, right = left + 1;

    if (depth == s->t->depth) {
        for (size_t i = begin; i < end; i++)
            if (chord_to_place(s, &s->t->place[i]) <= s->reach)
                offer(s, &s->t->place[i]);
        return;
    }
    const double to_left = chord_to_box(s, &s->t->box[left]),
                 to_right = chord_to_box(s, &s->t->box[right]);
    const bool left_first = to_left <= to_right;

    if (left_first && to_left <= s->reach)
        visit(s, left, begin, middle, depth + 1);
    if (to_right <= s->reach)
        visit(s, right, middle, end, depth + 1);
    if (!left_first && to_left <= s->reach)
        visit(s, left, begin, middle, depth + 1);
}

void knn_tree_nearest(const struct knn_tree *t, struct knn_place from, size_t k, struct neighbour nearest[])
{
    struct search s = {.t = t, .from = from, .k = k, .reach = INFINITY, .heap = nearest};

    unit_vector(from, s.at);
    visit(&s, 0, 0, t->places, 0);
    sort(nearest, k);
}
