/*
 * The judge's tree, with other points.  It compares haversines in float64, equal ones by index, and leaves out a
 * reference only if that cannot be among the nearest: harness/problems/knn_tree.c.
 */
#include "harness/problems/data/knn_float64.h"

#include <stdlib.h>

#include "harness/base/parallel.h"

struct search {
    const struct points *obs;
    const struct knn_tree *tree;
    size_t k;
    struct neighbour *nearest; /* [m][k] */
};

static struct knn_place place(const struct point *p)
{
    return (struct knn_place){p->lat, p->lon};
}

static void find_nearest(void *context, size_t begin, size_t end)
{
    const struct search *s = context;

    for (size_t i = begin; i < end; i++)
        knn_tree_nearest(s->tree, place(&s->obs->point[i]), s->k, s->nearest + i * s->k);
}

static struct knn_tree *plant(const struct points *ref)
{
    struct knn_place *references = malloc(ref->count * sizeof *references);

    for (size_t j = 0; references != NULL && j < ref->count; j++)
        references[j] = place(&ref->point[j]);
    struct knn_tree *tree = references != NULL ? knn_tree_plant(ref->count, references) : NULL;
    free(references);
    return tree;
}

struct neighbour *knn_float64(const struct points *obs, const struct points *ref, size_t k, struct error *error)
{
    enum { NEIGHBOURS = 1 << 10 }; /* in a chunk, at least */
    struct neighbour *nearest = malloc(obs->count * k * sizeof *nearest);
    struct knn_tree *tree = plant(ref);
    struct search s = {obs, tree, k, nearest};
    bool done = false;

    if (nearest == NULL || tree == NULL)
        error_set(error, "no memory to decide in float64");
    else if (!(done = parallel_for(obs->count, NEIGHBOURS / k + 1, find_nearest, &s)))
        error_set(error, "interrupted");
    if (tree != NULL)
        knn_tree_fell(tree);
    if (done)
        return nearest;
    free(nearest);
    return NULL;
}
