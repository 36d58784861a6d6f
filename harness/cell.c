#include "harness/cell.h"

#include <malloc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/clock.h"
#include "harness/interrupt.h"
#include "harness/registry.h"
#include "harness/table.h"

void entrant_out(struct entrant *e, const struct fate *fate)
{
    e->fate = e->row->fate = *fate;
    e->in = false;
    e->gone = true;
    worker_end(&e->worker);
}

/* --- open and prepare ------------------------------------------------------------------------- */

static void open_in(struct cell *c, struct entrant *e)
{
    struct reply reply;

    e->in = false;
    if (e->gone || e->sits_out || (c->alone != ALL && e != &c->entrants[c->alone]))
        return;
    if (!worker_open(&e->worker, arena_layout(c->arena), c->timeout, &reply)) {
        entrant_out(e, &e->worker.fate);
        return;
    }
    if (isnan(e->context) && e->worker.variant->device != NULL)
        e->row->context = e->context = reply.context;
    if (e->worker.variant->device != NULL)
        c->in_rungs += reply.context; /* not for us */
    if (reply.outcome != OUTCOME_OK) {
        fate_set(&e->row->fate, reply.outcome, "%s", reply.text);
        e->row->sizes_refused += c->counts;
    } else {
        e->row->fate = (struct fate){.outcome = OUTCOME_OK};
        e->in = true;
    }
}

static void shape(struct cell *c)
{
    char size[64];

    arena_begin(c->arena);
    c->problem->shape(arena_layout(c->arena)->data, c->dims, c->arena);
    table_size(c->problem, c->dims, size, sizeof size);
    snprintf(arena_layout(c->arena)->cell, sizeof arena_layout(c->arena)->cell, "%s: %s",
             c->row_count > 0 ? c->rows[0]->label : "", size);
}

static size_t running(const struct cell *c)
{
    size_t count = 0;

    for (size_t i = 0; i < c->count; i++)
        count += !c->entrants[i].gone;
    return c->alone == ALL ? count : 1;
}

bool cell_fits(struct cell *c, struct error *error)
{
    shape(c);
    return arena_fits(c->arena, 1, error);
}

bool cell_fits_together(struct cell *c)
{
    struct error ignored;

    shape(c);
    return arena_fits(c->arena, running(c), &ignored);
}

bool cell_open(struct cell *c, struct error *error)
{
    const char *impossible =
        c->problem->impossible != NULL ? c->problem->impossible(c->dims) : NULL;

    if (impossible != NULL)
        return error_set(error, "%s: %s", problem_name(c->problem), impossible);
    shape(c);
    if (!arena_fits(c->arena, running(c), error) || !arena_commit(c->arena, error))
        return false;
    for (size_t i = 0; i < c->count; i++)
        open_in(c, &c->entrants[i]);
    return true;
}

void cell_prepare(struct cell *c)
{
    const struct request request = {.op = OP_PREPARE};
    struct reply reply;

    arena_poison_inputs(c->arena);
    for (size_t i = 0; i < c->count; i++) {
        struct entrant *e = &c->entrants[i];
        if (!e->in)
            continue;
        if (!worker_ask(&e->worker, &request, &reply, c->timeout)) {
            entrant_out(e, &e->worker.fate);
            continue;
        }
        e->row->setup = e->worker.variant->prepare != NULL ? reply.seconds : NAN;
        c->in_rungs += reply.seconds;
    }
}

/* --- judge ------------------------------------------------------------------------------------ */

/* The most that this process needs at a time for one case. */
static void note_held(struct cell *c, size_t reference)
{
    const struct layout *l = arena_layout(c->arena);
    const size_t held = l->input_bytes + l->output_bytes + reference;

    c->costs.held = held > c->costs.held ? held : c->costs.held;
}

bool cell_fill(struct cell *c, uint64_t seed, bool user, struct error *error)
{
    void *data = arena_layout(c->arena)->data;

    if (user)
        c->problem->data->load(data, c->opened);
    else
        c->problem->fill(data, seed);
    free(c->solution);
    c->solution = NULL;
    if (interrupted())
        return true; /* no answer will be judged */
    const size_t before = mallinfo2().hblkhd + mallinfo2().uordblks;
    c->solution = c->problem->solve(data, seed);
    note_held(c, mallinfo2().hblkhd + mallinfo2().uordblks - before);
    return c->solution != NULL || error_set(error, "%s: no memory for the reference",
                                            problem_name(c->problem));
}

/* What the answer in the outputs is worth, of a whole cycle or of a run without an upload. */
static void judge_answer(struct cell *c, struct entrant *e, enum op op)
{
    struct fate fate = {.outcome = OUTCOME_OK};
    char text[128];
    const bool again = op == OP_AGAIN;

    if (!arena_fence_holds(c->arena, text, sizeof text)) {
        fate_set(&fate, OUTCOME_BREACH, "%s", text);
        entrant_out(e, &fate);
        return;
    }
    struct verdict v = c->problem->judge(arena_layout(c->arena)->data, c->solution,
                                         e->worker.variant->math);
    if (interrupted()) { /* it may not have seen all */
        fate_set(&fate, OUTCOME_STOPPED, "interrupted");
        entrant_out(e, &fate);
        return;
    }
    e->row->verdict = verdict_worse(e->row->verdict, v);
    if (verdict_right(&v))
        return;
    verdict_describe(&v, text, sizeof text);
    fate_set(&fate, again ? OUTCOME_BREACH : v.finite ? OUTCOME_WRONG : OUTCOME_NAN, "%s%s",
             again ? "a second run after one upload gives another answer: " : "", text);
    entrant_out(e, &fate);
}

/* False: it was no cycle that leaves an answer to be judged. */
static bool call(struct cell *c, struct entrant *e, enum op op)
{
    const struct request request = {.op = op};
    struct reply reply;
    struct fate fate;

    if (!worker_ask(&e->worker, &request, &reply, c->timeout)) {
        entrant_out(e, &e->worker.fate);
        return false;
    }
    c->in_rungs += reply.seconds;
    if (op == OP_AGAIN)
        return reply.reps > 0;
    e->row->last = reply.seconds;
    e->row->threads = reply.threads;
    e->threads = reply.threads > e->threads ? reply.threads : e->threads;
    if (isnan(e->row->first))
        e->row->first = reply.seconds;
    if (reply.outcome != OUTCOME_OK) {
        fate_set(&fate, reply.outcome, "%s", reply.text);
        entrant_out(e, &fate);
        return false;
    }
    return true;
}

static void call_and_judge(struct cell *c, struct entrant *e, enum op op)
{
    struct error error;
    struct fate fate;

    if (!arena_show(c->arena, e->worker.output_file, &error)) {
        fate_set(&fate, OUTCOME_SKIPPED, "%s", error.text);
        entrant_out(e, &fate);
        return;
    }
    arena_poison_outputs(c->arena);
    if (call(c, e, op))
        judge_answer(c, e, op);
}

void cell_count_judging(struct cell *c, double start, double in_rungs)
{
    const double theirs = c->in_rungs - in_rungs;

    c->costs.called += theirs;
    c->costs.judged += clock_now() - start - theirs;
}

void cell_judge(struct cell *c)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->entrants[i].in)
            call_and_judge(c, &c->entrants[i], OP_CALL);
}

static void call_all(struct cell *c)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->entrants[i].in)
            call(c, &c->entrants[i], OP_CALL);
}

/* Times of a run alone are of one that follows another, so that has to be right as well.  Where calls
   take long, as in the simulator, smaller check sizes have shown it. */
static void judge_again(struct cell *c)
{
    const double long_call = 0.05; /* seconds */

    for (size_t i = 0; i < c->count; i++) {
        struct entrant *e = &c->entrants[i];
        if (e->in && e->worker.variant->upload != NULL && e->row->last < long_call)
            call_and_judge(c, e, OP_AGAIN);
    }
}

/* After Ctrl-C nobody goes on, judged or not. */
static bool stopped(struct cell *c)
{
    struct fate fate;

    if (!interrupted())
        return false;
    fate_set(&fate, OUTCOME_STOPPED, "interrupted");
    for (size_t i = 0; i < c->count; i++)
        if (c->entrants[i].in)
            entrant_out(&c->entrants[i], &fate);
    return true;
}

unsigned long cell_capture(struct cell *c, double seconds, double *took)
{
    const struct request request = {.op = OP_CAPTURE, .seconds = seconds};
    struct entrant *e = &c->entrants[0];
    struct reply reply;

    if (!e->in)
        return 0;
    if (!worker_ask(&e->worker, &request, &reply, c->timeout + seconds)) {
        entrant_out(e, &e->worker.fate);
        return 0;
    }
    *took = reply.seconds;
    return reply.reps;
}

bool cell_check(struct cell *c, struct error *error)
{
    if (!cell_open(c, error))
        return false;
    cell_prepare(c);
    /* The user's data, if any, come last: their answer is saved.  Not seed + 1, with which --seed 1
       and --seed 2 would have data in common.  In a later sitting the one set will do, and what is
       judged is what was timed, after that. */
    for (int turn = c->sitting == 0 ? 0 : 1; turn < 2; turn++) {
        if (stopped(c))
            return true;
        if (!cell_fill(c, turn == 0 ? ~c->seed : c->seed, turn == 1 && c->opened != NULL, error))
            return false;
        if (c->sitting == 0)
            cell_judge(c);
        else
            call_all(c);
    }
    if (c->counts && c->sitting == 0)
        judge_again(c);
    return true;
}

/* --- close ------------------------------------------------------------------------------------ */

void cell_close(struct cell *c)
{
    const struct request request = {.op = OP_RELEASE};
    struct reply reply;
    struct fate fate;

    for (size_t i = 0; i < c->count; i++) {
        struct entrant *e = &c->entrants[i];
        if (!e->in)
            continue;
        if (!worker_ask(&e->worker, &request, &reply, c->timeout)) {
            entrant_out(e, &e->worker.fate);
        } else if (reply.outcome != OUTCOME_OK) {
            fate_set(&fate, reply.outcome, "%s", reply.text);
            entrant_out(e, &fate);
        } else {
            e->row->sizes_ok += c->counts;
        }
        e->in = false;
        worker_shrink(&e->worker);
    }
    free(c->solution);
    c->solution = NULL;
    malloc_trim(0); /* what the threads of the reference had for themselves, too */
}
