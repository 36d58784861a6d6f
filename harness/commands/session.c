/* A run that judges or times variants: its start, its records, the timing of a cell, its end. */
#include "harness/commands/session.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/clock.h"
#include "harness/base/interrupt.h"
#include "harness/base/terminal.h"
#include "harness/base/text.h"
#include "harness/ceilings/plausible.h"
#include "harness/machine/machine.h"
#include "harness/machine/topology.h"
#include "harness/measure/devices_find.h"
#include "harness/measure/scaling.h"
#include "harness/measure/single_call.h"
#include "harness/records/caveats.h"
#include "harness/worker/confine.h"

/* --- begin ------------------------------------------------------------------------------------ */

bool session_one_file(const struct options *o, struct error *error)
{
    return o->out == NULL || o->resume == NULL ||
           error_set(error, "--resume continues its own file; it cannot be combined with --out");
}

bool session_begin(struct session *s, const struct card *const variants[], size_t count,
                   struct error *error)
{
    char missing[WARNING_LENGTH];

    s->arena = arena_create(error);
    if (s->arena == NULL)
        return false;
    devices_find(&s->devices, variants, count);
    telemetry_open(&s->devices);
    preflight(&s->warnings, &s->devices, s->options->threads);
    confine_missing(missing, sizeof missing);
    if (missing[0] != '\0')
        warn(&s->warnings, "%s", missing);
    return true;
}

/* Reads the file that --resume names. */
static bool read_past(struct session *s, struct run_about *about, struct error *error)
{
    struct error differs;

    if (!records_read_part(s->options->resume, record_whole(s->record), &s->past, error) ||
        !resume_fits(&s->past, about, error))
        return false;
    about->resumes = s->past.runs[s->past.run_count - 1].id;
    /* Blocks of an unfinished size can be used only with the same command line: the same turns. */
    if (resume_same_words(&s->past, about, &differs))
        s->journal.past = &s->past;
    else if (!s->may_differ)
        return error_set(error, "%s", differs.text);
    return true;
}

bool session_open(struct session *s, const char *name, struct error *error)
{
    const struct options *o = s->options;
    struct run_about about = {.argc = o->argc, .argv = o->argv, .seed = o->seed,
                              .threads = o->threads, .thread_steps = &o->thread_steps,
                              .device_steps = &o->device_steps, .rank_steps = &o->rank_steps, .process_steps = &o->process_steps, .preset = o->preset.name,
                              .max_time = o->preset.max_time,
                              .order = o->serial ? "serial" : "latin",
                              .devices = &s->devices, .warnings = &s->warnings};

    s->start = clock_now();
    s->record = o->resume != NULL ? record_continue(o->resume, error)
                                  : record_open(o->out, name, error);
    s->journal.record = s->record;
    if (s->record == NULL)
        return false;
    if ((o->resume == NULL || record_is_empty(s->record) || read_past(s, &about, error)) &&
        (o->resume == NULL || record_cut(s->record, error)) &&
        record_object(s->record, run_write(&about), error))
        return true;
    record_close(s->record);
    records_free(&s->past);
    return false;
}

/* Prints the machine, the build, the settings and the warnings. */
static void print_header(const struct session *s)
{
    const struct options *o = s->options;
    const struct warnings *w = &s->warnings;
    char machine[256], devices[256], threads[96], text[1200];

    if (o->format != FORMAT_TABLE && o->format != FORMAT_MARKDOWN)
        return;
    machine_describe(machine, sizeof machine);
    devices_describe(&s->devices, devices, sizeof devices);
    snprintf(threads, sizeof threads, "%d", o->threads);
    if (o->thread_steps.count > 0)
        steps_describe(&o->thread_steps, threads, sizeof threads);
    snprintf(text, sizeof text,
             "%s\n%s%srungs %s (%s), %s, %s thread%s, seed %llu, preset %s; records: %s\n\n", machine,
             devices, devices[0] != '\0' ? "\n" : "", build_version, build_commit, build_compiler,
             threads, o->threads == 1 ? "" : "s", (unsigned long long)o->seed, o->preset.name,
             record_path(s->record));
    terminal_lines(stdout, text);
    for (size_t i = 0; i < w->count; i++) {
        snprintf(text, sizeof text, "warning: %s\n", w->text[i]);
        terminal_lines(stdout, text);
    }
    if (w->count > 0)
        putchar('\n');
}

void session_announce(struct session *s)
{
    struct error error;

    /* Doubtful ceilings are not used; the run goes on without them. */
    if (ceilings_load(&s->ceilings, &error) == CEILINGS_DOUBTFUL)
        usage_error(&error);
    print_header(s);
}

/* --- end -------------------------------------------------------------------------------------- */

void session_note_interruption(const struct session *s)
{
    char path[2 * PATH_MAX];

    text_quote(record_path(s->record), path, sizeof path);
    fprintf(stderr, "rungs: interrupted; continue with --resume %s\n", path);
}

/* Prints on standard error what has changed on the machine during the run. */
static bool end_records(struct session *s, int status, bool timed, struct error *error)
{
    struct warnings late = {.count = 0};

    if (s->record == NULL)
        return true;
    postflight(&late);
    for (size_t i = 0; i < late.count; i++)
        fprintf(stderr, "rungs: %s\n", late.text[i]);
    const bool written = record_end(s->record, status, clock_now() - s->start,
                                    timed ? &s->costs : NULL, &late, error);
    record_close(s->record);
    return written;
}

int session_end(struct session *s, int status, bool timed, const struct error *error)
{
    struct error unwritten;
    const bool written = end_records(s, status, timed, &unwritten);

    records_free(&s->past);
    if (status == STATUS_USAGE)
        return usage_error(error);
    return written ? status : usage_error(&unwritten);
}

/* --- timing ----------------------------------------------------------------------------------- */

/* A variant that is ok but has no time was not reached before an interruption. */
static void finish(struct result *r)
{
    if (r->fate.outcome == OUTCOME_OK && r->time[PHASE_E2E].rounds == 0)
        fate_set(&r->fate, OUTCOME_STOPPED, "interrupted");
    r->flags = caveats_of(r);
}

/* Sets the least time that this machine allows for each result.  The case must still be laid out. */
static void set_limits(struct cell *c, const struct ceilings *ceilings)
{
    struct work work = peak_work(c->problem, c->dims, arena_layout(c->arena));

    for (size_t i = 0; i < c->count; i++) {
        struct result *r = c->results[i];
        const struct card *v = c->entrants[i].worker.variant;
        if (!result_timed(r))
            continue;
        work.devices = r->scale.devices;
        r->bound_e2e = peak_e2e(ceilings, v, result_several(r), &work);
        r->bound_run = r->time[PHASE_RUN].rounds > 0 ? peak_resident(ceilings, v, false, &work)
                                                     : r->bound_e2e;
    }
}

/* Rejects times that are impossible on this machine, and end-to-end times far longer than their parts. */
static void reject_impossible(struct cell *c, const struct ceilings *ceilings)
{
    struct work work = peak_work(c->problem, c->dims, arena_layout(c->arena));
    char text[200];

    for (size_t i = 0; i < c->count; i++) {
        struct entrant *e = &c->entrants[i];
        struct result *r = c->results[i];
        work.devices = r->scale.devices;
        work.cores = topology_cores();
        if (result_timed(r) && (!plausible_rate(ceilings, e->worker.variant, r, &work, text, sizeof text) ||
                                !plausible_parts(r, text, sizeof text)))
            entrant_out(e, OUTCOME_BREACH, "%s", text);
    }
}

bool session_time(struct session *s, struct cell *c, const struct preset *preset,
                  bench_progress *show, void *context, struct error *error)
{
    const struct options *o = s->options;
    const bool together = !o->serial && cell_fits(c, true, error);

    for (size_t i = 0; i < (together ? 1 : c->count); i++) {
        c->alone = together ? ALL : i;
        const bool there = cell_check(c, error);
        for (size_t r = 0; r < c->count; r++)
            c->results[r]->alone = !together;
        if (there)
            bench_cell(c, preset, o->seed + c->pass, show, context);
        cell_close(c);
        c->alone = ALL;
        if (!there)
            return false;
        if (c->journal != NULL && c->journal->broken)
            return error_set(error, "%s", c->journal->error.text);
    }
    if (c->pass == 0)
        single_calls(c, preset, show, context);
    reject_impossible(c, &s->ceilings);
    for (size_t i = 0; i < c->count; i++)
        finish(c->results[i]);
    set_limits(c, &s->ceilings);
    return true;
}
