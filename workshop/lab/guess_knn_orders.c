/* knn, k = 1: finds another number by which references were compared: a distance on a flat map. */
#include <math.h>

#include "workshop/lab/guess_knn.h"

static const double PI = 3.14159265358979323846;

/* What is done with the difference of longitudes, and how the two differences become one number.  The first of each is usual. */
enum { UNCHANGED, OWN_COSINE, OTHER_COSINE, BOTH_COSINES, MIDDLE_COSINE, SHRINKS };
enum { AS_IT_IS, SHORTER_WAY, WAYS_ROUND };
enum { SQUARES, SUM, LARGEST, NUMBERS };

/* A way to compare: each reference has a number, and the least is kept. */
struct order {
    unsigned shrink, round, number;
};

static const char *const of_shrink[SHRINKS] = {
    "the difference of longitudes has no cosine, though a degree of longitude is shorter far from the equator",
    "it takes the difference of longitudes times the cosine of the observation's latitude",
    "it takes the difference of longitudes times the cosine of the reference's latitude",
    "it takes the difference of longitudes times the root of both cosines",
    "it takes the difference of longitudes times the cosine of the mean latitude",
};
static const char *const of_round[WAYS_ROUND] = {
    "longitudes on both sides of 180 degrees are far apart on this map, and on the sphere they are not",
    "near a pole such a map is wrong, even with the shorter way round",
};
static const char *const of_number[NUMBERS] = {
    "by the squares of the two differences of angles",
    "by the sum of the two differences of angles",
    "by the larger of the two differences of angles",
};

static double number_of(const struct knn *p, size_t i, size_t j, const struct order *o)
{
    const double lat1 = p->obs_lat[i], lat2 = p->ref_lat[j];
    const double up = fabs(lat2 - lat1), turn = fabs((double)p->ref_lon[j] - p->obs_lon[i]);
    double right = o->round == SHORTER_WAY && turn > PI ? 2.0 * PI - turn : turn;

    switch (o->shrink) {
    case OWN_COSINE: right *= cos(lat1); break;
    case OTHER_COSINE: right *= cos(lat2); break;
    case BOTH_COSINES: right *= sqrt(fabs(cos(lat1) * cos(lat2))); break;
    case MIDDLE_COSINE: right *= cos((lat1 + lat2) / 2.0); break;
    default: break;
    }
    switch (o->number) {
    case SUM: return up + right;
    case LARGEST: return fmax(up, right);
    default: return up * up + right * right;
    }
}

/* Returns whether each index has the least number.  In float32 numbers that are nearly equal cannot be told apart. */
static bool all_least(const struct knn *p, const struct order *o)
{
    for (size_t i = 0; i < p->m; i++) {
        const double own = number_of(p, i, p->index[i], o), more = own - 1e-6 - 2e-5 * own;
        for (size_t j = 0; j < p->n; j++)
            if (number_of(p, i, j, o) < more)
                return false;
    }
    return true;
}

bool knn_others_are_nearer(const struct knn *p)
{
    enum { SOME = 5 };
    size_t clear = 0;

    for (size_t i = 0; i < p->m; i++) {
        if (p->index[i] >= p->n)
            return false;
        clear += knn_angle(knn_h(p, i, p->index[i])) > 1.01 * knn_angle(knn_h(p, i, knn_right(p, i))) + 1e-3;
    }
    return clear >= SOME;
}

/* Says what all orders have in common by which the indices come out. */
static void tell_orders(const struct order found[], size_t count, struct mistake *m)
{
    bool shrink = true, round = true, number = true;

    for (size_t i = 1; i < count; i++) {
        shrink = shrink && found[i].shrink == found[0].shrink;
        round = round && found[i].round == found[0].round;
        number = number && found[i].number == found[0].number;
    }
    mistake_add(m, "each index is that of the nearest on a flat map%s%s", number ? ", " : "", number ? of_number[found[0].number] : "");
    if (shrink)
        mistake_add(m, "%s", of_shrink[found[0].shrink]);
    if (round)
        mistake_add(m, "%s", of_round[found[0].round]);
}

bool knn_other_measure(const struct knn *p, struct mistake *m)
{
    struct order found[SHRINKS * WAYS_ROUND * NUMBERS];
    size_t count = 0;

    if (!knn_others_are_nearer(p))
        return false;
    for (unsigned code = 0; code < SHRINKS * WAYS_ROUND * NUMBERS; code++) {
        const struct order o = {code / NUMBERS % SHRINKS, code / NUMBERS / SHRINKS, code % NUMBERS};
        if (all_least(p, &o))
            found[count++] = o;
    }
    if (count == 0)
        return false;
    mistake_set(m, "cosine-missing");
    tell_orders(found, count, m);
    knn_add_first(p, m);
    return true;
}
