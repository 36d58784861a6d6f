#define _GNU_SOURCE
#include "harness/resume.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/machine.h"
#include "harness/registry.h"

struct resume {
    char file[512];
    json_t *run;          /* the last start's */
    json_t *sweeps;       /* what each start was about to measure, by problem; the last one's */
    json_t *measurements; /* in the order in which they were taken */
};

/* --- the file --------------------------------------------------------------------------------- */

/* Times of single samples are the bulk of a file, and not needed here. */
static void leave_samples_out(json_t *measurement)
{
    const char *name;
    json_t *phase;

    json_object_foreach(json_object_get(measurement, "phases"), name, phase)
        json_object_del(phase, "samples");
    json_object_del(measurement, "telemetry");
}

static void take(struct resume *r, json_t *object)
{
    const char *kind = json_string_value(json_object_get(object, "record"));
    const char *problem = json_string_value(json_object_get(object, "problem"));

    if (kind == NULL)
        return;
    if (strcmp(kind, "run") == 0) {
        json_decref(r->run);
        r->run = json_incref(object);
    } else if (strcmp(kind, "sweep") == 0 && problem != NULL) {
        json_object_set(r->sweeps, problem, object);
    } else if (strcmp(kind, "measurement") == 0) {
        leave_samples_out(object);
        json_array_append(r->measurements, object);
    }
}

/* The last line may have been cut by whatever ended the sweep; the others may not. */
static bool read_lines(struct resume *r, FILE *in, struct error *error)
{
    char *line = NULL;
    size_t room = 0, number = 0;
    ssize_t length;
    bool fine = true;

    while (fine && (length = getline(&line, &room, in)) > 0) {
        json_t *object = json_loadb(line, (size_t)length, 0, NULL);
        number++;
        if (object != NULL)
            take(r, object);
        else if (line[length - 1] == '\n')
            fine = error_set(error, "%s:%zu: not a record", r->file, number);
        json_decref(object);
    }
    free(line);
    if (fine && ferror(in))
        return error_set(error, "%s: %s", r->file, strerror(errno));
    if (fine && r->run == NULL)
        return error_set(error, "%s: no records of a run", r->file);
    return fine;
}

struct resume *resume_read(const char *file, struct error *error)
{
    FILE *in = fopen(file, "re");
    struct resume *r = calloc(1, sizeof *r);

    if (r == NULL)
        abort();
    snprintf(r->file, sizeof r->file, "%s", file);
    r->sweeps = json_object();
    r->measurements = json_array();
    bool fine = in != NULL ? read_lines(r, in, error)
                           : error_set(error, "%s: %s", file, strerror(errno));
    if (in != NULL)
        fclose(in);
    if (fine)
        return r;
    resume_free(r);
    return NULL;
}

void resume_free(struct resume *r)
{
    if (r == NULL)
        return;
    json_decref(r->run);
    json_decref(r->sweeps);
    json_decref(r->measurements);
    free(r);
}

/* --- the same settings ------------------------------------------------------------------------ */

static bool same_text(const struct resume *r, const char *what, const json_t *theirs,
                      const char *ours, struct error *error)
{
    const char *text = json_string_value(theirs);

    if (text != NULL && strcmp(text, ours) == 0)
        return true;
    return error_set(error, "%s: made with %s %s, not %s", r->file, what,
                     text != NULL ? text : "unknown", ours);
}

static bool same_number(const struct resume *r, const char *what, const json_t *theirs,
                        long long ours, struct error *error)
{
    if (json_is_integer(theirs) && json_integer_value(theirs) == ours)
        return true;
    return error_set(error, "%s: made with %s %lld, not %lld", r->file, what,
                     (long long)json_integer_value(theirs), ours);
}

bool resume_fits(const struct resume *r, const struct options *o, struct error *error)
{
    const json_t *build = json_object_get(r->run, "build"), *host = json_object_get(r->run, "host");
    char name[64] = "host";

    gethostname(name, sizeof name - 1);
    return same_text(r, "host", json_object_get(host, "name"), name, error) &&
           same_text(r, "commit", json_object_get(build, "commit"), build_commit, error) &&
           same_number(r, "--seed", json_object_get(r->run, "seed"), (long long)o->seed, error) &&
           same_number(r, "--threads", json_object_get(r->run, "threads"), o->threads, error) &&
           same_text(r, "profile", json_object_get(r->run, "profile"), o->profile.name, error) &&
           same_text(r, "--order", json_object_get(r->run, "order"),
                     o->serial ? "serial" : "latin", error);
}

/* --- a row, read back ------------------------------------------------------------------------- */

/* Null, or missing: NaN. */
static double number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);

    return json_is_number(value) ? json_number_value(value) : NAN;
}

static double seconds(const json_t *object, const char *key)
{
    return number(object, key) * 1e-9;
}

static void read_series(struct series *s, const json_t *phases, const char *key)
{
    const json_t *phase = json_object_get(phases, key), *rounds = json_object_get(phase, "rounds");

    s->first = (size_t)json_integer_value(json_object_get(phase, "first_round"));
    for (size_t i = 0; i < json_array_size(rounds) && s->rounds < MAX_ROUNDS; i++)
        s->round[s->rounds++] = json_number_value(json_array_get(rounds, i)) * 1e-9;
}

/* What a sweep looks at, and tables; not single samples. */
static void read_row(struct row *row, const json_t *object)
{
    const json_t *validation = json_object_get(object, "validation");
    const json_t *phases = json_object_get(object, "phases");
    const json_t *once = json_object_get(object, "once");
    const char *status = json_string_value(json_object_get(validation, "status"));
    const char *reason = json_string_value(json_object_get(validation, "reason"));

    for (enum outcome i = OUTCOME_OK; i <= OUTCOME_STOPPED; i++)
        if (status != NULL && strcmp(status, outcome_names[i]) == 0)
            row->fate.outcome = i;
    snprintf(row->fate.reason, sizeof row->fate.reason, "%s", reason != NULL ? reason : "");
    row->verdict.error = number(validation, "error_over_limit");
    row->verdict.seen = isfinite(row->verdict.error);
    row->predicted = seconds(object, "predicted");
    row->context = seconds(once, "context");
    row->setup = seconds(once, "setup");
    row->first = seconds(once, "first");
    row->threads = (int)json_integer_value(json_object_get(object, "threads"));
    row->cores = number(object, "cores");
    read_series(&row->e2e, phases, "e2e");
    if (row->variant->upload == NULL && row->variant->download == NULL)
        return; /* `run` is the same series under another name */
    read_series(&row->run, phases, "run");
    read_series(&row->cold, phases, "cold");
    read_series(&row->upload, phases, "upload");
    read_series(&row->download, phases, "download");
}

/* --- sizes that are there --------------------------------------------------------------------- */

static bool has(const json_t *object, const char *key, const char *text)
{
    const char *value = json_string_value(json_object_get(object, key));

    return value != NULL && strcmp(value, text) == 0;
}

static bool is_size(const json_t *object, const struct problem *p, const size_t dims[])
{
    const json_t *size = json_object_get(object, "size");

    for (size_t a = 0; a < MAX_AXES && p->axes[a] != NULL; a++) {
        const json_t *length = json_object_get(size, p->axes[a]);
        if (!json_is_integer(length) || (size_t)json_integer_value(length) != dims[a])
            return false;
    }
    return true;
}

/* The last measurement of a rung at a size, by a certain start (NULL: any). */
static const json_t *find(const struct resume *r, const struct sweep *s, size_t size, size_t rung,
                          const char *start)
{
    const struct name name = variant_name(s->rungs[rung]);

    for (size_t i = json_array_size(r->measurements); i-- > 0;) {
        const json_t *m = json_array_get(r->measurements, i);
        if (has(m, "variant", name.variant) && has(m, "problem", name.problem) &&
            is_size(m, s->problem, s->sizes[size].dims) &&
            (start == NULL || has(m, "run_id", start)))
            return m;
    }
    return NULL;
}

/* The last start that has measured a size, if it has done so for all rungs.  NULL: it has not. */
static const char *start_of(const struct resume *r, const struct sweep *s, size_t size)
{
    const json_t *first = find(r, s, size, 0, NULL);
    const char *start = json_string_value(json_object_get(first, "run_id"));

    for (size_t i = 0; i < s->rung_count; i++)
        if (start == NULL || find(r, s, size, i, start) == NULL)
            return NULL;
    return start;
}

bool resume_sweep(const struct resume *r, struct sweep *s, const struct options *o,
                  struct error *error)
{
    const json_t *sweep = json_object_get(r->sweeps, problem_name(s->problem));
    double longest = seconds(sweep, "max_time_ns");
    static struct row row;

    if (isfinite(longest) && fabs(longest - o->profile.max_time) > 1e-9)
        return error_set(error, "%s: made with --max-time %g, not %g", r->file, longest,
                         o->profile.max_time);
    for (size_t size = 0; size < s->size_count; size++) {
        const char *start = start_of(r, s, size);
        for (size_t i = 0; i < s->rung_count && start != NULL; i++) {
            row = (struct row){.problem = s->problem, .variant = s->rungs[i], .label = "sweep"};
            memcpy(row.dims, s->sizes[size].dims, sizeof row.dims);
            read_row(&row, find(r, s, size, i, start));
            sweep_keep(s, size, i, &row);
        }
    }
    return true;
}
