/* rungs run: runs one variant on the user's data, or on generated data, and writes its result. */
#include "harness/commands/command.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/text.h"
#include "harness/commands/select.h"
#include "harness/commands/sizes.h"
#include "harness/model/registry.h"
#include "harness/model/size.h"
#include "harness/worker/protocol.h"

static bool can_save(const struct problem *p, const void *opened, const struct options *o, struct error *error)
{
    if (o->out == NULL)
        return true;
    if (p->data == NULL)
        return error_set(error, "%s writes no files", problem_name(p));
    return p->data->can_save == NULL || p->data->can_save(opened, o->out, error);
}

/* Writes the result of the last call, which is still in the outputs and was judged. */
static bool save_answer(const struct cell *c, const struct options *o, struct error *error)
{
    if (o->out == NULL)
        return true;
    return c->problem->data->save(arena_layout(c->arena)->data, c->opened, o->out, error);
}

/* Has the variant's device a clock?  The simulator has none: its times say nothing about the variant. */
static bool has_clock(const struct card *v)
{
    return v->clock;
}

/* The time is that of one part of the files. */
static void print_times(const struct result *r, const struct user_data *data, size_t parts)
{
    char took[32], set_up[32];

    describe_duration(r->last, took, sizeof took);
    describe_duration(r->setup, set_up, sizeof set_up);
    if (parts > 1)
        printf("  %zu %ss, each %s", parts, data->parts->name, took);
    else
        printf("  %s", took);
    if (isfinite(r->setup))
        printf(" (and %s to set up)", set_up);
}

static void print_outcome(const struct entrant *e, const struct options *o, const struct user_data *data,
                          size_t parts)
{
    const struct result *r = e->result;
    char size[128];

    result_size(r, size, sizeof size);
    printf("%s  %s  %s", e->worker.variant->name.full, size,
           outcome_names[r->fate.outcome]);
    if (r->fate.outcome == OUTCOME_OK) {
        printf("  error %.2f of the tolerance", r->error);
        if (isfinite(r->exact))
            printf("  exact %.4g%%", 100.0 * r->exact);
        if (has_clock(e->worker.variant))
            print_times(r, data, parts);
        if (o->out != NULL)
            printf("  -> %s", o->out);
    } else {
        printf(": %s", r->fate.reason);
    }
    putchar('\n');
}

static int run_one(const struct options *o, const struct card *const variant[],
                   struct arena *arena, struct error *error)
{
    struct group g = group_first(variant, 1);
    struct cell c = {.arena = arena, .problem = g.problem, .seed = o->seed,
                     .timeout = o->timeout};
    struct planned size;
    struct tally tally = {0};
    unsigned long calls = 0;
    size_t count;
    double took = 0.0;
    void *opened = NULL;

    if (sizes_has_files(o, g.problem)) {
        opened = sizes_open_files(o, g.problem, &size, error);
        if (opened == NULL)
            return STATUS_USAGE;
    } else if (!sizes_asked(o, g.problem, "S", &size, 1, &count, error)) {
        return STATUS_USAGE;
    }
    if (!can_save(g.problem, opened, o, error)) {
        if (opened != NULL)
            g.problem->data->close(opened);
        return STATUS_USAGE;
    }
    c.keeps = opened != NULL && g.problem->data->parts != NULL;
    cell_enlist(&c, g.variants, 1, o->threads);
    cell_label(&c, size.label, size.dims);
    c.opened = opened;
    bool there = cell_check(&c, error);
    if (there && !isnan(o->capture))
        calls = cell_capture(&c, o->capture, &took);
    if (there && c.entrants[0].state == ENTRANT_IN)
        there = save_answer(&c, o, error);
    cell_close(&c);
    if (there && (o->format == FORMAT_CSV || o->format == FORMAT_JSON))
        table_bench(stdout, o->format, c.results, 1, NULL, true);
    else if (there)
        print_outcome(&c.entrants[0], o, g.problem->data, user_data_parts(g.problem->data, opened));
    if (calls > 0)
        printf("captured %lu call%s, %.6g ms\n", calls, calls == 1 ? "" : "s", took * 1e3);
    tally_result(&tally, c.entrants[0].result);
    cell_dismiss(&c);
    if (opened != NULL)
        g.problem->data->close(opened);
    return there ? tally_status(&tally) : STATUS_USAGE;
}

/* --- the simulator's counters ----------------------------------------------------------------- */

static char counted[256]; /* path of the counters; empty: none */

static bool counters_begin(const struct options *o, const struct card *variant, struct error *error)
{
    const char *folder = getenv("TMPDIR"), *ending = o->format == FORMAT_JSON ? ".json" : ".txt";

    if (!o->counters)
        return true;
    if (strcmp(variant->device, "sim") != 0)
        return error_set(error, "--counters needs a variant in the simulator: build it with make SIM=1, "
                                "then use build-sim/rungs");
    if (o->format != FORMAT_TABLE && o->format != FORMAT_JSON)
        return error_set(error, "--counters takes --format table or json");
    if (folder == NULL)
        folder = "/tmp";
    snprintf(counted, sizeof counted, "%s/rungs-counters-XXXXXX%s", folder, ending);
    int file = mkstemps(counted, (int)strlen(ending));
    if (file < 0)
        return error_set(error, "--counters: cannot create a file in %s", folder);
    close(file);
    setenv("RUNGS_SIM_COUNTERS", counted, 1); /* for the worker */
    return true;
}

static void counters_end(void)
{
    char text[4096];
    size_t got;

    if (counted[0] == '\0')
        return;
    FILE *file = fopen(counted, "r");
    while (file != NULL && (got = fread(text, 1, sizeof text, file)) > 0)
        fwrite(text, 1, got, stdout);
    if (file != NULL)
        fclose(file);
    unlink(counted);
    counted[0] = '\0';
}

/* --- the command ------------------------------------------------------------------------------ */

/* Returns the variant to run, or NULL with an error. */
static const struct card *choose(const struct options *o, struct error *error)
{
    const struct card *variants[MAX_VARIANTS];

    if (o->patterns.count == 0) {
        error_set(error, "run takes a variant, e.g. rungs run saxpy/cpu_naive; rungs list shows all");
        return NULL;
    }
    size_t count = select_variants(o, variants, MAX_VARIANTS, error);
    if (count > 1)
        error_set(error, "run takes one variant, but %zu match: %s, %s ...", count,
                  variants[0]->name.full, variants[1]->name.full);
    return count == 1 ? variants[0] : NULL;
}

static int run(const struct options *o)
{
    struct error error;
    const struct card *const variant = choose(o, &error);
    struct arena *arena = variant != NULL ? arena_create(&error) : NULL;

    if (arena == NULL || !counters_begin(o, variant, &error))
        return usage_error(&error);
    worker_profiled = !isnan(o->capture);
    int status = run_one(o, &variant, arena, &error);
    counters_end();
    return status == STATUS_USAGE ? usage_error(&error) : status;
}

const struct command command_run = {
    .name = "run",
    .usage = "run PROBLEM/VARIANT [--INPUT FILE...] [--out FILE] [--counters] [--capture]",
    .about = "run one variant on your own data and write its result",
    .help = "The result is judged first, and is written only if it is right.  Without input files the\n"
            "data are generated (--size, --seed).  docs/simulator.md explains the counters.\n"
            "Example of --capture: ncu --profile-from-start off rungs run ... --capture\n",
    .words = "VARIANT",
    .run = run,
};
