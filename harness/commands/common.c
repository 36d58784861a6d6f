/* What the commands share: errors, tallies, groups, the progress line. */
#include "harness/commands/command.h"

#include <stdio.h>
#include <string.h>

#include "harness/clock.h"
#include "harness/interrupt.h"
#include "harness/machine.h"
#include "harness/registry.h"
#include "harness/terminal.h"
#include "harness/scaling.h"

int usage_error(const struct error *error)
{
    fprintf(stderr, "rungs: %s\n", error->text);
    return STATUS_USAGE;
}

void costs_add(struct costs *to, const struct costs *more)
{
    to->timed += more->timed;
    to->warmed += more->warmed;
    to->tried += more->tried;
    to->called += more->called;
    to->judged += more->judged;
    to->held = more->held > to->held ? more->held : to->held;
}

int command_end(struct record *record, int status, double wall, const struct costs *costs,
                const struct error *error)
{
    struct error unwritten;
    struct warnings late = {.count = 0};

    if (record != NULL)
        postflight(&late);
    for (size_t i = 0; i < late.count; i++)
        fprintf(stderr, "rungs: %s\n", late.text[i]);
    bool written = record == NULL || record_end(record, status, wall, costs, &late, &unwritten);

    record_close(record);
    if (status == STATUS_USAGE)
        return usage_error(error);
    return written ? status : usage_error(&unwritten);
}

void note_cut(const struct past *p)
{
    if (p->cut > 0)
        fprintf(stderr, "rungs: %s:%zu: ends in the middle of a record, which is left out\n", p->file,
                p->cut);
}

void tally_row(struct tally *t, const struct row *row)
{
    if (outcome_failed(row->fate.outcome))
        t->failed++;
    else if (row->fate.outcome == OUTCOME_OK)
        t->ok++;
    else
        t->other++;
}

int tally_status(const struct tally *t)
{
    if (interrupted())
        return STATUS_SIGNAL + interrupted();
    if (t->failed > 0)
        return STATUS_FAILED;
    return t->ok > 0 ? STATUS_OK : STATUS_NOTHING;
}

struct record_run about_run(const struct options *o, const struct devices *d,
                            const struct warnings *w)
{
    return (struct record_run){.argc = o->argc, .argv = o->argv, .seed = o->seed,
                               .threads = o->threads, .thread_steps = &o->thread_steps,
                               .device_steps = &o->device_steps, .profile = o->profile.name,
                               .max_time = o->profile.max_time,
                               .order = o->serial ? "serial" : "latin",
                               .devices = d, .warnings = w};
}

void print_header(const struct options *o, const struct devices *d, const struct warnings *w,
                  const struct record *r)
{
    char machine[256], devices[256], threads[96], text[1200];

    if (o->format != FORMAT_TABLE && o->format != FORMAT_MARKDOWN)
        return;
    machine_describe(machine, sizeof machine);
    devices_describe(d, devices, sizeof devices);
    snprintf(threads, sizeof threads, "%d", o->threads);
    if (o->thread_steps.count > 0)
        steps_describe(&o->thread_steps, threads, sizeof threads);
    snprintf(text, sizeof text,
             "%s\n%s%srungs %s (%s), %s, %s thread%s, seed %llu, profile %s; records: %s\n\n", machine,
             devices, devices[0] != '\0' ? "\n" : "", build_version, build_commit, build_compiler,
             threads, o->threads == 1 ? "" : "s", (unsigned long long)o->seed, o->profile.name,
             record_path(r));
    terminal_lines(stdout, text);
    for (size_t i = 0; i < w->count; i++) {
        snprintf(text, sizeof text, "mind: %s\n", w->text[i]);
        terminal_lines(stdout, text);
    }
    if (w->count > 0)
        putchar('\n');
}

struct group group_at(const struct variant *const rungs[], size_t count, size_t at)
{
    const struct name first = variant_name(rungs[at]);
    struct group g = {.problem = registry_problem(first.problem), .rungs = rungs + at};

    while (at + g.count < count &&
           strcmp(variant_name(rungs[at + g.count]).problem, first.problem) == 0)
        g.count++;
    return g;
}

/* --- timing ----------------------------------------------------------------------------------- */

/* All rungs in turn, or where memory does not hold the outputs of all, one after the other. */
static bool time_launch(struct cell *c, const struct profile *profile, bool together, uint64_t seed,
                        bench_progress *show, void *context, struct error *error)
{
    for (size_t i = 0; i < (together ? 1 : c->count); i++) {
        c->alone = together ? ALL : i;
        const double start = clock_now(), in_rungs = c->in_rungs;
        bool there = cell_check(c, error);
        cell_count_judging(c, start, in_rungs);
        for (size_t r = 0; r < c->row_count; r++)
            c->rows[r]->alone = !together;
        if (there)
            bench_cell(c, profile, seed, show, context);
        cell_close(c);
        c->alone = ALL;
        if (c->journal != NULL && c->journal->broken)
            there = error_set(error, "%s", c->journal->error.text);
        if (!there)
            return false;
    }
    return true;
}

/* Rungs that a cell's end finds without a time were not reached. */
static void mark_stopped(struct cell *c)
{
    for (size_t i = 0; i < c->count; i++) {
        struct row *row = c->entrants[i].row;
        if (row->fate.outcome == OUTCOME_OK && row->e2e.rounds == 0)
            fate_set(&row->fate, OUTCOME_STOPPED, "interrupted");
    }
}

bool time_cell(struct cell *c, const struct options *o, const struct profile *profile,
               bench_progress *show, void *context, struct error *error)
{
    const unsigned launches = profile->launches;
    const bool together = !o->serial && cell_fits_together(c);

    for (unsigned number = 0; number < launches && !interrupted(); number++) {
        if (number > 0)
            cell_relaunch(c);
        c->launch = c->sitting * launches + number;
        if (!time_launch(c, profile, together, o->seed + c->launch, show, context, error))
            return false;
        for (size_t i = 0; i < c->count && launches > 1; i++)
            row_end_launch(c->entrants[i].row);
    }
    for (size_t i = 0; i < c->count && launches > 1; i++)
        row_join_launches(c->entrants[i].row);
    mark_stopped(c);
    return true;
}

/* --- what this machine can do ----------------------------------------------------------------- */

void find_ceilings(struct ceilings *ceilings)
{
    struct error error;

    if (!ceilings_load(ceilings, &error) && error.text[0] != '\0')
        usage_error(&error);
}

void set_limits(struct cell *c, const struct ceilings *ceilings)
{
    struct work work = limit_work(c->problem, c->dims, arena_layout(c->arena));

    for (size_t i = 0; i < c->row_count; i++) {
        struct row *row = c->rows[i];
        if (!row_timed(row))
            continue;
        work.devices = row->scale.devices;
        row->limit_e2e = limit_e2e(ceilings, row->variant, row_several(row), &work);
        row->limit_run = row->run.rounds > 0 ? limit_resident(ceilings, row->variant, false, &work)
                                             : row->limit_e2e;
    }
}
