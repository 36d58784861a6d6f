#define _GNU_SOURCE
#include "harness/table/sweep.h"

#include <math.h>
#include <stdlib.h>

#include "harness/base/terminal.h"
#include "harness/base/text.h"
#include "harness/model/registry.h"

/* Returns how many sizes fit side by side on a page or a terminal. */
static size_t across(FILE *out, bool markdown)
{
    enum { PAGE = 8, NAME = 18, TIME = 10 };
    const size_t width = markdown ? 0 : terminal_width(out);

    return width > 0 ? (width - NAME) / TIME : PAGE;
}

/* Writes a power of two from 1024 on as "2^20". */
static void describe_length(size_t length, char *text, size_t bytes)
{
    bool power = length >= 1024 && (length & (length - 1)) == 0;

    if (power)
        snprintf(text, bytes, "2^%d", __builtin_ctzll(length));
    else
        snprintf(text, bytes, "%zu", length);
}

static void describe_size(const struct sweep *s, size_t size, char *text, size_t bytes)
{
    char axes[64], length[32];

    sweep_axes(s, axes, sizeof axes);
    describe_length(sweep_length(s, size), length, sizeof length);
    snprintf(text, bytes, "%s=%s", axes, length);
}

/* --- times ------------------------------------------------------------------------------------ */

static bool has_view(const struct sweep *s, size_t variant, enum view view)
{
    for (size_t size = 0; size < s->size_count; size++)
        if (sweep_series(sweep_row(s, size, variant), view) != NULL)
            return true;
    return false;
}

/* Is this the shortest time of all variants end to end? */
static bool is_fastest(const struct sweep *s, size_t size, double time)
{
    for (size_t i = 0; i < s->variant_count; i++) {
        const struct series *e2e = sweep_series(sweep_row(s, size, i), VIEW_E2E);
        if (e2e != NULL && series_median(e2e) < time)
            return false;
    }
    return true;
}

static void set_cell(struct grid *g, size_t column, const struct sweep *s, size_t size, size_t variant,
                     enum view view)
{
    const struct result *row = sweep_row(s, size, variant);
    const struct series *series = sweep_series(row, view);
    char text[32];

    if (series == NULL) {
        if (row != NULL && view == VIEW_E2E && row->fate.outcome != OUTCOME_OK)
            grid_set(g, column, "%s", outcome_names[row->fate.outcome]);
        return;
    }
    double time = series_median(series);
    describe_duration(time, text, sizeof text);
    grid_set(g, column, "%s%s", view == VIEW_E2E && is_fastest(s, size, time) ? "*" : "", text);
}

static void set_variant(struct grid *g, const struct sweep *s, size_t variant, size_t from, size_t to)
{
    const struct result *first = sweep_row(s, 0, variant);

    grid_row(g);
    grid_set(g, 0, "%s", s->variants[variant]->name.variant);
    if (!has_view(s, variant, VIEW_E2E)) {
        if (first != NULL)
            grid_rest(g, first->fate.reason);
        return;
    }
    for (size_t size = from; size < to; size++)
        set_cell(g, 1 + size - from, s, size, variant, VIEW_E2E);
    if (card_on_cpu(s->variants[variant]) || !has_view(s, variant, VIEW_RUN))
        return;
    grid_row(g);
    grid_set(g, 0, "  resident");
    for (size_t size = from; size < to; size++)
        set_cell(g, 1 + size - from, s, size, variant, VIEW_RUN);
}

static void print_block(FILE *out, enum format format, const struct sweep *s, size_t from,
                        size_t to)
{
    struct grid g;
    char text[64];

    grid_start(&g);
    sweep_axes(s, text, sizeof text);
    grid_column(&g, text, true);
    for (size_t size = from; size < to; size++) {
        describe_length(sweep_length(s, size), text, sizeof text);
        grid_column(&g, text, false);
    }
    g.rest_from = 1;
    for (size_t variant = 0; variant < s->variant_count; variant++)
        set_variant(&g, s, variant, from, to);
    grid_print(&g, format, out);
    grid_free(&g);
}

/* Says from which size on a variant has no time, and why.  False: it has all times. */
static bool print_gap(FILE *out, const struct sweep *s, size_t variant)
{
    char text[96];

    for (size_t size = 0; size < s->size_count; size++) {
        const struct result *row = sweep_row(s, size, variant);
        if (row == NULL || row->fate.outcome == OUTCOME_OK)
            continue;
        describe_size(s, size, text, sizeof text);
        terminal_printf(out, "%s: %s from %s on: %s\n", s->variants[variant]->name.variant,
                        outcome_names[row->fate.outcome], text, row->fate.reason);
        return true;
    }
    return false;
}

void table_sweep(FILE *out, enum format format, const struct sweep *s)
{
    const bool markdown = format == FORMAT_MARKDOWN;
    const size_t most = across(out, markdown);
    size_t blocks = (s->size_count + most - 1) / most;
    size_t step = blocks > 0 ? (s->size_count + blocks - 1) / blocks : 0;
    bool gaps = false;
    char others[96];

    sweep_others(s, others, sizeof others);
    fprintf(out, "%s%s   %s%s%s   time end to end, * is the fastest\n%s", markdown ? "### " : "",
            problem_name(s->problem), s->problem->formula, others[0] != '\0' ? "   " : "", others,
            markdown ? "\n" : "");
    for (size_t from = 0; from < s->size_count; from += step)
        print_block(out, format, s, from,
                    from + step < s->size_count ? from + step : s->size_count);
    for (size_t variant = 0; variant < s->variant_count; variant++)
        if (has_view(s, variant, VIEW_E2E))
            gaps |= print_gap(out, s, variant);
    if (gaps)
        fputs("\n", out);
}

/* --- sentences -------------------------------------------------------------------------------- */

/* Prints "after 3 calls at n=2^20". */
static void print_calls(FILE *out, const struct sweep *s, const struct curve *c, size_t point)
{
    char size[96];

    describe_size(s, c->size[point], size, sizeof size);
    fprintf(out, "after %.4g call%s at %s", sweep_break_even(c, point),
            sweep_break_even(c, point) == 1.0 ? "" : "s", size);
}

static void print_start(FILE *out, const struct sweep *s, const struct curve *c, const char *line)
{
    size_t first = 0, last = c->count - 1;

    while (first < c->count && !(sweep_break_even(c, first) > 0.0 && c->points[first].low > 1.0))
        first++;
    if (first >= c->count)
        return;
    fputs(line, out);
    print_calls(out, s, c, first);
    if (last > first && sweep_break_even(c, last) > 0.0) {
        fputs(", ", out);
        print_calls(out, s, c, last);
    }
    fputs("\n", out);
}

/* Prints the range in which both were timed, if that is not the whole sweep. */
static void print_range(FILE *out, const struct sweep *s, const struct curve *c)
{
    char first[96], last[96];

    if (c->count == 0 || c->count == s->size_count)
        return;
    describe_size(s, c->size[0], first, sizeof first);
    describe_size(s, c->size[c->count - 1], last, sizeof last);
    fprintf(out, " (both were timed only from %s to %s)", first, last);
}

/* If the items are not an axis, prints the crossing in terms of the axes: " (m=n=k 109 to 117)". */
static void print_length(FILE *out, const struct sweep *s, const struct crossover *c)
{
    const struct edge *e = &c->stretches[0].begin;
    char axes[64];

    if (c->count == 0 || e->kind != EDGE_CROSSING ||
        sweep_items(s, 0) == (double)sweep_length(s, 0))
        return;
    sweep_axes(s, axes, sizeof axes);
    fprintf(out, " (%s %.0f to %.0f)", axes, floor(sweep_length_at(s, e->low)),
            ceil(sweep_length_at(s, e->high)));
}

static void print_curve(FILE *out, const struct sweep *s, const struct curve *c)
{
    char sentence[1024];

    crossover_describe(&c->crossover, s->problem->item, sentence, sizeof sentence);
    fputs(sentence, out);
    print_length(out, s, &c->crossover);
    if (c->count > 0)
        fprintf(out, ", compared with %s", sweep_baseline(c));
    print_range(out, s, c);
    fputs("\n", out);
}

static bool print_variant(FILE *out, bool markdown, const struct sweep *s, size_t variant)
{
    const char *line = markdown ? "  - " : "  ";
    struct curve c;
    bool any = sweep_curve(s, variant, VIEW_E2E, &c);
    char start[32];

    if (!any)
        return false;
    fprintf(out, "%s%s\n", markdown ? "- " : "", s->variants[variant]->name.variant);
    fprintf(out, "%send to end: ", line);
    print_curve(out, s, &c);
    snprintf(start, sizeof start, "%sits setup pays off ", line);
    if (c.count > 0)
        print_start(out, s, &c, start);
    if (sweep_curve(s, variant, VIEW_RUN, &c)) {
        fprintf(out, "%sresident: ", line);
        print_curve(out, s, &c);
    }
    return true;
}

void table_crossovers(FILE *out, bool markdown, const struct sweep *s)
{
    bool any = false;
    size_t bytes = 0;
    char *text = NULL;
    FILE *lines = open_memstream(&text, &bytes);

    if (lines == NULL)
        abort();
    fprintf(lines, "From which size on is a contender faster than the fastest variant of the baseline?%s\n",
            markdown ? "\n" : "");
    for (size_t variant = 0; variant < s->variant_count; variant++)
        if (s->contender[variant])
            any |= print_variant(lines, markdown, s, variant);
    if (!any)
        fputs("No contender was timed.  By default contenders are GPU variants; --contenders and "
              "--baseline name others.\n", lines);
    fputs("\n", lines);
    fclose(lines);
    if (markdown)
        fputs(text, out);
    else
        terminal_hang(out, text);
    free(text);
}
