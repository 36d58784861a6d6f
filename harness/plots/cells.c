/* What the pictures have in common: tables, times and colours of cells. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/ladder_past.h"
#include "harness/plots/drawing.h"
#include "harness/stats.h"

/* What a clock can give, in seconds: beyond that a file is not of this program's making. */
static const double SHORTEST = 1e-12, LONGEST = 1e9;

static const struct times no_time = {NAN, NAN, NAN};

enum shade cell_shade(const struct past_cell *c)
{
    if (c->device[0] != '\0' && strcmp(c->device, "cpu") != 0)
        return SHADE_DEVICE;
    return ladder_several(c->threads, c->cores) ? SHADE_CORES : SHADE_ONE_CORE;
}

struct times cell_phase(const struct past_cell *c, const struct past_series *s)
{
    if (!past_timed(c) || s->rounds == 0)
        return no_time;
    const struct rounds r = past_rounds(s);
    struct summary sum = rounds_summary(&r);
    return (struct times){sum.median, sum.low, sum.high};
}

struct times cell_e2e(const struct past_cell *c)
{
    return cell_phase(c, &c->e2e);
}

struct times cell_resident(const struct past_cell *c)
{
    if (cell_shade(c) != SHADE_DEVICE)
        return cell_e2e(c);
    return c->resident.device ? cell_phase(c, &c->resident) : no_time;
}

static bool table_timed(const struct past_cell cells[], size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (past_timed(&cells[i]))
            return true;
    return false;
}

bool shown_by_sweep(const struct plots *plots, const struct past *p, const struct past_cell *c)
{
    const struct past_cell *last = NULL;
    size_t sizes = 0;

    if (!plots->brief || strcmp(c->label, "sweep") != 0)
        return false;
    for (size_t i = 0; i < p->cell_count && sizes < FEWEST_SIZES; i++) {
        const struct past_cell *other = &p->cells[i];
        if (strcmp(other->problem, c->problem) != 0 || !past_timed(other))
            continue;
        sizes += last == NULL || !cells_share_table(last, other);
        last = other;
    }
    return sizes >= FEWEST_SIZES;
}

static bool drawable(const struct past_series *s)
{
    for (size_t i = 0; i < s->rounds; i++)
        if (!(s->round[i] >= SHORTEST && s->round[i] <= LONGEST))
            return false;
    return true;
}

bool cell_drawable(const struct past *p, const struct past_cell *c, struct error *error)
{
    if (!past_timed(c) || (drawable(&c->e2e) && drawable(&c->resident)))
        return true;
    return error_set(error, "%s:%zu: %s has a time that no clock gives", p->file, c->line,
                     c->variant);
}

/* Is there the same rung on more threads or devices? */
static bool outgrown(const struct past_cell cells[], size_t count, const struct past_cell *c)
{
    for (size_t i = 0; i < count; i++)
        if (cells[i].scale.value > c->scale.value && strcmp(cells[i].variant, c->variant) == 0)
            return true;
    return false;
}

/* Shallow copies of those that are shown; how many there are, or 0 with an error. */
static size_t pick(const struct past *p, const struct past_cell cells[], size_t count, bool scales,
                   struct past_cell picked[], struct error *error)
{
    const size_t most = scales ? MOST_CELLS : MOST_RUNGS;
    size_t taken = 0;

    for (size_t i = 0; i < count; i++) {
        if (!scales && cells[i].scale.value > 0 && outgrown(cells, count, &cells[i]))
            continue;
        if (taken == most) {
            error_set(error, "%s:%zu: more than the %zu rungs of one table that a picture holds",
                      p->file, cells[i].line, most);
            return 0;
        }
        if (!cell_drawable(p, &cells[i], error))
            return 0;
        picked[taken++] = cells[i];
    }
    return taken;
}

static bool tables_of(struct plots *plots, const struct source *all, const struct past *p,
                      bool scales, table_drawer *draw, struct past_cell picked[],
                      struct error *error)
{
    for (size_t at = 0, end; at < p->cell_count; at = end) {
        end = at + 1;
        while (end < p->cell_count && cells_share_table(&p->cells[at], &p->cells[end]))
            end++;
        if (!table_timed(&p->cells[at], end - at) || shown_by_sweep(plots, p, &p->cells[at]))
            continue;
        size_t count = pick(p, &p->cells[at], end - at, scales, picked, error);
        if (count == 0 || !draw(plots, all, p, picked, count, error))
            return false;
    }
    return true;
}

bool each_table(struct plots *plots, const struct source *all, bool scales, table_drawer *draw,
                struct error *error)
{
    struct past_cell *picked = malloc(MOST_CELLS * sizeof *picked);
    bool fine = true;

    if (picked == NULL)
        abort();
    for (size_t f = 0; fine && f < all->count; f++)
        fine = tables_of(plots, all, all->files[f], scales, draw, picked, error);
    free(picked);
    return fine;
}
