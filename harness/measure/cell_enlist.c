/* The entrants of a cell: workers and results, from start to end. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/measure/cell.h"
#include "harness/measure/companions.h"
#include "harness/measure/devices_find.h"
#include "harness/model/registry.h"
#include "harness/worker/parent.h"

/* Returns how many ranks there are without --ranks: one for each GPU, or one for each thread. */
static int usual_ranks(const struct card *v, int threads)
{
    static struct devices found;

    if (card_on_cpu(v))
        return threads;
    if (found.name == NULL)
        devices_find(&found, &v, 1);
    return found.count > 1 ? found.count : 1;
}

static int threads_of(const struct cell *c, const struct entrant *e, const struct card *v)
{
    return e->scale.threads > 0 ? e->scale.threads
           : e->scale.ranks > 0 ? e->scale.ranks
           : card_by_mpi(v)     ? usual_ranks(v, c->threads)
                                : c->threads;
}

static void start(struct cell *c, struct entrant *e, const struct card *v, size_t memory)
{
    const int threads = threads_of(c, e, v);
    const int processes = e->scale.processes > 0 ? e->scale.processes : 1;

    if (!worker_start(&e->worker, v, threads, processes, e->scale.devices, memory / (size_t)processes))
        entrant_out(e, e->worker.fate.outcome, "%s", e->worker.fate.reason);
    companions_start(e, threads, memory / (size_t)processes);
}

void cell_enlist(struct cell *c, const struct card *const variants[], size_t count, int threads)
{
    cell_enlist_scaled(c, variants, NULL, NULL, count, threads);
}

void cell_enlist_scaled(struct cell *c, const struct card *const variants[],
                        const struct scale scales[], const bool absent[], size_t count, int threads)
{
    const size_t memory = memory_available() / 10 * 9; /* what a worker may have */

    c->entrants = calloc(count + 1, sizeof *c->entrants);
    c->results = calloc(count + 1, sizeof *c->results);
    if (c->entrants == NULL || c->results == NULL)
        abort();
    c->count = count;
    c->alone = ALL;
    c->threads = threads;
    for (size_t i = 0; i < count; i++) {
        struct entrant *e = &c->entrants[i];
        e->context = NAN;
        e->scale = scales != NULL ? scales[i] : (struct scale){0};
        e->result = c->results[i] = result_new();
        e->worker.variant = variants[i];
        if (absent != NULL && absent[i])
            e->state = ENTRANT_GONE;
        else
            start(c, e, variants[i], memory);
    }
}

struct result **cell_give_results(struct cell *c)
{
    struct result **results = c->results;

    c->results = calloc(c->count + 1, sizeof *c->results);
    if (c->results == NULL)
        abort();
    for (size_t i = 0; i < c->count; i++) {
        struct entrant *e = &c->entrants[i];
        c->results[i] = result_new();
        c->results[i]->sizes_ok = e->result->sizes_ok;
        c->results[i]->sizes_refused = e->result->sizes_refused;
        e->result = c->results[i];
    }
    return results;
}

void cell_take_results(struct cell *c, struct result *results[], const size_t dims[])
{
    for (size_t i = 0; i < c->count; i++) {
        struct entrant *e = &c->entrants[i];
        result_free(e->result);
        e->result = results[i];
        if (e->state == ENTRANT_GONE && result_timed(e->result))
            e->result->fate = e->fate;
        else if (e->state != ENTRANT_GONE)
            e->state = result_timed(e->result) && !result_single_call(e->result) ? ENTRANT_WAITS
                                                                              : ENTRANT_SITS_OUT;
    }
    free(c->results);
    c->results = results;
    memcpy(c->dims, dims, sizeof c->dims);
}

void cell_label(struct cell *c, const char *label, const size_t dims[])
{
    memcpy(c->dims, dims, sizeof c->dims);
    for (size_t i = 0; i < c->count; i++) {
        struct entrant *e = &c->entrants[i];
        result_begin(e->result, c->problem, e->worker.variant, &e->scale, label, dims);
        e->result->context = e->context;
        e->result->varies = e->varies;
        if (e->state == ENTRANT_GONE)
            e->result->fate = e->fate;
        else
            e->state = ENTRANT_WAITS;
    }
}

void cell_dismiss(struct cell *c)
{
    for (size_t i = 0; i < c->count; i++) {
        worker_end(&c->entrants[i].worker);
        companions_dismiss(&c->entrants[i]);
        result_free(c->entrants[i].result);
    }
    free(c->entrants);
    free(c->results);
    free(c->solution);
    c->entrants = NULL;
    c->results = NULL;
    c->solution = NULL;
    c->count = 0;
}
