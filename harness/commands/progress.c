/* Draws the progress of a run: one line, or a table that is redrawn in place. */
#include "harness/commands/progress.h"

#include <math.h>
#include <stdio.h>

#include "harness/base/clock.h"
#include "harness/base/terminal.h"
#include "harness/base/text.h"
#include "harness/model/registry.h"

static const double REDRAW_TIME = 0.1; /* seconds; redrawn more often, it would flicker */

void progress_start(struct progress *p, size_t cells, bool quiet)
{
    *p = (struct progress){.start = clock_now(), .all = cells, .quiet = quiet};
}

void progress_clear(struct progress *p)
{
    if (p->lines > 1)
        fprintf(stderr, "\033[%zuA", p->lines - 1);
    if (p->lines > 0)
        fputs("\r\033[J", stderr);
    fflush(stderr);
    p->lines = 0;
}

/* Cuts the line at the terminal's width: a wrapped line would not be counted. */
static void draw_line(struct progress *p, const char *text)
{
    size_t width = terminal_columns(stderr);

    fprintf(stderr, "%s%.*s", p->lines > 0 ? "\n" : "", (int)width - 1, text);
    p->lines++;
}

/* --- one line --------------------------------------------------------------------------------- */

/* The estimate is rough, so it has few digits. */
static void describe_left(double seconds, char *text, size_t bytes)
{
    if (seconds < 90.0)
        snprintf(text, bytes, "  about %.0f s left", fmax(seconds, 1.0));
    else if (seconds < 5400.0)
        snprintf(text, bytes, "  about %.0f min left", seconds / 60.0);
    else
        snprintf(text, bytes, "  about %.1f h left", seconds / 3600.0);
}

static void draw_heading(struct progress *p, const char *what, size_t round, double left)
{
    char text[320], done[32] = "", time[32] = "";

    if (round > 0)
        snprintf(done, sizeof done, "  round %zu", round);
    if (isfinite(left))
        describe_left(left, time, sizeof time);
    snprintf(text, sizeof text, "[%zu/%zu] %s%s%s", p->done + 1, p->all, what, done, time);
    draw_line(p, text);
}

void progress_show(struct progress *p, const char *what, size_t round)
{
    const double so_far = clock_now() - p->start;

    if (p->quiet || terminal_height(stderr) == 0)
        return;
    progress_clear(p);
    draw_heading(p, what, round,
                 p->done > 0 ? so_far / (double)p->done * (double)(p->all - p->done) : NAN);
    fflush(stderr);
}

/* --- one line for each variant ------------------------------------------------------------------- */

static bool is_live(const struct entrant *e)
{
    return e->state == ENTRANT_IN && e->result->stop[0] == '\0';
}

/* Estimates the seconds left from what earlier variants took, or at first from what each may take. */
static double time_left(const struct progress *p, const struct cell *c)
{
    double here = 0.0, left = 0.0;

    for (size_t i = 0; i < c->count; i++)
        here += c->entrants[i].spent;
    double each = p->done > 0 ? (clock_now() - p->start - here) / (double)p->done : p->most;
    for (size_t i = 0; i < c->count; i++) {
        const double spent = c->entrants[i].spent;
        if (is_live(&c->entrants[i]))
            left += fmax((spent < each ? each : p->most) - spent, 0.0);
    }
    return left + each * (double)(p->all - p->done - c->count);
}

static void draw_variant(struct progress *p, const struct entrant *e, bool now)
{
    const struct result *r = e->result;
    const struct summary s = series_summary(&r->time[PHASE_E2E]);
    char text[480], time[32] = "-", width[32] = "-";

    if (r->time[PHASE_E2E].rounds > 0)
        describe_duration(s.median, time, sizeof time);
    if (isfinite(s.low))
        snprintf(width, sizeof width, "%.1f%%", 50.0 * (s.high - s.low) / s.median);
    if (r->fate.outcome != OUTCOME_OK)
        snprintf(text, sizeof text, "  %-20s  %s: %s", result_name(r).text,
                 outcome_names[r->fate.outcome], r->fate.reason);
    else
        snprintf(text, sizeof text, "%c %-20s round %-4zu %10s  +- %-6s  %s", now ? '>' : ' ',
                 result_name(r).text, r->time[PHASE_E2E].rounds, time, width,
                 r->stop);
    draw_line(p, text);
}

void progress_cell(struct progress *p, const struct cell *c, const struct entrant *now,
                   size_t round)
{
    const size_t height = terminal_height(stderr), at = (size_t)(now - c->entrants);
    const double time = clock_now();
    char what[200];

    if (p->quiet || height == 0 || (p->lines > 1 && time - p->drawn < REDRAW_TIME))
        return;
    snprintf(what, sizeof what, "%s %s", problem_name(c->problem), now->result->label);
    progress_clear(p);
    draw_heading(p, what, round, time_left(p, c));
    if (height > 3) {
        const size_t page = height - 2; /* the heading and an empty line */
        for (size_t i = at / page * page; i < c->count && i < at / page * page + page; i++)
            draw_variant(p, &c->entrants[i], i == at);
    }
    fflush(stderr);
    p->drawn = time;
}
