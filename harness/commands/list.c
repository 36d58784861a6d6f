/* rungs list: prints the variants, in the order of each problem's ladder. */
#include "harness/commands/command.h"

#include <math.h>
#include <stdio.h>

#include "harness/base/terminal.h"
#include "harness/commands/select.h"
#include "harness/model/registry.h"
#include "harness/table/grid.h"

enum {
    C_NAME, C_PROBLEM, C_VARIANT, C_PATH, C_IDEA, C_BASE, C_DEVICE, C_MATH, C_ENGINE, C_LEVEL, C_READ, C_LINES,
    C_AVAILABLE, C_REASON
};

/* What a reader must know and open; a dash where the source does not say it. */
static void add_reading(struct grid *g, const struct card *v)
{
    int files = 1;

    if (v->read != NULL && v->read[0] != '\0')
        files++;
    for (const char *c = v->read; c != NULL && *c != '\0'; c++)
        files += *c == ',';
    if (v->level > 0)
        grid_count(g, C_LEVEL, (size_t)v->level);
    if (v->lines > 0 && files > 1)
        grid_set(g, C_READ, "%d in %d files", v->lines, files);
    else if (v->lines > 0)
        grid_set(g, C_READ, "%d", v->lines);
    grid_word(g, C_READ, v->read);
    grid_number(g, C_LINES, v->lines > 0 ? (double)v->lines : (double)NAN);
}

static void add_variant(struct grid *g, const struct card *v, const struct fate *fate)
{
    const struct name name = v->name;
    const bool here = fate->outcome == OUTCOME_OK;

    grid_row(g);
    grid_set(g, C_NAME, "%s", name.full);
    grid_set(g, C_PROBLEM, "%s", name.problem);
    grid_set(g, C_VARIANT, "%s", name.variant);
    grid_set(g, C_PATH, "%s", v->source);
    grid_word(g, C_IDEA, v->idea);
    if (registry_base_name(v) != NULL)
        grid_set(g, C_BASE, "%s", registry_base_name(v));
    grid_set(g, C_DEVICE, "%s", v->device);
    grid_set(g, C_MATH, "%s", math_names[v->math]);
    grid_word(g, C_ENGINE, v->engine);
    add_reading(g, v);
    if (v->engine != NULL) {
        char idea[400];
        snprintf(idea, sizeof idea, "%s (an engine: %s)", v->idea, v->engine);
        grid_rest(g, idea);
    } else {
        grid_rest(g, v->idea);
    }
    grid_truth(g, C_AVAILABLE, here);
    grid_word(g, C_REASON, fate->reason);
    if (here)
        return;
    grid_row(g)->seen = SEEN_PEOPLE;
    grid_set(g, C_NAME, "  unavailable:");
    for (size_t c = C_BASE; c <= C_READ; c++)
        grid_set(g, c, "%s", "");
    grid_rest(g, fate->reason);
}

static void print_rows(enum format format, const struct cell *c, bool first)
{
    static const struct grid_column columns[] = {
        [C_NAME] = {"variant", .left = true},
        [C_PROBLEM] = {.name = "problem"},
        [C_VARIANT] = {.name = "variant"},
        [C_PATH] = {.name = "path"},
        [C_IDEA] = {"idea", "idea", .left = true},
        [C_BASE] = {"base", "base", .left = true},
        [C_DEVICE] = {"device", "device", .left = true},
        [C_MATH] = {"math", "math", .left = true},
        [C_ENGINE] = {.name = "engine"},
        [C_LEVEL] = {"level", "level"},
        [C_READ] = {"lines to read", "read", .left = true},
        [C_LINES] = {.name = "lines"},
        [C_AVAILABLE] = {.name = "available"},
        [C_REASON] = {.name = "reason"},
    };
    struct grid g;

    if (c->count == 0)
        return;
    grid_start(&g);
    grid_columns(&g, columns, sizeof columns / sizeof *columns);
    grid_caption(&g, "%s   %s", problem_name(c->problem), c->problem->formula);
    g.rest_from = C_IDEA;
    g.continued = !first;
    grid_order(&g, C_NAME, C_BASE, C_DEVICE, C_MATH, C_LEVEL, C_READ, C_IDEA);
    grid_spare(&g, C_MATH, C_DEVICE, C_READ, C_LEVEL);
    for (size_t i = 0; i < c->count; i++)
        add_variant(&g, c->entrants[i].worker.variant, &c->results[i]->fate);
    grid_print(&g, format, stdout);
    grid_free(&g);
}

/* Only the variant knows whether it can run on this machine, so a worker opens it, at size S. */
static bool list_group(const struct group *g, const struct options *o, struct arena *arena,
                       bool first, struct error *error)
{
    struct cell c = {.arena = arena, .problem = g->problem, .timeout = o->timeout};

    cell_enlist(&c, g->variants, g->count, o->threads);
    cell_label(&c, "S", g->problem->bench_sizes[0].dims);
    bool there = cell_open(&c, error);
    if (there)
        print_rows(o->format, &c, first);
    cell_dismiss(&c);
    return there;
}

static int run(const struct options *o)
{
    const struct card *variants[MAX_VARIANTS];
    struct error error;
    size_t count = select_variants(o, variants, MAX_VARIANTS, &error);
    struct arena *arena = count > 0 ? arena_create(&error) : NULL;

    if (arena == NULL)
        return usage_error(&error);
    for (size_t i = 0; i < count && o->names; i++)
        puts(variants[i]->name.full);
    if (o->names)
        return STATUS_OK;
    for (struct group g = group_first(variants, count); g.count > 0; g = group_next(&g))
        if (!list_group(&g, o, arena, g.variants == variants, &error))
            return usage_error(&error);
    char left_out[800];
    if (o->format == FORMAT_TABLE && select_left_out(o, false, left_out, sizeof left_out))
        terminal_printf(stdout, "%s\n", left_out);
    return STATUS_OK;
}

const struct command command_list = {
    .name = "list",
    .usage = "list [PATTERN...] [--format FORMAT]",
    .about = "show the variants, each after its base",
    .help = "--format json (one object a line) and csv have these fields: problem, variant, path, idea,\n"
            "base, device, math, engine, level, read, lines, available, reason.\n"
            "level: what a reader must know. 1: loops, threads, one GPU kernel; 2: shared memory, vector\n"
            "instructions, streams; 3: tensor cores, asynchronous copies, proofs of exactness. read: the headers\n"
            "beside the variant that it includes; lines: those of the variant and these headers.\n",
    .words = "VARIANT",
    .run = run,
};
