/* knn, k = 1: finds the formula, or the places, by which other distances came out. */
#include <math.h>
#include <stdio.h>

#include "workshop/lab/guess_knn.h"

enum { PARTS = 5 };

/* Another way to h: by a formula with other parts, or by other arguments. */
struct way {
    unsigned part[PARTS]; /* of the formula: choices[].  0 is right */
    int argument[4];      /* which of the four stands in the place of each */
    bool compares_h;      /* the least h is kept, also a negative one: its root is NaN.  Else distances are compared */
    int instead;          /* in the place of reference j: others[] */
    unsigned what;        /* of that one: its latitude 1 (also for the cosine), its longitude 2, the cosine alone 4 */
};

enum { TILE = 256 };

static size_t first_one(const struct knn *p, size_t i, size_t j)
{
    (void)p, (void)i, (void)j;
    return 0;
}

static size_t first_of_tile(const struct knn *p, size_t i, size_t j)
{
    (void)p, (void)i;
    return j / TILE * TILE;
}

static size_t of_thread(const struct knn *p, size_t i, size_t j)
{
    const size_t own = j / TILE * TILE + i % TILE;

    return own < p->n ? own : j / TILE * TILE;
}

static size_t next_one(const struct knn *p, size_t i, size_t j)
{
    (void)i;
    return j + 1 < p->n ? j + 1 : j;
}

static size_t one_before(const struct knn *p, size_t i, size_t j)
{
    (void)p, (void)i;
    return j > 0 ? j - 1 : j;
}

static size_t in_first_tile(const struct knn *p, size_t i, size_t j)
{
    (void)p, (void)i;
    return j % TILE;
}

static size_t last_of_tile(const struct knn *p, size_t i, size_t j)
{
    const size_t end = (j / TILE + 1) * TILE;

    (void)i;
    return (end < p->n ? end : p->n) - 1;
}

/* Which reference stands in the place of reference j.  The first is right. */
static const struct {
    size_t (*of)(const struct knn *p, size_t i, size_t j);
    const char *text;
} others[] = {{NULL, NULL},
              {first_one, "of the first reference, for all references"},
              {first_of_tile, "of the first reference of each tile of 256, for all of the tile"},
              {last_of_tile, "of the last reference of each tile of 256, for all of the tile"},
              {of_thread, "of the reference with the thread's own number, threadIdx.x, for all others"},
              {in_first_tile, "of the first tile of 256, for all tiles"},
              {next_one, "of reference j + 1"},
              {one_before, "of reference j - 1"}};

/* --- the parts of the formula --------------------------------------------------------------------- */

static double square(double x)
{
    return x * x;
}

/* What may stand in the place of each part of h = sin^2(lat / 2) + cos(lat 1) cos(lat 2) sin^2(lon / 2), where lat and lon
   are differences.  The first is right. */
enum { WHOLE = 1, NO_SINE, UNSQUARED, COSINE, OF_SUM, SQUARES };
enum { NO_COSINE = 1, SINE, TWIN, OF_LONGITUDE, OF_HALF, COSINES };
enum { MINUS = 1, NO_LATITUDE, BRACKETS, SUM_OF_COSINES, JOINS };

static double squared(double a, double b, unsigned choice)
{
    switch (choice) {
    case WHOLE: return square(sin(b - a));
    case NO_SINE: return square((b - a) / 2.0);
    case UNSQUARED: return sin((b - a) / 2.0);
    case COSINE: return square(cos((b - a) / 2.0));
    case OF_SUM: return square(sin((b + a) / 2.0));
    default: return square(sin((b - a) / 2.0));
    }
}

static double cosine(double lat, double twin, double lon, unsigned choice)
{
    switch (choice) {
    case NO_COSINE: return 1.0;
    case SINE: return sin(lat);
    case TWIN: return cos(twin);
    case OF_LONGITUDE: return cos(lon);
    case OF_HALF: return cos(lat / 2.0);
    default: return cos(lat);
    }
}

static const struct {
    unsigned choices;
    const char *name;
} parts[PARTS] = {{SQUARES, "the latitudes"}, {SQUARES, "the longitudes"}, {COSINES, "the observation's"},
                  {COSINES, "the reference's"}, {JOINS, ""}};

static const struct {
    const char *kind, *text; /* %s: the part's name */
} of_square[] = {{NULL, NULL},
                 {"term-missing", "the sine of the whole difference of %s: its half is missing"},
                 {"term-missing", "half the difference of %s: its sine is missing"},
                 {"term-missing", "the sine of half the difference of %s: its square is missing"},
                 {"wrong-operator", "the cosine of half the difference of %s: it is the sine"},
                 {"wrong-operator", "half the sum of %s: it is the difference"}},
  of_cosine[] = {{NULL, NULL},
                 {"cosine-missing", "no cosine of %s latitude"},
                 {"wrong-operator", "the sine of %s latitude: it is the cosine"},
                 {"term-missing", "the cosine of one latitude, twice: %s is missing"},
                 {"exchanged", "the cosine of %s longitude: it is that of the latitude"},
               {"wrong-operator", "the cosine of half of %s latitude: it is that of the whole"}},
  of_join[] = {{NULL, NULL},
               {"wrong-sign", "the term of the longitudes subtracted: it is added%s"},
               {"term-missing", "the term of the longitudes only: that of the latitudes is missing%s"},
               {"wrong-brackets", "the cosines times both terms: they belong to that of the longitudes%s"},
               {"wrong-operator", "the sum of the two cosines: it is their product%s"}};

static double h_of(const struct knn *p, size_t i, size_t j, const struct way *way)
{
    const size_t instead = way->instead > 0 ? others[way->instead].of(p, i, j) : j;
    const double all[4] = {p->obs_lat[i], p->obs_lon[i], p->ref_lat[way->what & 1 ? instead : j], p->ref_lon[way->what & 2 ? instead : j]};
    const double lat1 = all[way->argument[0]], lon1 = all[way->argument[1]];
    const double lat2 = all[way->argument[2]], lon2 = all[way->argument[3]];
    const double s = squared(lat1, lat2, way->part[0]), t = squared(lon1, lon2, way->part[1]);
    const double own = cosine(lat1, lat2, lon1, way->part[2]);
    const double other = way->what & 4 ? cos(p->ref_lat[instead]) : cosine(lat2, lat1, lon2, way->part[3]);

    switch (way->part[4]) {
    case MINUS: return s - own * other * t;
    case NO_LATITUDE: return own * other * t;
    case BRACKETS: return own * other * (s + t);
    case SUM_OF_COSINES: return s + (own + other) * t;
    default: return s + own * other * t;
    }
}

/* Returns whether so many distances are wrong by more than rounding that a way by which all of them come out is hardly a
   coincidence. */
static bool clearly_wrong(const struct knn *p, const struct view *v)
{
    size_t wrong = 0;

    for (size_t i = 0; i < p->m; i++)
        wrong += !(fabs(v->got[i] - v->want[i]) <= 2e-3); /* also if it is NaN */
    return wrong >= 3;
}

/* Returns whether this is the distance that follows from h.  A root of a negative number, and an arcsine of one above 1, is NaN. */
static bool distance_is(float distance, double h, double (*of)(double h))
{
    const double away = of(h);

    if (isnan(distance))
        return h < 0.0 || h > 1.0 - 1e-6;
    if (h < 0.0)
        return h > -1e-12 && distance <= 2e-5f; /* rounding may have made it 0 */
    return fabs(distance - away) <= 1e-3 * away + (away > 3.0 ? 2e-3 : 1e-7);
}

/* Returns whether each index is that of the nearest in this way, and each distance, too.  In float32 the points of a crowd
   cannot be told apart, so another one of it may be found.  If distances are compared, a negative h has no root, so no reference with it
   is kept. */
static bool follows(const struct knn *p, const struct way *way, double (*of)(double h))
{
    for (size_t i = 0; i < p->m; i++) {
        const size_t found = p->index[i];
        double least = INFINITY;
        for (size_t j = 0; j < p->n; j++) {
            const double h = h_of(p, i, j, way);
            least = (h >= 0.0 || way->compares_h) && h < least ? h : least;
        }
        const double own = found < p->n ? h_of(p, i, found, way) : NAN;
        if (!(fmin(own, 1.0) - fmin(least, 1.0) < 0x1p-22)) /* also if it is NaN */
            return false;
        if (!distance_is(p->distance[i], own, of))
            return false;
    }
    return true;
}

/* Returns whether some results tell this way from others.  A NaN tells nothing if the h of this way is next to 0 or 1, as in a crowd. */
static bool is_telling(const struct knn *p, const struct view *v, const struct way *way)
{
    enum { SOME = 3 };
    size_t numbers = 0, clear = 0, none = 0;

    for (size_t i = 0; i < p->m; i++) {
        const double h = h_of(p, i, p->index[i], way);
        none += isnan(v->got[i]) != 0;
        clear += isnan(v->got[i]) && (h < -1e-6 || h > 1.0 + 1e-6);
        numbers += fabs(v->got[i] - v->want[i]) > 2e-3;
    }
    return none == 0 || clear + numbers >= SOME;
}

static bool follows_way(const struct knn *p, const struct view *v, const struct way *way)
{
    struct way of_h = *way;

    of_h.compares_h = true;
    return (follows(p, way, knn_angle) || follows(p, &of_h, knn_angle)) && is_telling(p, v, way);
}

static void add_part(unsigned part, unsigned choice, struct mistake *m)
{
    const char *kind = part < 2   ? of_square[choice].kind
                       : part < 4 ? of_cosine[choice].kind
                                  : of_join[choice].kind;
    const char *text = part < 2   ? of_square[choice].text
                       : part < 4 ? of_cosine[choice].text
                                  : of_join[choice].text;
    char words[200];

    if (m->facts == 0)
        mistake_set(m, kind);
    snprintf(words, sizeof words, text, parts[part].name);
    mistake_add(m, "all results are those of a formula with %s", words);
}

/* Finds one part of the formula that is another, or two. */
bool knn_other_formula(const struct knn *p, const struct view *v, struct mistake *m)
{
    struct way way = {.argument = {0, 1, 2, 3}};

    if (!clearly_wrong(p, v))
        return false;
    for (unsigned a = 0; a < PARTS; a++)
        for (unsigned x = 1; x < parts[a].choices; x++) {
            way.part[a] = x;
            if (follows_way(p, v, &way)) {
                mistake_set(m, "");
                add_part(a, x, m);
                knn_add_first(p, m);
                return true;
            }
            way.part[a] = 0;
        }
    for (unsigned a = 0; a < PARTS; a++)
        for (unsigned b = a + 1; b < PARTS; b++)
            for (unsigned both = 0; both < parts[a].choices * parts[b].choices; both++) {
                const unsigned x = both / parts[b].choices, y = both % parts[b].choices;
                way = (struct way){.argument = {0, 1, 2, 3}};
                way.part[a] = x, way.part[b] = y;
                if (x == 0 || y == 0 || !follows_way(p, v, &way))
                    continue;
                mistake_set(m, "");
                add_part(a, x, m);
                add_part(b, y, m);
                knn_add_first(p, m);
                return true;
            }
    return false;
}

/* --- its arguments -------------------------------------------------------------------------------- */

/* Finds the order in which the distance got its four arguments, of which one may be passed twice.  The two places may be
   exchanged: that is right, too. */
bool knn_other_order(const struct knn *p, const struct view *v, struct mistake *m)
{
    static const char *const names[] = {"latitude 1", "longitude 1", "latitude 2", "longitude 2"};

    for (int code = 0; code < 4 * 256; code++) {
        const struct way way = {.argument = {code >> 6 & 3, code >> 4 & 3, code >> 2 & 3, code & 3}};
        const int changed = (way.argument[0] != 0) + (way.argument[1] != 1) + (way.argument[2] != 2) + (way.argument[3] != 3);
        if (changed != 1 + code / 256) /* one in the wrong place first */
            continue;
        const int *order = way.argument;
        const bool each = (1 << order[0] | 1 << order[1] | 1 << order[2] | 1 << order[3]) == 15;
        const bool right_one = each && order[0] % 2 == 0 && order[2] % 2 == 0;
        const bool to_itself = order[0] == order[2] && order[1] == order[3]; /* all distances would be 0 */
        if (right_one || to_itself || (!each && !clearly_wrong(p, v)) || !follows_way(p, v, &way))
            continue;
        mistake_set(m, each ? "exchanged-arguments" : "exchanged");
        mistake_add(m, "all results are those of a distance %s: %s, %s, %s, %s",
                    each ? "with its arguments in this order" : "with these arguments, one of them twice", names[order[0]], names[order[1]], names[order[2]],
                    names[order[3]]);
        knn_add_first(p, m);
        return true;
    }
    return false;
}

/* h of a place whose latitude is observation i's, or by mistake that of observation j; its longitude, too. */
static double of_own_j(const struct knn *p, size_t i, size_t j, bool lat, bool lon)
{
    const size_t a = lat ? j : i, b = lon ? j : i;
    const double s = sin(((double)p->ref_lat[j] - p->obs_lat[a]) / 2.0);
    const double t = sin(((double)p->ref_lon[j] - p->obs_lon[b]) / 2.0);

    return s * s + cos(p->obs_lat[a]) * cos(p->ref_lat[j]) * t * t;
}

/* Finds an observation that was read with the number of the reference: obs_lat[j]. */
bool knn_with_number_j(const struct knn *p, struct mistake *m)
{
    static const char *const names[] = {"", "obs_lat[j]", "obs_lon[j]", "obs_lat[j] and obs_lon[j]"};

    for (unsigned which = 1; p->m >= p->n && p->n > 2 && which < 4; which++) {
        size_t same = 0;
        for (size_t i = 0; i < p->m && same == i; i++) {
            double least = INFINITY;
            for (size_t j = 0; j < p->n; j++)
                least = fmin(least, of_own_j(p, i, j, which & 1, which & 2));
            same += fabs(p->distance[i] - knn_angle(least)) <= 1e-3 * knn_angle(least) + 1e-6;
        }
        if (same < p->m)
            continue;
        mistake_set(m, "misplaced");
        mistake_add(m, "all distances are those of %s: an observation's number is i, and a reference's is j", names[which]);
        return true;
    }
    return false;
}

/* Finds what was taken from another reference than j, such as a cosine that was computed only once. */
bool knn_other_reference(const struct knn *p, const struct view *v, struct mistake *m)
{
    static const char *const names[] = {[1] = "latitude", [2] = "longitude", [4] = "cosine of the latitude"};
    struct way way = {.argument = {0, 1, 2, 3}};

    if (p->n < 3 || !clearly_wrong(p, v))
        return false;
    for (way.instead = 1; way.instead < (int)(sizeof others / sizeof *others); way.instead++)
        for (way.what = 1; way.what <= 4; way.what *= 2) {
            const bool of_tiles = others[way.instead].of == first_of_tile || others[way.instead].of == last_of_tile || others[way.instead].of == in_first_tile;
            if ((of_tiles && p->n <= TILE) || !follows_way(p, v, &way))
                continue;
            mistake_set(m, "misplaced");
            mistake_add(m, "all results are those of a search with the %s %s", names[way.what], others[way.instead].text);
            knn_add_first(p, m);
            return true;
        }
    return false;
}

/* --- from h to the distance ----------------------------------------------------------------------- */

#define FORMULA(name, formula)                                                                     \
    static double name(double h)                                                                   \
    {                                                                                              \
        return formula;                                                                            \
    }

FORMULA(of_h, h)
FORMULA(of_root, sqrt(h))
FORMULA(of_two_roots, 2.0 * sqrt(h))
FORMULA(of_four, 4.0 * h)
FORMULA(of_half, asin(sqrt(h)))
FORMULA(of_no_root, 2.0 * asin(h))
FORMULA(of_arcsine, asin(h))
FORMULA(of_arccosine, 2.0 * acos(sqrt(fmin(h, 1.0))))
FORMULA(of_chord, knn_angle(4.0 * h))
FORMULA(of_late_root, 2.0 * sqrt(asin(h)))
FORMULA(of_squared_chord, 2.0 * asin(fmin(2.0 * h, 1.0)))
FORMULA(of_half_square, 2.0 * asin(sqrt(fmin(2.0 * h, 1.0))))
FORMULA(of_two_inside, asin(2.0 * sqrt(h)))

/* What a distance may be instead of 2 * asin(sqrt(h)). */
static const struct {
    const char *text;
    double (*of)(double h);
} formulas[] = {
    {"h itself: the root and the arcsine are missing", of_h},
    {"the root of h: the arcsine and the factor 2 are missing", of_root},
    {"twice the root of h: the arcsine is missing", of_two_roots},
    {"half the angle: the factor 2 is missing", of_half},
    {"twice the arcsine of h: the root is missing", of_no_root},
    {"the arcsine of h: the root and the factor 2 are missing", of_arcsine},
    {"twice the arccosine of the root of h: it is the arcsine", of_arccosine},
    {"twice the arcsine of the chord: the arcsine takes half of the chord", of_chord},
    {"twice the arcsine of half of the square of the chord: the root is missing", of_squared_chord},
    {"twice the arcsine of the root of half of the square of the chord: the root comes first, and half of the chord is taken then", of_half_square},
    {"twice the root of the arcsine of h: the root comes first", of_late_root},
    {"the arcsine of twice the root of h: the factor 2 belongs before the arcsine", of_two_inside},
};

/* Returns whether all distances follow from h in this way, as far as it can be told: near 0 an angle is like its sine. */
static bool all_are(const struct knn *p, double (*of)(double h))
{
    size_t asked = 0;

    for (size_t i = 0; i < p->m; i++) {
        const double h = knn_h(p, i, knn_nearest(p, i, 0, p->n)), formula = of(h);
        if (h < 1e-4)
            continue;
        asked++;
        if (isnan(formula) ? !isnan(p->distance[i]) : !(fabs(p->distance[i] - formula) <= 1e-3 * (1e-2 + formula)))
            return false;
    }
    return asked > 0;
}

/* Returns whether all wrong distances are far nearer to those of this way than to the right ones, and some are clearly wrong. */
static bool is_nearer(const struct knn *p, const struct view *v, const struct way *way, double (*of)(double h))
{
    enum { SOME = 3 };
    size_t clear = 0;

    for (size_t i = 0; i < p->m && i < v->count; i++) {
        const double away = of(h_of(p, i, p->index[i], way));
        clear += fabs(p->distance[i] - v->want[i]) > 1e-4;
        if (v->wrong[i] && !(fabs(p->distance[i] - away) <= 0.2 * fabs(p->distance[i] - v->want[i])))
            return false;
    }
    return clear >= SOME;
}

/* Finds distances on a flat map: the root of a square of the difference of latitudes, and one of longitudes times a cosine. */
bool knn_flat_map(const struct knn *p, const struct view *v, struct mistake *m)
{
    static const struct {
        unsigned own, other;
        const char *text;
    } ways[] = {{0, TWIN, "the difference of longitudes times the cosine of the observation's latitude"},
                {TWIN, 0, "the difference of longitudes times the cosine of the reference's latitude"},
                {0, 0, "the difference of longitudes times a cosine"},
                {NO_COSINE, NO_COSINE, "the difference of longitudes without a cosine"}};
    static double (*const ends[])(double h) = {of_two_roots, of_root, of_four};

    if (v->wrong_count < 3)
        return false;
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
        for (size_t e = 0; e < sizeof ends / sizeof *ends; e++) {
            const struct way way = {.part = {NO_SINE, NO_SINE, ways[w].own, ways[w].other, 0}, .argument = {0, 1, 2, 3}};
            if (!follows(p, &way, ends[e]) || !is_nearer(p, v, &way, ends[e]))
                continue;
            mistake_set(m, "cosine-missing");
            mistake_add(m, "all results are distances on a flat map, by the rule of Pythagoras: %s", ways[w].text);
            mistake_add(m, "that is right nearby only; on the sphere, sines of half the differences take the place of the differences%s",
                        e == 2 ? ", and the root is missing here" : "");
            return true;
        }
    return false;
}

/* Looks at the distances when the indices are right. */
bool knn_other_angle(const struct knn *p, struct mistake *m)
{
    const char *what = NULL;
    size_t indices = 0;

    for (size_t i = 0; i < p->m; i++)
        indices += p->distance[i] == (float)p->index[i];
    if (indices == p->m)
        what = "the index: that of the nearest so far is missing";
    for (size_t i = 0; what == NULL && i < sizeof formulas / sizeof *formulas; i++)
        what = all_are(p, formulas[i].of) ? formulas[i].text : NULL;
    if (what == NULL)
        return false;
    mistake_set(m, "wrong-distance");
    mistake_add(m, "the neighbours are right, but the distance is %s", what);
    return true;
}

/* All that is wrong is nearly right.  A dot product or a cosine near 1 has an absolute error of some 1e-7, and so a
   small angle has one of some 5e-4. */
bool knn_is_rounding(const struct knn *p, const struct view *v, struct mistake *m)
{
    const double allowed = 1e-3;

    for (size_t i = 0; i < p->m; i++) {
        const double least = v->want[i];
        if (p->index[i] >= p->n || !(fabs(v->got[i] - least) <= allowed) ||
            knn_angle(knn_h(p, i, p->index[i])) - least > allowed)
            return false;
    }
    mistake_set(m, "rounding");
    mistake_add(m, "every result is nearly right: the distances are off by less than %g, and some indices are "
                "those of references that are nearly as near", allowed);
    knn_add_first(p, m);
    return true;
}
