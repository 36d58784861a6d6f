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

static void put_row(struct drawing *d, size_t row, const struct past_cell *c)
{
    const double e2e = cell_e2e(c).median, run = apart(c) ? cell_resident(c).median : NAN;
    const double up = cell_phase(c, &c->upload).median, down = cell_phase(c, &c->download).median;
    /* Medians do not add up exactly; a gap below nothing is none. */
    const double gap = fmax(0.0, e2e - run - (isfinite(up) ? up : 0.0) - (isfinite(down) ? down : 0.0));

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
}

static bool draw_table(struct plots *plots, const struct past *p, const struct past_cell cells[],
                       size_t count, struct error *error)
{
    struct drawing d;
    size_t rows = 0;

    if (!table_fits(p, cells, count, error) ||
        !drawing_start(&d, plots, PLOT_PHASES, p, cells, false, error))
        return false;
    data_heading(&d, "row, rung, upload, run, download, the rest, all in one (as shares of the time "
                     "end to end), end to end, upload, run, download, rest in words");
    for (size_t i = 0; i < count; i++)
        if (shown(&cells[i]))
            put_row(&d, rows++, &cells[i]);
    drawing_number(&d, "rows", (double)rows);
    return drawing_end(&d);
}

static bool any_apart(const struct past_cell cells[], size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (shown(&cells[i]) && apart(&cells[i]))
            return true;
    return false;
}

bool plot_phases(struct plots *plots, const struct past *const files[], size_t count,
                 struct error *error)
{
    for (size_t f = 0; f < count; f++)
        for (size_t at = 0, end; at < files[f]->cell_count; at = end) {
            end = table_end(files[f], at);
            if (any_apart(&files[f]->cells[at], end - at) &&
                !draw_table(plots, files[f], &files[f]->cells[at], end - at, error))
                return false;
        }
    return true;
}
