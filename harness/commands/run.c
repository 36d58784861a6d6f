/* rungs run: runs one variant on the user's data, or on generated data, and writes its result. */
#include "harness/commands/command.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/terminal.h"
#include "harness/base/text.h"
#include "harness/commands/progress.h"
#include "harness/commands/select.h"
#include "harness/commands/sizes.h"
#include "harness/files/outfile.h"
#include "harness/measure/fastest.h"
#include "harness/model/registry.h"
#include "harness/model/size.h"
#include "harness/worker/protocol.h"

/* Where the program prints: standard output, unless the answer goes there. */
static FILE *screen(const struct options *o)
{
    return o->out != NULL && strcmp(o->out, "-") == 0 ? stderr : stdout;
}

/* Returns whether --out is none of the files that are read.  Links count as the file that they lead to. */
static bool keeps_inputs(const struct problem *p, const struct options *o, struct error *error)
{
    struct stat out, in;

    if (stat(o->out, &out) != 0 || !S_ISREG(out.st_mode))
        return true;
    for (size_t s = 0; s < o->setting_count; s++) {
        const struct setting *given = &o->settings[s];
        for (const struct input *i = p->data->inputs; i->name != NULL; i++) {
            if (strcmp(i->name, given->name) != 0 || i->argument == NULL || strcmp(i->argument, "FILE") != 0)
                continue;
            const int status = strcmp(given->value, "-") == 0 ? fstat(STDIN_FILENO, &in) : stat(given->value, &in);
            if (status == 0 && in.st_dev == out.st_dev && in.st_ino == out.st_ino)
                return error_set(error, "--out %s is the file of --%s, and would replace it; give another name", o->out,
                                 given->name);
        }
    }
    return true;
}

/* Checks all that the answer's file needs, before hours of work. */
static bool can_save(const struct problem *p, const void *opened, const struct options *o,
                     struct error *error)
{
    if (o->out == NULL)
        return true;
    if (p->data == NULL)
        return error_set(error, "%s writes no files", problem_name(p));
    return (p->data->writes == NULL || p->data->writes(opened, o->out, error)) && keeps_inputs(p, o, error) &&
           outfile_can_open(o->out, error);
}

static bool refine_answer(struct cell *c, const struct entrant *e, struct error *error)
{
    const struct user_data *data = c->problem->data;

    return c->opened == NULL || data->refine == NULL || e->state != ENTRANT_IN ||
           data->refine(arena_layout(c->arena)->data, c->opened, error);
}

static bool save_answer(struct cell *c, const struct entrant *e, const struct options *o, struct error *error)
{
    return o->out == NULL || e->state != ENTRANT_IN ||
           c->problem->data->save(arena_layout(c->arena)->data, c->opened, o->out, error);
}

/* Has the variant's device a clock?  The simulator has none: its times say nothing about the variant. */
static bool has_clock(const struct card *v)
{
    return v->clock;
}

static void print_times(FILE *to, const struct result *r)
{
    char took[32], set_up[32];

    describe_duration(r->last, took, sizeof took);
    describe_duration(r->setup, set_up, sizeof set_up);
    fprintf(to, "  %s", took);
    if (isfinite(r->setup))
        fprintf(to, " (and %s to set up)", set_up);
}

/* An answer of a few numbers stands in the line; `text` gets it, or "". */
static void describe_answer(const struct cell *c, const struct entrant *e, char *text, size_t bytes)
{
    const size_t few = 4;
    const struct problem *p = c->problem;

    text[0] = '\0';
    if (e->state == ENTRANT_IN && p->members != NULL && (p->data == NULL || p->data->parts == NULL))
        members_answer(p->members, arena_layout(c->arena)->data, few, text, bytes);
}

static void print_outcome(FILE *to, const struct cell *c, const struct entrant *e, const char *answer, const char *out)
{
    const struct result *r = e->result;
    char text[128] = "";

    result_size(r, text, sizeof text);
    fprintf(to, "%s  %s  %s", e->worker.variant->name.full, text, outcome_names[r->fate.outcome]);
    if (r->fate.outcome != OUTCOME_OK) {
        fprintf(to, ": %s\n", r->fate.reason);
        return;
    }
    fprintf(to, "  error %.2f of the tolerance", isnan(r->error) ? 0.0 : r->error); /* NaN: an answer without numbers */
    if (isfinite(r->exact))
        fprintf(to, "  exact %.4g%%", 100.0 * r->exact);
    if (has_clock(e->worker.variant))
        print_times(to, r);
    if (answer[0] != '\0')
        fprintf(to, "  %s", answer);
    if (c->opened != NULL && c->problem->data->remark != NULL) {
        text[0] = '\0';
        c->problem->data->remark(c->opened, text, sizeof text);
        fprintf(to, "%s%s", text[0] != '\0' ? "  " : "", text);
    }
    if (out != NULL)
        fprintf(to, "  -> %s", strcmp(out, "-") == 0 ? "standard output" : out);
    fputc('\n', to);
}

/* Says on standard error which of several variants was taken, and why; if `all`, also why each of the others was not. */
static void print_choice(const struct cell *c, const struct entrant *first, const struct entrant *second, bool all)
{
    const char *name = first->worker.variant->name.full;
    char took[2][32];
    size_t judged = 0;

    for (size_t i = 0; i < c->count; i++)
        judged += c->entrants[i].state == ENTRANT_IN;
    if (second != NULL) {
        describe_duration(first->result->last, took[0], sizeof took[0]);
        describe_duration(second->result->last, took[1], sizeof took[1]);
        fprintf(stderr, "rungs: %s was the fastest of %zu variants on these data: %s, then %s %s", name, judged,
                took[0], second->worker.variant->name.full, took[1]);
    } else {
        fprintf(stderr, "rungs: %s was taken", name);
    }
    if (judged < c->count)
        fprintf(stderr, "; %zu refused, failed or were predicted to be slower%s", c->count - judged,
                all ? "" : " (-v names them)");
    fputc('\n', stderr);
    for (size_t i = 0; all && i < c->count; i++) {
        const struct result *r = c->entrants[i].result;
        if (r->fate.outcome != OUTCOME_OK)
            fprintf(stderr, "rungs: %s: %s: %s\n", c->entrants[i].worker.variant->name.full,
                    outcome_names[r->fate.outcome], r->fate.reason);
    }
}

/* Shows on a terminal what the variants that wait are doing: step 0 or 1 of a choice.  Step 2 clears the line. */
static void show_progress(const struct cell *c, size_t step, const char *does)
{
    static struct progress progress;
    const struct entrant *only = NULL;
    char what[200], took[32];
    size_t waiting = 0;

    if (step == 2) {
        progress_clear(&progress);
        return;
    }
    for (size_t i = 0; i < c->count; i++)
        if (c->entrants[i].state == ENTRANT_WAITS) {
            only = &c->entrants[i];
            waiting++;
        }
    if (waiting != 1)
        snprintf(what, sizeof what, "%s: each of %zu variants %s", problem_name(c->problem), waiting, does);
    else if (isnan(only->result->predicted))
        snprintf(what, sizeof what, "%s %s", only->worker.variant->name.full, does);
    else {
        describe_duration(only->result->predicted, took, sizeof took);
        snprintf(what, sizeof what, "%s %s; %s predicted", only->worker.variant->name.full, does, took);
    }
    if (progress.all == 0)
        progress_start(&progress, c->count > 1 ? 2 : 1, false);
    progress.done = c->count > 1 ? step : 0;
    progress_show(&progress, what, 0);
}

/* Returns the variant that tells most of why there is no answer: the first that was tried, or if there is none, the first.
   Says what to do if others were not tried. */
static struct entrant *none_right(struct cell *c)
{
    struct entrant *tried = NULL, *left = NULL;

    for (size_t i = c->count; i-- > 0;) { /* the last variants of a ladder are the fastest */
        struct entrant *e = &c->entrants[i];
        if (outcome_failed(e->result->fate.outcome))
            tried = e;
        else if (e->result->fate.outcome == OUTCOME_SKIPPED && left == NULL)
            left = e;
    }
    if (tried != NULL && left != NULL)
        fprintf(stderr, "rungs: no variant that was predicted to be fast gave an answer; name another, e.g. rungs run %s, or "
                "give calls more time: --timeout 600\n", left->worker.variant->name.full);
    return tried != NULL ? tried : c->entrants;
}

/* Runs and judges the cell's variants.  Returns the one whose answer counts: the fastest that was right, or
   if there is none, one that was not.  NULL with an error. */
static struct entrant *run_all(struct cell *c, bool all, struct error *error)
{
    struct entrant *second;

    if (c->count > 1) {
        show_progress(c, 0, "is tried on a part of the data");
        fastest_shortlist(c);
    }
    show_progress(c, 1, "computes the answer, which is judged");
    const bool there = cell_check(c, error);
    show_progress(c, 2, "");
    if (!there)
        return NULL;
    struct entrant *first = fastest_entrant(c, &second);
    if (first != NULL && c->count > 1)
        print_choice(c, first, second, all);
    return first != NULL ? first : none_right(c);
}

/* Opens the user's files or takes the size that is asked for. */
static bool open_data(const struct options *o, const struct problem *p, struct planned *size,
                      void **opened, struct error *error)
{
    size_t count;

    *opened = NULL;
    if (!sizes_has_files(o, p))
        return sizes_asked(o, p, "S", size, 1, &count, error);
    *opened = sizes_open_files(o, p, size, error);
    return *opened != NULL;
}

static int run_variants(const struct options *o, const struct group *g, struct arena *arena,
                        struct error *error)
{
    struct cell c = {.arena = arena, .problem = g->problem, .seed = o->seed, .timeout = o->timeout,
                     .one_part = true};
    const bool data_format = o->format == FORMAT_CSV || o->format == FORMAT_JSON;
    struct planned size;
    struct tally tally = {0};
    unsigned long calls = 0;
    double took = 0.0;
    char answer[160] = "";
    void *opened = NULL;
    FILE *to = screen(o);

    if (!open_data(o, g->problem, &size, &opened, error))
        return STATUS_USAGE;
    struct entrant *e = NULL;
    bool there = can_save(g->problem, opened, o, error);
    if (there) {
        cell_enlist(&c, g->variants, g->count, o->threads);
        cell_label(&c, size.label, size.dims);
        c.opened = opened;
        e = run_all(&c, o->legend, error);
        there = e != NULL;
    }
    if (there && !isnan(o->capture))
        calls = cell_capture(&c, o->capture, &took);
    if (there)
        there = cell_answer(&c, e, error) && refine_answer(&c, e, error) && save_answer(&c, e, o, error);
    if (there)
        describe_answer(&c, e, answer, sizeof answer);
    if (c.count > 0)
        cell_close(&c);
    for (size_t i = 0; there && i < c.count; i++) {
        const struct entrant *one = &c.entrants[i];
        if (one == e || e->result->fate.outcome != OUTCOME_OK) /* a right answer is a success, even if others are wrong */
            tally_result(&tally, one->result);
        if (one != e && !outcome_failed(one->result->fate.outcome))
            continue;
        if (data_format)
            table_bench(to, o->format, &c.results[i], 1, NULL, true);
        else
            print_outcome(to, &c, one, one == e ? answer : "", one == e ? o->out : NULL);
    }
    if (there && opened != NULL && o->out == NULL && terminal_height(stderr) > 0)
        fputs("rungs: the answer is not kept; --out FILE writes it, --out - prints it\n", stderr);
    if (calls > 0)
        fprintf(to, "captured %lu call%s, %.6g ms\n", calls, calls == 1 ? "" : "s", took * 1e3);
    if (c.count > 0)
        cell_dismiss(&c);
    if (opened != NULL)
        g->problem->data->close(opened);
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

/* Moves those among which the program chooses to the front: compiled variants for the CPU.  A GPU must be
   started and an interpreter must load its packages before either answers. */
static size_t keep_quick_to_start(const struct card *variants[], size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++)
        if (card_on_cpu(variants[i]) && variants[i]->clock && variants[i]->language == NULL)
            variants[kept++] = variants[i];
    return kept;
}

/* Lists the variants to run.  Several are of one problem. */
static size_t choose(const struct options *o, const struct card *variants[], struct error *error)
{
    if (o->patterns.count == 0) {
        error_set(error, "run takes a problem or a variant, e.g. rungs run saxpy/cpu_naive; rungs list shows all");
        return 0;
    }
    size_t count = select_variants(o, variants, MAX_VARIANTS, error);
    if (count <= 1)
        return count;
    if (group_first(variants, count).left > 0) {
        error_set(error, "run takes variants of one problem, but %s and %s match", variants[0]->name.full,
                  variants[count - 1]->name.full);
        return 0;
    }
    if (o->counters || !isnan(o->capture)) {
        error_set(error, "--%s takes one variant, but %zu match: %s, %s ...", o->counters ? "counters" : "capture",
                  count, variants[0]->name.full, variants[1]->name.full);
        return 0;
    }
    size_t kept = keep_quick_to_start(variants, count);
    if (kept == 0)
        error_set(error, "run chooses among compiled variants for the CPU, and none of the %zu that match is one; "
                         "name one variant: %s, %s ...", count, variants[0]->name.full, variants[1]->name.full);
    return kept;
}

static int run(const struct options *o)
{
    const struct card *variants[MAX_VARIANTS];
    struct error error;
    const size_t count = choose(o, variants, &error);
    struct arena *arena = count > 0 ? arena_create(&error) : NULL;

    if (arena == NULL || !counters_begin(o, variants[0], &error))
        return usage_error(&error);
    worker_profiled = !isnan(o->capture);
    const struct group g = group_first(variants, count);
    int status = run_variants(o, &g, arena, &error);
    counters_end();
    return status == STATUS_USAGE ? usage_error(&error) : status;
}

const struct command command_run = {
    .name = "run",
    .usage = "run PROBLEM[/VARIANT] [--INPUT FILE...] [--out FILE] [--counters] [--capture]",
    .about = "compute the answer for your own data and write it",
    .help = "The result is judged first, and is written only if it is right.  Without input files the\n"
            "data are generated (--size, --seed).  If several variants match, each compiled one for the\n"
            "CPU that may be fastest computes the answer once, and that of the fastest is taken.\n"
            "docs/simulator.md explains the counters.\n"
            "Example of --capture: ncu --profile-from-start off rungs run ... --capture\n",
    .words = "VARIANT",
    .run = run,
};
