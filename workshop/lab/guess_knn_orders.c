/* knn, k = 1: finds another number by which references were compared: a distance on a flat map, or between points that are not on the sphere. */
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

/* Returns the number of a reference by points in space that are not on the sphere, or not all of whose coordinates count. */
static double of_points(const struct knn *p, size_t i, size_t j, unsigned which)
{
    const double lat1 = p->obs_lat[i], lat2 = p->ref_lat[j], lon1 = p->obs_lon[i], lon2 = p->ref_lon[j];
    const double c1 = which == 0 ? 1.0 : cos(lat1), c2 = which == 0 ? 1.0 : cos(lat2);
    const double x = c2 * cos(lon2) - c1 * cos(lon1), y = c2 * sin(lon2) - c1 * sin(lon1), z = sin(lat2) - sin(lat1);

    switch (which) {
    case 1: return x * x + y * y;
    case 2: return x * x + z * z;
    case 3: return y * y + z * z;
    case 4: return fabs(x) + fabs(y) + fabs(z);
    case 5: return -(cos(lon2) * cos(lon1) + sin(lon2) * sin(lon1) + sin(lat2) * sin(lat1));
    default: return x * x + y * y + z * z;
    }
}

static const char *const points[] = {
    "nearest point, if x and y lack the cosine of the latitude: (cos lon, sin lon, sin lat) is not on the sphere",
    "nearest point without z: by the differences of x and y alone",
    "nearest point without y: by the differences of x and z alone",
    "nearest point without x: by the differences of y and z alone",
    "least sum of the differences of x, y and z: the sum of their squares tells which point is nearest",
    "largest product of points, if x and y lack the cosine of the latitude: (cos lon, sin lon, sin lat) is not on the sphere",
};

/* Returns whether each index has the least number.  In float32 numbers that are nearly equal cannot be told apart. */
static bool all_least(const struct knn *p, const struct order *o, unsigned which)
{
    for (size_t i = 0; i < p->m; i++) {
        const size_t got = p->index[i];
        const double own = o != NULL ? number_of(p, i, got, o) : of_points(p, i, got, which);
        const double more = own - 1e-6 - 2e-5 * fabs(own);
        for (size_t j = 0; j < p->n; j++)
            if ((o != NULL ? number_of(p, i, j, o) : of_points(p, i, j, which)) < more)
                return false;
    }
    return true;
}

/* Returns whether some observations have got a reference that is clearly farther away than the nearest. */
static bool others_are_nearer(const struct knn *p)
{
    enum { SOME = 3 };
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

    if (!others_are_nearer(p))
        return false;
    for (unsigned which = 0; which < sizeof points / sizeof *points; which++)
        if (all_least(p, NULL, which)) {
            mistake_set(m, which == 0 || which == 5 ? "cosine-missing" : "term-missing");
            mistake_add(m, "each index is that of the %s", points[which]);
            knn_add_first(p, m);
            return true;
        }
    for (unsigned code = 0; code < SHRINKS * WAYS_ROUND * NUMBERS; code++) {
        const struct order o = {code / NUMBERS % SHRINKS, code / NUMBERS / SHRINKS, code % NUMBERS};
        if (all_least(p, &o, 0))
            found[count++] = o;
    }
    if (count == 0)
        return false;
    mistake_set(m, "cosine-missing");
    tell_orders(found, count, m);
    knn_add_first(p, m);
    return true;
}
