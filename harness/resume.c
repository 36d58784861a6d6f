#include "harness/resume.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/machine.h"
#include "harness/past_rows.h"

/* --- the same settings ------------------------------------------------------------------------ */

static bool same_text(const struct past *p, const char *what, const char *was, const char *is,
                      struct error *error)
{
    return strcmp(was, is) == 0 ||
           error_set(error, "%s: made with %s %s, not %s", p->file, what, was, is);
}

static bool run_fits(const struct past *p, const struct past_run *run, const struct record_run *now,
                     const struct fingerprint *here, struct error *error)
{
    char differs[400];

    if (fingerprint_differs(&run->machine, here, differs, sizeof differs))
        return error_set(error, "%s: made elsewhere: %s", p->file, differs);
    if (run->seed != (long long)now->seed)
        return error_set(error, "%s: made with --seed %lld, not %lld", p->file, run->seed,
                         (long long)now->seed);
    if (!(fabs(run->max_time - now->max_time) < 1e-6))
        return error_set(error, "%s: made with --max-time %g, not %g", p->file, run->max_time,
                         now->max_time);
    return same_text(p, "profile", run->profile, now->profile, error) &&
           same_text(p, "--order", run->serial ? "serial" : "latin", now->order, error) &&
           same_text(p, "commit", run->commit, build_commit, error);
}

bool resume_fits(const struct past *p, const struct record_run *now, struct error *error)
{
    json_t *run = record_run_json(now);
    const struct fingerprint here = fingerprint_of(run);

    json_decref(run);
    for (size_t i = 0; i < p->run_count; i++)
        if (!run_fits(p, &p->runs[i], now, &here, error))
            return false;
    return true;
}

bool resume_same_words(const struct past *p, const struct record_run *now, struct error *error)
{
    char *words = past_words((const char *const *)now->argv, (size_t)now->argc);
    bool same = true;

    for (size_t i = 0; i < p->run_count && same; i++)
        same = strcmp(p->runs[i].words, words) == 0 ||
               error_set(error, "%s: made by \"rungs %s\"; it goes on with the same words and --resume",
                         p->file, p->runs[i].words);
    free(words);
    return same;
}

/* --- sizes that are there --------------------------------------------------------------------- */

enum { ANY = -1 };

/* The last measurement of a rung at a size, in a run. */
static const struct past_cell *find(const struct past *p, const struct sweep *s, size_t size,
                                    size_t rung, long run)
{
    const struct name name = variant_name(s->rungs[rung]);

    for (size_t i = p->cell_count; i-- > 0;) {
        const struct past_cell *c = &p->cells[i];
        if (strcmp(c->variant, name.variant) == 0 && strcmp(c->problem, name.problem) == 0 &&
            past_is_size(c->size, c->axes, s->problem->axes, MAX_AXES, s->sizes[size].dims) &&
            (run == ANY || c->run == (size_t)run))
            return c;
    }
    return NULL;
}

/* The measurements of all rungs at a size, by the last run that has made one.  False: it has not made
   all. */
static bool find_all(const struct past *p, const struct sweep *s, size_t size,
                     const struct past_cell *cells[])
{
    for (size_t i = 0; i < s->rung_count; i++) {
        cells[i] = find(p, s, size, i, i > 0 ? (long)cells[0]->run : ANY);
        if (cells[i] == NULL)
            return false;
    }
    return true;
}

void resume_sweep(const struct past *p, struct sweep *s)
{
    const struct past_cell *cells[MAX_VARIANTS] = {NULL};
    static struct row row;

    for (size_t size = 0; size < s->size_count; size++) {
        if (!find_all(p, s, size, cells))
            continue;
        for (size_t i = 0; i < s->rung_count; i++) {
            row = (struct row){.problem = s->problem, .variant = s->rungs[i], .label = "sweep"};
            memcpy(row.dims, s->sizes[size].dims, sizeof row.dims);
            past_row(&row, cells[i]);
            sweep_keep(s, size, i, &row);
        }
    }
}
