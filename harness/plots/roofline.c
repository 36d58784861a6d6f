/*
 * A cell's rungs under the ceilings of their machine.
 *
 * Across is the problem's arithmetic for each byte of its inputs and outputs, up is what a rung gets
 * done of it in a second.  A roof is the slope of a memory's rate and the level of arithmetic: of the
 * CPU's one core, of all its cores, of each other device.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/plots/drawing.h"

static const double MUCH_FASTER = 1.3; /* than the largest working set: it is a cache's rate */

/* The ceilings of one machine, all or those of a device. */
struct roof {
    enum shade shade;
    char device[16];
    double memory;     /* bytes a second, of the largest working set measured */
    double cache;      /* of one like the cell's, where that is much faster; else 0 */
    double arithmetic; /* flops a second, float32 */
    double best;       /* in any arithmetic that a rung of the cell uses */
    char math[16];     /* which */
};

enum { MOST_ROOFS = 6 };

struct roofs {
    size_t count;
    struct roof roof[MOST_ROOFS];
};

/* --- from ceilings ---------------------------------------------------------------------------- */

/* Those of the cell's machine. */
static const struct past *find_ceilings(const struct source *all, const struct past_run *run)
{
    for (size_t f = 0; f < all->count; f++) {
        const struct past *p = all->files[f];
        for (size_t i = 0; i < p->ceiling_count; i++)
            if (plots_same_machine(&p->runs[p->ceilings[i].run], run))
                return p;
    }
    return NULL;
}

static enum shade ceiling_shade(const struct past_ceiling *c)
{
    if (strcmp(c->device, "cpu") != 0)
        return SHADE_DEVICE;
    return c->cores > 1 ? SHADE_CORES : SHADE_ONE_CORE;
}

static bool usable(const struct past_ceiling *c, const char *resource)
{
    return strcmp(c->status, "ok") == 0 && strcmp(c->resource, resource) == 0;
}

/* Are all rates of a machine's making? */
static bool ceilings_drawable(const struct past *p, struct error *error)
{
    for (size_t i = 0; i < p->ceiling_count; i++) {
        const struct past_ceiling *c = &p->ceilings[i];
        if (strcmp(c->status, "ok") == 0 && !(c->best > 0.0 && c->best < 1e24 && c->bytes < 1e24))
            return error_set(error, "%s:%zu: %s has a rate or size that no machine has", p->file,
                             c->line, c->name);
    }
    return true;
}

static bool of_roof(const struct past_ceiling *c, const struct roof *r)
{
    return ceiling_shade(c) == r->shade && strcmp(c->device, r->device) == 0;
}

static void set_memory(struct roof *r, const struct past *p, double bytes)
{
    double largest = 0.0, set = 0.0, near = 0.0;

    for (size_t i = 0; i < p->ceiling_count; i++) {
        const struct past_ceiling *c = &p->ceilings[i];
        if (!of_roof(c, r) || !usable(c, "memory"))
            continue;
        largest = fmax(largest, c->bytes);
        set = c->bytes <= bytes ? fmax(set, c->bytes) : set;
    }
    for (size_t i = 0; i < p->ceiling_count; i++) {
        const struct past_ceiling *c = &p->ceilings[i];
        if (!of_roof(c, r) || !usable(c, "memory"))
            continue;
        r->memory = c->bytes == largest ? fmax(r->memory, c->best) : r->memory;
        near = c->bytes >= set ? fmax(near, c->best) : near;
    }
    r->cache = near > MUCH_FASTER * r->memory ? near : 0.0;
}

static bool uses(const struct past_cell cells[], size_t count, const char *math)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(cells[i].math, math) == 0)
            return true;
    return false;
}

static void set_arithmetic(struct roof *r, const struct past *p, const struct past_cell cells[],
                           size_t count)
{
    for (size_t i = 0; i < p->ceiling_count; i++) {
        const struct past_ceiling *c = &p->ceilings[i];
        if (!of_roof(c, r) || !usable(c, "arithmetic"))
            continue;
        if (strcmp(c->math, "f32") == 0)
            r->arithmetic = fmax(r->arithmetic, c->best);
        else if (uses(cells, count, c->math) && c->best > r->best) {
            r->best = c->best;
            snprintf(r->math, sizeof r->math, "%s", c->math);
        }
    }
}

static void find_roofs(struct roofs *roofs, const struct past *p, const struct past_cell cells[],
                       size_t count)
{
    roofs->count = 0;
    for (size_t i = 0; i < p->ceiling_count; i++) {
        const struct past_ceiling *c = &p->ceilings[i];
        bool known = false;
        for (size_t k = 0; k < roofs->count; k++)
            known |= of_roof(c, &roofs->roof[k]);
        if (known || roofs->count == MOST_ROOFS || !usable(c, "memory"))
            continue;
        struct roof *r = &roofs->roof[roofs->count];
        *r = (struct roof){.shade = ceiling_shade(c)};
        snprintf(r->device, sizeof r->device, "%s", c->device);
        set_memory(r, p, cells[0].bytes);
        set_arithmetic(r, p, cells, count);
        roofs->count += r->memory > 0.0 && r->arithmetic > 0.0;
    }
}

/* --- the data --------------------------------------------------------------------------------- */

static const char *roof_name(const struct roof *r)
{
    return r->shade == SHADE_ONE_CORE ? "one core" : r->shade == SHADE_CORES ? "all cores"
                                                                              : r->device;
}

static void describe_rate(double rate, const char *unit, char *text, size_t bytes)
{
    static const char *const prefixes[] = {"", "K", "M", "G", "T", "P", "E", "Z"};
    size_t i = 0;

    for (; rate >= 1000.0 && i < 7; i++)
        rate /= 1000.0;
    snprintf(text, bytes, "%.3g %s%s", rate, prefixes[i], unit);
}

static void put_line(struct drawing *d, const struct roof *r, double x, double y, double to_x,
                     double to_y)
{
    data_number(d, r->shade);
    data_number(d, x);
    data_number(d, y);
    data_row(d);
    data_number(d, r->shade);
    data_number(d, to_x);
    data_number(d, to_y);
    data_row(d);
    putc('\n', d->data); /* the line ends here */
}

static void put_label(struct drawing *d, const struct roof *r, double x, double y,
                      const char *what, double rate, const char *unit)
{
    char text[64], words[128];

    describe_rate(rate, unit, text, sizeof text);
    snprintf(words, sizeof words, "%s%s%s %s", roof_name(r), what[0] != '\0' ? ", " : "", what, text);
    data_number(d, r->shade);
    data_number(d, x);
    data_number(d, y);
    data_text(d, words);
    data_row(d);
}

struct frame {
    double left, right, bottom, top;
};

/* Does its slope rise to the level within the frame? */
static bool cache_shows(const struct roof *r, const struct frame *f)
{
    return r->cache > 0.0 && r->arithmetic / r->cache > 2.0 * f->left;
}

/* How far along the slope a name stands, in names: those of nearly the same rate one behind the
   other. */
static size_t place_of(double rates[], size_t count, double rate, const struct frame *f)
{
    const double near = pow(f->top / f->bottom, 0.042);
    size_t place = 0;

    for (size_t i = 0; i < count; i++)
        place += rates[i] / rate < near && rate / rates[i] < near;
    rates[count] = rate;
    return place;
}

static void put_slope_names(struct drawing *d, const struct roofs *roofs, const struct frame *f)
{
    double rates[2 * MOST_ROOFS];
    size_t count = 0;

    data_comment(d, "names of slopes: shade, flops a byte, flops a second, words");
    for (size_t i = 0; i < roofs->count; i++)
        for (int cache = 0; cache < 2; cache++) {
            const struct roof *r = &roofs->roof[i];
            const double rate = cache ? r->cache : r->memory;
            if (cache && !cache_shows(r, f))
                continue;
            const size_t place = place_of(rates, count++, rate, f);
            const double x = f->left * pow(f->right / f->left, 0.16 * (double)place);
            if (x < 0.5 * r->arithmetic / rate) /* behind its end it would be nobody's */
                put_label(d, r, x, rate * x, cache ? "cache" : "", rate, "B/s");
        }
    data_block(d);
}

static void put_roofs(struct drawing *d, const struct roofs *roofs, const struct frame *f)
{
    data_comment(d, "roofs: shade, flops a byte, flops a second");
    for (size_t i = 0; i < roofs->count; i++) {
        const struct roof *r = &roofs->roof[i];
        put_line(d, r, f->left, r->memory * f->left, r->arithmetic / r->memory, r->arithmetic);
        put_line(d, r, r->arithmetic / r->memory, r->arithmetic, f->right, r->arithmetic);
    }
    data_block(d);
    data_comment(d, "beyond: of a cache as large as the data, of other arithmetic than float32");
    for (size_t i = 0; i < roofs->count; i++) {
        const struct roof *r = &roofs->roof[i];
        const double high = fmax(r->best, r->arithmetic);
        if (cache_shows(r, f))
            put_line(d, r, f->left, r->cache * f->left, r->arithmetic / r->cache, r->arithmetic);
        if (r->best > r->arithmetic) {
            put_line(d, r, r->arithmetic / r->memory, r->arithmetic, high / r->memory, high);
            put_line(d, r, high / r->memory, high, f->right, high);
        }
    }
    data_number(d, 0.0); /* so that there is such a block */
    data_number(d, NAN);
    data_number(d, NAN);
    data_row(d);
    data_block(d);
    data_comment(d, "names of levels: shade, flops a byte, flops a second, words");
    for (size_t i = 0; i < roofs->count; i++) {
        const struct roof *r = &roofs->roof[i];
        put_label(d, r, f->right, r->arithmetic, "", r->arithmetic, "flop/s");
        if (r->best > r->arithmetic)
            put_label(d, r, f->right, r->best, r->math, r->best, "flop/s");
    }
    data_block(d);
    put_slope_names(d, roofs, f);
}

/* --- points ----------------------------------------------------------------------------------- */

struct spot {
    const struct past_cell *cell;
    double rate;  /* resident */
    double e2e;   /* flops a second */
    double label; /* where its name stands: a rate as well */
};

static int descending(const void *a, const void *b)
{
    const struct spot *x = a, *y = b;

    return (x->rate < y->rate) - (x->rate > y->rate);
}

/* From the highest down, no two nearer than `apart` (a factor); then all up again where the lowest
   fell out of the frame. */
static void spread(struct spot spots[], size_t count, double apart, const struct frame *f)
{
    double below = f->top;

    for (size_t i = 0; i < count; i++) {
        spots[i].label = fmin(spots[i].rate, below);
        below = spots[i].label / apart;
    }
    double above = f->bottom * apart;
    for (size_t i = count; i-- > 0;) {
        spots[i].label = fmax(spots[i].label, above);
        above = spots[i].label * apart;
    }
}

static size_t take_spots(struct spot spots[], const struct past_cell cells[], size_t count,
                         bool devices)
{
    size_t taken = 0;

    for (size_t i = 0; i < count; i++) {
        const struct past_cell *c = &cells[i];
        if (!past_timed(c) || (cell_shade(c) == SHADE_DEVICE) != devices)
            continue;
        const double e2e = cell_e2e(c).median, run = cell_resident(c).median;
        spots[taken++] = (struct spot){.cell = c, .rate = c->flops / (isfinite(run) ? run : e2e),
                                       .e2e = isfinite(run) ? c->flops / e2e : NAN};
    }
    qsort(spots, taken, sizeof *spots, descending);
    return taken;
}

/* Where there are none, a name of nothing: gnuplot 5.4 breaks off at labels that are all nowhere. */
static void put_no_spot(struct drawing *d, const struct frame *f)
{
    data_number(d, 0.0);
    data_number(d, f->left);
    data_number(d, NAN);
    data_number(d, NAN);
    data_number(d, f->top);
    data_text(d, "");
    data_row(d);
}

static void put_spots(struct drawing *d, struct spot spots[], size_t count, const struct frame *f)
{
    data_comment(d, "shade, flops a byte, flops a second of the run, end to end, height of the name, "
                    "rung");
    for (size_t i = 0; i < count; i++) {
        const struct past_cell *c = spots[i].cell;
        data_number(d, cell_shade(c));
        data_number(d, c->flops / c->bytes);
        data_number(d, spots[i].rate);
        data_number(d, cell_shade(c) == SHADE_DEVICE ? spots[i].e2e : NAN);
        data_number(d, spots[i].label);
        data_text(d, c->variant);
        data_row(d);
    }
    if (count == 0)
        put_no_spot(d, f);
    data_block(d);
}

/* --- the picture ------------------------------------------------------------------------------ */

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
        f.bottom = fmin(f.bottom, fmin(spots[i].rate, spots[i].e2e));
        f.top = fmax(f.top, spots[i].rate);
    }
    f.bottom /= 2.0;
    f.top *= 2.0;
    return f;
}

static bool has_intensity(const struct past_cell *c)
{
    return c->flops > 0.0 && c->bytes > 0.0 && c->flops < 1e30 && c->bytes < 1e30;
}

static bool draw_table(struct plots *plots, const struct source *all, const struct past *p,
                       const struct past_cell cells[], size_t count, struct error *error)
{
    const struct past *ceilings = find_ceilings(all, &p->runs[cells->run]);
    const double x = cells[0].flops / cells[0].bytes;
    struct spot spots[2 * MOST_RUNGS];
    struct roofs roofs;
    struct drawing d;

    if (ceilings == NULL || !has_intensity(cells))
        return true;
    if (!ceilings_drawable(ceilings, error))
        return false;
    find_roofs(&roofs, ceilings, cells, count);
    if (roofs.count == 0)
        return true;
    if (!drawing_start(&d, plots, PLOT_ROOFLINE, &(struct subject){p, cells, false, NULL}, error))
        return false;
    const size_t cpu = take_spots(spots, cells, count, false);
    const size_t devices = take_spots(spots + cpu, cells, count, true);
    const struct frame f = frame_of(&roofs, spots, cpu + devices, x);
    /* Some 24 names of one side fit between bottom and top. */
    const double apart = pow(f.top / f.bottom, 1.0 / 25.0);

    spread(spots, cpu, apart, &f);
    spread(spots + cpu, devices, apart, &f);
    drawing_number(&d, "begin", f.left);
    drawing_number(&d, "finish", f.right);
    drawing_number(&d, "bottom", f.bottom);
    drawing_number(&d, "top", f.top);
    drawing_number(&d, "intensity", x);
    drawing_text(&d, "device", devices > 0 ? spots[cpu].cell->device : "");
    put_roofs(&d, &roofs, &f);
    put_spots(&d, spots, cpu, &f);
    put_spots(&d, spots + cpu, devices, &f);
    return drawing_end(&d);
}

bool plot_roofline(struct plots *plots, const struct source *all, struct error *error)
{
    return each_table(plots, all, false, draw_table, error);
}
