#define _GNU_SOURCE
#include "workshop/lab/case.h"

#include <math.h>
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
#include "workshop/lab/early.h"
#include "workshop/lab/pattern.h"
#include "workshop/lab/simulator.h"

static struct arena *arena;
static enum place placed;
static bool with_races;
static bool only_judged; /* what is wrong with a result is of no interest, but how much is right */
static double judged_patience, judged_share;
static double longest; /* how long a worker's calls may take: it was told so when it was started */
static off_t shown; /* how much of what the worker has printed was looked at */

bool case_begin(struct error *error)
{
    if (arena == NULL)
        arena = arena_create(error);
    return arena != NULL;
}

struct arena *case_arena(void)
{
    return arena;
}

/* On a busy machine each process gets a share of a core, so it may take longer by this factor. */
double case_slowness(void)
{
    enum { MOST = 6 };
    double running = 0.0;
    FILE *f = fopen("/proc/loadavg", "r");

    if (f != NULL && fscanf(f, "%*f %*f %*f %lf", &running) != 1)
        running = 0.0;
    if (f != NULL)
        fclose(f);
    return fmin(fmax(1.0, running / topology_cores()), MOST);
}

/* A call that takes longer counts as endless.  Our solutions need a tenth of it at most.  The first call on a GPU starts
   CUDA. */
double case_patience(void)
{
    enum { ON_GPU = 6, MOST = 6 };

    if (only_judged)
        return judged_patience;
    return placed == ON_CARD ? ON_GPU : fmin(1.5 * case_slowness(), MOST);
}

/* --- one worker --------------------------------------------------------------------------------- */

/* The card of the learner's variant: what the harness must know to start it. */
static struct card learners = {.device = "cpu", .math = MATH_F32};

int case_threads(void)
{
    return topology_cores() > 1 ? topology_cores() : 2;
}

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

bool case_start(struct worker *w, const char *program, const struct exercise *e, enum place place,
                bool races, struct error *error)
{
    enum { MOST_MEMORY = 1 << 30 };
    char devices[16], patience[16];

    placed = place;
    with_races = races;
    shown = 0;
    snprintf(learners.name.full, sizeof learners.name.full, "%s", e->full);
    learners.file = program;
    learners.math = e->math;
    worker_confine = limit;
    worker_may_print = worker_may_fork = true;
    snprintf(devices, sizeof devices, "%d", e->devices > 0 ? e->devices : 1);
    setenv("RUNGS_SIM_DEVICES", devices, 1);
    setenv("RUNGS_SIM_MEMORY", "512", 1);
    setenv("RUNGS_SIM_RACES", races ? "1" : "0", 1);
    longest = case_patience();
    snprintf(patience, sizeof patience, "%.0f", only_judged ? 0.0 : 800.0 * longest); /* the simulator is the first to say so */
    setenv("RUNGS_SIM_PATIENCE", patience, 1);
    bool good = worker_start(w, &learners, case_threads(), 1, 0, MOST_MEMORY);
    worker_confine = NULL;
    return good || error_set(error, "%s: %s", e->full, w->fate.reason);
}

void case_stop(struct worker *w)
{
    worker_end(w);
    confine_sweep();
}

static bool ask(struct worker *w, enum op op, struct reply *reply)
{
    const struct request request = {.op = op};

    return worker_ask(w, &request, reply, only_judged ? case_patience() : fmax(case_patience(), longest)); /* it may be less busy now */
}

/* --- the outcome of a call ---------------------------------------------------------------------- */

/* Copies what the worker has printed since the last look. */
static void look_at_prints(const struct worker *w, struct trial *t, struct mistake *m)
{
    ssize_t got = w->stdout_file > 0 ? pread(w->stdout_file, m->printed, sizeof m->printed - 1, shown) : 0;

    m->printed[got > 0 ? got : 0] = '\0';
    if (w->stdout_file > 0)
        shown = lseek(w->stdout_file, 0, SEEK_END);
    if (got > 0 && t->printed[0] == '\0')
        memcpy(t->printed, m->printed, sizeof t->printed);
}

static void crash_mistake(const struct worker *w, const struct exercise *e, const char *said,
                          struct mistake *m)
{
    const char *reason = w->fate.reason;
    const bool cut_off = strstr(reason, "own files") != NULL;

    if (strstr(reason, "File size limit") != NULL) {
        mistake_set(m, "prints");
        mistake_add(m, "it was stopped because it printed or wrote more than 1 MiB");
    } else if (!simulator_mistake(said, e, m)) {
        mistake_set(m, strstr(reason, "exits ") != NULL || (cut_off && !w->answered) ? "exits"
                       : cut_off                                                  ? "closes-files"
                                                                                  : "crash");
        mistake_add(m, "%s", cut_off && !w->answered ? "it ended before the first call" : reason);
    }
}

/* Sets the mistake from the way in which the worker has ended. */
static void fate_mistake(struct worker *w, const struct exercise *e, struct mistake *m)
{
    const struct fate *fate = &w->fate;

    if (only_judged) {
        mistake_set(m, "crash");
        return;
    }
    char said[512] = "";

    if (w->stderr_file > 0)
        worker_last_line(w->stderr_file, said, sizeof said);
    switch (fate->outcome) {
    case OUTCOME_TIMEOUT:
        mistake_set(m, "endless");
        mistake_add(m, "no result within %.1f s; our own solution needs less than a tenth of that", fmax(case_patience(), longest));
        break;
    case OUTCOME_MEMORY:
        mistake_set(m, "memory");
        mistake_add(m, "%s", fate->reason);
        break;
    case OUTCOME_BREACH: breach_mistake(fate->reason, m); break;
    case OUTCOME_CRASH: crash_mistake(w, e, said, m); break;
    default:
        mistake_set(m, "not-run");
        mistake_add(m, "%s", fate->reason);
    }
}

/* Returns how many elements the first output has. */
static size_t outputs(void)
{
    const struct layout *l = arena_layout(arena);

    for (size_t i = 0; i < l->count; i++)
        if (l->slots[i].output)
            return l->slots[i].bytes / l->slots[i].element;
    return 0;
}

/* Adds what a program for the processor had done when it used an element outside of an array, or did not end. */
static void add_done(const struct exercise *e, const void *solution, struct mistake *m)
{
    enum { ENOUGH = 8 };
    struct mistake other = {.kind = ""};

    if (only_judged || e->cuda || (strcmp(m->kind, "out-of-bounds") != 0 && strcmp(m->kind, "endless") != 0))
        return;
    const struct verdict v = e->problem->judge(arena_layout(arena)->data, solution, e->math, judge_seed());
    if (verdict_right(&v)) {
        mistake_add(m, "all elements are right by then: it goes on behind the last one");
        return;
    }
    pattern_mistake(e, arena_layout(arena), &v, &other);
    for (int i = 0; i < other.facts; i++)
        mistake_add(m, "by then: %s", other.fact[i]);
    if (outputs() >= ENOUGH) /* with a few elements it is not clear which are where */
        m->explains = ENOUGH;
}

static float held; /* what the outputs hold before a call; 0: NaN */

static void hold(void)
{
    const struct layout *l = arena_layout(arena);

    for (size_t i = 0; held != 0.0f && i < l->count; i++)
        for (size_t b = 0; l->slots[i].output && b + sizeof held <= l->slots[i].bytes; b += sizeof held)
            memcpy(l->slots[i].start + b, &held, sizeof held);
}

/* Poisons the outputs, calls the variant, and judges.  Returns false if there is a mistake. */
static bool call(struct worker *w, const struct exercise *e, const void *solution, struct trial *t,
                 struct mistake *m)
{
    struct reply reply;
    char text[128];

    arena_poison_outputs(arena);
    hold();
    const bool answered = ask(w, OP_CALL, &reply);
    look_at_prints(w, t, m);
    if (!answered) {
        fate_mistake(w, e, m);
        pattern_access(e, arena_layout(arena), m);
        add_done(e, solution, m);
        return false;
    }
    if (reply.outcome != OUTCOME_OK) {
        breach_mistake(reply.text, m);
        return false;
    }
    if (!arena_fence_holds(arena, text, sizeof text)) {
        breach_mistake(text, m);
        add_done(e, solution, m);
        return false;
    }
    t->threads = reply.threads > t->threads ? reply.threads : t->threads;
    worker_rest(w); /* before the sample is drawn */
    const struct verdict v =
        e->problem->judge(arena_layout(arena)->data, solution, e->math, judge_seed());
    if (verdict_right(&v)) {
        t->error = v.error > t->error ? v.error : t->error;
        return true;
    }
    if (only_judged) {
        mistake_set(m, "wrong-values");
        judged_share = v.finite && v.seen > 0 ? 1.0 - (double)v.wrong / (double)v.seen : 0.0;
        return false;
    }
    if (held != 0.0f)
        pattern_held(e, arena_layout(arena), held, m);
    else
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
        e->problem->judge(arena_layout(arena)->data, solution, e->math, judge_seed());
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
    if (!worker_open(w, arena_layout(arena), false, case_patience(), &reply)) {
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
        if (seed == 2 && e->awkward)
            e->problem->trouble(data, seed);
        void *solution = e->problem->solve(data);
        if (!call(w, e, solution, t, m) && !only_judged && held == 0.0f && w->pid > 0 && strncmp(m->kind, "breach", 6) != 0)
            call_again(w, e, solution, m);
        if (seed == 2 && !mistaken(m) && !with_races)
            run_again(w, e, solution, m);
        free(solution);
    }
}

bool case_try(struct worker *w, const struct exercise *e, const struct size *size, struct trial *t,
              struct mistake *m, struct error *error)
{
    struct reply reply;

    if (!open_case(w, e, size, m, error))
        return false;
    if (mistaken(m))
        return true;
    arena_poison_inputs(arena);
    early_mark(arena_layout(arena));
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

void case_release(struct worker *w)
{
    struct reply reply;

    if (w->pid > 0)
        ask(w, OP_RELEASE, &reply);
}

bool case_try_held(const char *program, const struct exercise *e, enum place place, const struct size *size, struct mistake *m,
                   struct error *error)
{
    struct worker w = {0};
    struct trial ignored = {0};

    held = 3.0f;
    const bool good = case_start(&w, program, e, place, false, error) && case_try(&w, e, size, &ignored, m, error);
    held = 0.0f;
    case_stop(&w);
    return good;
}

double case_share(struct worker *w, const char *program, const struct exercise *e, bool races, const struct size *size,
                  double patience)
{
    struct trial t = {0};
    struct mistake m = {.kind = ""};
    struct error error;
    struct reply reply;

    only_judged = true;
    judged_patience = patience;
    judged_share = -1.0;
    const bool right = (w->pid > 0 || case_start(w, program, e, IN_SIMULATOR, races, &error)) &&
                       case_try(w, e, size, &t, &m, &error) && !mistaken(&m);
    if (!right && !(w->pid > 0 && ask(w, OP_RELEASE, &reply) && reply.outcome == OUTCOME_OK))
        case_stop(w);
    only_judged = false;
    return right ? 1.0 : fmin(judged_share, 0.999999);
}
