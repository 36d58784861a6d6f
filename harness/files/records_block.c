/* A "block" record: the samples of one rung's turn. */
#include <math.h>

#include "harness/files/records_fields.h"

const char *const past_phases[PAST_PHASES] = {"e2e", "run", "cold", "upload", "download"};

static bool read_values(const struct place *p, const json_t *object, int phase,
                        struct past_block *b)
{
    const json_t *list = json_object_get(object, past_phases[phase]);
    const size_t count = json_array_size(list);

    if (list == NULL)
        return true;
    if (!json_is_array(list) || count > PAST_SAMPLES || (phase > 0 && count != b->count))
        return place_error(p, "\"%s\" is no list of so many times", past_phases[phase]);
    b->count = count;
    for (size_t i = 0; i < count; i++) {
        const json_t *time = json_array_get(list, i);
        b->values[phase][i] = json_number_value(time) * 1e-9;
        if (!json_is_number(time) || !(b->values[phase][i] >= 0.0))
            return place_error(p, "sample %zu of \"%s\" is no time", i + 1, past_phases[phase]);
    }
    return true;
}

static bool read_telemetry(const struct place *p, const json_t *object, struct past_block *b)
{
    const json_t *list = json_object_get(object, "telemetry");

    if (!json_is_array(list) || json_array_size(list) != PAST_TELEMETRY + 1)
        return place_error(p, "\"telemetry\" is no list of %d", PAST_TELEMETRY + 1);
    for (size_t i = 0; i < PAST_TELEMETRY; i++) {
        const json_t *value = json_array_get(list, i);
        b->telemetry[i] = json_is_number(value) ? json_number_value(value) : NAN;
    }
    b->held_back = (unsigned long long)json_integer_value(json_array_get(list, PAST_TELEMETRY));
    return true;
}

bool read_block(const struct place *p, const json_t *object, struct past_block *b)
{
    for (int phase = 0; phase < PAST_PHASES; phase++)
        for (size_t i = 0; i < PAST_SAMPLES; i++)
            b->values[phase][i] = NAN;
    if (!field_name(p, object, "problem", b->problem, sizeof b->problem) ||
        !field_name(p, object, "variant", b->variant, sizeof b->variant) ||
        !field_text(p, object, "label", b->label, sizeof b->label) ||
        !field_integer(p, object, "launch", &b->launch) ||
        !field_integer(p, object, "round", &b->round) ||
        !field_integer(p, object, "reps", &b->reps) ||
        !field_integer(p, object, "runs", &b->runs) ||
        !field_seconds(p, object, "took_ns", &b->took) ||
        !field_seconds(p, object, "cpu_ns", &b->cpu) || !read_scale(p, object, &b->scale) ||
        !read_size(p, object, b->size, &b->axes) || !read_telemetry(p, object, b))
        return false;
    if (b->reps < 1 || b->runs < 0)
        return place_error(p, "a block of %lld cycles a sample", b->reps);
    for (int phase = 0; phase < PAST_PHASES; phase++)
        if (!read_values(p, object, phase, b))
            return false;
    return b->count > 0 || place_error(p, "a block without samples");
}
