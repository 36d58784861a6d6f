#include "harness/match.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/outcome.h"
#include "harness/stats.h"

/* A cell of either file, on its way to its like. */
struct entry {
    const struct past_cell *cell;
    bool is; /* of the second file */
    size_t at; /* its place in the order of output */
};

/* --- which are alike -------------------------------------------------------------------------- */

static bool of_files(const struct past_cell *c)
{
    return strcmp(c->label, "file") == 0;
}

static int by_size(const struct past_cell *a, const struct past_cell *b)
{
    if (a->axes != b->axes)
        return a->axes < b->axes ? -1 : 1;
    for (size_t i = 0; i < a->axes; i++) {
        int order = strcmp(a->size[i].name, b->size[i].name);
        if (order != 0)
            return order;
        if (a->size[i].value != b->size[i].value)
            return a->size[i].value < b->size[i].value ? -1 : 1;
    }
    return 0;
}

static int by_key(const struct past_cell *a, const struct past_cell *b)
{
    int order = strcmp(a->problem, b->problem);

    order = order != 0 ? order : by_size(a, b);
    order = order != 0 ? order : of_files(a) - of_files(b);
    order = order != 0 ? order : strcmp(a->variant, b->variant);
    order = order != 0 ? order : strcmp(a->scale.name, b->scale.name);
    order = order != 0 ? order
                       : (a->scale.value > b->scale.value) - (a->scale.value < b->scale.value);
    return order != 0 ? order : strcmp(a->math, b->math);
}

static int by_likeness(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int order = by_key(x->cell, y->cell);

    if (order != 0)
        return order;
    return (x->at > y->at) - (x->at < y->at);
}

/* --- comparing -------------------------------------------------------------------------------- */

/* One file's launches of a cell. */
struct side {
    const struct past_cell *cell;
    size_t count, resident_count;
    struct rounds *e2e, *resident;
    double *medians;
};

static bool on_cpu(const struct past_cell *c)
{
    return c->device[0] == '\0' || strcmp(c->device, "cpu") == 0;
}

static struct side gather(const struct entry entries[], size_t count, bool is)
{
    struct side s = {.e2e = calloc(count, sizeof *s.e2e),
                     .resident = calloc(count, sizeof *s.resident),
                     .medians = calloc(count, sizeof *s.medians)};

    if (s.e2e == NULL || s.resident == NULL || s.medians == NULL)
        abort();
    for (size_t i = 0; i < count; i++) {
        const struct past_cell *c = entries[i].cell;
        if (entries[i].is != is)
            continue;
        if (s.cell == NULL || (past_timed(s.cell) && !past_timed(c)))
            s.cell = c;
        if (!past_timed(c))
            continue;
        s.medians[s.count] = median_of(c->e2e.round, c->e2e.rounds);
        s.e2e[s.count++] = past_rounds(&c->e2e);
        if (!on_cpu(c) && c->resident.device)
            s.resident[s.resident_count++] = past_rounds(&c->resident);
    }
    return s;
}

static void side_free(struct side *s)
{
    free(s->e2e);
    free(s->resident);
    free(s->medians);
}

static struct match compare_group(const struct entry entries[], size_t count)
{
    struct side was = gather(entries, count, false), is = gather(entries, count, true);
    struct match m = {.was = was.cell, .is = is.cell, .was_launches = was.count,
                      .is_launches = is.count, .was_median = median_of(was.medians, was.count),
                      .is_median = median_of(is.medians, is.count)};
    bool both = was.cell != NULL && is.cell != NULL && past_timed(was.cell) && past_timed(is.cell);

    m.e2e = compare_apart(was.e2e, both ? was.count : 0, is.e2e, is.count);
    m.resident =
        compare_apart(was.resident, both ? was.resident_count : 0, is.resident, is.resident_count);
    side_free(&was);
    side_free(&is);
    return m;
}

/* --- all of them ------------------------------------------------------------------------------ */

static size_t place_of(const struct match *m)
{
    return m->was != NULL ? m->was->line : m->is->line;
}

/* As in the old file; what is new in the other comes last. */
static int by_place(const void *a, const void *b)
{
    const struct match *x = a, *y = b;

    if ((x->was == NULL) != (y->was == NULL))
        return x->was == NULL ? 1 : -1;
    return (place_of(x) > place_of(y)) - (place_of(x) < place_of(y));
}

struct match *match_cells(const struct past *was, const struct past *is, size_t *count)
{
    size_t all = was->cell_count + is->cell_count;
    struct entry *entries = calloc(all + 1, sizeof *entries);
    struct match *matches = calloc(all + 1, sizeof *matches);

    if (entries == NULL || matches == NULL)
        abort();
    for (size_t i = 0; i < all; i++) {
        bool second = i >= was->cell_count;
        entries[i] = (struct entry){
            second ? &is->cells[i - was->cell_count] : &was->cells[i], second, i};
    }
    qsort(entries, all, sizeof *entries, by_likeness);
    *count = 0;
    for (size_t i = 0, end; i < all; i = end) {
        for (end = i + 1; end < all && by_key(entries[i].cell, entries[end].cell) == 0; end++)
            ;
        matches[(*count)++] = compare_group(entries + i, end - i);
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

static bool has_outcome(const struct past_cell *c, enum outcome outcome)
{
    return strcmp(c->status, outcome_names[outcome]) == 0;
}

bool match_is_regression(const struct match *m, double share)
{
    if (m->was == NULL || m->is == NULL || !past_timed(m->was))
        return false;
    if (past_timed(m->is))
        return slower(&m->e2e, share) || slower(&m->resident, share);
    return !has_outcome(m->is, OUTCOME_REFUSED) && !has_outcome(m->is, OUTCOME_NO_DEVICE) &&
           !has_outcome(m->is, OUTCOME_STOPPED) && !has_outcome(m->is, OUTCOME_OK);
}
