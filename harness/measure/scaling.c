#include "harness/measure/scaling.h"

#include <stdlib.h>

#include "harness/model/registry.h"

/* --- a variant at each value --------------------------------------------------------------------- */

/* Returns the axis along which a variant scales; NULL: none. */
static const struct steps *axis_of(const struct entrant *e, const struct axes *axes)
{
    const struct card *v = e->worker.variant;
    const struct steps *axis = NULL;

    if (e->state == ENTRANT_GONE)
        return NULL;
    if (card_by_mpi(v) || v->engine != NULL) /* an engine has a process for each */
        axis = &axes->ranks;
    else if (axes->processes.count > 0)
        axis = &axes->processes;
    else if (!card_on_cpu(v))
        axis = v->traits & TRAIT_ALL_GPUS ? &axes->devices : NULL;
    else if (v->traits & TRAIT_CORES || e->threads > 1)
        axis = &axes->threads;
    return axis != NULL && axis->count > 0 ? axis : NULL;
}

static struct scale scale_at(const struct axes *axes, const struct steps *axis, int value)
{
    return (struct scale){.threads = axis == &axes->threads ? value : 0,
                          .devices = axis == &axes->devices ? value : 0,
                          .ranks = axis == &axes->ranks ? value : 0,
                          .processes = axis == &axes->processes ? value : 0};
}

/* The variants that will take part, from the results of those that have. */
struct lineup {
    size_t count;
    const struct card **variants;
    struct scale *scales;
    const struct entrant **from;
};

static struct lineup line_up(const struct cell *c, const struct axes *axes)
{
    const size_t room = c->count * MAX_STEPS + 1;
    struct lineup l = {.variants = calloc(room, sizeof *l.variants),
                       .scales = calloc(room, sizeof *l.scales),
                       .from = calloc(room, sizeof *l.from)};

    if (l.variants == NULL || l.scales == NULL || l.from == NULL)
        abort();
    for (size_t i = 0; i < c->count; i++) {
        const struct steps *axis = axis_of(&c->entrants[i], axes);
        for (size_t step = 0; step < (axis != NULL ? axis->count : 1); step++) {
            if (axis != NULL)
                l.scales[l.count] = scale_at(axes, axis, axis->value[step]);
            l.variants[l.count] = c->entrants[i].worker.variant;
            l.from[l.count++] = &c->entrants[i];
        }
    }
    return l;
}

/* Copies what the check sizes have shown. */
static void take_over(struct entrant *e, const struct entrant *from, int there)
{
    e->result->sizes_ok = from->result->sizes_ok;
    e->result->sizes_refused = from->result->sizes_refused;
    e->threads = from->threads;
    if (from->state == ENTRANT_GONE)
        entrant_out(e, from->fate.outcome, "%s", from->fate.reason);
    else if (there > 0 && e->scale.devices > there)
        entrant_out(e, OUTCOME_NO_DEVICE, "needs %d devices; this machine has %d", e->scale.devices, there);
}

void cell_scale(struct cell *c, const struct axes *axes, int there)
{
    struct cell old = *c;
    struct lineup l = line_up(&old, axes);

    for (size_t i = 0; i < old.count; i++) /* before the new ones start */
        worker_end(&old.entrants[i].worker);
    cell_enlist_scaled(c, l.variants, l.scales, NULL, l.count, c->threads);
    for (size_t i = 0; i < l.count; i++)
        take_over(&c->entrants[i], l.from[i], there);
    c->solution = NULL; /* freed with the old cell */
    cell_dismiss(&old);
    free(l.variants);
    free(l.scales);
    free(l.from);
}
