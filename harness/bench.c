#include "harness/bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/clock.h"
#include "harness/interrupt.h"
#include "harness/json_values.h"
#include "harness/order.h"
#include "harness/relocate.h"
#include "harness/stop.h"

const struct profile profile_default = {
    .name = "default", .sizes = "S,M", .warm_time = 0.1, .min_rounds = 10, .max_rounds = MAX_ROUNDS,
    .width = 0.01, .max_time = 0.8, .sittings = 3, .block_time = 0.05, .launches = 1,
};

const struct profile profile_publish = {
    .name = "publish", .sizes = "S,M", .warm_time = 1.0, .min_rounds = 10, .max_rounds = MAX_ROUNDS,
    .width = 0.005, .max_time = 3.0, .sittings = 1, .block_time = 0.1, .launches = MAX_LAUNCHES,
};

const struct profile profile_quick = {
    .name = "quick", .sizes = "S", .warm_time = 0.01, .min_rounds = 6, .max_rounds = 20,
    .width = 0.05, .max_time = 0.5, .sittings = 1, .block_time = 0.02, .launches = 1,
};

enum { SAMPLES = 10 };                  /* of a block */
static const double SAMPLE_TIME = 1e-3; /* a sample lasts this long at least: 1e4 clock steps */
static const double MOVING = 0.1;       /* share of a block's time that a relocation may take */
/* --- samples into rounds ---------------------------------------------------------------------- */

static void series_add(struct series *s, unsigned sitting, const double block[], unsigned count)
{
    s->sitting[sitting].rounds++;
    s->round[s->rounds++] = time_on_record(median_of(block, count)); /* so that both say the same */
    series_keep(s, block, count);
}

static void take_block(struct row *row, unsigned sitting, const struct variant *v,
                       const struct samples *s)
{
    series_add(&row->e2e, sitting, s->e2e, s->count);
    if (v->upload == NULL && v->download == NULL)
        return; /* on the host, run is all there is: the same borders, the same clock */
    series_add(&row->run, sitting, s->run, s->count);
    row->runs = s->runs;
    if (s->count > 0 && !isnan(s->cold[0]))
        series_add(&row->cold, sitting, s->cold, s->count);
    if (v->upload != NULL)
        series_add(&row->upload, sitting, s->upload, s->count);
    if (v->download != NULL)
        series_add(&row->download, sitting, s->download, s->count);
}

/* --- turns ------------------------------------------------------------------------------------ */

struct turn {
    struct entrant *entrant;
    size_t blocks; /* of this sitting */
    double moving; /* seconds that the last relocation took */
    struct block block;
};

/* Grows the samples to a length that the clock resolves, and warms what there is to warm: in a later
   sitting that is the process alone, as the machine has been at work all the time.  Slow calls need
   neither: the check has made two of them. */
static void warm_up(struct cell *c, struct turn *t, const struct profile *p)
{
    const struct request request = {
        .op = OP_WARM, .seconds = c->sitting == 0 ? p->warm_time : p->warm_time / 2,
        .target = SAMPLE_TIME};
    struct row *row = t->entrant->row;
    struct reply reply;

    row->reps = 1;
    if (row->first > p->warm_time)
        return;
    const double start = clock_now();
    if (!worker_ask(&t->entrant->worker, &request, &reply, c->timeout)) {
        entrant_out(t->entrant, &t->entrant->worker.fate);
        return;
    }
    c->costs.warmed += clock_now() - start;
    row->reps = reply.reps;
}

/* False: there is none, and the entrant is out or sits out the turn. */
static bool measure(struct cell *c, struct turn *t, const struct profile *p, struct block *b)
{
    struct entrant *e = t->entrant;
    const struct request request = {.op = OP_BLOCK,
                                    .samples = SAMPLES,
                                    .reps = e->row->reps,
                                    .seconds = p->block_time,
                                    .settle = e->row->first < p->block_time};
    struct reply reply;
    struct fate fate;

    /* The untimed cycle must follow: it pays for the new pages. */
    if (request.settle && fmax(t->moving, e->row->setup) <= MOVING * p->block_time &&
        !relocate(c, e, &t->moving))
        return false;
    if (!worker_ask(&e->worker, &request, &reply, c->timeout)) {
        entrant_out(e, &e->worker.fate);
        return false;
    }
    if (reply.outcome != OUTCOME_OK) {
        fate_set(&fate, reply.outcome, "%s", reply.text);
        entrant_out(e, &fate);
        return false;
    }
    c->costs.timed += reply.seconds;
    *b = (struct block){reply.samples, request.reps, reply.seconds, reply.cpu_seconds,
                        telemetry_read(e->worker.variant->device != NULL)};
    return true;
}

/* A block that an earlier run has taken counts as if it had been taken now. */
static void take_turn(struct cell *c, struct turn *t, const struct profile *p, size_t round,
                      bool together)
{
    struct entrant *e = t->entrant;
    const bool known = c->journal != NULL && journal_knows(c->journal, c, e, round, &t->block);

    if (!known && !measure(c, t, p, &t->block))
        return;
    if (!known && c->journal != NULL)
        journal_keep(c->journal, c, e, round, &t->block);
    e->row->resumed += known;
    e->row->reps = t->block.reps; /* samples of other lengths do not compare */
    take_block(e->row, c->sitting, e->worker.variant, &t->block.samples);
    e->row->telemetry[e->row->blocks++] = t->block.telemetry;
    t->blocks++;
    e->spent += t->block.seconds;
    e->row->elapsed += t->block.seconds;
    e->row->cpu += t->block.cpu_seconds;
    e->row->cores = e->row->cpu / e->row->elapsed;
    e->row->stop = why_stop(e->row, p, c->sitting, t->blocks, e->spent, together);
}

static void judge_again(struct cell *c)
{
    const double start = clock_now(), in_rungs = c->in_rungs;

    cell_judge(c);
    cell_count_judging(c, start, in_rungs);
}

/* Has nobody stopped yet? */
static bool all_take_part(const struct turn turns[], size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (turns[i].entrant->in && turns[i].entrant->row->stop != NULL)
            return false;
    return true;
}

/* By whoever runs it, or for want of room on the disk. */
static bool ended(const struct cell *c)
{
    return interrupted() || (c->journal != NULL && c->journal->broken);
}

void bench_cell(struct cell *c, const struct profile *p, uint64_t order_seed,
                bench_progress *progress, void *context)
{
    struct turn *turns = calloc(c->count + 1, sizeof *turns);
    size_t *order = calloc(c->count + 1, sizeof *order), count = 0, live;
    const size_t rounds = p->max_rounds / p->sittings;

    if (turns == NULL || order == NULL)
        abort();
    for (size_t i = 0; i < c->count; i++)
        if (c->entrants[i].in)
            turns[count++].entrant = &c->entrants[i];
    for (size_t i = 0; i < count; i++) {
        turns[i].entrant->row->stop = NULL; /* of the sitting before */
        turns[i].entrant->spent = 0.0;
        warm_up(c, &turns[i], p);
        worker_rest(&turns[i].entrant->worker);
    }

    for (size_t round = 0; round < rounds; round++) {
        const bool together = all_take_part(turns, count);

        order_of_round(order, count, c->sitting * rounds + round, order_seed);
        live = 0;
        for (size_t i = 0; i < count && !ended(c); i++) {
            struct turn *t = &turns[order[i]];
            if (t->entrant == NULL) /* as the analyser fears, who does not know what is in order[] */
                abort();
            if (!t->entrant->in || t->entrant->row->stop != NULL)
                continue;
            progress(context, t->entrant, round);
            take_turn(c, t, p, round, together);
            worker_rest(&t->entrant->worker);
            live++;
        }
        if (live == 0)
            break;
    }
    free(turns);
    free(order);
    if (c->journal == NULL || !c->journal->broken)
        judge_again(c); /* what was timed is what is right */
}
