#include "harness/ceilings/ceilings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/clock.h"
#include "harness/base/home.h"
#include "harness/base/interrupt.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/machine/machine.h"
#include "harness/machine/topology.h"
#include "harness/measure/cell.h"
#include "harness/model/registry.h"

enum { AXIS_BYTES, AXIS_CORES };

const struct preset preset_ceilings = {
    .name = "default", .warm_time = 0.02, .min_rounds = 8, .max_rounds = 16, .width = 0.01,
    .max_time = 0.15, .block_time = 0.02, .passes = 1,
};

const struct preset preset_ceilings_quick = {
    .name = "quick", .warm_time = 0.005, .min_rounds = 6, .max_rounds = 6, .width = 0.05,
    .max_time = 0.05, .block_time = 0.005, .passes = 1,
};

/* --- the list --------------------------------------------------------------------------------- */

static struct card *list;    /* of this machine */
static struct card *between; /* of the network between ranks: measured if asked for */

static int order(const struct card *a, const struct card *b)
{
    const int device = card_on_cpu(b) - card_on_cpu(a);

    if (device != 0)
        return device;
    return a->resource != b->resource ? a->resource - b->resource
                                      : strcmp(a->name.variant, b->name.variant);
}

static void insert(struct card *c)
{
    struct card **place = card_by_mpi(c) ? &between : &list;

    while (*place != NULL && order(*place, c) < 0)
        place = &(*place)->next;
    c->next = *place;
    *place = c;
}

/* Reads the ceilings' cards, once. */
static bool find(struct error *error)
{
    struct card *read = NULL, *next;

    if (list != NULL)
        return true;
    if (!cards_read(home_file("ceilings"), &read, error))
        return false;
    for (; read != NULL; read = next) {
        next = read->next;
        insert(read);
    }
    return list != NULL || error_set(error, "%s: holds no ceilings", home_file("ceilings"));
}

size_t ceilings_count(void)
{
    struct error error;
    size_t count = 0;

    find(&error);
    for (const struct card *c = list; c != NULL; c = c->next)
        count++;
    return count;
}

const char *ceiling_name(size_t i)
{
    const struct card *c = ceilings_count() > i ? list : NULL;

    while (c != NULL && i-- > 0)
        c = c->next;
    return c != NULL ? c->name.variant : NULL;
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
    (void)c; /* a ceiling moves arrays of its own */
    (void)seed;
}

static void *solve(const void *c)
{
    (void)c;
    return malloc(1);
}

/* A ceiling must report its work; poison means that it has not. */
static struct verdict judge(const void *c, const void *solution, enum math math, uint64_t seed)
{
    const struct ceiling_case *p = c;
    struct verdict v = verdict_start();

    (void)solution;
    (void)math;
    (void)seed;
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
    const struct preset *preset;
    bench_progress *progress;
    void *context;
    struct arena *arena;
};

/* Computes rates from the work of a call and the samples.  The fastest sample is the ceiling, because
   other load on the machine only makes samples longer. */
static void set_rates(struct ceiling_value *v, const struct series *s, double amount)
{
    const struct summary time = series_summary(s);

    v->best = amount / summarize(s->sample, s->kept).min;
    v->median = amount / time.median;
    v->low = amount / time.high; /* a longer time is a lower rate */
    v->high = amount / time.low;
}

static struct ceiling_value *add_value(struct ceilings *all, const struct card *c,
                                       enum resource resource, const struct result *r)
{
    if (all->count == MAX_CEILINGS)
        abort();
    struct ceiling_value *v = &all->values[all->count++];

    *v = (struct ceiling_value){.resource = resource, .math = c->math,
                                .bytes = (size_t)r->size[AXIS_BYTES].value,
                                .cores = (int)r->size[AXIS_CORES].value, .fate = r->fate,
                                .best = NAN, .median = NAN, .low = NAN, .high = NAN};
    v->mpi = r->mpi;
    snprintf(v->name, sizeof v->name, "%.31s", c->name.variant);
    snprintf(v->idea, sizeof v->idea, "%s", c->idea);
    snprintf(v->device, sizeof v->device, "%s", c->device);
    machine_fingerprint(v->machine);
    return v;
}

static void keep(struct session *s, const struct card *c, const struct result *r)
{
    const bool bus = c->resource == (int)RESOURCE_UPLOAD;
    const struct ceiling_case *p = (const void *)arena_layout(s->arena)->data;
    const enum phase run = r->time[PHASE_RUN].rounds > 0 ? PHASE_RUN : PHASE_E2E;
    const enum phase phases[] = {bus ? PHASE_UPLOAD : run, PHASE_DOWNLOAD};

    for (int way = 0; way < (bus ? 2 : 1); way++) {
        struct ceiling_value *v = add_value(s->all, c, way == 0 ? (enum resource)c->resource : RESOURCE_DOWNLOAD, r);
        if (!result_timed(r))
            continue;
        set_rates(v, &r->time[phases[way]], p->work[0]);
        v->devices = (int)p->work[1];
    }
}

/* Measures one working set with one number of cores.  Returns false if the ceiling cannot go on. */
static bool measure(struct session *s, struct cell *c, const struct card *ceiling,
                    size_t bytes, int cores)
{
    const size_t dims[MAX_AXES] = {bytes, (size_t)cores};
    struct entrant *e = &c->entrants[0];
    struct error error;

    cell_label(c, "ceiling", dims);
    if (3.0 * (double)bytes > (double)memory_available() && card_on_cpu(ceiling)) {
        fate_set(&e->result->fate, OUTCOME_SKIPPED, "no memory for a working set of this size");
    } else if (!cell_check(c, &error)) {
        fate_set(&e->result->fate, OUTCOME_SKIPPED, "%s", error.text);
    } else {
        bench_cell(c, s->preset, 1, s->progress, s->context);
    }
    if (interrupted())
        return false;
    keep(s, ceiling, e->result);
    cell_close(c);
    return e->result->fate.outcome == OUTCOME_OK;
}

/* Sizes range from the first cache of one core to far beyond the last cache.  Devices begin where the
   launch no longer dominates. */
static void measure_sizes(struct session *s, struct cell *c, const struct card *ceiling,
                          int cores)
{
    enum { KIB = 1 << 10, MIB = 1 << 20 };
    static const size_t sets[] = {16 * KIB, 128 * KIB, 512 * KIB,           2 * MIB, 8 * MIB,
                                  32 * MIB, 128 * MIB, 512 * (size_t)MIB, 2048 * (size_t)MIB};
    const bool host = card_on_cpu(ceiling);
    const double smallest = host ? 0.0 : 8.0 * MIB;
    const double largest = host && 2.0 * machine_last_cache() <= 512.0 * MIB ? 512.0 * MIB : 0x1p31;

    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        if ((double)sets[i] >= smallest && (double)sets[i] <= largest &&
            !measure(s, c, ceiling, sets[i], cores))
            return;
}

static void measure_with(struct session *s, struct cell *c, const struct card *ceiling,
                         int cores)
{
    if (ceiling->resource == (int)RESOURCE_MEMORY)
        measure_sizes(s, c, ceiling, cores);
    else
        measure(s, c, ceiling, 0, cores);
}

/* Small messages, and large ones up to what a step of an all-to-all may send. */
static void measure_between(struct session *s, const struct card *ceiling, int ranks)
{
    enum { SMALL = 8, KIB = 1 << 10, MIB = 1 << 20 };
    static const size_t large[] = {64 * KIB, 512 * KIB, 4 * MIB};
    struct cell c = {.arena = s->arena, .problem = &ceilings_problem, .seed = 1, .timeout = 60.0};

    cell_enlist(&c, &ceiling, 1, ranks);
    if (ceiling->resource == (int)RESOURCE_MESSAGE)
        measure(s, &c, ceiling, SMALL, ranks);
    for (size_t i = 0; ceiling->resource == (int)RESOURCE_NETWORK && i < sizeof large / sizeof *large; i++)
        if (!measure(s, &c, ceiling, large[i], ranks))
            break;
    cell_dismiss(&c);
}

static void measure_ceiling(struct session *s, const struct card *ceiling)
{
    const int all = topology_cores();
    struct cell c = {.arena = s->arena, .problem = &ceilings_problem, .seed = 1, .timeout = 60.0};

    cell_enlist(&c, &ceiling, 1, all);
    measure_with(s, &c, ceiling, card_on_cpu(ceiling) ? 1 : 0);
    if (card_on_cpu(ceiling) && all > 1 && !interrupted())
        measure_with(s, &c, ceiling, all);
    cell_dismiss(&c);
}

bool ceilings_measure(struct ceilings *all, const struct preset *preset, int ranks,
                      bench_progress *progress, void *context, struct error *error)
{
    struct preset longer = *preset; /* few values, each of which needs enough rounds for an interval */
    struct session s = {.all = all, .preset = ranks > 0 ? &longer : preset, .progress = progress, .context = context};

    const double start = clock_now();

    longer.max_time *= 6.0;
    all->count = 0;
    all->preset = preset->name;
    if (!find(error))
        return false;
    if (ranks > 0 && between == NULL)
        return error_set(error, "the network is measured by MPI, and this build has none: no mpicc was found");
    if ((s.arena = arena_create(error)) == NULL)
        return false;
    for (const struct card *c = ranks > 0 ? between : list; c != NULL && !interrupted(); c = c->next)
        if (ranks > 0)
            measure_between(&s, c, ranks);
        else
            measure_ceiling(&s, c);
    all->took = clock_now() - start;
    return true;
}
