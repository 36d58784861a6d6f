#include "harness/plots/roofline.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/plots/slopes.h"

static const double MUCH_FASTER = 1.3; /* so much faster than the largest working set: a cache's rate */

/* Values of the column "shade". */
enum shade { SHADE_ONE_CORE, SHADE_CORES, SHADE_DEVICE };

/* --- ceilings --------------------------------------------------------------------------------- */

struct ceiling {
    enum shade shade;
    char device[TIDY_FIELD], math[TIDY_FIELD], resource[TIDY_FIELD];
    double bytes, best;
};

/* The ceilings of a machine, or of one of its devices. */
struct roof {
    enum shade shade;
    char device[TIDY_FIELD];
    double memory;     /* bytes a second, of the largest working set measured */
    double cache;      /* of a working set like the data, if that is much faster; else 0 */
    double arithmetic; /* flops a second, float32 */
    double best;       /* of the fastest arithmetic that a variant of the picture uses */
    char math[TIDY_FIELD]; /* the name of that arithmetic */
};

enum { MOST_ROOFS = 6 };

struct roofs {
    size_t count;
    struct roof roof[MOST_ROOFS];
};

/* Collects the ceilings that were measured.  Returns how many. */
static size_t read_ceilings(const struct tidy *t, const struct selection *s, struct ceiling list[])
{
    char outcome[TIDY_FIELD];
    size_t count = 0;

    for (size_t i = 0; i < s->count; i++) {
        const size_t line = s->lines[i];
        struct ceiling c = {.bytes = tidy_value(t, line, "bytes"),
                            .best = tidy_value(t, line, "best")};
        tidy_get(t, line, "outcome", outcome);
        tidy_get(t, line, "device", c.device);
        tidy_get(t, line, "math", c.math);
        tidy_get(t, line, "resource", c.resource);
        c.shade = strcmp(c.device, "cpu") != 0         ? SHADE_DEVICE
                  : tidy_value(t, line, "cores") > 1.0 ? SHADE_CORES
                                                       : SHADE_ONE_CORE;
        if (strcmp(outcome, "ok") == 0)
            list[count++] = c;
    }
    return count;
}

static bool of_roof(const struct ceiling *c, const struct roof *r, const char *resource)
{
    return c->shade == r->shade && strcmp(c->device, r->device) == 0 &&
           strcmp(c->resource, resource) == 0;
}

static void set_memory(struct roof *r, const struct ceiling list[], size_t count, double bytes)
{
    double largest = 0.0, set = 0.0, near = 0.0;

    for (size_t i = 0; i < count; i++) {
        if (!of_roof(&list[i], r, "memory"))
            continue;
        largest = fmax(largest, list[i].bytes);
        set = list[i].bytes <= bytes ? fmax(set, list[i].bytes) : set;
    }
    for (size_t i = 0; i < count; i++) {
        if (!of_roof(&list[i], r, "memory"))
            continue;
        r->memory = list[i].bytes == largest ? fmax(r->memory, list[i].best) : r->memory;
        near = list[i].bytes >= set ? fmax(near, list[i].best) : near;
    }
    r->cache = near > MUCH_FASTER * r->memory ? near : 0.0;
}

static bool uses(const struct tidy *t, const struct selection *of, const char *math)
{
    char own[TIDY_FIELD];

    for (size_t i = 0; i < of->count; i++) {
        tidy_get(t, of->lines[i], "math", own);
        if (strcmp(own, math) == 0)
            return true;
    }
    return false;
}

static void set_arithmetic(struct roof *r, const struct ceiling list[], size_t count,
                           const struct tidy *t, const struct selection *of)
{
    for (size_t i = 0; i < count; i++) {
        const struct ceiling *c = &list[i];
        if (!of_roof(c, r, "arithmetic"))
            continue;
        if (strcmp(c->math, "f32") == 0)
            r->arithmetic = fmax(r->arithmetic, c->best);
        else if (c->best > r->best && uses(t, of, c->math)) {
            r->best = c->best;
            snprintf(r->math, sizeof r->math, "%s", c->math);
        }
    }
}

static void find_roofs(struct roofs *roofs, const struct ceiling list[], size_t count,
                       const struct tidy *t, const struct selection *of)
{
    roofs->count = 0;
    for (size_t i = 0; i < count && roofs->count < MOST_ROOFS; i++) {
        const struct ceiling *c = &list[i];
        bool known = strcmp(c->resource, "memory") != 0;
        for (size_t k = 0; k < roofs->count; k++)
            known |= of_roof(c, &roofs->roof[k], "memory");
        if (known)
            continue;
        struct roof *r = &roofs->roof[roofs->count];
        *r = (struct roof){.shade = c->shade};
        snprintf(r->device, sizeof r->device, "%s", c->device);
        set_memory(r, list, count, tidy_value(t, of->lines[0], "bytes"));
        set_arithmetic(r, list, count, t, of);
        roofs->count += r->memory > 0.0 && r->arithmetic > 0.0;
    }
}

/* --- points ----------------------------------------------------------------------------------- */

struct spot {
    bool device;
    double shade, run, e2e; /* flops a second; e2e NaN: the same as the run */
    double label;           /* the height of its name, in flops a second */
    char variant[TIDY_FIELD];
};

/* Orders points: the CPU's first, then from high to low. */
static int from_the_top(const void *a, const void *b)
{
    const struct spot *x = a, *y = b;

    if (x->device != y->device)
        return x->device - y->device;
    return (x->run < y->run) - (x->run > y->run);
}

/* Collects the points.  Returns how many are the CPU's. */
static size_t read_spots(const struct tidy *t, const struct selection *of, struct spot spots[])
{
    size_t cpu = 0;

    for (size_t i = 0; i < of->count; i++) {
        const size_t line = of->lines[i];
        const double flops = tidy_value(t, line, "flops");
        struct spot s = {.shade = tidy_value(t, line, "shade"),
                         .run = flops / tidy_value(t, line, "run_s"), .e2e = NAN};
        s.device = s.shade == SHADE_DEVICE;
        if (tidy_value(t, line, "resident_s") > 0.0)
            s.e2e = flops / tidy_value(t, line, "e2e_s");
        tidy_get(t, line, "variant", s.variant);
        cpu += !s.device;
        spots[i] = s;
    }
    qsort(spots, of->count, sizeof *spots, from_the_top);
    return cpu;
}

/* Moves names down until no two are nearer than the factor `apart`; then all up again if the lowest is
   outside the frame. */
static void spread(struct spot spots[], size_t count, double apart, const struct frame *f)
{
    double below = f->top, above = f->bottom * apart;

    for (size_t i = 0; i < count; i++) {
        spots[i].label = fmin(spots[i].run, below);
        below = spots[i].label / apart;
    }
    for (size_t i = count; i-- > 0;) {
        spots[i].label = fmax(spots[i].label, above);
        above = spots[i].label * apart;
    }
}

/* Adds the names of the points, at the places where plots/roofline.gp prints them. */
static void take_names(struct words names[], const struct spot spots[], size_t count, double x,
                       const struct frame *f)
{
    const double side = 0.03, letter = 0.0078;

    for (size_t i = 0; i < count; i++) {
        const bool right = spots[i].device;
        const double at = frame_x(f, x) + (right ? side : -side);
        const double length = letter * (double)strlen(spots[i].variant);
        names[i] = (struct words){right ? at : at - length, right ? at + length : at,
                                  frame_y(f, spots[i].label)};
    }
}

static struct frame frame_of(const struct roofs *roofs, const struct spot spots[], size_t count,
                             double x)
{
    struct frame f = {x / 60.0, x * 60.0, INFINITY, 0.0}; /* room for names on either side */

    for (size_t i = 0; i < roofs->count; i++) {
        const struct roof *r = &roofs->roof[i];
        f.left = fmin(f.left, r->arithmetic / r->memory / 8.0);
        f.right = fmax(f.right, fmax(r->best, r->arithmetic) / r->memory * 8.0);
        f.top = fmax(f.top, fmax(r->best, r->arithmetic));
    }
    for (size_t i = 0; i < roofs->count; i++)
        f.bottom = fmin(f.bottom, roofs->roof[i].memory * f.left);
    for (size_t i = 0; i < count; i++) {
        f.bottom = fmin(f.bottom, fmin(spots[i].run, spots[i].e2e));
        f.top = fmax(f.top, spots[i].run);
    }
    f.bottom /= 2.0;
    f.top *= 2.0;
    return f;
}

/* --- the table -------------------------------------------------------------------------------- */

/* A line, and the place of its name. */
struct line {
    const char *what;
    double shade, x1, y1, x2, y2, name_x, name_y;
};

static void put_line(struct tidy *t, const struct line *l, const char *name)
{
    tidy_text(t, "what", l->what);
    tidy_number(t, "shade", l->shade);
    tidy_number(t, "x1", l->x1);
    tidy_number(t, "y1", l->y1);
    tidy_number(t, "x2", l->x2);
    tidy_number(t, "y2", l->y2);
    tidy_number(t, "name_x", l->name_x);
    tidy_number(t, "name_y", l->name_y);
    tidy_text(t, "name", name);
    tidy_end(t);
}

static void name_roof(const struct roof *r, const char *what, double rate, const char *unit,
                      char words[TIDY_FIELD])
{
    static const char *const prefixes[] = {"", "K", "M", "G", "T", "P", "E", "Z"};
    char device[TIDY_FIELD];
    size_t i = 0;

    for (; rate >= 1000.0 && i < 7; i++)
        rate /= 1000.0;
    snprintf(device, sizeof device, "%s", r->device);
    for (char *s = device; *s != '\0'; s++)
        *s = (char)toupper((unsigned char)*s);
    snprintf(words, TIDY_FIELD, "%.40s%s%.40s %.3g %s%s",
             r->shade == SHADE_DEVICE  ? device
             : r->shade == SHADE_CORES ? "all cores"
                                       : "one core",
             what[0] != '\0' ? ", " : "", what, rate, prefixes[i], unit);
}

static void put_level(struct tidy *t, const struct roof *r, double rate, const char *math,
                      const struct frame *f)
{
    char words[TIDY_FIELD];

    name_roof(r, math, rate, "flop/s", words);
    put_line(t, &(struct line){math[0] != '\0' ? "best" : "arithmetic", r->shade, rate / r->memory,
                               rate, f->right, rate, f->right, rate}, words);
}

static void put_slope(struct tidy *t, const struct roof *r, const char *what, double rate,
                      const struct stand *name, const struct frame *f)
{
    char words[TIDY_FIELD];

    name_roof(r, strcmp(what, "cache") == 0 ? what : "", rate, "B/s", words);
    put_line(t, &(struct line){what, r->shade, f->left, rate * f->left, r->arithmetic / rate,
                               r->arithmetic, name->shown ? name->x : NAN,
                               name->shown ? name->y : NAN}, words);
}

/* Does its slope rise to the level within the frame? */
static bool cache_shows(const struct roof *r, const struct frame *f)
{
    return r->cache > 0.0 && r->arithmetic / r->cache > 2.0 * f->left;
}

static void put_roofs(struct tidy *t, const struct roofs *roofs, const struct words names[],
                      size_t count, const struct frame *f)
{
    struct slope slopes[2 * MOST_ROOFS];
    struct stand stands[2 * MOST_ROOFS];
    size_t slope_count = 0, at = 0;

    for (size_t i = 0; i < roofs->count; i++) {
        const struct roof *r = &roofs->roof[i];
        slopes[slope_count++] = (struct slope){r->memory, r->arithmetic};
        if (cache_shows(r, f))
            slopes[slope_count++] = (struct slope){r->cache, r->arithmetic};
    }
    slopes_name(slopes, slope_count, names, count, f, stands);
    for (size_t i = 0; i < roofs->count; i++) {
        const struct roof *r = &roofs->roof[i];
        put_slope(t, r, "memory", r->memory, &stands[at++], f);
        if (cache_shows(r, f))
            put_slope(t, r, "cache", r->cache, &stands[at++], f);
        put_level(t, r, r->arithmetic, "", f);
        if (r->best <= r->arithmetic)
            continue;
        put_line(t, &(struct line){"beyond", r->shade, r->arithmetic / r->memory, r->arithmetic,
                                   r->best / r->memory, r->best, NAN, NAN}, "");
        put_level(t, r, r->best, r->math, f);
    }
}

static void put_all(struct tidy *t, const struct roofs *roofs, struct spot spots[], size_t count,
                    size_t cpu, double x)
{
    const size_t devices = count - cpu, side = cpu > devices ? cpu : devices;
    const struct frame f = frame_of(roofs, spots, count, x);
    /* Some 24 names fit on one side; with more the picture is higher. */
    const double apart = pow(f.top / f.bottom, 1.0 / (side > 24 ? (double)side + 1.0 : 25.0));
    struct words *names = calloc(count + 1, sizeof *names);

    if (names == NULL)
        abort();
    spread(spots, cpu, apart, &f);
    spread(spots + cpu, devices, apart, &f);
    take_names(names, spots, count, x, &f);
    put_line(t, &(struct line){"frame", NAN, f.left, f.bottom, f.right, f.top, x, NAN}, "");
    put_roofs(t, roofs, names, count, &f);
    for (size_t i = 0; i < count; i++)
        put_line(t, &(struct line){"point", spots[i].shade, x, spots[i].run, x, spots[i].e2e, x,
                                   spots[i].label}, spots[i].variant);
    free(names);
}

void roofline_export(const struct tidy *measurements, const struct selection *of,
                     const struct tidy *ceilings, const struct selection *under, struct tidy *roofs)
{
    const double flops = tidy_value(measurements, of->lines[0], "flops");
    const double bytes = tidy_value(measurements, of->lines[0], "bytes");
    struct ceiling *list = calloc(under->count + 1, sizeof *list);
    struct spot *spots = calloc(of->count + 1, sizeof *spots);
    struct roofs found = {.count = 0};

    if (list == NULL || spots == NULL)
        abort();
    const size_t count = read_ceilings(ceilings, under, list);
    if (flops > 0.0 && bytes > 0.0)
        find_roofs(&found, list, count, measurements, of);
    if (found.count > 0) {
        const size_t cpu = read_spots(measurements, of, spots);
        put_all(roofs, &found, spots, of->count, cpu, flops / bytes);
    }
    free(list);
    free(spots);
}
