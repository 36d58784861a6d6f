/* knn, k = 1: finds whether what was found for one observation is still kept when the next one of the same thread begins. */
#include <stdlib.h>

#include "workshop/lab/guess_knn.h"

enum { ENOUGH = 3, MOST = 4096, PLENTY = 400000 };

/* The nearest reference of an observation. */
struct near {
    size_t j;
    double h;
};

/* Returns whether each observation has got the nearer of its own reference and that which the observation `apart` before it has got. */
static bool is_kept(const struct knn *p, const struct near own[], size_t apart, struct near got[], size_t *wrong)
{
    *wrong = 0;
    for (size_t i = 0; i < p->m; i++) {
        got[i] = i >= apart && got[i - apart].h <= own[i].h ? got[i - apart] : own[i];
        const size_t is = p->index[i];
        if (is != got[i].j && !(is < p->n && knn_h(p, i >= apart && is == got[i - apart].j ? i - apart : i, is) == got[i].h))
            return false;
        *wrong += got[i].j != own[i].j;
    }
    return true;
}

bool knn_not_reset(const struct knn *p, const struct view *v, struct mistake *m)
{
    if (p->m < 2 || p->m > MOST || p->m * p->n > PLENTY || v->wrong_count == 0)
        return false;
    struct near *own = malloc(2 * p->m * sizeof *own);
    size_t apart = 1, wrong = 0;

    for (size_t i = 0; own != NULL && i < p->m; i++) {
        own[i].j = knn_nearest(p, i, 0, p->n);
        own[i].h = knn_h(p, i, own[i].j);
    }
    while (own != NULL && apart < p->m && !is_kept(p, own, apart, own + p->m, &wrong))
        apart++;
    const bool found = own != NULL && apart < p->m && wrong >= ENOUGH;
    free(own);
    if (!found)
        return false;
    mistake_set(m, "not-reset");
    mistake_add(m, "observation i has got what observation i - %zu had got, wherever that is less than its own least distance", apart);
    mistake_add(m, "so a thread goes on with what it has found for the observation before");
    knn_add_first(p, m);
    return true;
}
