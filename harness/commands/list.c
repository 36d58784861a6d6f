/* rungs list: what there is, in the order of the ladder. */
#include "harness/commands/command.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/grid.h"
#include "harness/registry.h"

static json_t *text_or_null(const char *text)
{
    return text != NULL && text[0] != '\0' ? json_string(text) : json_null();
}

static void print_json(const struct row *row)
{
    const struct variant *v = row->variant;
    const struct name name = variant_name(v);
    const struct device *device = v->device != NULL ? v->device : &device_cpu;
    json_t *object = json_pack(
        "{s:s, s:s, s:s, s:s, s:o, s:s, s:s, s:b, s:o}", "problem", name.problem, "variant",
        name.variant, "path", v->path, "idea", v->idea, "base", text_or_null(v->base), "device",
        device->name, "math", math_names[v->math], "available",
        row->fate.outcome == OUTCOME_OK, "reason", text_or_null(row->fate.reason));
    char *text = json_dumps(object, JSON_COMPACT);

    puts(text);
    free(text);
    json_decref(object);
}

static void print_rows(const struct options *o, struct row *const rows[], size_t count)
{
    struct grid g;

    if (count == 0)
        return;
    if (o->format == FORMAT_JSON) {
        for (size_t i = 0; i < count; i++)
            print_json(rows[i]);
        return;
    }
    bool markdown = o->format == FORMAT_MARKDOWN;

    printf("%s%s   %s\n%s", markdown ? "### " : "", problem_name(rows[0]->problem),
           rows[0]->problem->formula, markdown ? "\n" : "");
    grid_start(&g);
    grid_column(&g, "rung", true);
    grid_column(&g, "base", true);
    grid_column(&g, "device", true);
    grid_column(&g, "math", true);
    grid_column(&g, "idea", true);
    g.rest_from = 4;
    grid_spare(&g, 3, 2);
    for (size_t i = 0; i < count; i++) {
        const struct variant *v = rows[i]->variant;
        const struct name name = variant_name(v);
        grid_row(&g);
        grid_set(&g, 0, "%s", name.full);
        if (v->base != NULL)
            grid_set(&g, 1, "%s", v->base);
        grid_set(&g, 2, "%s", v->device != NULL ? v->device->name : "cpu");
        grid_set(&g, 3, "%s", math_names[v->math]);
        g.rest[g.rows - 1] = v->idea;
        if (rows[i]->fate.outcome != OUTCOME_OK) {
            grid_row(&g);
            grid_set(&g, 0, "  not here:");
            grid_set(&g, 1, "%s", "");
            grid_set(&g, 2, "%s", "");
            grid_set(&g, 3, "%s", "");
            g.rest[g.rows - 1] = rows[i]->fate.reason;
        }
    }
    grid_print(&g, stdout, markdown);
    grid_free(&g);
    puts("");
}

/* Whether a rung can run here is known to the rung alone: it is asked, at size S, in a worker. */
static bool list_group(const struct group *g, const struct options *o, struct arena *arena,
                       struct error *error)
{
    struct cell c = {.arena = arena, .problem = g->problem, .timeout = o->timeout};

    cell_enlist(&c, g->rungs, g->count, o->threads);
    cell_label(&c, "S", g->problem->bench_sizes[0].dims);
    bool there = cell_open(&c, error);
    if (there)
        print_rows(o, c.rows, c.row_count);
    cell_dismiss(&c);
    return there;
}

static int run(const struct options *o)
{
    const struct variant *rungs[MAX_VARIANTS];
    struct error error = {.text = ""};
    size_t count = options_select(o, rungs, MAX_VARIANTS, &error);
    struct arena *arena = count > 0 ? arena_create(&error) : NULL;

    if (o->format == FORMAT_CSV)
        error_set(&error, "list has no CSV; --format json has every field");
    if (arena == NULL || o->format == FORMAT_CSV)
        return usage_error(&error);
    for (size_t at = 0; at < count;) {
        struct group g = group_at(rungs, count, at);
        if (!list_group(&g, o, arena, &error))
            return usage_error(&error);
        at += g.count;
    }
    return STATUS_OK;
}

const struct command command_list = {
    .name = "list",
    .usage = "list [PATTERN...] [--format json]",
    .about = "show the rungs, each after the one that it improves on",
    .help = "With --format json, one object a line: problem, variant, path, idea, base, device,\n"
            "math, available, reason.\n",
    .run = run,
};
