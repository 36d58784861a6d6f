/* Who takes part in a cell: workers and rows, from the first launch to the end. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cell.h"
#include "harness/memory.h"
#include "harness/registry.h"

/* What a worker may have at most, bytes: nearly all that there is. */
static size_t worker_memory(void)
{
    return memory_available() / 10 * 9;
}

static void launch(struct cell *c, struct entrant *e, const struct variant *v, size_t memory)
{
    const int threads = e->scale.threads > 0 ? e->scale.threads : c->threads;

    if (!worker_start(&e->worker, v, variant_name(v).full, arena_file(c->arena), threads,
                      e->scale.devices, memory))
        entrant_out(e, &e->worker.fate);
}

void cell_enlist(struct cell *c, const struct variant *const rungs[], size_t count, int threads)
{
    cell_enlist_scaled(c, rungs, NULL, NULL, count, threads);
}

void cell_enlist_scaled(struct cell *c, const struct variant *const rungs[],
                        const struct scale scales[], const bool absent[], size_t count, int threads)
{
    const size_t memory = worker_memory();

    c->entrants = calloc(count + 1, sizeof *c->entrants);
    c->rows = calloc(count + 1, sizeof *c->rows);
    if (c->entrants == NULL || c->rows == NULL)
        abort();
    c->count = c->row_count = count;
    c->alone = ALL;
    c->threads = threads;
    for (size_t i = 0; i < count; i++) {
        struct entrant *e = &c->entrants[i];
        e->context = NAN;
        e->scale = scales != NULL ? scales[i] : (struct scale){0};
        e->row = c->rows[i] = row_new();
        e->worker.variant = rungs[i];
        e->gone = absent != NULL && absent[i];
        if (!e->gone)
            launch(c, e, rungs[i], memory);
    }
}

struct row **cell_give_rows(struct cell *c)
{
    struct row **rows = c->rows;

    c->rows = calloc(c->count + 1, sizeof *c->rows);
    if (c->rows == NULL)
        abort();
    for (size_t i = 0; i < c->count; i++) {
        struct entrant *e = &c->entrants[i];
        c->rows[i] = row_new();
        c->rows[i]->sizes_ok = e->row->sizes_ok;
        c->rows[i]->sizes_refused = e->row->sizes_refused;
        e->row = c->rows[i];
    }
    return rows;
}

void cell_take_rows(struct cell *c, struct row *rows[])
{
    for (size_t i = 0; i < c->count; i++) {
        struct entrant *e = &c->entrants[i];
        row_free(e->row);
        e->row = rows[i];
        e->sits_out = !row_timed(e->row);
        if (e->gone && !e->sits_out)
            e->row->fate = e->fate;
    }
    free(c->rows);
    c->rows = rows;
    memcpy(c->dims, rows[0]->dims, sizeof c->dims);
}

void cell_relaunch(struct cell *c)
{
    const size_t memory = worker_memory();

    for (size_t i = 0; i < c->count; i++) {
        struct entrant *e = &c->entrants[i];
        const struct variant *v = e->worker.variant;
        if (e->gone)
            continue;
        worker_end(&e->worker);
        launch(c, e, v, memory);
    }
}

void cell_label(struct cell *c, const char *label, const size_t dims[])
{
    memcpy(c->dims, dims, sizeof c->dims);
    for (size_t i = 0; i < c->count; i++) {
        struct entrant *e = &c->entrants[i];
        row_drop_samples(e->row);
        *e->row = (struct row){.problem = c->problem,
                               .variant = e->worker.variant,
                               .label = label,
                               .scale = e->scale,
                               .sizes_ok = e->row->sizes_ok,
                               .sizes_refused = e->row->sizes_refused,
                               .verdict = verdict_start(),
                               .predicted = NAN,
                               .setup = NAN,
                               .first = NAN,
                               .context = e->context,
                               .cores = NAN};
        memcpy(e->row->dims, dims, sizeof e->row->dims);
        e->sits_out = false;
        if (e->gone)
            e->row->fate = e->fate;
    }
}

void cell_dismiss(struct cell *c)
{
    for (size_t i = 0; i < c->count; i++) {
        worker_end(&c->entrants[i].worker);
        row_free(c->entrants[i].row);
    }
    free(c->entrants);
    free(c->rows);
    free(c->solution);
    c->entrants = NULL;
    c->rows = NULL;
    c->solution = NULL;
    c->count = 0;
}
