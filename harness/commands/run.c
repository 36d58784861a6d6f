/* rungs run: one rung on the user's own data (or generated), its answer into a file. */
#include "harness/commands/command.h"

#include <math.h>
#include <stdio.h>

#include "harness/describe.h"
#include "harness/registry.h"
#include "harness/worker.h"

/* The last call's answer stands in the outputs, judged. */
static bool save_answer(const struct cell *c, const struct options *o, struct error *error)
{
    if (o->out == NULL)
        return true;
    if (c->problem->data == NULL)
        return error_set(error, "%s writes no files", problem_name(c->problem));
    return c->problem->data->save(arena_layout(c->arena)->data, c->opened, o->out, error);
}

/* A simulated device has none, and what the simulator takes is no time of the rung's. */
static bool has_clock(const struct variant *v)
{
    return v->device == NULL || v->device == &device_cpu || v->device->seconds != NULL;
}

static void print_times(const struct row *row)
{
    char took[32], set_up[32];

    describe_duration(row->last, took, sizeof took);
    describe_duration(row->setup, set_up, sizeof set_up);
    printf("  %s", took);
    if (row->setup == row->setup)
        printf(" (and %s to set up)", set_up);
}

static void print_outcome(const struct entrant *e, const struct options *o)
{
    const struct row *row = e->row;
    char size[128];

    table_size(row->problem, row->dims, size, sizeof size);
    printf("%s  %s  %s", variant_name(row->variant).full, size,
           outcome_names[row->fate.outcome]);
    if (row->fate.outcome == OUTCOME_OK) {
        printf("  error %.2f of the limit", row->verdict.error);
        if (row->verdict.asked > 0)
            printf("  exact %.4g%%", 100.0 * verdict_exact(&row->verdict));
        if (has_clock(row->variant))
            print_times(row);
        if (o->out != NULL)
            printf("  -> %s", o->out);
    } else {
        printf(": %s", row->fate.reason);
    }
    putchar('\n');
}

static int run_one(const struct options *o, const struct variant *const rung[],
                   struct arena *arena, struct error *error)
{
    struct group g = group_at(rung, 1, 0);
    struct cell c = {.arena = arena, .problem = g.problem, .seed = o->seed,
                     .timeout = o->timeout};
    struct planned size;
    struct tally tally = {0};
    unsigned long calls = 0;
    double took = 0.0;
    void *opened = NULL;

    if (options_brings_data(o, g.problem)) {
        opened = options_open(o, g.problem, &size, error);
        if (opened == NULL)
            return STATUS_USAGE;
    } else if (options_sizes(o, g.problem, "S", &size, 1, error) == 0) {
        return STATUS_USAGE;
    }
    cell_enlist(&c, g.rungs, 1, o->threads);
    cell_label(&c, size.label, size.dims);
    c.opened = opened;
    bool there = cell_check(&c, error);
    if (there && !isnan(o->capture))
        calls = cell_capture(&c, o->capture, &took);
    if (there && c.entrants[0].in)
        there = save_answer(&c, o, error);
    cell_close(&c);
    if (there && (o->format == FORMAT_CSV || o->format == FORMAT_JSON))
        table_bench(stdout, o->format, c.rows, 1, NULL, true);
    else if (there)
        print_outcome(&c.entrants[0], o);
    if (calls > 0)
        printf("captured %lu call%s, %.6g ms\n", calls, calls == 1 ? "" : "s", took * 1e3);
    tally_row(&tally, c.entrants[0].row);
    cell_dismiss(&c);
    if (opened != NULL)
        g.problem->data->close(opened);
    return there ? tally_status(&tally) : STATUS_USAGE;
}

static int run(const struct options *o)
{
    const struct variant *rungs[MAX_VARIANTS];
    struct error error = {.text = ""};
    size_t count = o->pattern_count > 0 ? options_select(o, rungs, MAX_VARIANTS, &error) : 0;
    int status = STATUS_OK;

    if (o->pattern_count == 0)
        error_set(&error, "run which rung?  rungs list shows them");
    else if (count > 1)
        error_set(&error, "run takes one rung, and %zu match: %s, %s ...", count,
                  variant_name(rungs[0]).full, variant_name(rungs[1]).full);
    struct arena *arena = count == 1 ? arena_create(&error) : NULL;
    if (arena == NULL || !counters_begin(o, rungs[0], &error))
        return usage_error(&error);
    worker_profiled = !isnan(o->capture);
    status = run_one(o, rungs, arena, &error);
    counters_end(stdout);
    return status == STATUS_USAGE ? usage_error(&error) : status;
}

const struct command command_run = {
    .name = "run",
    .usage = "run PROBLEM/RUNG [--INPUT FILE...] [--out FILE] [--counters] [--capture]",
    .about = "run one rung on your own data and write its answer",
    .help = "The answer is judged like any other before it is written, and is not written if it is\n"
            "wrong.  Without input files the data are generated (--size, --seed).\n"
            "--counters, in a build with SIM=1, shows what one call of the rung asks of the memory,\n"
            "under the names of NVIDIA's profilers; docs/simulator.md explains them.\n"
            "--capture makes one more call, or as many as a time takes (--capture=2), for a profiler\n"
            "that was told to wait for it: ncu --profile-from-start off rungs run ... --capture.\n",
    .run = run,
};
