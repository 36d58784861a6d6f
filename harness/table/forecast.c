#include "harness/table/forecast.h"

#include <math.h>
#include <stdio.h>

#include "harness/base/terminal.h"
#include "harness/base/text.h"

enum {
    C_RANKS, C_PROBLEM, C_VARIANT, C_LABEL, C_KIND, C_SENDS, C_ACCEPTED, C_EXTRAPOLATED, C_MEASURED, C_FORMULA, C_OFF,
    C_WORK, C_WAIT, C_SPEEDUP, C_EFFICIENCY
};

static const struct grid_column columns[] = {
    [C_RANKS] = {"ranks", "ranks"},
    [C_PROBLEM] = {.name = "problem"},
    [C_VARIANT] = {.name = "variant"},
    [C_LABEL] = {.name = "label"},
    [C_KIND] = {.name = "scaling"},
    [C_SENDS] = {.name = "sends"},
    [C_ACCEPTED] = {.name = "accepted"},
    [C_EXTRAPOLATED] = {.name = "extrapolated"},
    [C_MEASURED] = {"measured", "measured_s"},
    [C_FORMULA] = {"formula", "formula_s"},
    [C_OFF] = {"off", "off"},
    [C_WORK] = {"arithmetic", "work_s"},
    [C_WAIT] = {"messages", "wait_s"},
    [C_SPEEDUP] = {"speed-up", "speedup"},
    [C_EFFICIENCY] = {"efficiency", "efficiency"},
};

static void set_time(struct grid *g, size_t column, double seconds, const char *mark)
{
    char text[32];

    grid_number(g, column, seconds);
    if (!isfinite(seconds))
        return;
    describe_duration(seconds, text, sizeof text);
    grid_set(g, column, "%s%s", mark, text);
}

static void set_names(struct grid *g, const struct forecast *f)
{
    grid_word(g, C_PROBLEM, f->base->problem);
    grid_word(g, C_VARIANT, f->base->variant);
    grid_word(g, C_LABEL, f->base->label);
    grid_word(g, C_KIND, f->weak ? "weak" : "strong");
    grid_word(g, C_SENDS, f->base->mpi.sends[0] != '\0' ? f->base->mpi.sends : NULL);
    grid_truth(g, C_ACCEPTED, f->accepted);
}

static void add_row(struct grid *g, const struct forecast *f, const struct forecast_point *at)
{
    const bool extrapolated = !isfinite(at->measured);
    const char *mark = extrapolated ? "~" : "";
    const double speedup = forecast_speedup(f, at), off = at->formula / at->measured - 1.0;

    grid_row(g);
    set_names(g, f);
    grid_count(g, C_RANKS, (size_t)at->ranks);
    grid_truth(g, C_EXTRAPOLATED, extrapolated);
    set_time(g, C_MEASURED, at->measured, "");
    if (at->formula > 0.0) { /* else there is none */
        set_time(g, C_FORMULA, at->formula, mark);
        set_time(g, C_WORK, at->work, mark);
        if (at->ranks > 1)
            set_time(g, C_WAIT, at->wait, mark);
        grid_number(g, C_OFF, off);
        if (!extrapolated && at->ranks > 1)
            grid_set(g, C_OFF, "%+.0f%%", 100.0 * off);
    }
    grid_number(g, C_SPEEDUP, speedup);
    grid_set(g, C_SPEEDUP, "%s%.3g", mark, speedup);
    grid_number(g, C_EFFICIENCY, speedup / at->ranks);
    grid_set(g, C_EFFICIENCY, "%s%.0f%%", mark, 100.0 * speedup / at->ranks);
}

static void print_finding(FILE *out, const struct forecast *f, int most)
{
    if (!f->accepted) {
        terminal_printf(out, "Refused: %s.  Nothing is extrapolated.\n\n", f->reason);
        return;
    }
    terminal_printf(out, "The formula is at most %.0f %% off at the measured ranks.", 100.0 * f->worst);
    if (f->waits > 0)
        terminal_printf(out, "  From ~%d ranks on, messages take longer than the arithmetic.", f->waits);
    if (f->ends > 0)
        terminal_printf(out, "  From ~%d rank%s on, half the time needs more than four times the ranks.", f->ends,
                        f->ends == 1 ? "" : "s");
    if (f->last < most)
        terminal_printf(out, "  Beyond %d ranks it does not hold: there is no more work to cut, or other messages.", f->last);
    fputs("\n\n", out);
}

void table_forecast(FILE *out, enum format format, const struct forecast *f, int most, bool first)
{
    const bool people = format == FORMAT_TABLE || format == FORMAT_MARKDOWN;
    char size[160];
    struct grid g;

    result_size(f->base, size, sizeof size);
    grid_start(&g);
    grid_columns(&g, columns, sizeof columns / sizeof *columns);
    g.continued = !first;
    grid_caption(&g, "%s/%s   %s scaling of run, resident   %s: %s%s   sends: %s", f->base->problem, f->base->variant,
                 f->weak ? "weak" : "strong", f->base->label, size, f->weak ? " a rank" : "",
                 f->base->mpi.sends[0] != '\0' ? f->base->mpi.sends : "?");
    grid_spare(&g, C_EFFICIENCY, C_OFF, C_WORK);
    for (size_t i = 0; i < f->count; i++)
        add_row(&g, f, &f->points[i]);
    grid_print(&g, format, out);
    if (people)
        print_finding(out, f, most);
    grid_free(&g);
}
