#include "harness/records/measurement.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/text.h"
#include "harness/files/allocate.h"
#include "harness/records/caveats.h"

enum { MOST_ROUNDS = 100000 }; /* of one phase; the program itself takes at most 100 */

#define OF(key, kind, member) RECORD_FIELD(struct result, key, kind, member)
#define COUNT(fields) (sizeof(fields) / sizeof *(fields))

static const struct field plain[] = {
    OF("problem", KIND_NAME, problem),       OF("variant", KIND_NAME, variant),
    OF("label", KIND_TEXT, label),           OF("idea", KIND_TEXT, idea),
    OF("base", KIND_TEXT, base),             OF("device", KIND_TEXT, device),
    OF("language", KIND_TEXT, language),     OF("memory_bytes", KIND_NUMBER, memory),
    OF("threads", KIND_INT, threads),        OF("cores", KIND_NUMBER, cores),
    OF("stop", KIND_TEXT, stop),             OF("predicted", KIND_SECONDS, predicted),
    OF("drift_restarts", KIND_INT, drift_restarts), OF("resumed", KIND_COUNT, resumed),
    OF("mps", KIND_TEXT, mps),               OF("engine", KIND_TEXT, engine),
};
static const struct field work[] = {
    OF("flops", KIND_NUMBER, work.flops),
    OF("bytes_algorithmic", KIND_NUMBER, work.bytes),
    OF("specials", KIND_NUMBER, work.specials),
    OF("items", KIND_NUMBER, work.items),
};
static const struct field validation[] = {
    OF("reason", KIND_TEXT, fate.reason),
    OF("error_over_limit", KIND_NUMBER, error),
    OF("exact_share", KIND_NUMBER, exact),
    OF("check_sizes_ok", KIND_COUNT, sizes_ok),
    OF("check_sizes_refused", KIND_COUNT, sizes_refused),
};
static const struct field mpi[] = {
    OF("ranks", KIND_INT, mpi.ranks),
    OF("hosts", KIND_INT, mpi.hosts),
    OF("library", KIND_TEXT, mpi.library),
    OF("transport", KIND_TEXT, mpi.transport),
    OF("sends", KIND_TEXT, mpi.sends),
};
static const struct field once[] = {
    OF("context", KIND_SECONDS, context),
    OF("setup", KIND_SECONDS, setup),
    OF("first", KIND_SECONDS, first),
};

/* --- size and scale --------------------------------------------------------------------------- */

json_t *size_write(const struct result *r)
{
    json_t *size = json_object();

    for (size_t i = 0; i < r->axes; i++)
        json_object_set_new(size, r->size[i].name, json_integer((json_int_t)r->size[i].value));
    return size;
}

/* Adds the words of its axes, if it has any: {"data": "town"}. */
static void words_write(json_t *object, const struct result *r)
{
    json_t *words = json_object();

    for (size_t i = 0; i < r->axes; i++)
        if (r->size[i].word[0] != '\0')
            json_object_set_new(words, r->size[i].name, json_text(r->size[i].word));
    if (json_object_size(words) > 0)
        json_object_set(object, "words", words);
    json_decref(words);
}

static bool words_read(const struct record_place *p, const json_t *object, struct result *r)
{
    const json_t *words;

    if (!field_object(p, object, "words", &words))
        return false;
    for (size_t i = 0; i < r->axes && words != NULL; i++)
        if (!field_text(p, words, r->size[i].name, r->size[i].word, sizeof r->size[i].word))
            return false;
    return true;
}

json_t *scale_write(const struct scale *s)
{
    return s->threads > 0   ? json_pack("{s:i}", "threads", s->threads)
           : s->devices > 0 ? json_pack("{s:i}", "devices", s->devices)
           : s->ranks > 0   ? json_pack("{s:i}", "ranks", s->ranks)
           : s->processes > 0 ? json_pack("{s:i}", "processes", s->processes)
                            : json_null();
}

bool size_read(const struct record_place *p, const json_t *object, struct axis sizes[RESULT_AXES],
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
        struct axis *axis = &sizes[*axes];
        if (*axes == RESULT_AXES || strlen(name) >= sizeof axis->name)
            return place_error(p, "\"size\" has more axes than %d, or too long a name", RESULT_AXES);
        if (!json_is_integer(value) || json_integer_value(value) < 0)
            return place_error(p, "the \"size\" has a value that is not a whole number");
        memcpy(axis->name, name, strlen(name) + 1);
        text_clean(axis->name);
        axis->value = json_integer_value(value);
        axis->word[0] = '\0';
        (*axes)++;
    }
    return true;
}

bool scale_read(const struct record_place *p, const json_t *object, struct scale *s)
{
    const json_t *scale;

    *s = (struct scale){0};
    return field_object(p, object, "scale", &scale) &&
           (scale == NULL || (field_int(p, scale, "threads", &s->threads) &&
                              field_int(p, scale, "devices", &s->devices) &&
                              field_int(p, scale, "ranks", &s->ranks) &&
                              field_int(p, scale, "processes", &s->processes)));
}

/* --- phases ----------------------------------------------------------------------------------- */

/* The passes have the name of the first version of the format, "sittings". */
static json_t *passes_write(const struct series *s)
{
    json_t *list = json_array();

    for (int i = 0; i < MAX_PASSES; i++)
        if (s->pass[i].rounds > 0)
            json_array_append_new(list, json_pack("{s:I, s:I}", "round_n",
                                                  (json_int_t)s->pass[i].rounds, "first_round",
                                                  (json_int_t)s->pass[i].first));
    return list;
}

static json_t *series_write(const struct series *s, unsigned long reps, const char *timer)
{
    if (s->rounds == 0)
        return json_null();
    const struct summary sum = series_summary(s);
    json_t *stat = json_pack("{s:o, s:o, s:o, s:f, s:o, s:o, s:o, s:o, s:o, s:o}", "median",
                             json_time(sum.median), "lo", json_time(sum.low), "hi",
                             json_time(sum.high), "conf", 0.95, "min", json_time(sum.min), "p25",
                             json_time(sum.p25), "p75", json_time(sum.p75), "p95",
                             json_time(sum.p95), "max", json_time(sum.max), "mad",
                             json_time(sum.mad));
    return json_pack("{s:o, s:o, s:I, s:o, s:I, s:o, s:I, s:s}", "stat", stat, "rounds",
                     json_times(s->round, s->rounds), "round_n", (json_int_t)s->rounds, "sittings",
                     passes_write(s), "reps", (json_int_t)reps, "samples",
                     json_times(s->sample, s->kept), "samples_dropped", (json_int_t)s->dropped,
                     "timer", timer);
}

/* Without copies the run is the whole call: one series under both names. */
static json_t *phases_write(const struct result *r)
{
    static const enum phase order[] = {PHASE_UPLOAD, PHASE_RUN, PHASE_COLD, PHASE_DOWNLOAD};
    const bool device = r->time[PHASE_RUN].rounds > 0;
    json_t *object = json_object();
    json_t *e2e = series_write(&r->time[PHASE_E2E], r->reps, "host");

    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        const enum phase phase = order[i];
        json_object_set_new(object, phase_names[phase],
                            !device && phase == PHASE_RUN
                                ? json_deep_copy(e2e)
                                : series_write(&r->time[phase], phase == PHASE_RUN ? r->runs : 1,
                                               r->host_clock ? "host_idle" : "device"));
    }
    json_object_set_new(object, phase_names[PHASE_E2E], e2e);
    return object;
}

static bool rounds_read(const struct record_place *p, const char *phase, const json_t *rounds,
                        struct series *s)
{
    const size_t count = json_array_size(rounds);

    if (!json_is_array(rounds) || count > MOST_ROUNDS)
        return place_error(p, "the \"rounds\" of \"%s\" are not a list of times", phase);
    s->round = allocate(count, sizeof *s->round, p->file, p->error);
    if (s->round == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        const json_t *time = json_array_get(rounds, i);
        const double seconds = json_number_value(time) * 1e-9;
        if (!json_is_number(time) || !(seconds >= 0.0))
            return place_error(p, "round %zu of \"%s\" is not a time", i + 1, phase);
        s->round[i] = seconds;
    }
    s->rounds = count;
    return true;
}

static bool pass_read(const struct record_place *p, const json_t *object, struct pass *pass)
{
    int rounds = 0, first = 0;

    if (!field_int(p, object, "round_n", &rounds) || !field_int(p, object, "first_round", &first))
        return false;
    *pass = (struct pass){(size_t)rounds, (size_t)first};
    return true;
}

/* Older records have a single pass, with its first round as a separate field. */
static bool passes_read(const struct record_place *p, const char *phase, const json_t *series,
                        struct series *s)
{
    const json_t *list = json_object_get(series, "sittings");
    size_t rounds = 0;

    if (list == NULL) {
        if (!pass_read(p, series, &s->pass[0]))
            return false;
        s->pass[0].rounds = s->rounds;
        return true;
    }
    if (!json_is_array(list) || json_array_size(list) > MAX_PASSES)
        return place_error(p, "the \"sittings\" of \"%s\" are not a list of at most %d", phase,
                           MAX_PASSES);
    for (size_t i = 0; i < json_array_size(list); i++) {
        if (!pass_read(p, json_array_get(list, i), &s->pass[i]))
            return false;
        rounds += s->pass[i].rounds;
    }
    return rounds == s->rounds ||
           place_error(p, "the \"sittings\" of \"%s\" have %zu rounds, but there are %zu", phase,
                       rounds, s->rounds);
}

/* Older records with six processes or more have the median of each process as a round. */
static void split_passes(struct series *s)
{
    const size_t count = s->rounds < MAX_PASSES ? s->rounds : MAX_PASSES;

    memset(s->pass, 0, sizeof s->pass);
    for (size_t i = 0; i < count; i++)
        s->pass[i].rounds = 1;
    s->rounds = count;
}

static bool series_read(const struct record_place *p, const json_t *phases, enum phase phase,
                        struct result *r)
{
    const char *name = phase_names[phase];
    struct series *s = &r->time[phase];
    const json_t *series;
    char timer[16];

    if (!field_object(p, phases, name, &series))
        return false;
    if (series == NULL)
        return true;
    if (!field_text(p, series, "timer", timer, sizeof timer))
        return false;
    if (!rounds_read(p, name, json_object_get(series, "rounds"), s) ||
        !passes_read(p, name, series, s))
        return false;
    if (strcmp(r->stop, "launches") == 0)
        split_passes(s);
    if (phase == PHASE_RUN && strcmp(timer, "device") != 0 && strcmp(timer, "host_idle") != 0)
        series_free(s); /* it repeats the end-to-end series */
    return true;
}

static bool phases_read(const struct record_place *p, const json_t *object, struct result *r)
{
    const json_t *phases;

    if (!field_object(p, object, "phases", &phases))
        return false;
    for (int phase = 0; phase < PHASES; phase++)
        if (!series_read(p, phases, (enum phase)phase, r))
            return false;
    return true;
}

/* --- limits, flags, telemetry ----------------------------------------------------------------- */

static json_t *bound_write(const struct bound *bound, const struct series *time)
{
    const double share = result_peak_share(bound, time);

    if (!isfinite(share))
        return json_null();
    return json_pack("{s:s, s:o, s:o}", "name", bound->name, "floor_ns", json_time(bound->floor),
                     "share", json_number(share));
}

static json_t *limits_write(const struct result *r)
{
    const struct series *e2e = &r->time[PHASE_E2E], *run = &r->time[PHASE_RUN];

    return json_pack("{s:o, s:o}", "run", bound_write(&r->bound_run, run->rounds > 0 ? run : e2e),
                     "e2e", bound_write(&r->bound_e2e, e2e));
}

static bool bound_read(const struct record_place *p, const json_t *limits, const char *which,
                       struct bound *bound)
{
    const json_t *its;

    return field_object(p, limits, which, &its) &&
           field_text(p, its, "name", bound->name, sizeof bound->name) &&
           field_seconds(p, its, "floor_ns", &bound->floor);
}

static bool limits_read(const struct record_place *p, const json_t *object, struct result *r)
{
    const json_t *limits;

    return field_object(p, object, "limit", &limits) &&
           bound_read(p, limits, "run", &r->bound_run) && bound_read(p, limits, "e2e", &r->bound_e2e);
}

static json_t *flags_write(unsigned flags)
{
    json_t *list = json_array();

    for (int i = 0; i < FLAGS; i++)
        if (flags & 1u << i)
            json_array_append_new(list, json_string(flag_names[i]));
    return list;
}

static bool flags_read(const struct record_place *p, const json_t *object, unsigned *flags)
{
    const json_t *list = json_object_get(object, "flags"), *flag;
    size_t at;

    if (list != NULL && !json_is_null(list) && !json_is_array(list))
        return place_error(p, "\"flags\" is not a list");
    json_array_foreach((json_t *)list, at, flag) {
        if (!json_is_string(flag) || json_string_length(flag) == 0)
            return place_error(p, "\"flags\" has an entry that is not a name");
        for (int i = 0; i < FLAGS; i++)
            if (strcmp(json_string_value(flag), flag_names[i]) == 0)
                *flags |= 1u << i;
    }
    return true;
}

/* Writes a list for each quantity, with a value for each block; null if it was never known. */
static json_t *telemetry_write(const struct result *r)
{
    json_t *object = json_object(), *held_back = json_array();
    const size_t blocks = r->telemetry != NULL ? r->blocks : 0;

    for (size_t f = 0; f < TELEMETRY_FIELDS; f++) {
        json_t *list = json_array();
        bool known = false;
        for (size_t i = 0; i < blocks; i++) {
            known = known || isfinite(r->telemetry[i].value[f]);
            json_array_append_new(list, json_number(r->telemetry[i].value[f]));
        }
        if (!known) {
            json_decref(list);
            list = json_null();
        }
        json_object_set_new(object, telemetry_names[f], list);
    }
    for (size_t i = 0; i < blocks; i++)
        json_array_append_new(held_back, json_integer((json_int_t)r->telemetry[i].held_back));
    json_object_set_new(object, "held_back", held_back);
    return object;
}

/* --- the whole record ------------------------------------------------------------------------- */

struct result_name measurement_variant(const struct result *r)
{
    struct result_name name = result_name(r);

    if (!r->twin)
        snprintf(name.text, sizeof name.text, "%s", r->variant);
    return name;
}

static json_t *validation_write(const struct result *r)
{
    const struct verdict *v = &r->verdict;
    const bool known = v->array != NULL;
    json_t *object = json_pack("{s:s}", "status", outcome_names[r->fate.outcome]);

    fields_write(object, validation, COUNT(validation), r);
    json_object_update_new(
        object, json_pack("{s:I, s:o, s:o, s:o, s:o}", "draw", (json_int_t)v->seed, "limit",
                          json_number(known ? v->limit : NAN),
                          "worst_array", json_text(v->array), "worst_index",
                          known ? json_integer((json_int_t)v->where) : json_null(), "worst_got",
                          json_number(known ? v->got : NAN)));
    return object;
}

static json_t *object_write(const struct field fields[], size_t count, const struct result *r)
{
    json_t *object = json_object();

    fields_write(object, fields, count, r);
    return object;
}

json_t *measurement_write(const struct result *r)
{
    struct result untimed; /* the times of a device without a clock are not written */
    json_t *object = json_pack("{s:s}", "record", "measurement");

    fields_write(object, plain, COUNT(plain), r);
    if (r->clockless) {
        untimed = *r;
        untimed.context = untimed.setup = untimed.first = NAN;
    }
    json_object_update_new(
        object,
        json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:o, s:o, s:o}", "variant",
                  measurement_variant(r).text, "math", math_names[r->math], "size", size_write(r),
                  "work", object_write(work, COUNT(work), r), "validation", validation_write(r),
                  "phases", phases_write(r), "limit", limits_write(r), "once",
                  object_write(once, COUNT(once), r->clockless ? &untimed : r), "order",
                  r->alone ? "serial" : "latin", "flags", flags_write(r->flags), "telemetry",
                  telemetry_write(r), "scale", scale_write(&r->scale)));
    words_write(object, r);
    if (r->mpi.ranks > 0)
        json_object_set_new(object, "mpi", object_write(mpi, COUNT(mpi), r));
    if (r->convergence.count > 0)
        json_object_set_new(object, "convergence", convergence_write(&r->convergence));
    if (r->counts.calls > 0)
        json_object_set_new(object, "counters", counts_write(&r->counts));
    return object;
}

static bool object_read(const struct record_place *p, const json_t *object, const char *key,
                        const struct field fields[], size_t count, struct result *r)
{
    const json_t *part;

    return field_object(p, object, key, &part) && fields_read(p, part, fields, count, r);
}

/* An unknown status, of a later version, counts as a failure. */
static bool status_read(const struct record_place *p, const json_t *object, struct result *r)
{
    const json_t *part = json_object_get(object, "validation");
    char status[16];

    if (!field_name(p, part, "status", status, sizeof status) ||
        !object_read(p, object, "validation", validation, COUNT(validation), r))
        return false;
    r->fate.outcome = (enum outcome)field_choice(part, "status", outcome_names,
                                                 OUTCOME_STOPPED + 1, OUTCOME_SKIPPED);
    return true;
}

bool measurement_read(const struct record_place *p, const json_t *object, struct result *r)
{
    char order[16];
    const json_t *counters, *convergence;

    if (!fields_read(p, object, plain, COUNT(plain), r) ||
        !field_text(p, object, "order", order, sizeof order))
        return false;
    r->alone |= strcmp(order, "serial") == 0;
    r->math = (enum math)field_choice(object, "math", math_names, MATH_F64 + 1, MATH_F32);
    return size_read(p, object, r->size, &r->axes) && words_read(p, object, r) &&
           scale_read(p, object, &r->scale) && status_read(p, object, r) &&
           object_read(p, object, "work", work, COUNT(work), r) &&
           object_read(p, object, "mpi", mpi, COUNT(mpi), r) &&
           object_read(p, object, "once", once, COUNT(once), r) && limits_read(p, object, r) &&
           flags_read(p, object, &r->flags) && phases_read(p, object, r) &&
           field_object(p, object, "convergence", &convergence) &&
           convergence_read(p, convergence, &r->convergence) &&
           field_object(p, object, "counters", &counters) && counts_read(p, counters, &r->counts);
}
