#include "harness/ceilings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cell.h"
#include "harness/clock.h"
#include "harness/interrupt.h"
#include "harness/machine.h"
#include "harness/memory.h"
#include "harness/describe.h"
#include "harness/registry.h"
#include "harness/topology.h"

enum { AXIS_BYTES, AXIS_CORES };

const char *const resource_names[RESOURCES] = {
    "memory", "arithmetic", "special functions", "upload",    "download",
    "peer",   "launch",     "round trip",        "graph node"};

void ceilings_describe(enum resource resource, double rate, char *text, size_t bytes)
{
    static const char *const units[RESOURCES] = {
        [RESOURCE_MEMORY] = "B/s",   [RESOURCE_ARITHMETIC] = "FLOP/s", [RESOURCE_SPECIAL] = "/s",
        [RESOURCE_UPLOAD] = "B/s",   [RESOURCE_DOWNLOAD] = "B/s",      [RESOURCE_PEER] = "B/s",
    };
    const bool tera = rate >= 999.5e9;

    if (units[resource] == NULL)
        describe_duration(1.0 / rate, text, bytes);
    else
        snprintf(text, bytes, "%.3g %c%s", rate / (tera ? 1e12 : 1e9), tera ? 'T' : 'G',
                 units[resource]);
}

const struct profile profile_ceilings = {
    .name = "default", .warm_time = 0.02, .min_rounds = 8, .max_rounds = 16, .width = 0.01,
    .max_time = 0.15, .block_time = 0.02, .sittings = 1,
};

const struct profile profile_ceilings_quick = {
    .name = "quick", .warm_time = 0.005, .min_rounds = 6, .max_rounds = 6, .width = 0.05,
    .max_time = 0.05, .block_time = 0.005, .sittings = 1,
};

/* --- the list --------------------------------------------------------------------------------- */

static struct ceiling *list;

static int order(const struct ceiling *a, const struct ceiling *b)
{
    const int device = (a->variant.device != NULL) - (b->variant.device != NULL);
    const int resource = (int)a->resource - (int)b->resource;

    if (device != 0)
        return device;
    return resource != 0 ? resource : strcmp(a->variant.path, b->variant.path);
}

/* In order: they come from constructors, which have none. */
void ceiling_register(struct ceiling *c)
{
    struct ceiling **place = &list;

    while (*place != NULL && order(*place, c) < 0)
        place = &(*place)->next;
    c->next = *place;
    *place = c;
}

size_t ceilings_count(void)
{
    size_t count = 0;

    for (const struct ceiling *c = list; c != NULL; c = c->next)
        count++;
    return count;
}

const char *ceiling_name(size_t i)
{
    static char name[sizeof ((struct name *)NULL)->variant];
    const struct ceiling *c = list;

    while (c != NULL && i-- > 0)
        c = c->next;
    if (c == NULL)
        return NULL;
    snprintf(name, sizeof name, "%s", variant_name(&c->variant).variant);
    return name;
}

const struct variant *ceiling_find(const char *name)
{
    for (const struct ceiling *c = list; c != NULL; c = c->next)
        if (strcmp(variant_name(&c->variant).full, name) == 0)
            return &c->variant;
    return NULL;
}

/* --- a problem for their workers -------------------------------------------------------------- */

static void shape(void *c, const size_t dims[], struct arena *arena)
{
    struct ceiling_case *p = c;

    p->bytes = dims[AXIS_BYTES];
    p->cores = (int)dims[AXIS_CORES];
    p->work = arena_output(arena, "work", 1, 2, sizeof *p->work);
}

static void fill(void *c, uint64_t seed)
{
    (void)c; /* the arrays that are moved about are the ceiling's own */
    (void)seed;
}

static void *solve(const void *c, uint64_t seed)
{
    (void)c;
    (void)seed;
    return malloc(1);
}

/* A ceiling must say what it has done; poison says that it has not. */
static struct verdict judge(const void *c, const void *solution, enum math math)
{
    const struct ceiling_case *p = c;
    struct verdict v = verdict_start();

    (void)solution;
    (void)math;
    for (size_t i = 0; i < 2; i++)
        if (!verdict_see(&v, "work", i, p->work[i], fmax(p->work[i], 1.0), 0.0))
            break;
    return v;
}

static struct cost cost(const size_t dims[])
{
    (void)dims;
    return (struct cost){0};
}

static const struct problem ceilings_problem = {
    .path = "ceilings", .axes = {"bytes", "cores"}, .case_bytes = sizeof(struct ceiling_case),
    .shape = shape, .fill = fill, .solve = solve, .judge = judge, .cost = cost,
};

/* --- measuring -------------------------------------------------------------------------------- */

struct session {
    struct ceilings *all;
    const struct profile *profile;
    bench_progress *progress;
    void *context;
    struct arena *arena;
};

/* Work of `amount` a call, as often a second as the samples say.  The fastest of them is the limit:
   whoever else is on the machine makes a sample longer, never shorter. */
static void set_rates(struct ceiling_value *v, const struct series *s, double amount)
{
    const struct summary time = series_summary(s);

    v->best = amount / summarize(s->sample, s->kept).min;
    v->median = amount / time.median;
    v->low = amount / time.high; /* longer is less */
    v->high = amount / time.low;
}

static struct ceiling_value *add_value(struct ceilings *all, const struct ceiling *c,
                                       enum resource resource, const struct row *row)
{
    if (all->count == MAX_CEILINGS)
        abort();
    struct ceiling_value *v = &all->values[all->count++];
    const struct device *device = c->variant.device;

    *v = (struct ceiling_value){.resource = resource, .math = c->variant.math,
                                .bytes = row->dims[AXIS_BYTES],
                                .cores = (int)row->dims[AXIS_CORES], .fate = row->fate,
                                .best = NAN, .median = NAN, .low = NAN, .high = NAN};
    snprintf(v->name, sizeof v->name, "%.31s", variant_name(&c->variant).variant);
    snprintf(v->idea, sizeof v->idea, "%s", c->variant.idea);
    snprintf(v->device, sizeof v->device, "%s", device != NULL ? device->name : device_cpu.name);
    return v;
}

static void keep(struct session *s, const struct ceiling *c, const struct row *row)
{
    const bool bus = c->resource == RESOURCE_UPLOAD;
    const struct ceiling_case *p = (const void *)arena_layout(s->arena)->data;
    const struct series *run = row->run.rounds > 0 ? &row->run : &row->e2e;
    const struct series *const times[] = {bus ? &row->upload : run, &row->download};

    for (int way = 0; way < (bus ? 2 : 1); way++) {
        struct ceiling_value *v =
            add_value(s->all, c, way == 0 ? c->resource : RESOURCE_DOWNLOAD, row);
        if (!row_timed(row))
            continue;
        set_rates(v, times[way], p->work[0]);
        v->devices = (int)p->work[1];
    }
}

/* One working set, one number of cores.  False: the ceiling cannot go on. */
static bool measure(struct session *s, struct cell *c, const struct ceiling *ceiling,
                    size_t bytes, int cores)
{
    const size_t dims[MAX_AXES] = {bytes, (size_t)cores};
    struct entrant *e = &c->entrants[0];
    struct error error;

    cell_label(c, "ceiling", dims);
    if (3.0 * (double)bytes > (double)memory_available() && ceiling->variant.device == NULL) {
        fate_set(&e->row->fate, OUTCOME_SKIPPED, "no memory for a working set of this size");
    } else if (!cell_check(c, &error)) {
        fate_set(&e->row->fate, OUTCOME_SKIPPED, "%s", error.text);
    } else {
        bench_cell(c, s->profile, 1, s->progress, s->context);
    }
    if (interrupted())
        return false;
    keep(s, ceiling, e->row);
    cell_close(c);
    return e->row->fate.outcome == OUTCOME_OK;
}

/* From what the first cache of one core holds to far more than the last one does.  Devices begin
   where launching is not all that there is. */
static void measure_sizes(struct session *s, struct cell *c, const struct ceiling *ceiling,
                          int cores)
{
    enum { KIB = 1 << 10, MIB = 1 << 20 };
    static const size_t sets[] = {16 * KIB, 128 * KIB, 512 * KIB,           2 * MIB, 8 * MIB,
                                  32 * MIB, 128 * MIB, 512 * (size_t)MIB, 2048 * (size_t)MIB};
    const bool host = ceiling->variant.device == NULL;
    const double smallest = host ? 0.0 : 8.0 * MIB;
    const double largest = host && 2.0 * machine_last_cache() <= 512.0 * MIB ? 512.0 * MIB : 0x1p31;

    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        if ((double)sets[i] >= smallest && (double)sets[i] <= largest &&
            !measure(s, c, ceiling, sets[i], cores))
            return;
}

static void measure_with(struct session *s, struct cell *c, const struct ceiling *ceiling,
                         int cores)
{
    if (ceiling->resource == RESOURCE_MEMORY)
        measure_sizes(s, c, ceiling, cores);
    else
        measure(s, c, ceiling, 0, cores);
}

static void measure_ceiling(struct session *s, const struct ceiling *ceiling)
{
    const struct variant *v = &ceiling->variant;
    const int all = topology_cores();
    struct cell c = {.arena = s->arena, .problem = &ceilings_problem, .seed = 1, .timeout = 60.0};

    cell_enlist(&c, &v, 1, all);
    measure_with(s, &c, ceiling, v->device == NULL ? 1 : 0);
    if (v->device == NULL && all > 1 && !interrupted())
        measure_with(s, &c, ceiling, all);
    cell_dismiss(&c);
}

bool ceilings_measure(struct ceilings *all, const struct profile *profile,
                      bench_progress *progress, void *context, struct error *error)
{
    struct session s = {.all = all, .profile = profile, .progress = progress, .context = context};

    const double start = clock_now();

    all->count = 0;
    all->profile = profile->name;
    if ((s.arena = arena_create(error)) == NULL)
        return false;
    for (const struct ceiling *c = list; c != NULL && !interrupted(); c = c->next)
        measure_ceiling(&s, c);
    all->took = clock_now() - start;
    return true;
}
