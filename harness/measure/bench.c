#include "harness/measure/bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/base/clock.h"
#include "harness/base/interrupt.h"
#include "harness/base/random.h"
#include "harness/machine/mps.h"
#include "harness/measure/companions.h"
#include "harness/measure/latin_square.h"
#include "harness/measure/stop.h"
#include "harness/measure/turn.h"

const struct preset preset_default = {
    .name = "default", .sizes = "S,M", .also = true, .warm_time = 0.1, .min_rounds = 10, .max_rounds = MAX_ROUNDS,
    .width = 0.01, .max_time = 0.5, .single_call = 15.0, .passes = 3, .block_time = 0.05,
};

const struct preset preset_thorough = {
    .name = "thorough", .sizes = "S,M", .also = true, .warm_time = 0.5, .min_rounds = 30, .max_rounds = MAX_ROUNDS,
    .width = 0.005, .max_time = 10.0, .single_call = 60.0, .passes = MAX_PASSES, .block_time = 0.1,
};

const struct preset preset_quick = {
    .name = "quick", .sizes = "S", .warm_time = 0.01, .min_rounds = 6, .max_rounds = 20,
    .width = 0.05, .max_time = 0.5, .single_call = 10.0, .passes = 1, .block_time = 0.02,
};

static const double SAMPLE_TIME = 1e-3; /* a sample takes at least 1e4 steps of the clock */

/* --- turns ------------------------------------------------------------------------------------ */

/* Lengthens the samples until the clock resolves them, and warms up.  In a later pass only the process
   is cold, because the machine has been busy.  Slow calls need neither: the check has made two of
   them. */
static void warm_up(struct cell *c, struct turn *t, const struct preset *p)
{
    const struct request request = {
        .op = OP_WARM, .seconds = c->pass == 0 ? p->warm_time : p->warm_time / 2,
        .target = SAMPLE_TIME};
    struct result *r = t->entrant->result;
    struct reply reply;

    r->reps = 1;
    if (r->first <= p->warm_time && entrant_ask(c, t->entrant, &request, &reply))
        r->reps = reply.reps;
}

/* A block that an earlier run has recorded counts as if it were taken now. */
static void take_turn(struct cell *c, struct turn *t, struct touches *touches,
                      const struct preset *p, size_t round, bool together)
{
    struct entrant *e = t->entrant;
    struct result *r = e->result;
    const bool known = c->journal != NULL && journal_knows(c->journal, r, c->pass, round, &t->block);

    if (!known && !turn_measure(c, t, touches, p))
        return;
    if (!known && c->journal != NULL)
        journal_keep(c->journal, r, c->pass, round, &t->block);
    r->resumed += known;
    r->reps = t->block.reps; /* samples of different lengths cannot be compared */
    result_add(r, c->pass, &t->block.samples, &t->block.telemetry);
    t->blocks++;
    /* A resumed run has spent as much as the one before it, or its variants would leave at other rounds. */
    e->spent += isnan(t->block.wall) ? t->block.seconds : t->block.wall;
    r->elapsed += t->block.seconds;
    r->cpu += t->block.cpu_seconds;
    r->cores = r->cpu / r->elapsed;
    const char *why = stop_reason(r, p, c->pass, t->blocks, e->spent, together);
    snprintf(r->stop, sizeof r->stop, "%s", why != NULL ? why : "");
}

/* --- the end of a pass ------------------------------------------------------------------------ */

/* Goes on with turns of a variant that a trial suspects, until it decides. */
static void try_further(struct cell *c, struct turn *t, struct touches *touches, const struct preset *p)
{
    for (size_t i = 0; !interrupted() && turn_doubted(t, i); i++) {
        if (t->sets->bytes[PRESENT] != NULL && random_unforeseen() % 2 == 0)
            data_sets_go_on(t->sets, c, touches);
        if (!turn_measure(c, t, touches, p))
            break;
    }
    worker_rest(&t->entrant->worker);
}

/* Judges the answers that timed calls leave.  The inputs change to values that no variant has seen and
   that are the same for all; a coin decides whether first all change, to another data set.  The turns look like those before. */
static void judge_timed_calls(struct cell *c, struct turn turns[], size_t count, struct data_sets *sets,
                              struct touches *touches, const struct preset *p)
{
    struct error error;

    for (size_t i = 0; i < count; i++)
        if (turns[i].entrant->state == ENTRANT_IN && turn_doubted(&turns[i], 0))
            try_further(c, &turns[i], touches, p);
    if (sets->bytes[PRESENT] != NULL && random_unforeseen() % 2 == 0) {
        data_sets_draw(sets, c, touches);
        data_sets_write(sets, c, NEXT, touches);
    }
    touch_inputs(touches, c, true);
    if (!cell_solve(c, &error)) {
        for (size_t i = 0; i < count; i++)
            entrant_out(turns[i].entrant, OUTCOME_SKIPPED, "%s", error.text);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        struct turn *t = &turns[i];
        if (t->entrant->state != ENTRANT_IN || turn_accuse(t))
            continue;
        if (turn_close(c, t, touches, p))
            companions_judge(c, t->entrant);
        worker_rest(&t->entrant->worker);
    }
}

/* Now, because a server starts for its first client only. */
static void note_mps(const struct entrant *e)
{
    if (e->scale.processes > 0 && !card_on_cpu(e->worker.variant))
        snprintf(e->result->mps, sizeof e->result->mps, "%s", mps_state());
}

/* Judges that what was timed was right. */
static void judge_what_is_left(struct cell *c, struct turn turns[], size_t count, struct data_sets *sets,
                               struct touches *touches, const struct preset *p)
{
    const enum account before = costs_switch(&c->costs, COST_JUDGED);

    for (size_t i = 0; i < count; i++) {
        note_mps(turns[i].entrant);
        at_work_end(&turns[i].at_work, turns[i].entrant, turn_given(c, turns[i].entrant));
    }
    if (c->problem->touch != NULL && !interrupted())
        judge_timed_calls(c, turns, count, sets, touches, p);
    else {
        cell_judge(c);
        for (size_t i = 0; i < count && !interrupted(); i++)
            companions_judge(c, turns[i].entrant);
    }
    costs_switch(&c->costs, before);
}

/* Returns whether a call takes so long that all inputs may change for it. */
static bool has_long_calls(const struct turn turns[], size_t count)
{
    const unsigned long most = (unsigned long)(SAMPLE_TIME / LEAST_CHANGED); /* in a sample */
    bool has = false;

    for (size_t i = 0; i < count; i++)
        has |= turns[i].entrant->state == ENTRANT_IN && turns[i].entrant->result->reps <= most;
    return has;
}

/* Gives each round other data; or, where drawing them takes too large a share of the time, some rounds. */
static void go_on_at_times(struct data_sets *d, struct cell *c, double round, struct touches *touches)
{
    const double share = 0.05;

    if (d->bytes[PRESENT] != NULL && random_unit(random_unforeseen(), 0, 0) * d->drawing < share * round)
        data_sets_go_on(d, c, touches);
}

static bool goes_on(const struct entrant *e)
{
    return e->state == ENTRANT_IN && e->result->stop[0] == '\0';
}

/* Returns whether none of those that take part has stopped yet. */
static bool all_take_part(const struct turn turns[], size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (turns[i].entrant->state == ENTRANT_IN && !goes_on(turns[i].entrant))
            return false;
    return true;
}

/* By a signal, or because the disk is full. */
static bool ended(const struct cell *c)
{
    return interrupted() || (c->journal != NULL && c->journal->broken);
}

void bench_cell(struct cell *c, const struct preset *p, uint64_t order_seed,
                bench_progress *progress, void *context)
{
    struct turn *turns = calloc(c->count + 1, sizeof *turns);
    size_t *order = calloc(c->count + 1, sizeof *order), count = 0, live;
    struct touches touches = {.element = {{.array = NULL}}};
    struct data_sets sets = {.now = PRESENT};
    const size_t rounds = p->max_rounds / p->passes;

    if (turns == NULL || order == NULL)
        abort();
    for (size_t i = 0; i < c->count; i++)
        if (c->entrants[i].state == ENTRANT_IN)
            turns[count++].entrant = &c->entrants[i];
    for (size_t i = 0; i < count; i++) {
        turns[i].entrant->result->stop[0] = '\0'; /* from the pass before */
        turns[i].entrant->spent = 0.0;
        warm_up(c, &turns[i], p);
        worker_rest(&turns[i].entrant->worker);
        at_work_begin(&turns[i].at_work, turns[i].entrant);
    }

    if (has_long_calls(turns, count))
        data_sets_open(&sets, c, &touches);
    for (size_t i = 0; i < count; i++)
        turns[i].sets = &sets;

    double began = clock_now();
    for (size_t round = 0; round < rounds; round++) {
        const bool together = all_take_part(turns, count);

        if (round > 0)
            go_on_at_times(&sets, c, clock_now() - began, &touches);
        began = clock_now();
        latin_square_round(order, count, c->pass * rounds + round, order_seed);
        live = 0;
        for (size_t i = 0; i < count && !ended(c); i++) {
            struct turn *t = &turns[order[i]];
            if (t->entrant == NULL) /* impossible, but static analysis does not see it */
                abort();
            if (!goes_on(t->entrant))
                continue;
            progress(context, t->entrant, round);
            take_turn(c, t, &touches, p, round, together);
            worker_rest(&t->entrant->worker);
            live++;
        }
        if (live == 0)
            break;
    }
    if (c->journal == NULL || !c->journal->broken)
        judge_what_is_left(c, turns, count, &sets, &touches, p);
    data_sets_close(&sets, c, &touches);
    free(turns);
    free(order);
}
