/* What the pictures have in common: tables, times and colours of cells. */
#include <math.h>
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
    struct summary sum = summarize(s->round, s->rounds);
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

size_t table_end(const struct past *p, size_t at)
{
    size_t end = at + 1;

    while (end < p->cell_count && cells_share_table(&p->cells[at], &p->cells[end]))
        end++;
    return end;
}

bool table_timed(const struct past_cell cells[], size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (past_timed(&cells[i]))
            return true;
    return false;
}

static bool drawable(const struct past_series *s)
{
    for (size_t i = 0; i < s->rounds; i++)
        if (!(s->round[i] >= SHORTEST && s->round[i] <= LONGEST))
            return false;
    return true;
}

bool table_fits(const struct past *p, const struct past_cell cells[], size_t count,
                struct error *error)
{
    if (count > MOST_RUNGS)
        return error_set(error, "%s:%zu: %zu rungs in one table, more than the %d that a picture holds",
                         p->file, cells[MOST_RUNGS].line, count, MOST_RUNGS);
    for (size_t i = 0; i < count; i++) {
        const struct past_cell *c = &cells[i];
        if (past_timed(c) && !(drawable(&c->e2e) && drawable(&c->resident)))
            return error_set(error, "%s:%zu: %s has a time that no clock gives", p->file, c->line,
                             c->variant);
    }
    return true;
}
