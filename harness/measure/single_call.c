#include "harness/measure/single_call.h"

#include <stdio.h>

#include "harness/base/interrupt.h"
#include "harness/measure/companions.h"
#include "harness/measure/turn.h"

static bool is_wanted(const struct entrant *e, const struct preset *p)
{
    const struct result *r = e->result;

    return e->state == ENTRANT_SITS_OUT && r->fate.outcome == OUTCOME_SKIPPED && r->base[0] == '\0' &&
           r->predicted > p->max_time && r->predicted <= p->single_call;
}

/* A turn of the shape that calls longer than a block have: one call, on inputs that change just before it. */
static void time_call(struct cell *c, struct entrant *e, const struct preset *p)
{
    struct turn t = {.entrant = e};
    struct touches touches = {.element = {{.array = NULL}}};
    struct result *r = e->result;
    struct error error;

    r->reps = 1;
    at_work_begin(&t.at_work, e);
    if (!turn_measure(c, &t, &touches, p))
        return;
    at_work_end(&t.at_work, e, turn_given(c, e));
    result_add(r, 0, &t.block.samples, &t.block.telemetry);
    r->elapsed += t.block.seconds;
    r->cpu += t.block.cpu_seconds;
    r->cores = r->cpu / r->elapsed;
    snprintf(r->stop, sizeof r->stop, RESULT_SINGLE_CALL);

    const enum account before = costs_switch(&c->costs, COST_JUDGED);
    if (cell_solve(c, &error)) {
        cell_judge_answer(c, e);
        companions_judge(c, e);
    } else {
        entrant_out(e, OUTCOME_SKIPPED, "%s", error.text);
    }
    costs_switch(&c->costs, before);
}

void single_calls(struct cell *c, const struct preset *p, bench_progress *progress, void *context)
{
    struct error error;

    for (size_t i = 0; i < c->count; i++) {
        struct entrant *e = &c->entrants[i];
        if (!is_wanted(e, p) || interrupted())
            continue;
        const struct fate skipped = e->result->fate;
        e->state = ENTRANT_WAITS;
        c->alone = i;
        if (cell_open(c, &error) && e->state == ENTRANT_IN) {
            cell_prepare(c);
            cell_fill(c, 0);
            progress(context, e, 0);
            if (e->state == ENTRANT_IN && cell_poison(c, e))
                time_call(c, e, p);
        } else if (e->state == ENTRANT_WAITS) {
            e->result->fate = skipped;
            e->state = ENTRANT_SITS_OUT;
        }
        cell_close(c);
        c->alone = ALL;
    }
}
