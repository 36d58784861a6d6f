#include "harness/records/block.h"

#include <math.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/records/measurement.h"
#include "harness/records/records.h"
#include "harness/records/write.h"

#define OF(key, kind, member) RECORD_FIELD(struct block_record, key, kind, member)

/* In the file the pass has the name of the first version of the format. */
static const struct field fields[] = {
    OF("problem", KIND_NAME, problem), OF("variant", KIND_NAME, variant),
    OF("label", KIND_TEXT, label),     OF("launch", KIND_LONG, pass),
    OF("round", KIND_LONG, round),     OF("reps", KIND_COUNT, block.reps),
    OF("runs", KIND_COUNT, block.samples.runs),
    OF("took_ns", KIND_SECONDS, block.seconds), OF("cpu_ns", KIND_SECONDS, block.cpu_seconds),
    OF("wall_ns", KIND_SECONDS, block.wall),
};
enum { FIELDS = sizeof fields / sizeof *fields };
_Static_assert(sizeof(unsigned long) == sizeof(size_t), "reps and runs are read as counts");

/* --- writing ---------------------------------------------------------------------------------- */

static json_t *telemetry_write(const struct telemetry *t)
{
    json_t *list = json_array();

    for (size_t f = 0; f < TELEMETRY_FIELDS; f++)
        json_array_append_new(list, json_number(t->value[f]));
    json_array_append_new(list, json_integer((json_int_t)t->held_back));
    return list;
}

json_t *block_write(const struct result *of, unsigned pass, size_t round, const struct block *b)
{
    json_t *object = json_pack("{s:s}", "record", "block");
    struct block_record r = {.pass = pass, .round = (long long)round, .block = *b};

    memcpy(r.problem, of->problem, sizeof r.problem);
    memcpy(r.variant, of->variant, sizeof r.variant);
    memcpy(r.label, of->label, sizeof r.label);
    fields_write(object, fields, FIELDS, &r);
    json_object_set_new(object, "scale", scale_write(&of->scale));
    json_object_set_new(object, "size", size_write(of));
    json_object_set_new(object, "telemetry", telemetry_write(&b->telemetry));
    json_object_set_new(object, "data_seed", json_integer((json_int_t)b->data_seed));
    for (int phase = 0; phase < PHASES; phase++)
        if (b->samples.count > 0 && !isnan(b->samples.time[phase][0]))
            json_object_set_new(object, phase_names[phase],
                                json_times(b->samples.time[phase], b->samples.count));
    return object;
}

/* --- reading ---------------------------------------------------------------------------------- */

static bool samples_read(const struct record_place *p, const json_t *object, int phase, struct samples *s)
{
    const json_t *list = json_object_get(object, phase_names[phase]);
    const size_t count = json_array_size(list);

    if (list == NULL)
        return true;
    if (!json_is_array(list) || count > MAX_SAMPLES || (phase > 0 && count != s->count))
        return place_error(p, "\"%s\" is not a list of the right number of times", phase_names[phase]);
    s->count = (unsigned)count;
    for (size_t i = 0; i < count; i++) {
        const json_t *time = json_array_get(list, i);
        s->time[phase][i] = json_number_value(time) * 1e-9;
        if (!json_is_number(time) || !(s->time[phase][i] >= 0.0))
            return place_error(p, "sample %zu of \"%s\" is not a time", i + 1, phase_names[phase]);
    }
    return true;
}

static bool telemetry_read_list(const struct record_place *p, const json_t *object, struct telemetry *t)
{
    const json_t *list = json_object_get(object, "telemetry");

    if (!json_is_array(list) || json_array_size(list) != TELEMETRY_FIELDS + 1)
        return place_error(p, "\"telemetry\" is not a list of %d values", TELEMETRY_FIELDS + 1);
    for (size_t f = 0; f < TELEMETRY_FIELDS; f++) {
        const json_t *value = json_array_get(list, f);
        t->value[f] = json_is_number(value) ? json_number_value(value) : NAN;
    }
    t->held_back = (unsigned long long)json_integer_value(json_array_get(list, TELEMETRY_FIELDS));
    return true;
}

bool block_read(const struct record_place *p, const json_t *object, struct block_record *b)
{
    struct samples *s = &b->block.samples;

    *b = (struct block_record){.axes = 0};
    for (int phase = 0; phase < PHASES; phase++)
        for (size_t i = 0; i < MAX_SAMPLES; i++)
            s->time[phase][i] = NAN;
    if (!fields_read(p, object, fields, FIELDS, b) || !scale_read(p, object, &b->scale) ||
        !size_read(p, object, b->size, &b->axes) ||
        !telemetry_read_list(p, object, &b->block.telemetry))
        return false;
    if (b->block.reps < 1)
        return place_error(p, "a block with %lu cycles in a sample", b->block.reps);
    b->block.data_seed = (uint64_t)json_integer_value(json_object_get(object, "data_seed")); /* older records have none */
    for (int phase = 0; phase < PHASES; phase++)
        if (!samples_read(p, object, phase, s))
            return false;
    return s->count > 0 || place_error(p, "a block without samples");
}

bool block_is(const struct block_record *b, const struct result *of, unsigned pass, size_t round)
{
    return b->round == (long long)round && b->pass == (long long)pass &&
           strcmp(b->variant, of->variant) == 0 && strcmp(b->problem, of->problem) == 0 &&
           strcmp(b->label, of->label) == 0 && scale_same(&b->scale, &of->scale) &&
           axes_order(b->size, b->axes, of->size, of->axes) == 0;
}

/* --- the journal ------------------------------------------------------------------------------ */

void journal_keep(struct journal *j, const struct result *of, unsigned pass, size_t round,
                  const struct block *block)
{
    if (!record_object(j->record, block_write(of, pass, round, block), &j->error))
        j->broken = true;
}

bool journal_knows(struct journal *j, const struct result *of, unsigned pass, size_t round,
                   struct block *block)
{
    const size_t count = j->past != NULL ? j->past->block_count : 0;

    for (size_t i = 0; i < count; i++) { /* the file has them in the order in which they are wanted */
        const size_t at = (j->next + i) % count;
        if (!block_is(&j->past->blocks[at], of, pass, round))
            continue;
        *block = j->past->blocks[at].block;
        j->next = at + 1;
        return true;
    }
    return false;
}
