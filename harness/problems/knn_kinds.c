#include "harness/problems/knn_kinds.h"

#include <math.h>

#include "harness/base/random.h"
#include "harness/problems/knn_uniform.h"

const char *const knn_kinds[] = {
    [KNN_UNIFORM] = "uniform", [KNN_PLACES] = "places",   [KNN_COUNTRY] = "country", [KNN_TOWN] = "town",
    [KNN_SPIRAL] = "spiral",   [KNN_LATTICE] = "lattice", [KNN_COPIES] = "copies",   [KNN_COAST] = "coast",
    [KNN_TRACK] = "track",     [KNN_DATELINE] = "dateline", [KNN_KINDS] = NULL,
};

static const double PI = 3.14159265358979323846, DEGREE = 3.14159265358979323846 / 180.0,
                    KM = 1.0 / 6371.0; /* radians */

/* Streams of random numbers: those of references and observations, and of what both have in common. */
enum { OWN_REFERENCES = 16, OWN_OBSERVATIONS = 32, CLUSTERS = 48, CURVE = 64 };

/* A point that is being made: number i of a set. */
struct maker {
    const struct knn_set *set;
    size_t i;
    uint64_t fixed;   /* seed of what a touch leaves: which cluster, which place */
    uint64_t scatter; /* seed of the rest */
    uint64_t stream;
};

struct at {
    double lat, lon; /* radians */
};

static double unit(const struct maker *m, uint64_t which)
{
    return random_unit(m->scatter, m->stream + which, m->i);
}

static double kept_unit(const struct maker *m, uint64_t which)
{
    return random_unit(m->fixed, m->stream + which, m->i);
}

/* Returns a value of the normal distribution (G. E. P. Box, M. E. Muller, "A Note on the Generation of Random
   Normal Deviates", Annals of Mathematical Statistics 29(2), 1958). */
static double normal(const struct maker *m, uint64_t which)
{
    return sqrt(-2.0 * log(1.0 - unit(m, which))) * cos(2.0 * PI * unit(m, which + 1));
}

/* Brings angles that went beyond a pole or around the earth back into range. */
static struct at on_earth(double lat, double lon)
{
    if (lat > PI / 2.0) {
        lat = PI - lat;
        lon += PI;
    } else if (lat < -PI / 2.0) {
        lat = -PI - lat;
        lon += PI;
    }
    return (struct at){lat, remainder(lon, 2.0 * PI)};
}

/* Moves a point north and east by distances in radians. */
static struct at moved(struct at p, double north, double east)
{
    return on_earth(p.lat + north, p.lon + east / fmax(cos(p.lat), 0.01));
}

static struct at anywhere(uint64_t seed, uint64_t stream, uint64_t i)
{
    return (struct at){asin(2.0 * random_unit(seed, stream, i) - 1.0),
                       PI * (2.0 * random_unit(seed, stream + 1, i) - 1.0)};
}

static struct at uniform(const struct maker *m)
{
    return anywhere(m->scatter, m->stream, m->i);
}

/*
 * places: as radio beacons and runways lie.  300 continents, uniform on the sphere; the c-th has a share that falls
 * as 1/c.  Each has 64 regions, normal around it by 500 km, with shares that fall likewise.  A point lies normal
 * around its region by 2 to 200 km, uniform in the logarithm.  Every eighth reference is at the place of the one
 * before.  Observations follow the same regions.
 */
static struct at place(const struct maker *m)
{
    enum { CONTINENTS = 300, REGIONS = 64 };
    struct maker at = *m;

    if (m->set->references && m->i % 8 == 7) {
        at.i = m->i - 1;
        at.scatter = m->fixed;
    }
    const uint64_t continent = (uint64_t)pow(CONTINENTS + 1, kept_unit(&at, 0)),
                   region = continent * REGIONS + (uint64_t)pow(REGIONS + 1, kept_unit(&at, 1));
    const struct maker of_region = {.i = region, .scatter = m->fixed, .stream = CLUSTERS + 2};
    const struct at centre = moved(anywhere(m->fixed, CLUSTERS, continent), 500.0 * KM * normal(&of_region, 0),
                                   500.0 * KM * normal(&of_region, 2));
    const double spread = 2.0 * KM * pow(100.0, kept_unit(&at, 2));

    return moved(centre, spread * normal(&at, 3), spread * normal(&at, 5));
}

/* country: uniform in 42 to 51 degrees north, 5 west to 8 east; the references in order of latitude. */
static struct at country(const struct maker *m)
{
    const double share = m->set->references ? ((double)m->i + unit(m, 0)) / (double)m->set->count : unit(m, 0);

    return (struct at){DEGREE * (42.0 + 9.0 * share), DEGREE * (-5.0 + 13.0 * unit(m, 1))};
}

/* town: normal around 48.1375 N, 11.575 E, with a standard deviation of 1 km north and east.  Half of the observations
   are in it, drawn one by one; the other half is uniform on the sphere. */
static struct at town(const struct maker *m)
{
    const struct at centre = {DEGREE * 48.1375, DEGREE * 11.575};

    if (!m->set->references && kept_unit(m, 4) < 0.5)
        return uniform(m);
    return moved(centre, KM * normal(m, 0), KM * normal(m, 2));
}

/* spiral: n steps of the golden angle in longitude, from pole to pole, in equal steps of area; so the references are
   in order of latitude (R. Swinbank, R. J. Purser, "Fibonacci grids", Quarterly Journal of the Royal Meteorological
   Society 132, 2006).  Observations uniform. */
static struct at spiral(const struct maker *m)
{
    const double golden = PI * (3.0 - sqrt(5.0)), n = (double)m->set->count;

    if (!m->set->references)
        return uniform(m);
    return (struct at){asin(2.0 * ((double)m->i + unit(m, 0)) / n - 1.0), remainder(golden * (double)m->i, 2.0 * PI)};
}

/* lattice: latitudes in steps of 1/64 radian, 0.9 degrees, longitudes in steps of 1/32, rows from south to north about
   the equator; more references than the 201 x 201 nodes begin anew.  Observations are on nodes, between two and
   between four.  All this is exact in float32, so neighbours to the east and west tie exactly, or to the north and
   south. */
static struct at lattice(const struct maker *m)
{
    enum { SIDE = 201 };
    const size_t n = m->set->of->knn.n, rows = n / SIDE < SIDE ? n / SIDE + 1 : SIDE;
    const double south = floor((double)rows / 2.0);

    if (m->set->references)
        return (struct at){((double)(m->i / SIDE % rows) - south) / 64.0, ((double)(m->i % SIDE) - 100.0) / 32.0};
    return (struct at){(floor(2.0 * (double)rows * unit(m, 0)) / 2.0 - south) / 64.0,
                       (floor(2.0 * SIDE * unit(m, 1)) / 2.0 - 100.0) / 32.0};
}

/* copies: 64 places, uniform on the sphere; reference j is at place j mod 64.  A quarter of the observations is at one
   of the places, the rest uniform. */
static struct at copy(const struct maker *m)
{
    enum { PLACES = 64 };

    if (!m->set->references && kept_unit(m, 2) >= 0.25)
        return uniform(m);
    return anywhere(m->fixed, CLUSTERS, m->set->references ? m->i % PLACES : (uint64_t)(PLACES * kept_unit(m, 3)));
}

/* Returns a random walk from -1 to 1 or so at t: noise of 14 octaves, each of twice the frequency and 0.6 of the
   height of the one before. */
static double ragged(uint64_t seed, uint64_t stream, double t)
{
    double sum = 0.0, height = 0.4;

    for (int octave = 0; octave < 14; octave++, height *= 0.6) {
        const double x = ldexp(t, octave), part = x - floor(x);
        const uint64_t knot = (1u << octave) + (uint64_t)x;
        const double low = random_unit(seed, stream, knot), high = random_unit(seed, stream, knot + 1);
        sum += height * (2.0 * (low + (high - low) * part) - 1.0);
    }
    return sum;
}

/* coast: a ragged line of some 5000 km, on which the references lie in order.  Observations are normal around it, by
   20 km. */
static struct at coast(const struct maker *m)
{
    const bool references = m->set->references;
    const double t = references ? ((double)m->i + unit(m, 0)) / (double)m->set->count : kept_unit(m, 0);
    const struct at start = {DEGREE * 35.0, DEGREE * -20.0};
    const struct at on = moved(start, 2000.0 * KM * (t + ragged(m->fixed, CURVE, t)),
                               3000.0 * KM * (t + ragged(m->fixed, CURVE + 1, t)));

    return references ? on : moved(on, 20.0 * KM * normal(m, 1), 20.0 * KM * normal(m, 3));
}

/* track: a position every 250 m, the one after the other, on great circles that turn by 4 degrees at each round of the
   earth; to 30 m.  Observations follow the same way, in order, to 1 km. */
static struct at track(const struct maker *m)
{
    const double n = (double)m->set->of->knn.n, tilt = DEGREE * 55.0;
    const double fix = m->set->references ? (double)m->i : ((double)m->i + unit(m, 4)) / (double)m->set->count * n;
    const double way = 0.25 * KM * fix, off = (m->set->references ? 0.03 : 1.0) * KM;
    const struct at on = on_earth(asin(sin(tilt) * sin(way)),
                                  atan2(cos(tilt) * sin(way), cos(way)) - DEGREE * 4.0 * way / (2.0 * PI));

    return moved(on, off * normal(m, 0), off * normal(m, 2));
}

/* dateline: within a degree of longitude 180, uniform in area; those beyond it as -180 to -179 or as 180 to 181, and one
   in 16 exactly on it, as -180 or 180. */
static struct at dateline(const struct maker *m)
{
    const double east = unit(m, 2) < 1.0 / 16.0 ? 0.0 : DEGREE * (2.0 * unit(m, 1) - 1.0);
    const bool negative = east >= 0.0 && unit(m, 3) < 0.5;

    return (struct at){asin(2.0 * unit(m, 0) - 1.0), negative ? east - PI : PI + east};
}

static struct at make(const struct maker *m)
{
    switch ((enum knn_kind)m->set->of->kind) {
    case KNN_PLACES: return place(m);
    case KNN_COUNTRY: return country(m);
    case KNN_TOWN: return town(m);
    case KNN_SPIRAL: return spiral(m);
    case KNN_LATTICE: return lattice(m);
    case KNN_COPIES: return copy(m);
    case KNN_COAST: return coast(m);
    case KNN_TRACK: return track(m);
    case KNN_DATELINE: return dateline(m);
    case KNN_UNIFORM:
    case KNN_KINDS: break;
    }
    return uniform(m);
}

/* Rounds to float32, towards 0 where that would leave the legal range. */
static void store(struct at at, float *lat, float *lon)
{
    const float pole = 1.57079637f, west = -3.14159274f;

    *lat = fminf(fmaxf((float)at.lat, -pole), pole);
    *lon = fmaxf((float)at.lon, west);
}

static struct maker maker_of(const struct knn_set *s, size_t i, uint64_t scatter)
{
    return (struct maker){s, i, s->of->seed, scatter, s->references ? OWN_REFERENCES : OWN_OBSERVATIONS};
}

void knn_kinds_fill(const struct knn_set *s, size_t i)
{
    const struct maker m = maker_of(s, i, s->of->seed);

    if (s->of->kind == KNN_UNIFORM)
        knn_uniform_fill(s, i);
    else
        store(make(&m), &s->lat[i], &s->lon[i]);
}

void knn_kinds_touch(const struct knn_set *s, size_t i, uint64_t seed, float *lat, float *lon)
{
    const struct maker m = maker_of(s, i, seed);

    if (s->of->kind == KNN_UNIFORM)
        knn_uniform_point(lat, lon, 0, seed, 0);
    else
        store(make(&m), lat, lon);
}
