/* What the time end to end consists of, for the rungs of a cell that run on a device. */
#include <math.h>

#include "harness/plots/drawing.h"

/* Are its phases known by themselves?  Where copies and work overlap, they are not. */
static bool apart(const struct past_cell *c)
{
    return c->resident.device && isfinite(cell_resident(c).median);
}

static bool shown(const struct past_cell *c)
{
    return past_timed(c) && cell_shade(c) == SHADE_DEVICE;
}

/* Returns how far it reaches, in shares of the time end to end. */
static double put_row(struct drawing *d, size_t row, const struct past_cell *c)
{
    const double e2e = cell_e2e(c).median, run = apart(c) ? cell_resident(c).median : NAN;
    const double up = cell_phase(c, &c->upload).median, down = cell_phase(c, &c->download).median;
    /* Medians do not add up exactly; a gap below nothing is none. */
    const double copies = (isfinite(up) ? up : 0.0) + (isfinite(down) ? down : 0.0);
    const double gap = fmax(0.0, e2e - run - copies);

    data_number(d, (double)row);
    data_text(d, c->variant);
    data_number(d, apart(c) && isfinite(up) ? up / e2e : 0.0);
    data_number(d, apart(c) ? run / e2e : 0.0);
    data_number(d, apart(c) && isfinite(down) ? down / e2e : 0.0);
    data_number(d, apart(c) ? gap / e2e : 0.0);
    data_number(d, apart(c) ? 0.0 : 1.0);
    data_duration(d, e2e);
    data_duration(d, apart(c) ? up : NAN);
    data_duration(d, run);
    data_duration(d, apart(c) ? down : NAN);
    data_duration(d, apart(c) ? gap : NAN);
    data_row(d);
    return apart(c) ? (run + gap + copies) / e2e : 1.0;
}

static bool any_apart(const struct past_cell cells[], size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (shown(&cells[i]) && apart(&cells[i]))
            return true;
    return false;
}

static bool draw_table(struct plots *plots, const struct source *all, const struct past *p,
                       const struct past_cell cells[], size_t count, struct error *error)
{
    struct drawing d;
    size_t rows = 0;
    double most = 1.0;

    (void)all;
    if (!any_apart(cells, count))
        return true;
    if (!drawing_start(&d, plots, PLOT_PHASES, &(struct subject){p, cells, false, NULL}, error))
        return false;
    data_comment(&d, "row, rung, upload, run, download, the rest, all in one (as shares of the "
                     "time end to end), end to end, upload, run, download, rest in words");
    for (size_t i = 0; i < count; i++)
        if (shown(&cells[i]))
            most = fmax(most, put_row(&d, rows++, &cells[i]));
    drawing_number(&d, "most", most);
    drawing_number(&d, "rows", (double)rows);
    drawing_height(&d, rows);
    return drawing_end(&d);
}

bool plot_phases(struct plots *plots, const struct source *all, struct error *error)
{
    return each_table(plots, all, false, draw_table, error);
}
