/* rungs ceilings: what this machine can do at best. */
#include "harness/ceilings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/commands/command.h"
#include "harness/grid.h"
#include "harness/interrupt.h"
#include "harness/machine.h"
#include "harness/registry.h"

/* --- what is going on ------------------------------------------------------------------------- */

struct watch {
    struct progress progress;
    const struct variant *now;
};

static void show(void *context, const struct entrant *e, size_t round)
{
    struct watch *w = context;

    w->progress.done += w->now != NULL && w->now != e->worker.variant;
    w->now = e->worker.variant;
    progress_show(&w->progress, variant_name(w->now).variant, round);
}

/* --- the table -------------------------------------------------------------------------------- */

enum column { C_CEILING, C_SET, C_CORES, C_BEST, C_WIDTH, C_BY, C_HOW };

static void set_value(struct grid *g, const struct ceiling_value *v)
{
    char best[40];

    grid_row(g);
    if (v->fate.outcome == OUTCOME_NO_DEVICE) {
        grid_set(g, C_CEILING, "%s", v->device);
        grid_set(g, C_BEST, "%s", outcome_names[v->fate.outcome]);
        g->rest[g->rows - 1] = v->fate.reason;
        return;
    }
    if (v->math != MATH_F32)
        grid_set(g, C_CEILING, "%s %s, %s", v->device, resource_names[v->resource],
                 math_names[v->math]);
    else
        grid_set(g, C_CEILING, "%s %s", v->device, resource_names[v->resource]);
    if (v->bytes >= 1 << 20)
        grid_set(g, C_SET, "%zu MiB", v->bytes >> 20);
    else if (v->bytes > 0)
        grid_set(g, C_SET, "%zu KiB", v->bytes >> 10);
    if (v->cores > 0)
        grid_set(g, C_CORES, "%d", v->cores);
    grid_set(g, C_BY, "%s", v->name);
    if (v->fate.outcome != OUTCOME_OK) {
        grid_set(g, C_BEST, "%s", outcome_names[v->fate.outcome]);
        g->rest[g->rows - 1] = v->fate.reason;
        return;
    }
    ceilings_describe(v->resource, v->best, best, sizeof best);
    grid_set(g, C_BEST, "%s", best);
    if (isfinite(v->low))
        grid_set(g, C_WIDTH, "%.1f%%", 50.0 * (v->high - v->low) / v->median);
    g->rest[g->rows - 1] = v->idea;
}

/* Memory is measured in several ways, of which the best shows; and a device that is not there is
   missing once.  Whatever else went wrong shows in any case. */
static bool said_already(const struct ceiling_value *const values[], size_t count, size_t at)
{
    const struct ceiling_value *v = values[at];

    for (size_t i = 0; i < count; i++) {
        const struct ceiling_value *w = values[i];
        if (strcmp(w->device, v->device) != 0)
            continue;
        if (v->fate.outcome == OUTCOME_NO_DEVICE && w->fate.outcome == OUTCOME_NO_DEVICE && i < at)
            return true;
        if (v->resource == RESOURCE_MEMORY && w->resource == RESOURCE_MEMORY &&
            w->bytes == v->bytes && w->cores == v->cores && w->best > v->best)
            return true;
    }
    return false;
}

/* CPU first; then as the resources come; from small to large. */
static int in_order(const void *a, const void *b)
{
    const struct ceiling_value *v = *(const struct ceiling_value *const *)a;
    const struct ceiling_value *w = *(const struct ceiling_value *const *)b;
    const int device = strcmp(v->device, w->device);

    if (device != 0)
        return device;
    if (v->resource != w->resource)
        return v->resource < w->resource ? -1 : 1;
    if (v->math != w->math)
        return v->math < w->math ? -1 : 1;
    if (v->cores != w->cores)
        return v->cores < w->cores ? -1 : 1;
    if (v->bytes != w->bytes)
        return v->bytes < w->bytes ? -1 : 1;
    return strcmp(v->name, w->name);
}

static void print_for_people(const struct ceilings *all, bool markdown)
{
    static const char *const headings[] = {"ceiling", "set", "cores", "best", "+-", "by", "how"};
    const struct ceiling_value *values[MAX_CEILINGS] = {NULL};
    struct grid g;

    for (size_t i = 0; i < all->count; i++)
        values[i] = &all->values[i];
    qsort(values, all->count, sizeof *values, in_order);
    grid_start(&g);
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        grid_column(&g, headings[i], i == C_CEILING || i >= C_BY);
    g.rest_from = C_HOW;
    grid_spare(&g, C_BY, C_WIDTH);
    for (size_t i = 0; i < all->count; i++)
        if (!said_already(values, all->count, i))
            set_value(&g, values[i]);
    grid_print(&g, stdout, markdown);
    grid_free(&g);
}

static void print_csv(const struct ceilings *all)
{
    puts("name,device,resource,math,bytes,cores,status,best,median,low,high");
    for (size_t i = 0; i < all->count; i++) {
        const struct ceiling_value *v = &all->values[i];
        printf("%s,%s,%s,%s,%zu,%d,%s", v->name, v->device, resource_names[v->resource],
               math_names[v->math], v->bytes, v->cores, outcome_names[v->fate.outcome]);
        const double numbers[] = {v->best, v->median, v->low, v->high};
        for (size_t n = 0; n < 4; n++)
            printf(isfinite(numbers[n]) ? ",%.9g" : ",", numbers[n]);
        puts("");
    }
}

static void print_json(const struct ceilings *all)
{
    for (size_t i = 0; i < all->count; i++) {
        char *text = record_ceiling_text(&all->values[i]);
        puts(text != NULL ? text : "null");
        free(text);
    }
}

static void print(const struct ceilings *all, const struct options *o)
{
    char machine[256];

    if (o->format == FORMAT_CSV) {
        print_csv(all);
    } else if (o->format == FORMAT_JSON) {
        print_json(all);
    } else {
        machine_describe(machine, sizeof machine);
        printf("%s\n%s\n\n", machine, all->file);
        print_for_people(all, o->format == FORMAT_MARKDOWN);
        if (o->format == FORMAT_TABLE)
            printf("\nbest: of all samples; +-: half the 95 %% interval of the rounds' median.\n"
                   "set: what is read and written again and again, all cores together.\n");
    }
}

/* --- the command ------------------------------------------------------------------------------ */

static int status_of(const struct ceilings *all)
{
    bool any = false;

    for (size_t i = 0; i < all->count; i++) {
        if (outcome_failed(all->values[i].fate.outcome))
            return STATUS_FAILED;
        any |= all->values[i].fate.outcome == OUTCOME_OK;
    }
    return any ? STATUS_OK : STATUS_NOTHING;
}

static int run(const struct options *o)
{
    static struct ceilings all;
    struct watch w = {.now = NULL};
    struct error error = {.text = ""};

    if (o->pattern_count + o->excluded_count + o->size_count + o->setting_count > 0) {
        error_set(&error, "ceilings measures the machine: it takes no rungs and no sizes");
        return usage_error(&error);
    }
    if (o->once && ceilings_load(&all, &error)) {
        print(&all, o);
        return status_of(&all);
    }
    struct record *record = ceilings_create(&all, o->out, &error);
    if (record == NULL)
        return usage_error(&error);
    progress_start(&w.progress, ceilings_count());
    bool done = ceilings_measure(&all, strcmp(o->profile.name, "quick") == 0
                                           ? &profile_ceilings_quick
                                           : &profile_ceilings, show, &w, &error);
    progress_clear(&w.progress);
    if (!done || interrupted()) { /* half of them would be taken for all */
        ceilings_drop(record);
        return done ? STATUS_SIGNAL + interrupted() : usage_error(&error);
    }
    if (!ceilings_save(record, &all, o->argc, o->argv, &error))
        return usage_error(&error);
    print(&all, o);
    return status_of(&all);
}

const struct command command_ceilings = {
    .name = "ceilings",
    .usage = "ceilings [--once] [--format json]",
    .about = "measure what this machine can do at best, for the tables' \"of limit\"",
    .help = "Memory and caches, arithmetic, and of a GPU also special functions, tensor cores, bus and\n"
            "launches; less than a minute.  They are kept in results/ceilings-MACHINE.jsonl, where\n"
            "bench looks for them; --out names another file.\n",
    .run = run,
};
