/* The ceilings' file: records as in any other, but one file a machine, named by its fingerprint. */
#define _GNU_SOURCE
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/ceilings.h"
#include "harness/judge.h"
#include "harness/machine.h"
#include "harness/record.h"
#include "harness/topology.h"

static void usual_file(char *path, size_t bytes)
{
    char fingerprint[FINGERPRINT];

    machine_fingerprint(fingerprint);
    snprintf(path, bytes, "results/ceilings-%s.jsonl", fingerprint);
}

/* --- write ------------------------------------------------------------------------------------ */

static bool write_all(struct record *r, const struct ceilings *all, int argc, char **argv,
                      struct error *error)
{
    const struct record_run run = {.argc = argc, .argv = argv, .seed = 1,
                                   .threads = topology_cores(), .profile = all->profile,
                                   .order = "serial"};

    if (!record_run(r, &run, error))
        return false;
    for (size_t i = 0; i < all->count; i++)
        if (!record_ceiling(r, &all->values[i], error))
            return false;
    return record_end(r, 0, all->took, NULL, NULL, error);
}

struct record *ceilings_create(struct ceilings *all, const char *file, struct error *error)
{
    char path[sizeof all->file + 32];

    if (file != NULL) {
        snprintf(all->file, sizeof all->file, "%s", file);
        return record_open(file, "ceilings", error);
    }
    usual_file(all->file, sizeof all->file);
    snprintf(path, sizeof path, "%s.new-%ld", all->file, (long)getpid());
    (void)mkdir("results", 0777); /* if it is not there, the open below says why */
    return record_open(path, "ceilings", error);
}

void ceilings_drop(struct record *r)
{
    (void)unlink(record_path(r));
    record_close(r);
}

bool ceilings_save(struct record *r, const struct ceilings *all, int argc, char **argv,
                   struct error *error)
{
    /* The old one stays until the new one is whole. */
    if (!write_all(r, all, argc, argv, error) ||
        (rename(record_path(r), all->file) != 0 &&
         !error_set(error, "%s: %s", all->file, strerror(errno)))) {
        ceilings_drop(r);
        return false;
    }
    record_close(r);
    return true;
}

/* --- read ------------------------------------------------------------------------------------- */

static int index_of(const char *name, const char *const names[], int count)
{
    for (int i = 0; name != NULL && i < count; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

static double number_or_nan(const json_t *line, const char *key)
{
    const json_t *value = json_object_get(line, key);

    return json_is_number(value) ? json_number_value(value) : NAN;
}

static bool take_ceiling(struct ceilings *all, const json_t *line, const char *fingerprint)
{
    struct ceiling_value *v = &all->values[all->count];
    const char *name, *idea, *device, *resource, *math, *status, *machine;
    const char *reason = json_string_value(json_object_get(line, "reason"));
    json_int_t bytes;
    int is_resource, is_math, is_outcome;

    *v = (struct ceiling_value){.bytes = 0};
    if (all->count == MAX_CEILINGS ||
        json_unpack((json_t *)line, "{s:s, s:s, s:s, s:s, s:s, s:I, s:i, s:i, s:s, s:s}",
                    "name", &name, "idea", &idea, "device", &device, "resource", &resource, "math",
                    &math, "bytes", &bytes, "cores", &v->cores, "devices", &v->devices,
                    "fingerprint", &machine, "status", &status) != 0)
        return false;
    is_resource = index_of(resource, resource_names, RESOURCES);
    is_math = index_of(math, math_names, MATH_F64 + 1);
    is_outcome = index_of(status, outcome_names, OUTCOME_STOPPED + 1);
    if (is_resource < 0 || is_math < 0 || is_outcome < 0 || strcmp(machine, fingerprint) != 0)
        return false;
    snprintf(v->name, sizeof v->name, "%s", name);
    snprintf(v->idea, sizeof v->idea, "%s", idea);
    snprintf(v->device, sizeof v->device, "%s", device);
    v->resource = (enum resource)is_resource;
    v->math = (enum math)is_math;
    v->bytes = (size_t)bytes;
    fate_set(&v->fate, (enum outcome)is_outcome, "%s", reason != NULL ? reason : "");
    v->best = number_or_nan(line, "best");
    v->median = number_or_nan(line, "median");
    v->low = number_or_nan(line, "lo");
    v->high = number_or_nan(line, "hi");
    if (v->fate.outcome == OUTCOME_OK && !(v->best > 0.0))
        return false;
    all->count++;
    return true;
}

/* Code for measuring that was compiled otherwise is another measure. */
static bool take_run(struct ceilings *all, const json_t *line)
{
    const char *started, *compiler, *flags;

    if (json_unpack((json_t *)line, "{s:s, s:{s:s, s:s}}", "started", &started, "build", "compiler",
                    &compiler, "variant_flags", &flags) != 0)
        return false;
    snprintf(all->measured, sizeof all->measured, "%s", started);
    return strcmp(compiler, build_compiler) == 0 && strcmp(flags, build_variant_flags) == 0;
}

/* One line; `ended` once the last has been seen.  Returns what is wrong with it, NULL: nothing. */
static const char *take_line(struct ceilings *all, const char *text, const char *fingerprint,
                             bool *ended)
{
    json_t *line = json_loads(text, 0, NULL);
    const char *kind = json_string_value(json_object_get(line, "record")), *wrong = NULL;

    if (kind == NULL || *ended)
        wrong = "is no record";
    else if (strcmp(kind, "run") == 0)
        wrong = take_run(all, line) ? NULL : "is of another build";
    else if (strcmp(kind, "end") == 0)
        *ended = true;
    else
        wrong = take_ceiling(all, line, fingerprint) ? NULL : "is no ceiling of this machine";
    json_decref(line);
    return wrong;
}

/* The first of this program's ceilings that is not among them; NULL: none. */
static const char *missing(const struct ceilings *all)
{
    const char *name = NULL;

    for (size_t at = 0; (name = ceiling_name(at)) != NULL; at++) {
        bool there = false;
        for (size_t i = 0; i < all->count && !there; i++)
            there = strcmp(all->values[i].name, name) == 0;
        if (!there)
            break;
    }
    return name;
}

bool ceilings_load(struct ceilings *all, struct error *error)
{
    static const char advice[] = "\"rungs ceilings\" measures anew";
    char fingerprint[FINGERPRINT];
    const char *wrong = NULL;
    char *text = NULL;
    size_t room = 0, number = 0;
    bool ended = false;

    *all = (struct ceilings){.count = 0};
    error->text[0] = '\0';
    usual_file(all->file, sizeof all->file);
    machine_fingerprint(fingerprint);
    FILE *f = fopen(all->file, "r");
    if (f == NULL)
        return errno == ENOENT ? false : error_set(error, "%s: %s", all->file, strerror(errno));
    while (wrong == NULL && getline(&text, &room, f) >= 0) {
        number++;
        wrong = take_line(all, text, fingerprint, &ended);
    }
    free(text);
    fclose(f);
    if (wrong != NULL)
        error_set(error, "%s: line %zu %s; %s", all->file, number, wrong, advice);
    else if (!ended)
        error_set(error, "%s: has no end; %s", all->file, advice);
    else if ((wrong = missing(all)) != NULL)
        error_set(error, "%s: has no %s; %s", all->file, wrong, advice);
    if (error->text[0] != '\0')
        all->count = 0;
    return all->count > 0;
}
