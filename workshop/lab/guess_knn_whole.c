/* knn, k = 1: finds distances whose fraction was cut off while they were compared. */
#include <math.h>

#include "workshop/lab/guess_knn.h"

/* Returns the first reference whose distance, without its fraction, is least. */
static size_t least_whole(const struct knn *p, size_t i)
{
    size_t best = 0;

    for (size_t j = 1; j < p->n; j++)
        if (trunc(knn_angle(knn_h(p, i, j))) < trunc(knn_angle(knn_h(p, i, best))))
            best = j;
    return best;
}

bool knn_whole(const struct knn *p, const struct view *v, struct mistake *m)
{
    enum { ENOUGH = 3 };
    size_t cut = 0;

    for (size_t i = 0; i < p->m; i++) {
        if (p->distance[i] != truncf(p->distance[i]))
            return false;
        cut += v->wrong[i];
    }
    if (cut < ENOUGH)
        return false;
    for (size_t i = 0; i < p->m; i++) {
        const size_t j = least_whole(p, i);
        if (p->index[i] != j)
            return false;
    }
    mistake_set(m, "cut-off");
    mistake_add(m, "each distance is a whole number, and each index is the first reference of those that are nearest in whole numbers: the distances "
                   "lost their fractions before they were compared");
    knn_add_first(p, m);
    return true;
}
