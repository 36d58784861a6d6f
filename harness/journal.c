#include "harness/journal.h"

#include <math.h>
#include <string.h>

#include "harness/cell.h"
#include "harness/json_values.h"
#include "harness/registry.h"
#include "harness/scaling.h"

enum { PHASE_E2E, PHASE_RUN, PHASE_COLD, PHASE_UPLOAD, PHASE_DOWNLOAD };

_Static_assert((int)PAST_SAMPLES == (int)MAX_SAMPLES, "a block is read as it is written");

static double *values_of(struct samples *s, int phase)
{
    double *const all[PAST_PHASES] = {[PHASE_E2E] = s->e2e,
                                      [PHASE_RUN] = s->run,
                                      [PHASE_COLD] = s->cold,
                                      [PHASE_UPLOAD] = s->upload,
                                      [PHASE_DOWNLOAD] = s->download};

    return all[phase];
}

/* --- to the file ------------------------------------------------------------------------------ */

/* Does a rung have the phase at all? */
static bool has(const struct variant *v, int phase, const struct samples *s)
{
    switch (phase) {
    case PHASE_E2E: return true;
    case PHASE_UPLOAD: return v->upload != NULL;
    case PHASE_DOWNLOAD: return v->download != NULL;
    case PHASE_COLD:
        return (v->upload != NULL || v->download != NULL) && s->count > 0 && !isnan(s->cold[0]);
    default: return v->upload != NULL || v->download != NULL;
    }
}

static json_t *telemetry_json(const struct telemetry *t)
{
    return json_pack("[o, o, o, o, o, o]", json_number(t->cpu_mhz), json_number(t->gpu_mhz),
                     json_number(t->memory_mhz), json_number(t->celsius), json_number(t->watts),
                     json_integer((json_int_t)t->held_back));
}

void journal_keep(struct journal *j, const struct cell *c, const struct entrant *e, size_t round,
                  const struct block *b)
{
    const struct variant *v = e->worker.variant;
    const struct name name = variant_name(v);
    struct samples samples = b->samples;
    json_t *object = json_pack(
        "{s:s, s:s, s:s, s:o, s:s, s:o, s:i, s:I, s:I, s:I, s:o, s:o, s:o}", "record", "block",
        "problem", name.problem, "variant", name.variant, "scale", record_scale(&e->scale), "label",
        e->row->label, "size", record_size(e->row), "launch", (int)c->launch, "round",
        (json_int_t)round, "reps", (json_int_t)b->reps, "runs", (json_int_t)b->samples.runs, "took_ns",
        json_nanoseconds(b->seconds), "cpu_ns", json_nanoseconds(b->cpu_seconds), "telemetry",
        telemetry_json(&b->telemetry));

    for (int phase = 0; phase < PAST_PHASES; phase++)
        if (has(v, phase, &samples))
            json_object_set_new(object, past_phases[phase],
                                json_times(values_of(&samples, phase), samples.count));
    if (!record_object(j->record, object, &j->error))
        j->broken = true;
}

/* --- and from it ------------------------------------------------------------------------------ */

static bool is_of(const struct past_block *b, const struct cell *c, const struct entrant *e,
                  size_t round)
{
    const struct name name = variant_name(e->worker.variant);
    const char *axis = scale_axis(&e->scale);

    return b->round == (long long)round && b->launch == (long long)c->launch &&
           strcmp(b->variant, name.variant) == 0 && strcmp(b->problem, name.problem) == 0 &&
           strcmp(b->label, e->row->label) == 0 &&
           strcmp(b->scale.name, axis != NULL ? axis : "") == 0 &&
           b->scale.value == e->scale.threads + e->scale.devices &&
           past_is_size(b->size, b->axes, c->problem->axes, MAX_AXES, c->dims);
}

static void recall(const struct past_block *p, struct block *b)
{
    *b = (struct block){.reps = (unsigned long)p->reps,
                        .seconds = p->took,
                        .cpu_seconds = p->cpu,
                        .telemetry = {p->telemetry[0], p->telemetry[1], p->telemetry[2],
                                      p->telemetry[3], p->telemetry[4], p->held_back}};
    b->samples.count = (unsigned)p->count;
    b->samples.runs = (unsigned long)p->runs;
    for (int phase = 0; phase < PAST_PHASES; phase++)
        memcpy(values_of(&b->samples, phase), p->values[phase], p->count * sizeof(double));
}

bool journal_knows(struct journal *j, const struct cell *c, const struct entrant *e, size_t round,
                   struct block *block)
{
    const size_t count = j->past != NULL ? j->past->block_count : 0;

    for (size_t i = 0; i < count; i++) { /* they were written in the order in which they are asked for */
        const size_t at = (j->next + i) % count;
        if (!is_of(&j->past->blocks[at], c, e, round))
            continue;
        recall(&j->past->blocks[at], block);
        j->next = at + 1;
        return true;
    }
    return false;
}
