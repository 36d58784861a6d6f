#include "harness/past_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/flags.h"
#include "harness/ladder_past.h"
#include "harness/registry.h"

/* --- a row ------------------------------------------------------------------------------------ */

static void read_series(struct series *to, const struct past_series *from, bool launches)
{
    size_t room = MAX_ROUNDS;

    for (size_t i = 0; i < MAX_SITTINGS; i++) {
        to->sitting[i] = from->sitting[i];
        if (to->sitting[i].rounds > room)
            to->sitting[i].rounds = room;
        room -= to->sitting[i].rounds;
    }
    to->rounds = MAX_ROUNDS - room;
    if (to->rounds > 0)
        memcpy(to->round, from->round, to->rounds * sizeof *to->round);
    to->launches = launches ? to->rounds : 0;
}

/* A share is all that is left of so many answers. */
static void read_exact(struct verdict *v, double share)
{
    static const double many = 1e12;

    if (!isfinite(share))
        return;
    v->asked = (size_t)many;
    v->same = (size_t)(share * many);
}

static unsigned read_flags(const char *text)
{
    unsigned flags = 0;

    for (int i = 0; i < FLAGS; i++) {
        const char *at = strstr(text, flag_names[i]);
        flags |= at != NULL ? 1u << i : 0;
    }
    return flags;
}

static struct limit read_limit(const struct past_limit *from)
{
    return (struct limit){from->name[0] != '\0' ? from->name : NULL, from->floor};
}

void past_row(struct row *row, const struct past_cell *c)
{
    const bool launches = strcmp(c->stop, "launches") == 0;

    for (enum outcome i = OUTCOME_OK; i <= OUTCOME_STOPPED; i++)
        if (strcmp(c->status, outcome_names[i]) == 0)
            row->fate.outcome = i;
    snprintf(row->fate.reason, sizeof row->fate.reason, "%s", c->reason);
    row->verdict.error = c->error;
    row->verdict.seen = isfinite(c->error);
    read_exact(&row->verdict, c->exact);
    row->predicted = c->predicted;
    row->context = c->context;
    row->setup = c->setup;
    row->first = c->first;
    row->threads = c->threads;
    row->cores = c->cores;
    row->alone = c->alone;
    row->recalled = true;
    row->flags = read_flags(c->flags);
    row->limit_e2e = read_limit(&c->limit_e2e);
    row->limit_run = read_limit(&c->limit_run);
    read_series(&row->e2e, &c->e2e, launches);
    read_series(&row->upload, &c->upload, launches);
    read_series(&row->cold, &c->cold, launches);
    read_series(&row->download, &c->download, launches);
    if (c->resident.device) /* else it is the same series under another name */
        read_series(&row->run, &c->resident, launches);
}

size_t past_table_length(const struct past *p, size_t at)
{
    size_t end = at + 1;

    while (end < p->cell_count && cells_share_table(&p->cells[at], &p->cells[end]))
        end++;
    return end - at;
}

/* --- a table ---------------------------------------------------------------------------------- */

static const struct device elsewhere = {.name = "elsewhere"};

/* The rung as a record knows it. */
static void read_variant(struct variant *v, const struct past_cell *c)
{
    char path[160];

    snprintf(path, sizeof path, "variants/%s/%s.c", c->problem, c->variant);
    *v = (struct variant){.path = strdup(path),
                          .idea = c->idea,
                          .base = c->base[0] != '\0' ? c->base : NULL,
                          .device = strcmp(c->device, "cpu") == 0 ? NULL : &elsewhere};
    if (v->path == NULL)
        abort();
    for (enum math m = MATH_F32; m <= MATH_F64; m++)
        if (strcmp(c->math, math_names[m]) == 0)
            v->math = m;
}

static bool read_size(const struct problem *p, const struct past_cell *c, size_t dims[])
{
    size_t values[MAX_AXES] = {0};

    for (size_t a = 0; a < c->axes && a < MAX_AXES; a++)
        values[a] = (size_t)c->size[a].value;
    memcpy(dims, values, sizeof values);
    return past_is_size(c->size, c->axes, p->axes, MAX_AXES, values);
}

static bool make_row(const struct past *p, const struct past_cell *c, struct variant *v,
                     struct row *row, struct error *error)
{
    const struct problem *problem = registry_problem(c->problem);

    read_variant(v, c);
    if (problem == NULL)
        return error_set(error, "%s:%zu: this program has no problem %s", p->file, c->line,
                         c->problem);
    if (!read_size(problem, c, row->dims))
        return error_set(error, "%s:%zu: no size of %s", p->file, c->line, c->problem);
    row->problem = problem;
    row->variant = v;
    row->label = c->label;
    if (strcmp(c->scale.name, "threads") == 0)
        row->scale.threads = (int)c->scale.value;
    else
        row->scale.devices = (int)c->scale.value;
    past_row(row, c);
    return true;
}

bool past_rows_make(const struct past *p, const struct past_cell cells[], size_t count,
                    struct past_rows *t, struct error *error)
{
    bool fine = true;

    *t = (struct past_rows){.rows = calloc(count + 1, sizeof *t->rows),
                            .variants = calloc(count + 1, sizeof *t->variants)};
    if (t->rows == NULL || t->variants == NULL)
        abort();
    for (size_t i = 0; i < count && fine; i++) {
        t->rows[i] = row_new();
        t->count++;
        fine = make_row(p, &cells[i], &t->variants[i], t->rows[i], error);
    }
    if (fine)
        t->ladder = ladder_of_cells(cells, count);
    else
        past_rows_free(t);
    return fine;
}

void past_rows_free(struct past_rows *t)
{
    for (size_t i = 0; i < t->count; i++) {
        free((char *)t->variants[i].path);
        row_free(t->rows[i]);
    }
    free(t->rows);
    free(t->variants);
    ladder_free(&t->ladder);
    *t = (struct past_rows){.count = 0};
}
