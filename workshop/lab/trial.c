#define _GNU_SOURCE
#include "workshop/lab/trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "harness/base/interrupt.h"
#include "harness/base/memory.h"
#include "harness/machine/topology.h"
#include "harness/worker/confine.h"
#include "harness/worker/exit_cause.h"
#include "harness/worker/parent.h"
#include "workshop/lab/pattern.h"
#include "workshop/lab/simulator.h"

/* Seconds.  A call that takes longer counts as endless; our solutions need a tenth of it at most. */
static const double patience = 6.0;

static struct arena *arena;

bool trial_begin(struct error *error)
{
    if (arena == NULL)
        arena = arena_create(error);
    return arena != NULL;
}

/* --- one worker --------------------------------------------------------------------------------- */

/* The card of the learner's variant: what the harness must know to start it. */
static struct card learners = {.device = "cpu", .math = MATH_F32};

/* At least two, so that the exercise on threads works on a single core, too. */
static int threads(void)
{
    return topology_cores() > 1 ? topology_cores() : 2;
}

/* Off at first: a race would stop the program before its wrong result can be examined.  Races are looked for later. */
static bool look_for_races;

static void limit_to(__rlimit_resource_t what, rlim_t most)
{
    const struct rlimit limit = {.rlim_cur = most, .rlim_max = most};

    setrlimit(what, &limit);
}

/* Limits beyond those that harness/worker/confine.h sets for any worker. */
static void limit(void)
{
    struct sysinfo now;

    limit_to(RLIMIT_CPU, 120);
    if (sysinfo(&now) == 0) /* more than run now: the limit is on all processes of the user */
        limit_to(RLIMIT_NPROC, (rlim_t)now.procs + 200);
}

static bool start(struct worker *w, const char *program, const struct exercise *e)
{
    char devices[16];

    enum { MOST_MEMORY = 1 << 30 };
    bool good;

    snprintf(learners.name.full, sizeof learners.name.full, "%s", e->full);
    learners.file = program;
    worker_confine = limit;
    snprintf(devices, sizeof devices, "%d", e->devices > 0 ? e->devices : 1);
    setenv("RUNGS_SIM_DEVICES", devices, 1);
    setenv("RUNGS_SIM_MEMORY", "512", 1);
    setenv("RUNGS_SIM_RACES", look_for_races ? "1" : "0", 1);
    good = worker_start(w, &learners, threads(), 0, MOST_MEMORY);
    worker_confine = NULL;
    return good;
}

static void stop(struct worker *w)
{
    worker_end(w);
    confine_sweep();
}

static bool ask(struct worker *w, enum op op, struct reply *reply)
{
    const struct request request = {.op = op};

    return worker_ask(w, &request, reply, patience);
}

/* --- the outcome of a call ---------------------------------------------------------------------- */

/* Sets the mistake from the way in which the worker has ended. */
static void fate_mistake(struct worker *w, const struct exercise *e, struct mistake *m)
{
    const struct fate *fate = &w->fate;
    char said[512] = "";

    if (w->stderr_file > 0)
        worker_last_line(w->stderr_file, said, sizeof said);
    switch (fate->outcome) {
    case OUTCOME_TIMEOUT:
        mistake_set(m, "endless");
        mistake_add(m, "no result within %.0f s", patience);
        break;
    case OUTCOME_MEMORY:
        mistake_set(m, "memory");
        mistake_add(m, "%s", fate->reason);
        break;
    case OUTCOME_BREACH:
        breach_mistake(fate->reason, m);
        break;
    case OUTCOME_CRASH:
        if (strstr(fate->reason, "File size limit") != NULL) {
            mistake_set(m, "prints");
            mistake_add(m, "it was stopped because it printed or wrote more than 1 MiB");
        } else if (!simulator_mistake(said, e, m)) {
            bool cut_off = strstr(fate->reason, "own files") != NULL;
            mistake_set(m, strstr(fate->reason, "exits ") != NULL || (cut_off && !w->answered)
                               ? "exits"
                           : cut_off ? "closes-files"
                                     : "crash");
            mistake_add(m, "%s", cut_off && !w->answered ? "it ended before the first call"
                                                         : fate->reason);
        }
        break;
    default:
        mistake_set(m, "not-run");
        mistake_add(m, "%s", fate->reason);
    }
}

/* Poisons the outputs, calls the variant, and judges.  Returns false if there is a mistake. */
static bool call(struct worker *w, const struct exercise *e, const void *solution, struct trial *t,
                 struct mistake *m)
{
    struct reply reply;
    char text[128];

    arena_poison_outputs(arena);
    if (!ask(w, OP_CALL, &reply)) {
        fate_mistake(w, e, m);
        return false;
    }
    if (reply.outcome != OUTCOME_OK) {
        breach_mistake(reply.text, m);
        return false;
    }
    if (!arena_fence_holds(arena, text, sizeof text)) {
        breach_mistake(text, m);
        return false;
    }
    t->threads = reply.threads > t->threads ? reply.threads : t->threads;
    worker_rest(w); /* before the sample is drawn */
    const struct verdict v =
        e->problem->judge(arena_layout(arena)->data, solution, MATH_F32, judge_seed());
    if (verdict_right(&v)) {
        t->error = v.error > t->error ? v.error : t->error;
        return true;
    }
    pattern_mistake(e, arena_layout(arena), &v, m);
    return false;
}

/* Calls once more with the same data.  If the result differs, it depends on something else than the data. */
static void call_again(struct worker *w, const struct exercise *e, const void *solution,
                       struct mistake *m)
{
    struct trial ignored = {0};
    struct mistake again = {0};
    unsigned long first = pattern_sum(arena_layout(arena));

    call(w, e, solution, &ignored, &again);
    if (w->pid > 0 && pattern_sum(arena_layout(arena)) != first) {
        mistake_set(m, "not-repeatable");
        mistake_add(m, "the same program, given the same data twice, gave two different results");
    }
}

/* Runs again without an upload, as in every timed call. */
static void run_again(struct worker *w, const struct exercise *e, const void *solution,
                      struct mistake *m)
{
    struct reply reply;

    arena_poison_outputs(arena);
    if (!ask(w, OP_AGAIN, &reply)) {
        fate_mistake(w, e, m);
        return;
    }
    if (reply.reps == 0)
        return;
    worker_rest(w); /* before the sample is drawn */
    const struct verdict v =
        e->problem->judge(arena_layout(arena)->data, solution, MATH_F32, judge_seed());
    if (verdict_right(&v))
        return;
    mistake_set(m, "second-run");
    mistake_add(m, "right the first time, wrong when run again on the same data without a new upload");
}

/* --- one size ----------------------------------------------------------------------------------- */

static bool open_case(struct worker *w, const struct exercise *e, const struct size *size,
                      struct mistake *m, struct error *error)
{
    struct reply reply;

    arena_begin(arena);
    e->problem->shape(arena_layout(arena)->data, size->dims, arena);
    if (!arena_fits(arena, 1, error) || !arena_commit(arena, error))
        return false;
    if (!worker_open(w, arena_layout(arena), false, patience, &reply)) {
        fate_mistake(w, e, m);
    } else if (reply.outcome != OUTCOME_OK) {
        mistake_set(m, "not-run");
        mistake_add(m, "%s", reply.text);
    }
    return true;
}

static void two_calls(struct worker *w, const struct exercise *e, struct trial *t, struct mistake *m)
{
    void *data = arena_layout(arena)->data;
    struct error error;

    if (!arena_show(arena, w->output_file, &error)) {
        mistake_set(m, "not-run");
        mistake_add(m, "%s", error.text);
        return;
    }
    for (uint64_t seed = 1; seed <= 2 && !mistaken(m) && !interrupted(); seed++) {
        e->problem->fill(data, seed);
        void *solution = e->problem->solve(data);
        if (!call(w, e, solution, t, m) && w->pid > 0 && strncmp(m->kind, "breach", 6) != 0)
            call_again(w, e, solution, m);
        if (seed == 2 && !mistaken(m) && !look_for_races)
            run_again(w, e, solution, m);
        free(solution);
    }
}

/* Follows the protocol of harness/measure/cell.h, with one variant.  Returns false with an error if this machine cannot
   do it. */
static bool try_size(struct worker *w, const struct exercise *e, const struct size *size,
                     struct trial *t, struct mistake *m, struct error *error)
{
    struct reply reply;

    if (!open_case(w, e, size, m, error))
        return false;
    if (mistaken(m))
        return true;
    arena_poison_inputs(arena);
    if (!ask(w, OP_PREPARE, &reply)) {
        fate_mistake(w, e, m);
        return true;
    }
    two_calls(w, e, t, m);
    if (mistaken(m))
        return true;
    if (!ask(w, OP_RELEASE, &reply))
        fate_mistake(w, e, m);
    else if (reply.outcome != OUTCOME_OK && !simulator_mistake(reply.text, e, m))
        breach_mistake(reply.text, m);
    worker_shrink(w);
    return true;
}

/* --- all sizes ---------------------------------------------------------------------------------- */

/* Returns whether a race may be the cause of the mistake. */
static bool is_puzzling(const struct mistake *m)
{
    static const char *const kinds[] = {"wrong-values", "in-place", "not-repeatable", "overwritten",
                                        "not-a-number", "halo", "index-left", "wrong-index",
                                        "wrong-start", "partial-tile"};

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(m->kind, kinds[i]) == 0)
            return true;
    return false;
}

static bool try_for_race(const struct exercise *e, const char *program, const struct size *size,
                         struct trial *t, struct error *error)
{
    struct worker w = {0};
    struct trial ignored = {0};
    struct mistake m = {.kind = ""};

    look_for_races = true;
    bool good = start(&w, program, e) || error_set(error, "%s", w.fate.reason);
    good = good && try_size(&w, e, size, &ignored, &m, error);
    stop(&w);
    look_for_races = false;
    if (good && strcmp(m.kind, "race") == 0) {
        t->mistake = m;
        t->failed_at = size->label;
    }
    return good;
}

/* Tries the simulator's usual order of blocks, warps and lanes again, now with races, and then ORDERS others. */
enum { ORDERS = 4 };

static bool try_orders(const struct exercise *e, const char *program, struct trial *t,
                       struct error *error)
{
    const struct size *size = e->counted.label != NULL ? &e->counted : &e->sizes[e->size_count - 1];
    struct worker w = {0};
    bool good = true;
    char seed[16];

    look_for_races = true;
    for (int order = 0; good && order <= ORDERS && !interrupted(); order++) {
        snprintf(seed, sizeof seed, "%d", order);
        setenv("RUNGS_SIM_SEED", seed, 1);
        good = start(&w, program, e) || error_set(error, "%s", w.fate.reason);
        unsetenv("RUNGS_SIM_SEED");
        good = good && try_size(&w, e, size, t, &t->mistake, error);
        stop(&w);
        if (mistaken(&t->mistake)) {
            t->failed_at = size->label;
            if (order > 0)
                mistake_add(&t->mistake, "with the threads in another order (number %d)", order);
            break;
        }
        t->orders = order + 1;
    }
    look_for_races = false;
    return good;
}

/* Returns whether a later mistake is more specific.  Of two vague ones the later is taken, which has the larger size;
   of two clear ones the earlier. */
static bool says_more(const struct mistake *m, const struct mistake *than)
{
    int a = pattern_rank(m), b = pattern_rank(than);

    return a > b || (a == b && a < PATTERN_CLEAR);
}

bool trial_run(const struct exercise *e, const char *program, enum place place, struct trial *t,
               struct error *error)
{
    const struct size *failed = NULL, *largest_right = NULL;
    struct worker w = {0};
    bool good = true;

    *t = (struct trial){.orders = 1};
    for (size_t i = 0; good && i < e->size_count && !interrupted(); i++) {
        struct mistake m = {.kind = ""};
        if (w.pid == 0 && !start(&w, program, e))
            good = error_set(error, "%s", w.fate.reason);
        good = good && try_size(&w, e, &e->sizes[i], t, &m, error);
        t->sizes++;
        if (!mistaken(&m)) {
            t->right++;
            largest_right = &e->sizes[i];
            continue;
        }
        stop(&w);
        if (says_more(&m, &t->mistake)) {
            t->mistake = m;
            t->failed_at = e->sizes[i].label;
            failed = &e->sizes[i];
        }
        if (strcmp(m.kind, "endless") == 0)
            break; /* later sizes would be endless, too, and each takes long */
    }
    stop(&w);
    if (good && e->cuda && place == IN_SIMULATOR && t->right == t->sizes)
        good = try_orders(e, program, t, error);
    const bool simulated = good && e->cuda && place == IN_SIMULATOR;
    /* A mistake in another order of threads has been checked for races already. */
    if (simulated && failed != NULL && is_puzzling(&t->mistake))
        good = try_for_race(e, program, failed, t, error);
    else if (simulated && largest_right != NULL && strcmp(t->mistake.kind, "endless") == 0)
        good = try_for_race(e, program, largest_right, t, error); /* perhaps every thread does all the work */
    return good;
}

bool trial_count(const struct exercise *e, const char *program, const char *file,
                 struct mistake *m, struct error *error)
{
    struct worker w = {0};
    struct trial t = {0};
    bool good;

    setenv("RUNGS_SIM_COUNTERS", file, 1);
    good = start(&w, program, e);
    unsetenv("RUNGS_SIM_COUNTERS");
    if (!good)
        error_set(error, "%s", w.fate.reason);
    good = good && try_size(&w, e, &e->counted, &t, m, error);
    stop(&w);
    return good;
}

/* --- for the clock -------------------------------------------------------------------------------- */

struct arena *trial_arena(void)
{
    return arena;
}

bool trial_start(struct worker *w, const char *program, const char *name, struct error *error)
{
    struct exercise other = {.devices = 1};

    snprintf(other.full, sizeof other.full, "%s", name);
    return start(w, program, &other) || error_set(error, "%s: %s", name, w->fate.reason);
}

bool trial_open(struct worker *w, const struct exercise *e, const struct size *size, bool first,
                struct error *error)
{
    struct reply reply;

    if (first) {
        arena_begin(arena);
        e->problem->shape(arena_layout(arena)->data, size->dims, arena);
        if (!arena_fits(arena, 3, error) || !arena_commit(arena, error))
            return false;
        e->problem->fill(arena_layout(arena)->data, 1);
    }
    if (!worker_open(w, arena_layout(arena), false, 10 * patience, &reply) ||
        !ask(w, OP_PREPARE, &reply) || !ask(w, OP_CALL, &reply))
        return error_set(error, "%s", w->fate.reason);
    return true;
}

void trial_stop(struct worker *w)
{
    stop(w);
}
