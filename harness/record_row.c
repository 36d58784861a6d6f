/* A measurement as JSON: results/README.md lists the fields. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "harness/flags.h"
#include "harness/json_values.h"
#include "harness/record.h"
#include "harness/registry.h"

static json_t *json_sittings(const struct series *s)
{
    json_t *list = json_array();

    for (int i = 0; i < MAX_SITTINGS; i++)
        if (s->sitting[i].rounds > 0)
            json_array_append_new(list, json_pack("{s:I, s:I}", "round_n",
                                                  (json_int_t)s->sitting[i].rounds, "first_round",
                                                  (json_int_t)s->sitting[i].first));
    return list;
}

static json_t *json_series(const struct series *s, unsigned long reps, const char *timer)
{
    if (s->rounds == 0)
        return json_null();
    struct summary sum = series_summary(s);
    json_t *stat = json_pack("{s:o, s:o, s:o, s:f, s:o, s:o, s:o, s:o, s:o, s:o}", "median",
                             json_time(sum.median), "lo", json_time(sum.low), "hi", json_time(sum.high),
                             "conf", 0.95, "min", json_time(sum.min), "p25", json_time(sum.p25), "p75",
                             json_time(sum.p75), "p95", json_time(sum.p95), "max", json_time(sum.max),
                             "mad", json_time(sum.mad));
    return json_pack("{s:o, s:o, s:I, s:o, s:I, s:o, s:I, s:s}", "stat", stat, "rounds",
                     json_times(s->round, s->rounds), "round_n", (json_int_t)s->rounds, "sittings",
                     json_sittings(s), "reps", (json_int_t)reps, "samples", json_times(s->sample, s->kept), "samples_dropped",
                     (json_int_t)s->dropped, "timer", timer);
}

static json_t *json_validation(const struct row *row)
{
    const struct verdict *v = &row->verdict;
    const char *worst = v->array;

    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:I}", "status",
                     outcome_names[row->fate.outcome], "reason", json_text(row->fate.reason),
                     "error_over_limit", json_number(v->seen > 0 ? v->error : NAN), "limit",
                     json_number(worst != NULL ? v->limit : NAN), "exact_share",
                     json_number(verdict_exact(v)), "worst_array", json_text(worst),
                     "worst_index", worst != NULL ? json_integer((json_int_t)v->where) : json_null(),
                     "worst_got", json_number(worst != NULL ? v->got : NAN), "check_sizes_ok",
                     (json_int_t)row->sizes_ok, "check_sizes_refused",
                     (json_int_t)row->sizes_refused);
}

static json_t *json_phases(const struct row *row)
{
    /* On the host a run is the whole: one series under both names. */
    const struct series *run = row->run.rounds > 0 ? &row->run : &row->e2e;
    const char *timer = row->run.rounds > 0 ? "device" : "host";

    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "upload", json_series(&row->upload, 1, timer),
                     "run", json_series(run, run == &row->e2e ? row->reps : row->runs, timer),
                     "cold", json_series(&row->cold, 1, timer), "download",
                     json_series(&row->download, 1, timer), "e2e",
                     json_series(&row->e2e, row->reps, "host"));
}

static json_t *json_flags(unsigned flags)
{
    json_t *list = json_array();

    for (int i = 0; i < FLAGS; i++)
        if (flags & 1u << i)
            json_array_append_new(list, json_string(flag_names[i]));
    return list;
}

/* A list a quantity, a value a block; null where it was never known. */
static json_t *json_telemetry(const struct row *row)
{
    static const struct {
        const char *name;
        size_t offset;
    } fields[] = {{"cpu_mhz", offsetof(struct telemetry, cpu_mhz)},
                  {"gpu_mhz", offsetof(struct telemetry, gpu_mhz)},
                  {"memory_mhz", offsetof(struct telemetry, memory_mhz)},
                  {"celsius", offsetof(struct telemetry, celsius)},
                  {"watts", offsetof(struct telemetry, watts)}};
    json_t *object = json_object(), *held_back = json_array();

    for (size_t f = 0; f < sizeof fields / sizeof *fields; f++) {
        json_t *list = json_array();
        bool known = false;
        for (size_t i = 0; i < row->blocks; i++) {
            double value;
            memcpy(&value, (const char *)&row->telemetry[i] + fields[f].offset, sizeof value);
            known = known || isfinite(value);
            json_array_append_new(list, json_number(value));
        }
        if (!known) {
            json_decref(list);
            list = json_null();
        }
        json_object_set_new(object, fields[f].name, list);
    }
    for (size_t i = 0; i < row->blocks; i++)
        json_array_append_new(held_back, json_integer((json_int_t)row->telemetry[i].held_back));
    json_object_set_new(object, "held_back", held_back);
    return object;
}

static json_t *json_limit(const struct limit *limit, const struct series *time)
{
    const double share = limit_share(limit, time);

    if (!isfinite(share))
        return json_null();
    return json_pack("{s:s, s:o, s:o}", "name", limit->name, "floor_ns", json_time(limit->floor),
                     "share", json_number(share));
}

static json_t *json_limits(const struct row *row)
{
    const struct series *run = row->run.rounds > 0 ? &row->run : &row->e2e;

    return json_pack("{s:o, s:o}", "run", json_limit(&row->limit_run, run), "e2e",
                     json_limit(&row->limit_e2e, &row->e2e));
}

json_t *record_size(const struct row *row)
{
    json_t *size = json_object();

    for (size_t i = 0; i < MAX_AXES && row->problem->axes[i] != NULL; i++)
        json_object_set_new(size, row->problem->axes[i], json_integer((json_int_t)row->dims[i]));
    return size;
}

struct name record_name(const struct row *row)
{
    return row->twin ? row_name(row) : variant_name(row->variant);
}

json_t *record_scale(const struct scale *s)
{
    return s->threads > 0   ? json_pack("{s:i}", "threads", s->threads)
           : s->devices > 0 ? json_pack("{s:i}", "devices", s->devices)
                            : json_null();
}

json_t *record_row_json(const struct row *row)
{
    const struct name name = record_name(row);
    const struct cost cost = row->problem->cost(row->dims);
    const struct device *device = row->variant->device;

    json_t *work = json_pack("{s:o, s:o, s:o, s:o}", "flops", json_number(cost.flops),
                             "bytes_algorithmic", json_number(cost.bytes), "specials",
                             json_number(cost.specials), "items", json_number(cost.items));
    const bool clock = device == NULL || device->mark != NULL;
    json_t *once = json_pack("{s:o, s:o, s:o}", "context", json_nanoseconds(clock ? row->context : NAN),
                             "setup", json_nanoseconds(clock ? row->setup : NAN), "first",
                             json_nanoseconds(clock ? row->first : NAN));
    return json_pack("{s:s, s:s, s:s, s:o, s:s, s:o, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:i,"
                     " s:o, s:o, s:s, s:o, s:o, s:i, s:o, s:o, s:I}",
                     "record", "measurement", "problem", name.problem, "variant", name.variant,
                     "label", json_text(row->label), "idea", row->variant->idea, "base",
                     json_text(row->variant->base), "device",
                     device != NULL ? device->name : "cpu", "math",
                     math_names[row->variant->math], "size", record_size(row), "work", work,
                     "validation", json_validation(row), "phases", json_phases(row), "limit",
                     json_limits(row), "once", once, "threads", row->threads, "cores",
                     json_number(row->cores), "stop", json_text(row->stop), "order",
                     row->alone ? "serial" : "latin", "predicted", json_nanoseconds(row->predicted),
                     "flags", json_flags(row_flags(row)), "drift_restarts", row->drift_restarts,
                     "telemetry", json_telemetry(row), "scale", record_scale(&row->scale),
                     "resumed", (json_int_t)row->resumed);
}
