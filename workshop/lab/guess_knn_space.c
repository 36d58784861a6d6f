/* knn, k = 1: finds another number by which references were compared as points in space: one of their coordinates is another, or the number is not
   made of the squares of all three differences. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "workshop/lab/guess_knn.h"

/* A coordinate is a product of two of these: one of the latitude, one of the longitude. */
enum factor { ONE, COSINE, SINE, FACTORS };

enum { OBSERVATION = 1, REFERENCE = 2 };

/* How the differences of the coordinates become one number.  The least of it is kept. */
enum measure { SQUARES, WITHOUT_X, WITHOUT_Y, WITHOUT_Z, SUM, LARGEST, PRODUCT, MEASURES };

/* Another coordinate of the observations, of the references, or of both; the last change is to both of x and y. */
enum { X, Y, Z, X_AND_Y, PLACES };

struct space {
    int place; /* which coordinate is another; -1: none */
    enum factor of_lat, of_lon;
    unsigned whose;
    bool exchanged; /* latitude and longitude, in all coordinates */
    enum measure measure;
};

static const enum factor right[3][2] = {{COSINE, COSINE}, {COSINE, SINE}, {SINE, ONE}};

static double factor(double angle, enum factor f)
{
    return f == COSINE ? cos(angle) : f == SINE ? sin(angle) : 1.0;
}

static void set_point(double lat, double lon, const struct space *s, bool is, double point[3])
{
    const double of_lat = s->exchanged && is ? lon : lat, of_lon = s->exchanged && is ? lat : lon;

    for (int c = 0; c < 3; c++) {
        const bool other = is && (s->place == c || (s->place == X_AND_Y && c < Z));
        const enum factor lats = other ? s->of_lat : right[c][0], lons = other && s->place != X_AND_Y ? s->of_lon : right[c][1];
        point[c] = factor(of_lat, lats) * factor(of_lon, lons);
    }
}

static double number_of(const double a[3], const double b[3], enum measure measure)
{
    const double x = b[0] - a[0], y = b[1] - a[1], z = b[2] - a[2];

    switch (measure) {
    case WITHOUT_X: return y * y + z * z;
    case WITHOUT_Y: return x * x + z * z;
    case WITHOUT_Z: return x * x + y * y;
    case SUM: return fabs(x) + fabs(y) + fabs(z);
    case LARGEST: return fmax(fabs(x), fmax(fabs(y), fabs(z)));
    case PRODUCT: return -(a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
    default: return x * x + y * y + z * z;
    }
}

/* Returns whether each index has the least number.  In float32 numbers that are nearly equal cannot be told apart. */
static bool all_least(const struct knn *p, const struct space *s, double (*refs)[3])
{
    for (size_t j = 0; j < p->n; j++)
        set_point(p->ref_lat[j], p->ref_lon[j], s, s->whose & REFERENCE, refs[j]);
    for (size_t i = 0; i < p->m; i++) {
        double obs[3];
        set_point(p->obs_lat[i], p->obs_lon[i], s, s->whose & OBSERVATION, obs);
        const double own = number_of(obs, refs[p->index[i]], s->measure), more = own - 1e-6 - 2e-5 * fabs(own);
        for (size_t j = 0; j < p->n; j++)
            if (number_of(obs, refs[j], s->measure) < more)
                return false;
    }
    return true;
}

/* Writes "cos lat * sin lon". */
static const char *words_of(enum factor lats, enum factor lons, char *text, size_t room)
{
    static const char *const names[FACTORS] = {"", "cos ", "sin "};

    if (lats == ONE && lons == ONE)
        snprintf(text, room, "1");
    else
        snprintf(text, room, "%s%s%s%s%s", names[lats], lats != ONE ? "lat" : "", lats != ONE && lons != ONE ? " * " : "", names[lons], lons != ONE ? "lon" : "");
    return text;
}

static void tell(const struct space *s, struct mistake *m)
{
    static const char *const of_measure[MEASURES] = {NULL,
                                                     "nearest point without x: by the squares of the differences of y and z alone",
                                                     "nearest point without y: by the squares of the differences of x and z alone",
                                                     "nearest point without z: by the squares of the differences of x and y alone",
                                                     "least sum of the differences of x, y and z: the sum of their squares tells which point is nearest",
                                                     "least of the largest differences of x, y and z: the sum of their squares tells which point is nearest",
                                                     NULL};
    static const char *const whose[] = {NULL, "of the observations", "of the references", "of all points"};
    const char *what = s->measure == PRODUCT ? "largest product of points" : "nearest point";
    char is[40], should[40];

    if (of_measure[s->measure] != NULL) {
        mistake_set(m, s->measure < SUM ? "term-missing" : "wrong-operator");
        mistake_add(m, "each index is that of the %s", of_measure[s->measure]);
    } else if (s->exchanged) {
        mistake_set(m, "exchanged");
        mistake_add(m, "each index is that of the %s, if latitude and longitude %s are exchanged", what, whose[s->whose]);
    } else if (s->place == X_AND_Y) {
        mistake_set(m, s->of_lat == ONE ? "cosine-missing" : "wrong-operator");
        mistake_add(m, "each index is that of the %s, if x and y %s %s the latitude: (cos lat * cos lon, cos lat * sin lon, sin lat) is on the sphere", what, whose[s->whose],
                    s->of_lat == ONE ? "lack the cosine of" : "have the sine of");
    } else {
        mistake_set(m, "wrong-operator");
        mistake_add(m, "each index is that of the %s, if %c %s is %s: it should be %s", what, "xyz"[s->place], whose[s->whose],
                    words_of(s->of_lat, s->of_lon, is, sizeof is), words_of(right[s->place][0], right[s->place][1], should, sizeof should));
    }
}

/* Sets way number n; returns false if that is the right one, or no way. */
static bool set_way(unsigned n, struct space *s)
{
    *s = (struct space){.place = -1};
    if (n < PRODUCT) {
        s->measure = n;
        return n > 0;
    }
    n -= PRODUCT;
    if (n < 6) {
        *s = (struct space){.place = -1, .exchanged = true, .whose = n / 2 + 1, .measure = n % 2 == 0 ? SQUARES : PRODUCT};
        return s->whose != (OBSERVATION | REFERENCE);
    }
    n -= 6;
    *s = (struct space){.place = (int)(n / 54), .of_lat = n / 18 % FACTORS, .of_lon = n / 6 % FACTORS, .whose = n / 2 % 3 + 1,
                        .measure = n % 2 == 0 ? SQUARES : PRODUCT};
    if (s->place == X_AND_Y)
        return s->of_lon == ONE && s->of_lat != COSINE;
    return s->of_lat != right[s->place][0] || s->of_lon != right[s->place][1];
}

bool knn_other_space(const struct knn *p, struct mistake *m)
{
    enum { WAYS = PRODUCT + 6 + PLACES * 54 };
    bool found = false;

    if (!knn_others_are_nearer(p))
        return false;
    double (*refs)[3] = malloc((p->n + 1) * sizeof *refs);
    for (unsigned n = 0; refs != NULL && !found && n < WAYS; n++) {
        struct space s;
        found = set_way(n, &s) && all_least(p, &s, refs);
        if (found)
            tell(&s, m);
    }
    free(refs);
    if (found)
        knn_add_first(p, m);
    return found;
}
