#include "harness/scaling.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/json_values.h"
#include "harness/record.h"
#include "harness/registry.h"

void steps_describe(const struct steps *s, char *text, size_t bytes)
{
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < s->count && used < bytes; i++)
        used += (size_t)snprintf(text + used, bytes - used, "%s%d", i > 0 ? "," : "", s->value[i]);
}

/* --- a rung at each value --------------------------------------------------------------------- */

/* Along which axis, if any. */
static const struct steps *axis_of(const struct entrant *e, const struct steps *threads,
                                   const struct steps *devices)
{
    const struct variant *v = e->worker.variant;
    const bool cpu = v->device == NULL || v->device == &device_cpu;

    if (e->gone)
        return NULL;
    if (!cpu)
        return v->traits & TRAIT_ALL_GPUS && devices->count > 0 ? devices : NULL;
    return (v->traits & TRAIT_CORES || e->threads > 1) && threads->count > 0 ? threads : NULL;
}

/* Who is to take part, by what came of those that have. */
struct lineup {
    size_t count;
    const struct variant **rungs;
    struct scale *scales;
    const struct entrant **from;
};

static struct lineup line_up(const struct cell *c, const struct entrant old[],
                             const struct steps *threads, const struct steps *devices)
{
    const size_t room = c->count * MAX_STEPS + 1;
    struct lineup l = {.rungs = calloc(room, sizeof *l.rungs),
                       .scales = calloc(room, sizeof *l.scales),
                       .from = calloc(room, sizeof *l.from)};

    if (l.rungs == NULL || l.scales == NULL || l.from == NULL)
        abort();
    for (size_t i = 0; i < c->count; i++) {
        const struct steps *axis = axis_of(&old[i], threads, devices);
        for (size_t step = 0; step < (axis != NULL ? axis->count : 1); step++) {
            if (axis != NULL)
                *(axis == threads ? &l.scales[l.count].threads : &l.scales[l.count].devices) =
                    axis->value[step];
            l.rungs[l.count] = old[i].worker.variant;
            l.from[l.count++] = &old[i];
        }
    }
    return l;
}

/* What the check sizes have shown holds for each. */
static void take_over(struct entrant *e, const struct entrant *from, size_t ok, size_t refused,
                      int there)
{
    struct fate fate;

    e->row->sizes_ok = ok;
    e->row->sizes_refused = refused;
    e->threads = from->threads;
    if (from->gone) {
        entrant_out(e, &from->fate);
    } else if (there > 0 && e->scale.devices > there) {
        fate_set(&fate, OUTCOME_NO_DEVICE, "%d devices are asked for, and there %s %d",
                 e->scale.devices, there == 1 ? "is" : "are", there);
        entrant_out(e, &fate);
    }
}

void cell_scale(struct cell *c, const struct steps *threads, const struct steps *devices, int there)
{
    const size_t count = c->count;
    struct entrant *old = calloc(count + 1, sizeof *old);
    size_t *sizes = calloc(2 * count + 1, sizeof *sizes);

    if (old == NULL || sizes == NULL)
        abort();
    memcpy(old, c->entrants, count * sizeof *old);
    for (size_t i = 0; i < count; i++) {
        sizes[2 * i] = old[i].row->sizes_ok;
        sizes[2 * i + 1] = old[i].row->sizes_refused;
    }
    struct lineup l = line_up(c, old, threads, devices);
    cell_dismiss(c);
    cell_enlist_scaled(c, l.rungs, l.scales, NULL, l.count, c->threads);
    for (size_t i = 0; i < l.count; i++) {
        const size_t from = (size_t)(l.from[i] - old);
        take_over(&c->entrants[i], l.from[i], sizes[2 * from], sizes[2 * from + 1], there);
    }
    free(l.rungs);
    free(l.scales);
    free(l.from);
    free(old);
    free(sizes);
}

/* --- what more of them bring ------------------------------------------------------------------ */

const char *scale_axis(const struct scale *s)
{
    return s->threads > 0 ? "threads" : s->devices > 0 ? "devices" : NULL;
}

static int value_of(const struct row *row)
{
    return row->scale.threads + row->scale.devices;
}

static bool same_curve(const struct row *a, const struct row *b)
{
    return (a->machine != NULL ? a->machine : "") == (b->machine != NULL ? b->machine : "") &&
           (a->scale.threads > 0) == (b->scale.threads > 0) &&
           (a->scale.devices > 0) == (b->scale.devices > 0) &&
           strcmp(variant_name(a->variant).full, variant_name(b->variant).full) == 0;
}

static struct comparison compare(const struct series *base, const struct series *its, bool together,
                                 size_t family)
{
    const struct rounds one = series_rounds(base), other = series_rounds(its);

    return together ? compare_together(&one, &other, family) : compare_apart(&one, 1, &other, 1);
}

/* Against the smallest value of the same rung; the intervals hold for all of its values at once. */
static bool find(struct row *const rows[], size_t count, const struct row *row, struct speedup *s)
{
    size_t family = 0;

    *s = (struct speedup){.row = row, .value = value_of(row)};
    for (size_t i = 0; i < count; i++) {
        if (!row_timed(rows[i]) || !same_curve(rows[i], row))
            continue;
        family++;
        if (s->base == NULL || value_of(rows[i]) < value_of(s->base))
            s->base = rows[i];
    }
    if (s->base == row || family < 2)
        return false;
    s->from = value_of(s->base);
    const bool together = !row->alone && !s->base->alone;
    s->e2e = compare(&s->base->e2e, &row->e2e, together, family - 1);
    s->resident = compare(&s->base->run, &row->run, together, family - 1);
    return true;
}

size_t speedups_find(struct row *const rows[], size_t count, struct speedup list[])
{
    size_t found = 0;

    for (size_t i = 0; i < count; i++)
        if (scale_axis(&rows[i]->scale) != NULL && row_timed(rows[i]) &&
            find(rows, count, rows[i], &list[found]))
            found++;
    return found;
}

double speedup_efficiency(const struct speedup *s, double ratio)
{
    return ratio * s->from / s->value;
}

/* --- on record -------------------------------------------------------------------------------- */

static json_t *phase_json(const struct speedup *s, const char *phase, const struct comparison *c)
{
    const struct name name = variant_name(s->row->variant);
    json_t *object = json_pack(
        "{s:s, s:s, s:s, s:s, s:o, s:s, s:i, s:i, s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "record",
        "scaling", "problem", name.problem, "variant", name.variant, "label", s->row->label, "size",
        record_size(s->row), "axis", scale_axis(&s->row->scale), "value", s->value, "from", s->from,
        "phase", phase, "speedup", json_number(c->ratio), "lo", json_number(c->low), "hi",
        json_number(c->high), "efficiency", json_number(speedup_efficiency(s, c->ratio)),
        "efficiency_lo", json_number(speedup_efficiency(s, c->low)), "efficiency_hi",
        json_number(speedup_efficiency(s, c->high)));

    json_object_update_new(object, json_pack("{s:o, s:I, s:I, s:s}", "conf",
                                             json_number(c->confidence), "rounds",
                                             (json_int_t)c->rounds, "ties", (json_int_t)c->ties,
                                             "method", c->method));
    return object;
}

json_t *speedups_json(struct row *const rows[], size_t count)
{
    struct speedup *list = calloc(count + 1, sizeof *list);
    json_t *records = json_array();

    if (list == NULL)
        abort();
    for (size_t i = 0, found = speedups_find(rows, count, list); i < found; i++) {
        if (isfinite(list[i].e2e.ratio))
            json_array_append_new(records, phase_json(&list[i], "e2e", &list[i].e2e));
        if (isfinite(list[i].resident.ratio))
            json_array_append_new(records, phase_json(&list[i], "resident", &list[i].resident));
    }
    free(list);
    return records;
}
