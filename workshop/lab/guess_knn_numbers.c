/* knn, k = 1: tells whether a distance that is NaN can come from rounding. */
#include <math.h>

#include "workshop/lab/guess_knn.h"

/* h is computed from sines and cosines of float32, whose errors are some 1e-7. */
static const double ROUNDING = 1e-5;

/* Adds what the observations have in common whose distance is NaN: rounding can lift h, a cosine or a dot product above 1, or a square below
   0, if the right one is next to it.  It cannot in between. */
void knn_no_number(const void *c, const struct view *v, struct mistake *m)
{
    const struct knn *p = c;
    size_t near = 0, opposite = 0, between = p->m, other = p->m;

    for (size_t i = p->m; i-- > 0;) {
        other = fabs(v->got[i] - v->want[i]) > 1e-2 ? i : other;
        if (!isnan(p->distance[i]) || result_untouched(p->distance[i]) || p->index[i] >= p->n)
            continue;
        const double h = knn_h(p, i, p->index[i]);
        near += h < ROUNDING;
        opposite += h > 1.0 - ROUNDING;
        if (h >= ROUNDING && h <= 1.0 - ROUNDING)
            between = i;
    }
    if (between < p->m) {
        const double h = knn_h(p, between, p->index[between]);
        mistake_add(m, "observation %zu has kept reference %u: its h should be %.4f, and the cosine of the angle %.4f", between, p->index[between], h,
                    1.0 - 2.0 * h);
        mistake_add(m, "the root, the arcsine and the arccosine of these are numbers, and rounding changes only their last digits: so the program has "
                       "computed another number");
    } else if (other < p->m) {
        mistake_add(m, "distance[%zu] is a number, %.4f, and should be %.4f: so it is no rounding, and the program has computed another number", other,
                    (double)v->got[other], v->want[other]);
    } else if (opposite > 0 && near == 0) {
        mistake_add(m, "in all of them the reference is on the opposite side of the sphere, where h is 1: rounding can lift it above 1");
    } else if (near > 0 && opposite == 0) {
        mistake_add(m, "in all of them the reference is at the same place, or next to it: rounding can lift a cosine or a dot product above 1 there, "
                       "and a difference of equal numbers below 0");
    }
}
