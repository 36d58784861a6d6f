#include "harness/records/match.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/stats.h"
#include "harness/model/outcome.h"

/* A result of either file that is to be matched. */
struct entry {
    const struct result *result;
    bool is; /* it is of the second file */
    size_t at; /* its place in the output */
};

/* --- matching --------------------------------------------------------------------------------- */

static bool of_files(const struct result *c)
{
    return strcmp(c->label, "file") == 0;
}

static int by_key(const struct result *a, const struct result *b)
{
    int order = strcmp(a->problem, b->problem);

    order = order != 0 ? order : axes_order(a->size, a->axes, b->size, b->axes);
    order = order != 0 ? order : of_files(a) - of_files(b);
    order = order != 0 ? order : strcmp(a->variant, b->variant);
    order = order != 0 ? order : a->scale.threads - b->scale.threads;
    order = order != 0 ? order : a->scale.devices - b->scale.devices;
    order = order != 0 ? order : a->scale.ranks - b->scale.ranks;
    order = order != 0 ? order : a->scale.processes - b->scale.processes;
    return order != 0 ? order : (int)a->math - (int)b->math;
}

static int by_likeness(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int order = by_key(x->result, y->result);

    if (order != 0)
        return order;
    return (x->at > y->at) - (x->at < y->at);
}

/* --- comparing -------------------------------------------------------------------------------- */

/* The runs of a result in one file. */
struct side {
    const struct result *result;
    size_t count, resident_count;
    struct series *e2e, *resident; /* belong to the results */
    double *medians;
};

static struct side gather(const struct entry entries[], size_t count, bool is)
{
    struct side s = {.e2e = calloc(count, sizeof *s.e2e),
                     .resident = calloc(count, sizeof *s.resident),
                     .medians = calloc(count, sizeof *s.medians)};

    if (s.e2e == NULL || s.resident == NULL || s.medians == NULL)
        abort();
    for (size_t i = 0; i < count; i++) {
        const struct result *c = entries[i].result;
        if (entries[i].is != is)
            continue;
        if (s.result == NULL || (result_timed(s.result) && !result_timed(c)))
            s.result = c;
        if (!result_timed(c))
            continue;
        s.medians[s.count] = series_median(&c->time[PHASE_E2E]);
        s.e2e[s.count++] = c->time[PHASE_E2E];
        if (!result_on_cpu(c) && c->time[PHASE_RUN].rounds > 0)
            s.resident[s.resident_count++] = c->time[PHASE_RUN];
    }
    return s;
}

static void side_free(struct side *s)
{
    free(s->e2e);
    free(s->resident);
    free(s->medians);
}

static bool same_build(const struct run *a, const struct run *b)
{
    return strcmp(a->commit, b->commit) == 0 && strcmp(a->compiler, b->compiler) == 0 &&
           strcmp(a->flags, b->flags) == 0;
}

static bool builds_differ(const struct records *was, const struct records *is)
{
    for (size_t i = 0; i < was->run_count; i++)
        for (size_t j = 0; j < is->run_count; j++)
            if (!same_build(&was->runs[i], &is->runs[j]))
                return true;
    return false;
}

static struct match compare_group(const struct entry entries[], size_t count, bool rebuilt)
{
    struct side was = gather(entries, count, false), is = gather(entries, count, true);
    struct match m = {.was = was.result, .is = is.result, .was_runs = was.count,
                      .is_runs = is.count, .was_median = median_of(was.medians, was.count),
                      .is_median = median_of(is.medians, is.count)};
    bool both = was.result != NULL && is.result != NULL &&
                result_timed(was.result) && result_timed(is.result);

    m.e2e = compare_apart(was.e2e, both ? was.count : 0, is.e2e, is.count);
    m.resident =
        compare_apart(was.resident, both ? was.resident_count : 0, is.resident, is.resident_count);
    if (rebuilt && both && result_on_cpu(m.was)) /* the linker does not move the code of kernels */
        compare_builds_differ(&m.e2e);
    side_free(&was);
    side_free(&is);
    return m;
}

/* --- all results ------------------------------------------------------------------------------ */

static size_t place_of(const struct match *m)
{
    return m->was != NULL ? m->was->line : m->is->line;
}

/* Orders as in the old file; results that only the new file has come last. */
static int by_place(const void *a, const void *b)
{
    const struct match *x = a, *y = b;

    if ((x->was == NULL) != (y->was == NULL))
        return x->was == NULL ? 1 : -1;
    return (place_of(x) > place_of(y)) - (place_of(x) < place_of(y));
}

struct match *match_cells(const struct records *was, const struct records *is, size_t *count)
{
    const bool rebuilt = builds_differ(was, is);
    size_t all = was->result_count + is->result_count;
    struct entry *entries = calloc(all + 1, sizeof *entries);
    struct match *matches = calloc(all + 1, sizeof *matches);

    if (entries == NULL || matches == NULL)
        abort();
    for (size_t i = 0; i < all; i++) {
        bool second = i >= was->result_count;
        entries[i] = (struct entry){
            second ? &is->results[i - was->result_count] : &was->results[i], second, i};
    }
    qsort(entries, all, sizeof *entries, by_likeness);
    *count = 0;
    for (size_t i = 0, end; i < all; i = end) {
        for (end = i + 1; end < all && by_key(entries[i].result, entries[end].result) == 0; end++)
            ;
        matches[(*count)++] = compare_group(entries + i, end - i, rebuilt);
    }
    free(entries);
    qsort(matches, *count, sizeof *matches, by_place);
    return matches;
}

/* --- regressions ------------------------------------------------------------------------------ */

static bool slower(const struct comparison *c, double share)
{
    return c->finding == SLOWER && compare_slowdown(c) >= share;
}

bool match_is_regression(const struct match *m, double share)
{
    if (m->was == NULL || m->is == NULL || !result_timed(m->was))
        return false;
    if (result_timed(m->is))
        return slower(&m->e2e, share) || slower(&m->resident, share);
    const enum outcome now = m->is->fate.outcome;
    return now != OUTCOME_REFUSED && now != OUTCOME_NO_DEVICE && now != OUTCOME_STOPPED &&
           now != OUTCOME_OK;
}
