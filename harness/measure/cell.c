#include "harness/measure/cell.h"

#include <malloc.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/base/clock.h"
#include "harness/base/interrupt.h"
#include "harness/base/random.h"
#include "harness/base/step.h"
#include "harness/measure/companions.h"
#include "harness/model/registry.h"
#include "harness/model/size.h"
#include "harness/worker/parent.h"

bool entrant_out(struct entrant *e, enum outcome outcome, const char *reason, ...)
{
    char text[sizeof e->fate.reason];
    va_list arguments;

    va_start(arguments, reason);
    vsnprintf(text, sizeof text, reason, arguments);
    va_end(arguments);
    fate_set(&e->fate, outcome, "%s", text);
    e->result->fate = e->fate;
    e->state = ENTRANT_GONE;
    worker_end(&e->worker);
    for (size_t i = 0; i < e->companion_count; i++)
        worker_end(&e->companions[i].worker);
    return false;
}

/* --- the door to a worker --------------------------------------------------------------------- */

/* Adds a request's time to the costs.  The worker's own share counts as the request's work, not as the
   cost of judging. */
static void book(struct costs *c, const struct entrant *e, enum op op, const struct reply *reply,
                 double wall)
{
    const bool judging = c->now == COST_JUDGED;

    switch (op) {
    case OP_BLOCK: costs_move(c, reply->seconds, COST_TIMED); break;
    case OP_WARM: costs_move(c, wall, COST_WARMED); break;
    case OP_PREPARE:
    case OP_CALL:
    case OP_AGAIN:
    case OP_COPIES:
        if (judging)
            costs_move(c, reply->seconds, COST_CALLED);
        break;
    case OP_OPEN:
        if (judging && !card_on_cpu(e->worker.variant))
            costs_move(c, reply->context, COST_CALLED);
        break;
    default: break;
    }
}

/* Updates an entrant from a reply. */
static bool take_answer(struct cell *c, struct entrant *e, enum op op, bool answered,
                        const struct reply *reply, double wall)
{
    if (!answered)
        return entrant_out(e, e->worker.fate.outcome, "%s", e->worker.fate.reason);
    book(&c->costs, e, op, reply, wall);
    if (op == OP_OPEN || reply->outcome == OUTCOME_OK)
        return true;
    return entrant_out(e, reply->outcome, "%s", reply->text);
}

/* Returns whether this is a reply to this request, with no more samples than requested.  A variant can
   write to the socket as the worker does, but cannot know the next request's nonce. */
static bool is_reply(const struct request *q, const struct reply *a)
{
    return a->nonce == q->nonce && (q->op != OP_BLOCK || a->samples.count <= q->samples);
}

bool entrant_ask(struct cell *c, struct entrant *e, const struct request *request,
                 struct reply *reply)
{
    const double start = clock_now();
    struct request named = *request;

    named.nonce = random_unforeseen();
    const bool answered = worker_ask(&e->worker, &named, reply, c->timeout + request->seconds);
    if (answered && !is_reply(&named, reply))
        return entrant_out(e, OUTCOME_BREACH, "sends its own replies over the worker's socket");
    return take_answer(c, e, request->op, answered, reply, clock_now() - start);
}

bool entrant_do(struct cell *c, struct entrant *e, enum op op, struct reply *reply)
{
    const struct request request = {.op = op};

    return entrant_ask(c, e, &request, reply);
}

bool entrant_open(struct cell *c, struct entrant *e, bool blind, struct reply *reply)
{
    const bool answered = worker_open(&e->worker, arena_layout(c->arena), blind, c->timeout, reply);

    if (answered && reply->nonce != 0) /* to an earlier request, which had its reply already */
        return entrant_out(e, OUTCOME_BREACH, "sends its own replies over the worker's socket");
    return take_answer(c, e, OP_OPEN, answered, reply, 0.0);
}

bool entrant_show(struct cell *c, struct entrant *e, struct reply *reply)
{
    const bool answered = worker_show(&e->worker, c->timeout, reply);

    return take_answer(c, e, OP_SHOW, answered, reply, 0.0);
}

/* --- open and prepare ------------------------------------------------------------------------- */

static void open_in(struct cell *c, struct entrant *e)
{
    struct reply reply;

    if (e->state == ENTRANT_GONE || e->state == ENTRANT_SITS_OUT ||
        (c->alone != ALL && e != &c->entrants[c->alone]) || !entrant_open(c, e, false, &reply))
        return;
    if (isnan(e->context) && !card_on_cpu(e->worker.variant))
        e->result->context = e->context = reply.context;
    e->result->mpi = reply.mpi;
    const char *sends = e->worker.variant->sends; /* the reply does not say */
    snprintf(e->result->mpi.sends, sizeof e->result->mpi.sends, "%s", sends != NULL ? sends : "");
    if (reply.outcome != OUTCOME_OK) {
        fate_set(&e->result->fate, reply.outcome, "%s", reply.text);
        e->result->sizes_refused += c->counts;
    } else {
        e->result->fate = (struct fate){.outcome = OUTCOME_OK};
        e->state = ENTRANT_IN;
    }
}

/* Notes which function of the problem runs in this process. */
static void begin(const struct cell *c, const char *function)
{
    step_begin(function, problem_name(c->problem), c->problem->path);
}

static void shape(struct cell *c)
{
    char size[64];

    arena_begin(c->arena); /* which maps the layout anew */
    struct layout *layout = arena_layout(c->arena);
    begin(c, "shape");
    c->problem->shape(layout->data, c->dims, c->arena);
    step_end();
    size_describe(c->problem, c->opened != NULL, c->dims, size, sizeof size);
    if (snprintf(layout->cell, sizeof layout->cell, "%s: %s",
                 c->count > 0 ? c->results[0]->label : "", size) < 0)
        layout->cell[0] = '\0';
    if (c->problem->members == NULL ||
        !members_describe(c->problem->members, problem_name(c->problem), layout->cell, layout->data,
                         layout->text, sizeof layout->text))
        layout->text[0] = '\0';
}

static size_t running(const struct cell *c)
{
    size_t count = 0;

    for (size_t i = 0; i < c->count; i++)
        if (c->entrants[i].state != ENTRANT_GONE && (c->alone == ALL || c->alone == i))
            count += 1 + c->entrants[i].companion_count;
    return count;
}

bool cell_fits(struct cell *c, bool together, struct error *error)
{
    shape(c);
    return arena_fits(c->arena, together ? running(c) : 1, error);
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
    struct reply reply;

    arena_poison_inputs(c->arena);
    for (size_t i = 0; i < c->count; i++) {
        struct entrant *e = &c->entrants[i];
        if (e->state == ENTRANT_IN)
            worker_forget_memory(&e->worker);
        if (e->state == ENTRANT_IN && entrant_do(c, e, OP_PREPARE, &reply))
            e->result->setup = card_has(e->worker.variant, CARD_PREPARE) ? reply.seconds : NAN;
        companions_open(c, e);
    }
}

/* --- judge ------------------------------------------------------------------------------------ */

/* Notes the most memory that this process needs at a time for one case. */
static void note_held(struct cell *c, size_t reference)
{
    const struct layout *l = arena_layout(c->arena);
    const size_t held = l->input_bytes + l->output_bytes + reference;

    c->costs.held = held > c->costs.held ? held : c->costs.held;
}

void cell_fill(struct cell *c, size_t part)
{
    void *data = arena_layout(c->arena)->data;
    const struct user_data *user = c->problem->data;

    begin(c, "fill");
    if (c->opened == NULL)
        c->problem->fill(data, c->seed);
    else if (user->parts != NULL)
        user->parts->load(data, c->opened, part);
    else
        user->load(data, c->opened);
    step_end();
}

void cell_fill_from(struct cell *c, uint64_t seed)
{
    begin(c, "fill");
    c->problem->fill(arena_layout(c->arena)->data, seed);
    step_end();
}

/* The seed is not seed + 1: --seed 1 and --seed 2 would share data. */
static void fill_awkward(struct cell *c)
{
    void *data = arena_layout(c->arena)->data;

    begin(c, "fill");
    c->problem->fill(data, ~c->seed);
    begin(c, "trouble");
    if (c->problem->trouble != NULL)
        c->problem->trouble(data, ~c->seed);
    step_end();
}

bool cell_solve(struct cell *c, struct error *error)
{
    free(c->solution);
    c->solution = NULL;
    if (interrupted())
        return true; /* no answer will be judged */
    const size_t before = mallinfo2().hblkhd + mallinfo2().uordblks;
    begin(c, "solve");
    c->solution = c->problem->solve(arena_layout(c->arena)->data);
    step_end();
    note_held(c, mallinfo2().hblkhd + mallinfo2().uordblks - before);
    return c->solution != NULL || error_set(error, "%s: no memory for the reference",
                                            problem_name(c->problem));
}

/* Draws a verdict on the answer in the outputs. */
static struct verdict verdict_on(const struct cell *c, const struct entrant *e, uint64_t seed)
{
    const struct card *card = e->worker.variant;
    const bool any_tie = (card->traits & TRAIT_ANY_TIE) != 0 && c->problem->judge_any_tie != NULL;

    begin(c, "judge");
    struct verdict v = (any_tie ? c->problem->judge_any_tie : c->problem->judge)(
        arena_layout(c->arena)->data, c->solution, card->math, seed);

    step_end();
    v.seed = seed;
    return v;
}

/* Without a run, an answer for these inputs comes from the copies. */
static void judge_copies(const struct cell *c, struct entrant *e, uint64_t seed)
{
    const struct verdict v = verdict_on(c, e, seed);

    if (verdict_right(&v))
        entrant_out(e, OUTCOME_BREACH, "computes in upload or download: the answer is right without run");
}

/* Returns a hash of the bytes of all outputs (FNV-1a). */
static uint64_t hash_outputs(const struct layout *l)
{
    uint64_t hash = 0xcbf29ce484222325U;

    for (size_t i = 0; i < l->count; i++) {
        const struct slot *slot = &l->slots[i];
        if (!slot->output)
            continue;
        const unsigned char *bytes = (const unsigned char *)slot->start;
        for (size_t at = 0; at < slot->bytes; at++)
            hash = (hash ^ bytes[at]) * 0x100000001b3U;
    }
    return hash;
}

/* Judges the answer in the outputs, of a whole cycle or of a run without upload; `second` to the same data. */
static void judge_answer(struct cell *c, struct entrant *e, enum op op, bool second, uint64_t seed)
{
    struct error error;
    char text[128];
    const bool again = op == OP_AGAIN;

    if (!arena_show(c->arena, e->worker.output_file, &error)) {
        entrant_out(e, OUTCOME_SKIPPED, "%s", error.text);
        return;
    }
    if (!arena_fence_holds(c->arena, text, sizeof text)) {
        entrant_out(e, OUTCOME_BREACH, "%s", text);
        return;
    }
    if (op == OP_COPIES) {
        judge_copies(c, e, seed);
        return;
    }
    const struct verdict v = verdict_on(c, e, seed);
    if (interrupted()) { /* the judge may not have seen all */
        entrant_out(e, OUTCOME_STOPPED, "interrupted");
        return;
    }
    if (!second || !verdict_right(&v)) /* slow machines leave second calls out; what is recorded must not differ */
        result_judged(e->result, &v);
    if (c->counts) {
        const uint64_t hash = hash_outputs(arena_layout(c->arena));
        e->varies |= second && hash != e->answer;
        e->answer = hash;
    }
    if (verdict_right(&v))
        return;
    verdict_describe(&v, text, sizeof text);
    entrant_out(e, again ? OUTCOME_BREACH : v.finite ? OUTCOME_WRONG : OUTCOME_NAN, "%s%s",
                again ? "a second run after one upload gives another answer: " : "", text);
}

/* Makes a call.  Returns false if it leaves no answer to be judged. */
static bool call(struct cell *c, struct entrant *e, enum op op)
{
    struct result *r = e->result;
    struct reply reply;

    if (!entrant_do(c, e, op, &reply))
        return false;
    if (op == OP_COPIES)
        return true;
    if (op == OP_AGAIN)
        return reply.reps > 0;
    r->last = reply.seconds;
    convergence_set(&r->convergence, reply.evaluated, reply.evaluations, EVALUATIONS_KEPT);
    r->threads = reply.threads > r->at_work ? reply.threads : r->at_work;
    e->threads = reply.threads > e->threads ? reply.threads : e->threads;
    if (isnan(r->first))
        r->first = reply.seconds;
    return true;
}

/* Stops a worker until the next request, and waits until each of its threads is stopped (or the worker
   has ended).  So nothing of the variant can see the draw and write again. */
static bool hold(struct entrant *e)
{
    const double patience = 10.0; /* seconds; what does not stop hangs in the kernel */
    const double end = clock_now() + patience;
    const struct timespec moment = {.tv_nsec = 20000};

    worker_rest(&e->worker);
    for (unsigned looks = 1; !worker_stands_still(&e->worker); looks++) {
        if (clock_now() > end)
            return entrant_out(e, OUTCOME_BREACH, "cannot be stopped after its answer");
        nanosleep(&moment, NULL);
        if (looks % 64 == 0) /* while one child of a process ends, /proc may leave out another */
            worker_rest(&e->worker);
    }
    return true;
}

bool cell_poison(struct cell *c, struct entrant *e)
{
    struct error error;

    if (!arena_show(c->arena, e->worker.output_file, &error))
        return entrant_out(e, OUTCOME_SKIPPED, "%s", error.text);
    arena_poison_outputs(c->arena);
    return true;
}

static void answer(struct cell *c, struct entrant *e, enum op op)
{
    e->answered = cell_poison(c, e) && call(c, e, op) && hold(e);
}

/* Judges all answers by one draw, made when the last worker was stopped. */
static void judge_answers(struct cell *c, enum op op, bool second)
{
    const uint64_t seed = judge_seed();

    for (size_t i = 0; i < c->count; i++) {
        struct entrant *e = &c->entrants[i];
        if (e->state == ENTRANT_IN && e->answered)
            judge_answer(c, e, op, second, seed);
        e->answered = false;
    }
}

void cell_judge(struct cell *c)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->entrants[i].state == ENTRANT_IN)
            answer(c, &c->entrants[i], OP_CALL);
    judge_answers(c, OP_CALL, false);
}

void cell_judge_answer(struct cell *c, struct entrant *e)
{
    if (hold(e))
        judge_answer(c, e, OP_CALL, false, judge_seed());
}

static const double LONG_CALL = 0.05; /* seconds */

static void call_all(struct cell *c)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->entrants[i].state == ENTRANT_IN)
            call(c, &c->entrants[i], OP_CALL);
}

/* A run by itself is timed after another run, so that must give the right answer as well.  Without an upload it
   is a whole call.  Where calls are slow, as in the simulator, the smaller check sizes have shown it. */
static void judge_again(struct cell *c, bool uploads)
{
    const enum op op = uploads ? OP_AGAIN : OP_CALL;

    for (size_t i = 0; i < c->count; i++) {
        struct entrant *e = &c->entrants[i];
        if (e->state == ENTRANT_IN && card_has(e->worker.variant, CARD_UPLOAD) == uploads &&
            e->result->last < LONG_CALL)
            answer(c, e, op);
    }
    judge_answers(c, op, true);
}

static size_t answer_bytes(const struct layout *l)
{
    size_t sum = 0;

    for (size_t i = 0; i < l->count; i++)
        sum += l->slots[i].output ? l->slots[i].bytes : 0;
    return sum;
}

/* The answer that a variant still has is for other inputs.  With few numbers it may be right for these by chance. */
static void judge_without_run(struct cell *c)
{
    const size_t few = 1000;
    const double long_call = 1.0; /* seconds, of which the run is a part that is left out here */

    if (answer_bytes(arena_layout(c->arena)) < few || c->problem->cost == NULL ||
        !(c->problem->cost(c->dims).flops > 0.0))
        return;
    for (size_t i = 0; i < c->count; i++) {
        struct entrant *e = &c->entrants[i];
        if (e->state == ENTRANT_IN && card_has(e->worker.variant, CARD_UPLOAD) &&
            card_has(e->worker.variant, CARD_DOWNLOAD) && e->result->last < long_call)
            answer(c, e, OP_COPIES);
    }
    judge_answers(c, OP_COPIES, false);
}

/* After Ctrl-C no variant goes on, judged or not. */
static bool stopped(struct cell *c)
{
    if (!interrupted())
        return false;
    for (size_t i = 0; i < c->count; i++)
        if (c->entrants[i].state == ENTRANT_IN)
            entrant_out(&c->entrants[i], OUTCOME_STOPPED, "interrupted");
    return true;
}

unsigned long cell_capture(struct cell *c, double seconds, double *took)
{
    const struct request request = {.op = OP_CAPTURE, .seconds = seconds};
    struct entrant *e = &c->entrants[0];
    struct reply reply;

    if (e->state != ENTRANT_IN || !entrant_ask(c, e, &request, &reply))
        return 0;
    *took = reply.seconds;
    return reply.reps;
}

static bool check(struct cell *c, struct error *error)
{
    if (!cell_open(c, error))
        return false;
    cell_prepare(c);
    /* The first part of the user's data comes last, because it is timed, or saved.  In a later pass it
       suffices, since the answers of timed calls are judged afterwards. */
    const size_t parts = c->one_part ? 1 : user_data_parts(c->problem->data, c->opened);
    for (size_t part = c->pass == 0 ? parts + 1 : 1; part-- > 0;) {
        if (stopped(c))
            return true;
        if (part == parts)
            fill_awkward(c);
        else
            cell_fill(c, part);
        if ((c->pass == 0 || c->problem->touch == NULL) && !cell_solve(c, error))
            return false;
        if (c->pass == 0 && part + 1 == parts)
            judge_without_run(c);
        if (c->pass == 0)
            cell_judge(c);
        else
            call_all(c);
    }
    if (c->counts && c->pass == 0) {
        judge_again(c, false);
        judge_again(c, true);
    }
    return true;
}

bool cell_check(struct cell *c, struct error *error)
{
    const enum account before = costs_switch(&c->costs, COST_JUDGED);
    const bool there = check(c, error);

    costs_switch(&c->costs, before);
    return there;
}

/* The first part has been answered already, and judged. */
bool cell_answer(struct cell *c, struct entrant *e, struct error *error)
{
    const size_t parts = user_data_parts(c->problem->data, c->opened);

    for (size_t part = 0; part < parts && !stopped(c) && e->state == ENTRANT_IN; part++) {
        if (part > 0) {
            cell_fill(c, part);
            if (!cell_solve(c, error))
                return false;
            answer(c, e, OP_CALL);
            judge_answers(c, OP_CALL, false);
        }
        if (e->state != ENTRANT_IN)
            return true;
        if (!arena_show(c->arena, e->worker.output_file, error))
            return false;
        if (c->opened != NULL && c->problem->data->parts != NULL)
            c->problem->data->parts->keep(arena_layout(c->arena)->data, c->opened, part);
    }
    return true;
}

/* --- close ------------------------------------------------------------------------------------ */

void cell_close(struct cell *c)
{
    struct reply reply;

    for (size_t i = 0; i < c->count; i++) {
        struct entrant *e = &c->entrants[i];
        if (e->state != ENTRANT_IN)
            continue;
        e->result->memory = fmax(worker_memory(&e->worker), e->result->memory);
        companions_release(c, e);
        if (e->state != ENTRANT_IN)
            continue;
        if (entrant_do(c, e, OP_RELEASE, &reply)) {
            e->result->sizes_ok += c->counts;
            e->state = ENTRANT_WAITS;
        }
        worker_shrink(&e->worker);
    }
    free(c->solution);
    c->solution = NULL;
    malloc_trim(0); /* including memory of the reference's threads */
}
