#define _GNU_SOURCE
#include "harness/records/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/base/json.h"
#include "harness/base/text.h"
#include "harness/machine/machine.h"
#include "harness/machine/topology.h"

#define SCHEMA "rungs/1.0"

/* An argument may contain any bytes; JSON must be UTF-8. */
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

json_t *run_write_warnings(const struct warnings *w)
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

json_t *run_write(const struct run_about *run)
{
    char started[32], gpus[1024];
    json_t *argv = json_array();

    machine_gpus(gpus, sizeof gpus);

    run_utc(started, sizeof started, "%Y-%m-%dT%H:%M:%SZ");
    for (int i = 0; i < run->argc; i++)
        json_array_append_new(argv, argument(i > 0 ? run->argv[i] : "rungs")); /* without its path */
    json_t *object = json_pack(
        "{s:s, s:s, s:s, s:o, s:I, s:i, s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:s, s:o,"
        " s:{s:o, s:o, s:o, s:o}, s:o}",
        "record", "run", "schema", SCHEMA, "started", started, "argv", argv, "seed",
        (json_int_t)run->seed, "threads", run->threads, "profile", run->preset, "max_time_ns",
        json_nanoseconds(run->max_time > 0.0 ? run->max_time : NAN), "order", run->order, "build",
        machine_build(), "host", machine_host(), "topology", json_topology(run->threads), "devices",
        json_devices(run->devices), "timer", machine_timer(), "gpus", gpus, "warnings",
        run_write_warnings(run->warnings), "scaling", "threads", json_steps(run->thread_steps),
        "devices", json_steps(run->device_steps), "ranks", json_steps(run->rank_steps), "processes",
        json_steps(run->process_steps), "resumes", json_text(run->resumes));
    struct fingerprint machine = fingerprint_of(object);
    json_object_set_new(object, "fingerprint", json_string(machine.hash));
    return object;
}

/* --- reading ----------------------------------------------------------------------------------- */

static bool read_schema(const struct record_place *p, const json_t *object)
{
    char schema[32];

    if (!field_name(p, object, "schema", schema, sizeof schema))
        return false;
    return strncmp(schema, "rungs/1.", 8) == 0 ||
           place_error(p, "the schema is %s, but this program reads rungs/1", schema);
}

static char *words_of(const json_t *argv)
{
    const size_t count = json_array_size(argv);
    const char **words = calloc(count + 1, sizeof *words);

    if (words == NULL)
        abort();
    for (size_t i = 0; i < count; i++) {
        words[i] = json_string_value(json_array_get(argv, i));
        if (words[i] == NULL)
            words[i] = "";
    }
    char *text = run_words(words, count);
    free(words);
    return text;
}

static void read_warnings(const json_t *object, struct run *run)
{
    const json_t *list = json_object_get(object, "warnings"), *text;
    size_t at;

    json_array_foreach((json_t *)list, at, text) {
        if (!json_is_string(text) || run->warning_count == MAX_RUN_WARNINGS)
            continue;
        char *to = run->warnings[run->warning_count++];
        snprintf(to, sizeof run->warnings[0], "%s", json_string_value(text));
        text_clean(to);
    }
}

bool run_read(const struct record_place *p, const json_t *object, struct run *run)
{
    const json_t *build, *host, *resumes = json_object_get(object, "resumes");
    char order[16];

    run->wall = NAN;
    if (!read_schema(p, object) || !field_text(p, object, "order", order, sizeof order) ||
        !field_text(p, object, "started", run->started, sizeof run->started) ||
        !field_text(p, object, "profile", run->preset, sizeof run->preset) ||
        !field_integer(p, object, "seed", &run->seed) ||
        !field_int(p, object, "threads", &run->threads) ||
        !field_seconds(p, object, "max_time_ns", &run->max_time) ||
        !field_object(p, object, "build", &build) || !field_object(p, object, "host", &host) ||
        !field_text(p, build, "version", run->version, sizeof run->version) ||
        !field_text(p, build, "commit", run->commit, sizeof run->commit) ||
        !field_text(p, build, "compiler", run->compiler, sizeof run->compiler) ||
        !field_text(p, build, "variant_flags", run->flags, sizeof run->flags) ||
        !field_text(p, host, "cpu", run->cpu, sizeof run->cpu) ||
        !field_int(p, host, "cores", &run->cores) ||
        !field_text(p, object, "gpus", run->gpus, sizeof run->gpus))
        return false;
    run->devices = json_array_size(json_object_get(object, "devices"));
    read_warnings(object, run);
    run->words = words_of(json_object_get(object, "argv"));
    run->resumes = json_is_string(resumes);
    run->serial = strcmp(order, "serial") == 0;
    run->machine = fingerprint_of(object);
    return true;
}

bool run_read_end(const struct record_place *p, const json_t *object, struct run *run)
{
    static const struct field fields[] = {
        RECORD_FIELD(struct run, "exit_status", KIND_INT, exit_status),
        RECORD_FIELD(struct run, "wall_ns", KIND_SECONDS, wall),
        RECORD_FIELD(struct run, "timed_ns", KIND_SECONDS, timed),
        RECORD_FIELD(struct run, "warmed_ns", KIND_SECONDS, warmed),
        RECORD_FIELD(struct run, "tried_ns", KIND_SECONDS, tried),
        RECORD_FIELD(struct run, "called_ns", KIND_SECONDS, called),
        RECORD_FIELD(struct run, "judged_ns", KIND_SECONDS, judged),
        RECORD_FIELD(struct run, "held_bytes", KIND_NUMBER, held),
        RECORD_FIELD(struct run, "peak_bytes", KIND_NUMBER, peak),
    };

    run->ended = true;
    return fields_read(p, object, fields, sizeof fields / sizeof *fields, run);
}

/* --- texts ------------------------------------------------------------------------------------ */

void run_utc(char *text, size_t bytes, const char *format)
{
    time_t now = time(NULL);
    struct tm parts;

    gmtime_r(&now, &parts);
    strftime(text, bytes, format, &parts);
}

/* Returns how many words an option takes: --NAME=VALUE and -oVALUE 1, --NAME VALUE 2; 0: it is not this option. */
static size_t words_taken(const char *word, const char *name)
{
    const size_t length = strlen(name);
    const bool is_letter = name[1] != '-';

    if (strncmp(word, name, length) != 0)
        return 0;
    return word[length] == '\0' ? 2 : word[length] == '=' || is_letter ? 1 : 0;
}

/* Options that change neither what is measured nor how. */
static size_t words_left_out(const char *word)
{
    static const char *const with_value[] = {"--resume", "--out", "-o", "--format"};
    static const char *const flags[] = {"-q", "--quiet", "-v", "--legend", "--verbose", "--no-color"};
    size_t taken = 0;

    for (size_t i = 0; i < sizeof with_value / sizeof *with_value && taken == 0; i++)
        taken = words_taken(word, with_value[i]);
    for (size_t i = 0; i < sizeof flags / sizeof *flags && taken == 0; i++)
        taken = strcmp(word, flags[i]) == 0;
    return taken;
}

char *run_words(const char *const argv[], size_t count)
{
    size_t bytes = 1, used = 0; /* a file may hold very many words */

    for (size_t i = 0; i < count; i++)
        bytes += 4 * strlen(argv[i]) + 3; /* in quotes */
    char *text = calloc(bytes, 1);
    if (text == NULL)
        abort();
    for (size_t i = 1; i < count;) {
        const size_t taken = words_left_out(argv[i]);
        if (taken == 0) {
            if (used > 0)
                text[used++] = ' ';
            text_quote(argv[i], text + used, bytes - used);
            used += strlen(text + used);
        }
        i += taken > 0 ? taken : 1;
    }
    text_clean(text);
    return text;
}

void run_gpus(const struct run *run, char *text, size_t bytes)
{
    size_t length, same;

    text[0] = '\0';
    for (const char *one = run->gpus; *one != '\0'; one += same * length) {
        length = strcspn(one, ",");
        length += strspn(one + length, ", ");
        for (same = 1; strncmp(one, one + same * length, length) == 0;)
            same++;
        if (same > 1)
            text_add(text, bytes, "%zu x ", same);
        text_add(text, bytes, "%.*s", (int)length, one);
    }
}
