/*
 * A cell's rungs under the ceilings of their machine.
 *
 * Across is the problem's arithmetic for each byte of its inputs and outputs, up is what a rung
 * gets done of it in a second.  A roof is the slope of a memory's rate and the level of arithmetic:
 * of the CPU's one core, of all its cores, of each other device.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/plots/roofs.h"
#include "harness/plots/slopes.h"

/* --- the data --------------------------------------------------------------------------------- */

static void name_roof(const struct roof *r, char name[DEVICE_NAME])
{
    if (r->shade == SHADE_DEVICE)
        device_name(r->device, name);
    else
        snprintf(name, DEVICE_NAME, "%s", r->shade == SHADE_CORES ? "all cores" : "one core");
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
    char text[64], words[128], name[DEVICE_NAME];

    name_roof(r, name);
    describe_rate(rate, unit, text, sizeof text);
    snprintf(words, sizeof words, "%s%s%s %s", name, what[0] != '\0' ? ", " : "", what, text);
    data_number(d, r->shade);
    data_number(d, x);
    data_number(d, y);
    data_text(d, words);
    data_row(d);
}

/* Does its slope rise to the level within the frame? */
static bool cache_shows(const struct roof *r, const struct frame *f)
{
    return r->cache > 0.0 && r->arithmetic / r->cache > 2.0 * f->left;
}

static void put_slope_names(struct drawing *d, const struct roofs *roofs,
                            const struct words names[], size_t count, const struct frame *f)
{
    struct slope slopes[2 * MOST_ROOFS];
    struct stand stands[2 * MOST_ROOFS];
    size_t slope_count = 0, i = 0;

    for (size_t r = 0; r < roofs->count; r++) {
        const struct roof *roof = &roofs->roof[r];
        slopes[slope_count++] = (struct slope){roof->memory, roof->arithmetic};
        if (cache_shows(roof, f))
            slopes[slope_count++] = (struct slope){roof->cache, roof->arithmetic};
    }
    slopes_name(slopes, slope_count, names, count, f, stands);
    data_comment(d, "names of slopes: shade, flops a byte, flops a second, words");
    for (size_t r = 0; r < roofs->count; r++)
        for (int cache = 0; cache < 1 + cache_shows(&roofs->roof[r], f); cache++, i++)
            if (stands[i].shown)
                put_label(d, &roofs->roof[r], stands[i].x, stands[i].y, cache ? "cache" : "",
                          slopes[i].rate, "B/s");
    data_block(d);
}

static void put_roofs(struct drawing *d, const struct roofs *roofs, const struct words names[],
                      size_t count, const struct frame *f)
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
    put_slope_names(d, roofs, names, count, f);
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

/* The names beside the points, as plots/roofline.gp sets them. */
static void take_names(struct words names[], const struct spot spots[], size_t count, bool devices,
                       double x, const struct frame *f)
{
    const double side = 0.03, letter = 0.0078;

    for (size_t i = 0; i < count; i++) {
        const double at = frame_x(f, x) + (devices ? side : -side);
        const double length = letter * (double)strlen(spots[i].cell->variant);
        names[i] = (struct words){devices ? at : at - length, devices ? at + length : at,
                                  frame_y(f, spots[i].label)};
    }
}

/* Where there are none, a name of nothing: gnuplot 5.4 crashes at labels that are all nowhere. */
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
    data_comment(d, "shade, flops a byte, flops a second of the run, end to end, height of the "
                    "name, rung");
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
    const struct past *ceilings = roofs_file(all, &p->runs[cells->run]);
    const double x = cells[0].flops / cells[0].bytes;
    struct spot spots[2 * MOST_RUNGS];
    struct words names[2 * MOST_RUNGS];
    struct roofs roofs;
    struct drawing d;

    if (ceilings == NULL || !has_intensity(cells))
        return true;
    if (!roofs_drawable(ceilings, error))
        return false;
    roofs_find(&roofs, ceilings, cells, count);
    if (roofs.count == 0)
        return true;
    if (!drawing_start(&d, plots, PLOT_ROOFLINE, &(struct subject){p, cells, false, NULL}, error))
        return false;
    const size_t cpu = take_spots(spots, cells, count, false);
    const size_t devices = take_spots(spots + cpu, cells, count, true);
    const struct frame f = frame_of(&roofs, spots, cpu + devices, x);
    const size_t rows = cpu > devices ? cpu : devices;
    /* Some 24 names of one side fit between bottom and top, or all in a higher picture. */
    const double apart = pow(f.top / f.bottom, 1.0 / (rows > 24 ? (double)rows + 1.0 : 25.0));

    spread(spots, cpu, apart, &f);
    spread(spots + cpu, devices, apart, &f);
    drawing_height(&d, rows + 2);
    drawing_number(&d, "begin", f.left);
    drawing_number(&d, "finish", f.right);
    drawing_number(&d, "bottom", f.bottom);
    drawing_number(&d, "top", f.top);
    drawing_number(&d, "intensity", x);
    drawing_device(&d, devices > 0 ? spots[cpu].cell->device : "");
    take_names(names, spots, cpu, false, x, &f);
    take_names(names + cpu, spots + cpu, devices, true, x, &f);
    put_roofs(&d, &roofs, names, cpu + devices, &f);
    put_spots(&d, spots, cpu, &f);
    put_spots(&d, spots + cpu, devices, &f);
    return drawing_end(&d);
}

bool plot_roofline(struct plots *plots, const struct source *all, struct error *error)
{
    return each_table(plots, all, false, draw_table, error);
}
