#include "harness/records/resume.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/machine/machine.h"
#include "harness/model/registry.h"
#include "harness/records/records.h"

/* --- the same settings ------------------------------------------------------------------------ */

static bool same_text(const struct records *p, const char *what, const char *was, const char *is,
                      struct error *error)
{
    return strcmp(was, is) == 0 ||
           error_set(error, "%s: made with %s %s, not %s", p->file, what, was, is);
}

static bool run_fits(const struct records *p, const struct run *run, const struct run_about *now,
                     const struct fingerprint *here, struct error *error)
{
    char differs[400];

    if (fingerprint_differs(&run->machine, here, differs, sizeof differs))
        return error_set(error, "%s: made under other conditions: %s", p->file, differs);
    if (run->seed != (long long)now->seed)
        return error_set(error, "%s: made with --seed %lld, not %lld", p->file, run->seed,
                         (long long)now->seed);
    if (!(fabs(run->max_time - now->max_time) < 1e-6))
        return error_set(error, "%s: made with --max-time %g, not %g", p->file, run->max_time,
                         now->max_time);
    return same_text(p, "preset", run->preset, now->preset, error) &&
           same_text(p, "--order", run->serial ? "serial" : "latin", now->order, error) &&
           same_text(p, "commit", run->commit, build_commit, error);
}

bool resume_fits(const struct records *p, const struct run_about *now, struct error *error)
{
    json_t *run = run_write(now);
    const struct fingerprint here = fingerprint_of(run);

    json_decref(run);
    for (size_t i = 0; i < p->run_count; i++)
        if (!run_fits(p, &p->runs[i], now, &here, error))
            return false;
    return true;
}

bool resume_same_words(const struct records *p, const struct run_about *now, struct error *error)
{
    char *words = run_words((const char *const *)now->argv, (size_t)now->argc);
    bool same = true;

    for (size_t i = 0; i < p->run_count && same; i++)
        same = strcmp(p->runs[i].words, words) == 0 ||
               error_set(error, "%s: made by \"rungs %s\"; repeat this command with --resume",
                         p->file, p->runs[i].words);
    free(words);
    return same;
}

/* --- recorded sizes --------------------------------------------------------------------------- */

enum { ANY = -1 };

/* Returns the last measurement of a variant at a size, in a run. */
static const struct result *find(const struct records *p, const struct sweep *s, size_t size,
                                 size_t variant, long run)
{
    const struct name name = s->variants[variant]->name;

    for (size_t i = p->result_count; i-- > 0;) {
        const struct result *r = &p->results[i];
        if (strcmp(r->variant, name.variant) == 0 && strcmp(r->problem, name.problem) == 0 &&
            result_has_size(r, s->problem, s->sizes[size].dims) &&
            (run == ANY || r->run == (size_t)run))
            return r;
    }
    return NULL;
}

/* Finds the measurements of all variants at a size, by the last run that measured the first.  False: that run
   has not measured all. */
static bool find_all(const struct records *p, const struct sweep *s, size_t size,
                     const struct result *results[])
{
    for (size_t i = 0; i < s->variant_count; i++) {
        results[i] = find(p, s, size, i, i > 0 ? (long)results[0]->run : ANY);
        if (results[i] == NULL)
            return false;
    }
    return true;
}

void resume_sweep(const struct records *p, struct sweep *s)
{
    const struct result *results[MAX_VARIANTS] = {NULL};

    for (size_t size = 0; size < s->size_count; size++) {
        if (!find_all(p, s, size, results))
            continue;
        for (size_t i = 0; i < s->variant_count; i++)
            sweep_keep(s, size, i, results[i]);
    }
}
