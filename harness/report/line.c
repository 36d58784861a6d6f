#include "harness/report/line.h"

#include <math.h>
#include <string.h>

#include "harness/describe.h"
#include "harness/registry.h"
#include "harness/stats.h"
#include "harness/table.h"

static void set_median(struct line *l, size_t column, const struct past_series *s)
{
    if (s->rounds > 0)
        report_duration(median_of(s->round, s->rounds), l->text[column], sizeof l->text[column]);
}

static void set_width(char *text, size_t bytes, const struct past_series *s)
{
    const struct rounds r = past_rounds(s);
    const struct summary sum = rounds_summary(&r);

    if (isfinite(sum.low))
        snprintf(text, bytes, "%.1f%%", 50.0 * (sum.high - sum.low) / sum.median);
}

const char *line_rate_unit(const struct past_cell *c, double *work)
{
    static char unit[48];
    const struct problem *p = registry_problem(c->problem);

    *work = c->items;
    if (p != NULL && p->rate == RATE_FLOPS) {
        *work = c->flops;
        return "GFLOP/s";
    }
    if (p != NULL && p->rate == RATE_BYTES) {
        *work = c->bytes;
        return "GB/s";
    }
    snprintf(unit, sizeof unit, "G%s/s", p != NULL ? p->item : "items");
    return unit;
}

static double set_limit(struct line *l, size_t column, const struct past_limit *limit,
                        const struct past_series *time)
{
    const double share = report_share(limit, time);

    table_limit(limit->name, share, l->text[column], sizeof l->text[column]);
    return share;
}

static void set_flags(struct line *l, const struct past_cell *c)
{
    for (int i = 0, used = 0; i < FLAGS; i++)
        if (flag_letters[i] != '\0' && report_has_flag(c, (enum flag)i))
            l->text[C_FLAGS][used++] = flag_letters[i];
}

static void set_ratios(struct line *l, const struct standing *s, const struct rival *self,
                       bool resident)
{
    for (size_t role = 0; role < ROLES; role++) {
        const struct comparison *c = resident ? &s->resident[role] : &s->e2e[role];
        char *text = l->text[C_FIRST + role];
        table_ratio(c, text, sizeof l->text[0]);
        text[strcspn(text, " ")] = '\0';
        l->finding[role] = text[0] != '\0' ? c->finding : UNRESOLVED;
        if (text[0] == '\0' && role >= ROLE_SINGLE && s->than[role] == self)
            strcpy(text, "best");
        else if (isfinite(c->low))
            snprintf(l->interval[role], sizeof l->interval[role], "%.3g to %.3g", c->low, c->high);
    }
}

static void set_times(struct line *l, const struct past_cell *c)
{
    double work;

    (void)line_rate_unit(c, &work);
    set_median(l, C_UP, &c->upload);
    if (c->resident.device) {
        set_median(l, C_RUN, &c->resident);
        l->run_share = set_limit(l, C_RUN_LIMIT, &c->limit_run, &c->resident);
    }
    set_median(l, C_COLD, &c->cold);
    set_median(l, C_DOWN, &c->download);
    set_median(l, C_TIME, &c->e2e);
    set_width(l->text[C_WIDTH], sizeof l->text[0], &c->e2e);
    l->share = set_limit(l, C_LIMIT, &c->limit_e2e, &c->e2e);
    work /= median_of(c->e2e.round, c->e2e.rounds) * 1e9;
    if (isfinite(work))
        describe_number(work, l->text[C_RATE], sizeof l->text[0]);
    if (isfinite(c->cores))
        snprintf(l->text[C_CORES], sizeof l->text[0], "%.1f", c->cores);
    set_flags(l, c);
}

struct line line_of(const struct past_cell *c, const struct standing *s, const struct rival *self)
{
    struct line l = {.cell = c, .share = NAN, .run_share = NAN};

    past_size(c, l.text[C_SIZE], sizeof l.text[0]);
    snprintf(l.text[C_CHECK], sizeof l.text[0], "%s", c->status);
    if (isfinite(c->error))
        snprintf(l.text[C_ERROR], sizeof l.text[0], "%.2f", c->error);
    if (isfinite(c->exact))
        snprintf(l.text[C_EXACT], sizeof l.text[0], c->exact == 1.0 ? "100%%" : "%.3f%%",
                 100.0 * c->exact);
    if (strcmp(c->math, "f32") != 0)
        snprintf(l.text[C_MATH], sizeof l.text[0], "%s", c->math);
    if (!past_timed(c))
        return l;
    set_times(&l, c);
    set_ratios(&l, s, self, false);
    return l;
}

struct line line_resident(const struct past_cell *c, const struct standing *s,
                          const struct rival *self)
{
    struct line l = {.cell = c, .share = NAN, .run_share = NAN};

    past_size(c, l.text[C_SIZE], sizeof l.text[0]);
    set_median(&l, C_RUN, &c->resident);
    set_width(l.text[C_WIDTH], sizeof l.text[0], &c->resident);
    set_ratios(&l, s, self, true);
    return l;
}
