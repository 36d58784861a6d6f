/* A "measurement" record: one rung at one size. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/files/allocate.h"
#include "harness/files/records_fields.h"

enum { MOST_ROUNDS = 100000 }; /* of one phase; the program itself takes 100 */

static bool read_rounds(const struct place *p, const char *phase, const json_t *rounds,
                        struct past_series *s)
{
    size_t count = json_array_size(rounds);

    if (!json_is_array(rounds) || count > MOST_ROUNDS)
        return place_error(p, "the \"rounds\" of \"%s\" are no list of times", phase);
    s->round = allocate(count, sizeof *s->round, p->file, p->error);
    if (s->round == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        const json_t *time = json_array_get(rounds, i);
        double seconds = json_number_value(time) * 1e-9;
        if (!json_is_number(time) || !(seconds >= 0.0))
            return place_error(p, "round %zu of \"%s\" is no time", i + 1, phase);
        s->round[i] = seconds;
    }
    s->rounds = count;
    return true;
}

static bool read_sitting(const struct place *p, const json_t *object, struct sitting *s)
{
    int rounds = 0, first = 0;

    if (!field_int(p, object, "round_n", &rounds) || !field_int(p, object, "first_round", &first))
        return false;
    *s = (struct sitting){(size_t)rounds, (size_t)first};
    return true;
}

/* Records of before there were any have one, and its first round beside it. */
static bool read_sittings(const struct place *p, const char *phase, const json_t *series,
                          struct past_series *s)
{
    const json_t *list = json_object_get(series, "sittings");
    size_t rounds = 0;

    if (list == NULL) {
        if (!read_sitting(p, series, &s->sitting[0]))
            return false;
        s->sitting[0].rounds = s->rounds;
        return true;
    }
    if (!json_is_array(list) || json_array_size(list) > MAX_SITTINGS)
        return place_error(p, "the \"sittings\" of \"%s\" are no list of %d at most", phase,
                           MAX_SITTINGS);
    for (size_t i = 0; i < json_array_size(list); i++) {
        if (!read_sitting(p, json_array_get(list, i), &s->sitting[i]))
            return false;
        rounds += s->sitting[i].rounds;
    }
    return rounds == s->rounds ||
           place_error(p, "the \"sittings\" of \"%s\" have %zu rounds, and there are %zu", phase,
                       rounds, s->rounds);
}

static bool read_series(const struct place *p, const json_t *phases, const char *phase,
                        struct past_series *s)
{
    const json_t *series;
    char timer[16];

    if (!field_object(p, phases, phase, &series))
        return false;
    if (series == NULL)
        return true;
    if (!field_text(p, series, "timer", timer, sizeof timer))
        return false;
    s->device = strcmp(timer, "device") == 0;
    return read_rounds(p, phase, json_object_get(series, "rounds"), s) &&
           read_sittings(p, phase, series, s);
}

static bool read_phases(const struct place *p, const json_t *object, struct past_cell *c)
{
    const json_t *phases;

    return field_object(p, object, "phases", &phases) &&
           read_series(p, phases, "e2e", &c->e2e) && read_series(p, phases, "run", &c->resident) &&
           read_series(p, phases, "upload", &c->upload) &&
           read_series(p, phases, "cold", &c->cold) &&
           read_series(p, phases, "download", &c->download);
}

bool read_size(const struct place *p, const json_t *object, struct past_axis sizes[PAST_AXES],
               size_t *axes)
{
    const json_t *size;
    const char *name;
    json_t *value;

    if (!field_object(p, object, "size", &size))
        return false;
    if (size == NULL)
        return place_error(p, "\"size\" is missing");
    json_object_foreach((json_t *)size, name, value) {
        struct past_axis *axis = &sizes[*axes];
        if (*axes == PAST_AXES || strlen(name) >= sizeof axis->name)
            return place_error(p, "\"size\" has more axes than %d, or too long a name", PAST_AXES);
        if (!json_is_integer(value) || json_integer_value(value) < 0)
            return place_error(p, "the \"size\" is not in whole numbers");
        memcpy(axis->name, name, strlen(name) + 1);
        text_clean(axis->name);
        axis->value = json_integer_value(value);
        (*axes)++;
    }
    return true;
}

/* One of what it scales with, or nothing. */
bool read_scale(const struct place *p, const json_t *object, struct past_axis *its)
{
    static const char *const axes[] = {"threads", "devices"};
    const json_t *scale;

    if (!field_object(p, object, "scale", &scale))
        return false;
    for (size_t i = 0; i < 2 && scale != NULL && its->value == 0; i++) {
        int value;
        if (!field_int(p, scale, axes[i], &value))
            return false;
        its->value = value;
        snprintf(its->name, sizeof its->name, "%s", value > 0 ? axes[i] : "");
    }
    return true;
}

static bool read_validation(const struct place *p, const json_t *object, struct past_cell *c)
{
    const json_t *validation;

    return field_object(p, object, "validation", &validation) &&
           field_name(p, validation, "status", c->status, sizeof c->status) &&
           field_text(p, validation, "reason", c->reason, sizeof c->reason) &&
           field_number(p, validation, "error_over_limit", &c->error) &&
           field_number(p, validation, "exact_share", &c->exact);
}

static bool read_limit(const struct place *p, const json_t *limits, const char *which,
                       struct past_limit *limit)
{
    const json_t *its;

    return field_object(p, limits, which, &its) &&
           field_text(p, its, "name", limit->name, sizeof limit->name) &&
           field_seconds(p, its, "floor_ns", &limit->floor);
}

static bool read_limits(const struct place *p, const json_t *object, struct past_cell *c)
{
    const json_t *limits;

    return field_object(p, object, "limit", &limits) &&
           read_limit(p, limits, "run", &c->limit_run) && read_limit(p, limits, "e2e", &c->limit_e2e);
}

static bool read_work(const struct place *p, const json_t *object, struct past_cell *c)
{
    const json_t *work;

    return field_object(p, object, "work", &work) &&
           field_number(p, work, "flops", &c->flops) &&
           field_number(p, work, "bytes_algorithmic", &c->bytes) &&
           field_number(p, work, "specials", &c->specials) &&
           field_number(p, work, "items", &c->items);
}

static bool read_flags(const struct place *p, const json_t *object, struct past_cell *c)
{
    const json_t *flags = json_object_get(object, "flags"), *flag;
    size_t at, used = 0;

    if (flags == NULL || json_is_null(flags))
        return true;
    if (!json_is_array(flags))
        return place_error(p, "\"flags\" is not a list");
    json_array_foreach(flags, at, flag) {
        size_t bytes = json_string_length(flag);
        if (!json_is_string(flag) || bytes == 0)
            return place_error(p, "\"flags\" holds what is no name");
        if (used + bytes + 2 > sizeof c->flags)
            return place_error(p, "\"flags\" holds more than there are");
        used += (size_t)sprintf(c->flags + used, "%s%s", at > 0 ? " " : "",
                                json_string_value(flag));
    }
    text_clean(c->flags);
    return true;
}

bool read_cell(const struct place *p, const json_t *object, struct past_cell *c)
{
    const json_t *once;
    char order[16];

    if (!field_name(p, object, "problem", c->problem, sizeof c->problem) ||
        !field_name(p, object, "variant", c->variant, sizeof c->variant) ||
        !field_text(p, object, "label", c->label, sizeof c->label) ||
        !field_text(p, object, "base", c->base, sizeof c->base) ||
        !field_text(p, object, "device", c->device, sizeof c->device) ||
        !field_text(p, object, "math", c->math, sizeof c->math) ||
        !field_text(p, object, "idea", c->idea, sizeof c->idea) ||
        !field_text(p, object, "stop", c->stop, sizeof c->stop) ||
        !field_text(p, object, "order", order, sizeof order) ||
        !field_int(p, object, "threads", &c->threads) ||
        !field_number(p, object, "cores", &c->cores) ||
        !field_seconds(p, object, "predicted", &c->predicted) ||
        !field_object(p, object, "once", &once) ||
        !field_seconds(p, once, "context", &c->context) ||
        !field_seconds(p, once, "setup", &c->setup) || !field_seconds(p, once, "first", &c->first))
        return false;
    c->alone |= strcmp(order, "serial") == 0;
    return read_size(p, object, c->size, &c->axes) && read_scale(p, object, &c->scale) &&
           read_validation(p, object, c) && read_work(p, object, c) && read_limits(p, object, c) &&
           read_flags(p, object, c) && read_phases(p, object, c);
}
