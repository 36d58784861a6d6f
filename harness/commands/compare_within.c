/* rungs compare FILE: the ratios of the file's own tables, with their intervals. */
#include "harness/commands/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/compare_json.h"
#include "harness/ladder_past.h"
#include "harness/past_rows.h"

/* --- one comparison --------------------------------------------------------------------------- */

/* A line of the table, in whatever format. */
struct line {
    const struct past_cell *cell, *base;
    const struct standing *standing; /* the cell's */
    const struct rival *than;
    char roles[40]; /* "base, 1-core" */
    bool resident;
    const struct comparison *comparison;
};

enum column { C_RUNG, C_THAN, C_AS, C_PHASE, C_RATIO, C_INTERVAL, C_VERDICT, C_ROUNDS };

static void add_row(struct grid *g, const struct line *l)
{
    char name[96];

    if (g->rows == GRID_ROWS)
        return;
    grid_row(g);
    past_name(l->cell, name, sizeof name);
    grid_set(g, C_RUNG, "%s", name);
    grid_set(g, C_THAN, "%s", l->than->name);
    grid_set(g, C_AS, "%s", l->roles);
    grid_set(g, C_PHASE, l->resident ? "resident" : "end to end");
    compare_set(g, C_RATIO, l->comparison);
    grid_set(g, C_ROUNDS, "%zu", l->comparison->rounds);
}

static void print_csv(const struct line *l)
{
    char size[200], name[96];

    past_size(l->cell, size, sizeof size);
    past_name(l->cell, name, sizeof name);
    table_csv_text(stdout, l->cell->problem);
    putchar(',');
    table_csv_text(stdout, name);
    putchar(',');
    table_csv_text(stdout, size);
    putchar(',');
    table_csv_text(stdout, l->than->name);
    printf(",\"%s\",%s", l->roles, l->resident ? "resident" : "e2e");
    compare_print_csv(l->comparison);
    putchar('\n');
}

static void print_json(const struct line *l)
{
    json_t *object = json_pack(
        "{s:s, s:s, s:s, s:o, s:s, s:o, s:s, s:o, s:o, s:s}", "record", "compare", "problem",
        l->cell->problem, "variant", l->cell->variant, "scale", compare_scale_json(l->cell), "label",
        l->cell->label, "size", compare_size_json(l->cell), "base", l->base->variant, "base_scale",
        compare_scale_json(l->base), "against", compare_roles_json(l->standing, l->than), "phase",
        l->resident ? "resident" : "e2e");

    compare_json(object, l->comparison);
    compare_print_json(object);
}

/* --- all of a table's ------------------------------------------------------------------------- */

static void take(const struct line *l, enum format format, struct grid *g)
{
    if (format == FORMAT_CSV)
        print_csv(l);
    else if (format == FORMAT_JSON)
        print_json(l);
    else
        add_row(g, l);
}

/* Against one other rung: once, if several roles are its. */
static size_t take_role(const struct past_cell cells[], const struct ladder *l, size_t at,
                        size_t role, enum format format, struct grid *g)
{
    const struct standing *s = &l->standings[at];
    struct line line = {.cell = &cells[at], .standing = s, .than = s->than[role], .roles = ""};
    size_t taken = 0;

    if (line.than == NULL)
        return 0;
    line.base = &cells[line.than - l->rivals];

    for (size_t other = 0; other < ROLES; other++) {
        if (s->than[other] != s->than[role])
            continue;
        if (other < role)
            return 0;
        snprintf(line.roles + strlen(line.roles), sizeof line.roles - strlen(line.roles), "%s%s",
                 line.roles[0] != '\0' ? ", " : "", role_names[other]);
    }
    for (int resident = 0; resident < 2; resident++) {
        line.resident = resident == 1;
        line.comparison = resident == 1 ? &s->resident[role] : &s->e2e[role];
        if (!isfinite(line.comparison->ratio))
            continue;
        take(&line, format, g);
        taken++;
    }
    return taken;
}

static void start_grid(struct grid *g)
{
    static const char *const headings[] = {"rung",     "than",     "as",      "phase",
                                           "x faster", "interval", "verdict", "rounds"};

    grid_start(g);
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        grid_column(g, headings[i], i <= C_PHASE || i == C_VERDICT);
    grid_spare(g, C_ROUNDS, C_AS, C_VERDICT, C_INTERVAL);
}

static void print_heading(const struct past_cell *c, const struct ladder *l, bool markdown)
{
    char size[200];
    double confidence = NAN;

    for (size_t i = 0; i < l->count; i++)
        for (size_t role = 0; role < ROLES; role++)
            if (isfinite(l->standings[i].e2e[role].ratio))
                confidence = l->standings[i].e2e[role].confidence;
            else if (isfinite(l->standings[i].resident[role].ratio))
                confidence = l->standings[i].resident[role].confidence;
    past_size(c, size, sizeof size);
    printf("%s%s   %s: %s   intervals at %.4g %%\n%s", markdown ? "### " : "", c->problem, c->label,
           size, 100.0 * confidence, markdown ? "\n" : "");
}

/* Returns how many comparisons there are. */
static size_t print_table(const struct past_cell cells[], size_t count, enum format format)
{
    struct ladder l = ladder_of_cells(cells, count);
    struct grid g;
    size_t taken = 0;

    start_grid(&g);
    for (size_t i = 0; i < count; i++)
        for (size_t role = 0; role < ROLES; role++)
            taken += take_role(cells, &l, i, role, format, &g);
    if (g.rows > 1) {
        print_heading(cells, &l, format == FORMAT_MARKDOWN);
        grid_print(&g, stdout, format == FORMAT_MARKDOWN);
        fputs("\n", stdout);
    }
    grid_free(&g);
    ladder_free(&l);
    return taken;
}

int compare_within(const struct options *o, const struct past *p)
{
    size_t taken = 0;

    if (o->format == FORMAT_CSV)
        printf("problem,variant,size,than,as,phase%s\n", compare_csv_names);
    for (size_t i = 0, count; i < p->cell_count; i += count) {
        count = past_table_length(p, i);
        taken += print_table(p->cells + i, count, o->format);
    }
    return taken > 0 ? STATUS_OK : STATUS_NOTHING;
}
