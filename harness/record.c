#define _GNU_SOURCE
#include "harness/record.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "harness/ceilings.h"
#include "harness/fingerprint.h"
#include "harness/flags.h"
#include "harness/machine.h"
#include "harness/registry.h"
#include "harness/topology.h"

#define SCHEMA "rungs/1.0"

struct record {
    int file;
    char path[512];
    char id[48];
};

/* --- values ----------------------------------------------------------------------------------- */

static json_t *number(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

static json_t *nanoseconds(double seconds)
{
    return isfinite(seconds) ? json_integer((json_int_t)llround(seconds * 1e9)) : json_null();
}

/* Times of calls that last less than a microsecond keep a fraction: they are means over many. */
static json_t *time_of(double seconds)
{
    return seconds < 1e-5 ? number(round(seconds * 1e12) / 1e3) : nanoseconds(seconds);
}

static json_t *times(const double values[], size_t count)
{
    json_t *list = json_array();

    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, time_of(values[i]));
    return list;
}

static json_t *text_or_null(const char *text)
{
    return text != NULL && text[0] != '\0' ? json_string(text) : json_null();
}

/* --- a row ------------------------------------------------------------------------------------ */

static json_t *json_series(const struct series *s, unsigned long reps, const char *timer)
{
    if (s->rounds == 0)
        return json_null();
    struct summary sum = summarize(s->round, s->rounds);
    json_t *stat = json_pack("{s:o, s:o, s:o, s:f, s:o, s:o, s:o, s:o, s:o, s:o}", "median",
                             time_of(sum.median), "lo", time_of(sum.low), "hi", time_of(sum.high),
                             "conf", 0.95, "min", time_of(sum.min), "p25", time_of(sum.p25), "p75",
                             time_of(sum.p75), "p95", time_of(sum.p95), "max", time_of(sum.max),
                             "mad", time_of(sum.mad));
    return json_pack("{s:o, s:o, s:I, s:I, s:I, s:o, s:I, s:s}", "stat", stat, "rounds",
                     times(s->round, s->rounds), "round_n", (json_int_t)s->rounds, "first_round",
                     (json_int_t)s->first, "reps",
                     (json_int_t)reps, "samples", times(s->sample, s->kept), "samples_dropped",
                     (json_int_t)s->dropped, "timer", timer);
}

static json_t *json_validation(const struct row *row)
{
    const struct verdict *v = &row->verdict;
    const char *worst = v->array;

    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:I}", "status",
                     outcome_names[row->fate.outcome], "reason", text_or_null(row->fate.reason),
                     "error_over_limit", number(v->seen > 0 ? v->error : NAN), "limit",
                     number(worst != NULL ? v->limit : NAN), "exact_share",
                     number(verdict_exact(v)), "worst_array", text_or_null(worst),
                     "worst_index", worst != NULL ? json_integer((json_int_t)v->where) : json_null(),
                     "worst_got", number(worst != NULL ? v->got : NAN), "check_sizes_ok",
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
            json_array_append_new(list, number(value));
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
    return json_pack("{s:s, s:o, s:o}", "name", limit->name, "floor_ns", time_of(limit->floor),
                     "share", number(share));
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

static json_t *json_row(const struct row *row)
{
    const struct name name = row_name(row);
    const struct cost cost = row->problem->cost(row->dims);
    const struct device *device = row->variant->device;

    json_t *work = json_pack("{s:o, s:o, s:o, s:o}", "flops", number(cost.flops),
                             "bytes_algorithmic", number(cost.bytes), "specials",
                             number(cost.specials), "items", number(cost.items));
    const bool clock = device == NULL || device->mark != NULL;
    json_t *once = json_pack("{s:o, s:o, s:o}", "context", nanoseconds(clock ? row->context : NAN),
                             "setup", nanoseconds(clock ? row->setup : NAN), "first",
                             nanoseconds(clock ? row->first : NAN));
    return json_pack("{s:s, s:s, s:s, s:o, s:s, s:o, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:i,"
                     " s:o, s:o, s:s, s:o, s:o, s:i, s:o}",
                     "record", "measurement", "problem", name.problem, "variant", name.variant,
                     "label", text_or_null(row->label), "idea", row->variant->idea, "base",
                     text_or_null(row->variant->base), "device",
                     device != NULL ? device->name : "cpu", "math",
                     math_names[row->variant->math], "size", record_size(row), "work", work,
                     "validation", json_validation(row), "phases", json_phases(row), "limit",
                     json_limits(row), "once", once, "threads", row->threads, "cores",
                     number(row->cores), "stop", text_or_null(row->stop), "order",
                     row->alone ? "serial" : "latin", "predicted", nanoseconds(row->predicted),
                     "flags", json_flags(row_flags(row)), "drift_restarts", row->drift_restarts,
                     "telemetry", json_telemetry(row));
}

/* Takes the object. */
static char *line_text(json_t *object)
{
    char *text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(9));

    json_decref(object);
    return text;
}

char *record_text(const struct row *row)
{
    return line_text(json_row(row));
}

/* --- the file --------------------------------------------------------------------------------- */

static void utc(char *text, size_t bytes, const char *format)
{
    time_t now = time(NULL);
    struct tm parts;

    gmtime_r(&now, &parts);
    strftime(text, bytes, format, &parts);
}

static void name_run(struct record *r)
{
    char date[32];

    utc(date, sizeof date, "%Y%m%dT%H%M%SZ");
    snprintf(r->id, sizeof r->id, "%s-%ld", date, (long)getpid());
}

struct record *record_open(const char *file, const char *command, struct error *error)
{
    struct record *r = calloc(1, sizeof *r);
    char date[32], host[64] = "host";

    if (r == NULL) {
        error_set(error, "no memory for the records");
        return NULL;
    }
    gethostname(host, sizeof host - 1);
    if (file == NULL)
        (void)mkdir("results", 0777); /* if it is not there, open below says why */
    utc(date, sizeof date, "%Y%m%dT%H%M%SZ");
    name_run(r);
    for (int turn = 1; turn < 1000; turn++) {
        if (file != NULL)
            snprintf(r->path, sizeof r->path, "%s", file);
        else if (turn == 1)
            snprintf(r->path, sizeof r->path, "results/%s-%s-%s.jsonl", command, date, host);
        else
            snprintf(r->path, sizeof r->path, "results/%s-%s-%s-%d.jsonl", command, date, host,
                     turn);
        r->file = open(r->path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
        if (r->file >= 0)
            return r;
        if (errno != EEXIST || file != NULL)
            break;
    }
    if (errno == EEXIST)
        error_set(error, "%s: exists already, and records are never overwritten", r->path);
    else
        error_set(error, "%s: %s", r->path, strerror(errno));
    free(r);
    return NULL;
}

/* Before a line is cut off: is the file ours? */
static bool begins_like_records(int file)
{
    static const char start[] = "{\"record\":\"run\"";
    char bytes[sizeof start - 1];

    return pread(file, bytes, sizeof bytes, 0) == (ssize_t)sizeof bytes &&
           memcmp(bytes, start, sizeof bytes) == 0;
}

/* A kill can leave the last line without its end: what nobody can read goes. */
static bool cut_half_line(int file)
{
    char bytes[4096];
    off_t end = lseek(file, 0, SEEK_END);

    while (end > 0) {
        off_t from = end > (off_t)sizeof bytes ? end - (off_t)sizeof bytes : 0;
        ssize_t got = pread(file, bytes, (size_t)(end - from), from);
        if (got <= 0)
            return false;
        while (got > 0 && bytes[got - 1] != '\n')
            got--;
        end = from + got;
        if (got > 0)
            break;
    }
    return end == lseek(file, 0, SEEK_END) || ftruncate(file, end) == 0;
}

struct record *record_continue(const char *file, struct error *error)
{
    struct record *r = calloc(1, sizeof *r);

    if (r == NULL) {
        error_set(error, "no memory for the records");
        return NULL;
    }
    name_run(r);
    snprintf(r->path, sizeof r->path, "%s", file);
    r->file = open(file, O_RDWR | O_APPEND | O_CLOEXEC);
    if (r->file >= 0 && !begins_like_records(r->file))
        error_set(error, "%s: not a file of records", file);
    else if (r->file >= 0 && cut_half_line(r->file))
        return r;
    else
        error_set(error, "%s: %s", file, strerror(errno));
    if (r->file >= 0)
        close(r->file);
    free(r);
    return NULL;
}

const char *record_path(const struct record *r)
{
    return r->path;
}

/* One write for the whole line: a kill leaves it whole or not at all. */
bool record_object(struct record *r, json_t *object, struct error *error)
{
    json_object_set_new(object, "run_id", json_string(r->id));
    char *text = line_text(object);
    if (text == NULL)
        return error_set(error, "%s: a record could not be written as JSON", r->path);

    off_t before = lseek(r->file, 0, SEEK_END);
    size_t length = strlen(text), done = 0;
    text[length++] = '\n'; /* in the place of its final zero */
    while (done < length) {
        ssize_t wrote = write(r->file, text + done, length - done);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            break;
        done += (size_t)wrote;
    }
    free(text);
    if (done == length)
        return true;
    error_set(error, "%s: %s", r->path, strerror(errno));
    if (before >= 0 && done > 0 && ftruncate(r->file, before) != 0)
        return error_set(error, "%s, and half a line is left", error->text);
    return false;
}

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
            list, json_pack("{s:i, s:s, s:s, s:o, s:o, s:o, s:i, s:I, s:I}", "index", i, "device",
                            d->name, "name", f->name, "kind", text_or_null(f->kind), "software",
                            text_or_null(f->software), "bus", text_or_null(f->bus), "units",
                            f->units, "memory_bytes", (json_int_t)f->memory, "cache_bytes",
                            (json_int_t)f->cache));
    }
    return list;
}

static json_t *json_warnings(const struct warnings *w)
{
    json_t *list = json_array();

    for (size_t i = 0; w != NULL && i < w->count; i++)
        json_array_append_new(list, argument(w->text[i]));
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
                     "workers_on", text_or_null(list));
}

json_t *record_run_json(const struct record_run *run)
{
    char started[32], gpus[1024];
    json_t *argv = json_array();

    machine_gpus(gpus, sizeof gpus);

    utc(started, sizeof started, "%Y-%m-%dT%H:%M:%SZ");
    for (int i = 0; i < run->argc; i++)
        json_array_append_new(argv, argument(i > 0 ? run->argv[i] : "rungs")); /* wherever it is */
    json_t *object = json_pack(
        "{s:s, s:s, s:s, s:o, s:I, s:i, s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:s, s:o}",
        "record", "run", "schema", SCHEMA, "started", started, "argv", argv, "seed",
        (json_int_t)run->seed, "threads", run->threads, "profile", run->profile, "max_time_ns",
        nanoseconds(run->max_time > 0.0 ? run->max_time : NAN), "order", run->order, "build",
        machine_build(), "host", machine_host(), "topology", json_topology(run->threads), "devices",
        json_devices(run->devices), "timer", machine_timer(), "gpus", gpus, "warnings",
        json_warnings(run->warnings));
    struct fingerprint machine = fingerprint_of(object);
    json_object_set_new(object, "fingerprint", json_string(machine.hash));
    return object;
}

bool record_run(struct record *r, const struct record_run *run, struct error *error)
{
    return record_object(r, record_run_json(run), error);
}

bool record_row(struct record *r, const struct row *row, struct error *error)
{
    return record_object(r, json_row(row), error);
}

static json_t *json_ceiling(const struct ceiling_value *v)
{
    char fingerprint[FINGERPRINT];

    machine_fingerprint(fingerprint);
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:I, s:i, s:i, s:s, s:o, s:o, s:o, s:o, s:o,"
                     " s:f, s:s}",
                     "record", "ceiling", "name", v->name, "idea", v->idea, "device", v->device,
                     "resource", resource_names[v->resource], "math", math_names[v->math], "bytes",
                     (json_int_t)v->bytes, "cores", v->cores, "devices", v->devices, "status",
                     outcome_names[v->fate.outcome], "reason", text_or_null(v->fate.reason), "best",
                     number(v->best), "median", number(v->median), "lo", number(v->low), "hi",
                     number(v->high), "conf", 0.95, "fingerprint", fingerprint);
}

bool record_ceiling(struct record *r, const struct ceiling_value *v, struct error *error)
{
    return record_object(r, json_ceiling(v), error);
}

char *record_ceiling_text(const struct ceiling_value *v)
{
    return line_text(json_ceiling(v));
}

bool record_end(struct record *r, int status, double wall, const struct warnings *warnings,
                struct error *error)
{
    return record_object(r,
                      json_pack("{s:s, s:i, s:o, s:o}", "record", "end", "exit_status", status,
                                "wall_ns", nanoseconds(wall), "warnings", json_warnings(warnings)),
                      error);
}

void record_close(struct record *r)
{
    if (r == NULL)
        return;
    close(r->file);
    free(r);
}
