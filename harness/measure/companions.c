#include "harness/measure/companions.h"

#include <math.h>
#include <stdlib.h>

#include "harness/worker/parent.h"

/* The entrant is out with its companion.  Returns false. */
static bool out_with(struct entrant *e, size_t companion)
{
    const struct fate fate = e->companions[companion].fate;

    return entrant_out(e, fate.outcome, "process %zu of %d: %s", companion + 2, e->scale.processes, fate.reason);
}

void companions_start(struct entrant *e, int threads, size_t memory)
{
    const size_t count = e->scale.processes > 1 ? (size_t)e->scale.processes - 1 : 0;

    if (count == 0 || e->state == ENTRANT_GONE)
        return;
    e->companions = calloc(count, sizeof *e->companions);
    if (e->companions == NULL)
        abort();
    for (; e->companion_count < count && e->state != ENTRANT_GONE; e->companion_count++) {
        struct entrant *its = &e->companions[e->companion_count];
        its->context = NAN;
        its->result = result_new();
        its->worker.variant = e->worker.variant;
        if (!worker_start(&its->worker, e->worker.variant, threads, e->scale.processes, 0, memory)) {
            entrant_out(its, its->worker.fate.outcome, "%s", its->worker.fate.reason);
            out_with(e, e->companion_count);
        }
    }
}

/* --- the case ------------------------------------------------------------------------------------- */

static bool open_one(struct cell *c, struct entrant *its)
{
    struct reply reply;

    if (its->state == ENTRANT_GONE || !entrant_open(c, its, false, &reply))
        return false;
    if (reply.outcome != OUTCOME_OK)
        return entrant_out(its, reply.outcome, "%s", reply.text);
    its->state = ENTRANT_IN;
    return entrant_do(c, its, OP_PREPARE, &reply);
}

void companions_open(struct cell *c, struct entrant *e)
{
    for (size_t i = 0; i < e->companion_count && e->state == ENTRANT_IN; i++) {
        if (!open_one(c, &e->companions[i]))
            out_with(e, i);
        else
            worker_rest(&e->companions[i].worker);
    }
}

void companions_release(struct cell *c, struct entrant *e)
{
    struct reply reply;

    for (size_t i = 0; i < e->companion_count && e->state != ENTRANT_GONE; i++) {
        struct entrant *its = &e->companions[i];
        if (its->state != ENTRANT_IN)
            continue;
        if (!entrant_do(c, its, OP_RELEASE, &reply)) {
            out_with(e, i);
            continue;
        }
        its->state = ENTRANT_WAITS;
        worker_shrink(&its->worker);
        worker_rest(&its->worker);
    }
}

/* --- calls ---------------------------------------------------------------------------------------- */

bool companions_begin(struct cell *c, struct entrant *e)
{
    struct reply reply;

    for (size_t i = 0; i < e->companion_count; i++)
        if (!entrant_do(c, &e->companions[i], OP_KEEP_ON, &reply))
            return out_with(e, i);
    return true;
}

bool companions_end(struct cell *c, struct entrant *e, double from, double until, double *cycles)
{
    const struct request stop = {.op = OP_STOP, .from = from, .until = until};
    struct reply reply;

    *cycles = 0.0;
    if (e->state == ENTRANT_GONE)
        return false;
    for (size_t i = 0; i < e->companion_count; i++) {
        if (!entrant_ask(c, &e->companions[i], &stop, &reply))
            return out_with(e, i);
        if (!(reply.cycles >= 0.0 && isfinite(reply.cycles))) {
            entrant_out(&e->companions[i], OUTCOME_BREACH, "sends its own replies over the worker's socket");
            return out_with(e, i);
        }
        *cycles += reply.cycles;
        worker_rest(&e->companions[i].worker);
    }
    return true;
}

void companions_share(const struct entrant *e, struct samples *s, double rate)
{
    double sum = 0.0;

    for (unsigned i = 0; i < s->count; i++)
        sum += s->time[PHASE_E2E][i];
    const double own = s->count > 0 ? s->count / sum : 0.0;
    for (unsigned i = 0; i < s->count; i++)
        for (int phase = 0; phase < PHASES; phase++)
            if (phase == PHASE_E2E)
                s->time[phase][i] = e->scale.processes / (own + rate);
            else if (e->scale.processes > 1)
                s->time[phase][i] = NAN;
}

void companions_judge(struct cell *c, struct entrant *e)
{
    struct reply reply;
    double ignored;

    if (e->companion_count == 0 || e->state != ENTRANT_IN)
        return;
    for (size_t i = 0; i < e->companion_count; i++)
        if (!cell_poison(c, &e->companions[i])) {
            out_with(e, i);
            return;
        }
    if (!companions_begin(c, e) || !entrant_do(c, e, OP_CALL, &reply) || !companions_end(c, e, 0.0, 0.0, &ignored))
        return;
    for (size_t i = 0; i < e->companion_count && e->state == ENTRANT_IN; i++) {
        cell_judge_answer(c, &e->companions[i]);
        if (e->companions[i].state != ENTRANT_IN)
            out_with(e, i);
    }
    worker_rest(&e->worker);
}

/* --- the end -------------------------------------------------------------------------------------- */

void companions_dismiss(struct entrant *e)
{
    for (size_t i = 0; i < e->companion_count; i++) {
        worker_end(&e->companions[i].worker);
        result_free(e->companions[i].result);
    }
    free(e->companions);
    e->companions = NULL;
    e->companion_count = 0;
}
