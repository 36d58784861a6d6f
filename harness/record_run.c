/* A run's first line, and what the machine can do, as JSON: results/README.md lists the fields. */
#define _GNU_SOURCE
#include <math.h>

#include "harness/ceilings.h"
#include "harness/fingerprint.h"
#include "harness/json_values.h"
#include "harness/machine.h"
#include "harness/record.h"
#include "harness/topology.h"

#define SCHEMA "rungs/1.0"

/* An argument may be any bytes, JSON may not. */
static json_t *argument(const char *text)
{
    json_t *string = json_string(text);
    struct error clean;

    if (string == NULL) {
        error_set(&clean, "%s", text);
        string = json_string(clean.text);
    }
    return string;
}

static json_t *json_devices(const struct devices *d)
{
    json_t *list = json_array();

    for (int i = 0; d != NULL && i < d->count; i++) {
        const struct device_facts *f = &d->facts[i];
        json_array_append_new(
            list, json_pack("{s:i, s:s, s:s, s:o, s:o, s:o, s:i, s:I, s:I, s:o}", "index", i, "device",
                            d->name, "name", f->name, "kind", json_text(f->kind), "software",
                            json_text(f->software), "bus", json_text(f->bus), "units",
                            f->units, "memory_bytes", (json_int_t)f->memory, "cache_bytes",
                            (json_int_t)f->cache, "least_interval_ns",
                            json_time(d->step)));
    }
    return list;
}

json_t *record_warnings_json(const struct warnings *w)
{
    json_t *list = json_array();

    for (size_t i = 0; w != NULL && i < w->count; i++)
        json_array_append_new(list, argument(w->text[i]));
    return list;
}

static json_t *json_steps(const struct steps *s)
{
    json_t *list = json_array();

    for (size_t i = 0; s != NULL && i < s->count; i++)
        json_array_append_new(list, json_integer(s->value[i]));
    return list;
}

static json_t *json_topology(int threads)
{
    struct topology t;
    cpu_set_t place;
    char list[256] = "";

    topology_read(&t);
    if (topology_place(threads, &place))
        topology_list(&place, list, sizeof list);
    return json_pack("{s:s, s:i, s:i, s:i, s:i, s:o}", "source", t.source, "packages", t.packages,
                     "memories", t.memories, "cores", t.cores, "processors", t.processors,
                     "workers_on", json_text(list));
}

json_t *record_run_json(const struct record_run *run)
{
    char started[32], gpus[1024];
    json_t *argv = json_array();

    machine_gpus(gpus, sizeof gpus);

    record_utc(started, sizeof started, "%Y-%m-%dT%H:%M:%SZ");
    for (int i = 0; i < run->argc; i++)
        json_array_append_new(argv, argument(i > 0 ? run->argv[i] : "rungs")); /* wherever it is */
    json_t *object = json_pack(
        "{s:s, s:s, s:s, s:o, s:I, s:i, s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:s, s:o,"
        " s:{s:o, s:o}, s:o}",
        "record", "run", "schema", SCHEMA, "started", started, "argv", argv, "seed",
        (json_int_t)run->seed, "threads", run->threads, "profile", run->profile, "max_time_ns",
        json_nanoseconds(run->max_time > 0.0 ? run->max_time : NAN), "order", run->order, "build",
        machine_build(), "host", machine_host(), "topology", json_topology(run->threads), "devices",
        json_devices(run->devices), "timer", machine_timer(), "gpus", gpus, "warnings",
        record_warnings_json(run->warnings), "scaling", "threads", json_steps(run->thread_steps),
        "devices", json_steps(run->device_steps), "resumes", json_text(run->resumes));
    struct fingerprint machine = fingerprint_of(object);
    json_object_set_new(object, "fingerprint", json_string(machine.hash));
    return object;
}

json_t *record_ceiling_json(const struct ceiling_value *v)
{
    char fingerprint[FINGERPRINT];

    machine_fingerprint(fingerprint);
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:I, s:i, s:i, s:s, s:o, s:o, s:o, s:o, s:o,"
                     " s:f, s:s}",
                     "record", "ceiling", "name", v->name, "idea", v->idea, "device", v->device,
                     "resource", resource_names[v->resource], "math", math_names[v->math], "bytes",
                     (json_int_t)v->bytes, "cores", v->cores, "devices", v->devices, "status",
                     outcome_names[v->fate.outcome], "reason", json_text(v->fate.reason), "best",
                     json_number(v->best), "median", json_number(v->median), "lo", json_number(v->low), "hi",
                     json_number(v->high), "conf", 0.95, "fingerprint", fingerprint);
}
