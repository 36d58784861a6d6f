#define _GNU_SOURCE
#include "workshop/lab/trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/clock.h"
#include "harness/base/interrupt.h"
#include "harness/model/registry.h"
#include "workshop/lab/adders.h"
#include "workshop/lab/between.h"
#include "workshop/lab/branches.h"
#include "workshop/lab/case.h"
#include "workshop/lab/element.h"
#include "workshop/lab/functions.h"
#include "workshop/lab/late.h"
#include "workshop/lab/multiples.h"
#include "workshop/lab/owners.h"
#include "workshop/lab/pattern.h"
#include "workshop/lab/shares.h"
#include "workshop/lab/text.h"
#include "workshop/lab/turns.h"
#include "workshop/lab/unread.h"
#include "workshop/lab/uses.h"
#include "workshop/lab/witness.h"

bool trial_begin(struct error *error)
{
    return case_begin(error);
}

/* --- races -------------------------------------------------------------------------------------- */

/* Returns whether a race may be the cause of the mistake. */
static bool is_puzzling(const struct mistake *m)
{
    static const char *const kinds[] = {"wrong-values", "not-repeatable", "not-a-number"};

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(m->kind, kinds[i]) == 0)
            return true;
    if (strcmp(m->kind, "out-of-bounds") == 0 || strcmp(m->kind, "unwritten-read") == 0)
        return false;
    /* Tiles at wrong places overlap, so a race follows from that. */
    return m->explains > 0 && strcmp(m->kind, "wrong-place") != 0;
}

static bool try_for_race(const struct exercise *e, const char *program, const struct size *size,
                         struct trial *t, struct error *error)
{
    struct worker w = {0};
    struct trial ignored = {0};
    struct mistake m = {.kind = ""};

    bool good = case_start(&w, program, e, IN_SIMULATOR, true, error) &&
                case_try(&w, e, size, &ignored, &m, error);
    case_stop(&w);
    if (good && strcmp(m.kind, "race") == 0) {
        t->mistake = m;
        t->failed_at = size->label;
    }
    return good;
}

/* Elements that no thread has written: perhaps other threads of a block have written the same ones. */
static bool try_for_same_work(const struct exercise *e, const char *program, const struct size *size, struct trial *t,
                              struct error *error)
{
    struct trial raced = {.mistake = t->mistake};

    if (!try_for_race(e, program, size, &raced, error))
        return false;
    const struct mistake *m = &raced.mistake;
    const bool of_one_block = strcmp(m->kind, "race") == 0 && m->facts > 1 && (m->named || strstr(m->fact[1], "block") == NULL);
    if (of_one_block) {
        const struct mistake gaps = t->mistake;
        t->mistake = *m;
        mistake_add(&t->mistake, "%s", gaps.fact[0]);
    }
    return true;
}

/* Tries the simulator's usual order of blocks, warps and lanes again, now with races, and then ORDERS others. */
enum { ORDERS = 4 };

static bool try_orders(const struct exercise *e, const char *program, struct trial *t,
                       struct error *error)
{
    const struct size *size = e->counted.label != NULL ? &e->counted : &e->sizes[e->size_count - 1];
    bool good = true;
    char seed[16];

    for (int order = 0; good && order <= ORDERS && !interrupted(); order++) {
        struct worker w = {0};
        snprintf(seed, sizeof seed, "%d", order);
        setenv("RUNGS_SIM_SEED", seed, 1);
        good = case_start(&w, program, e, IN_SIMULATOR, true, error);
        unsetenv("RUNGS_SIM_SEED");
        good = good && case_try(&w, e, size, t, &t->mistake, error);
        case_stop(&w);
        if (mistaken(&t->mistake)) {
            t->failed_at = size->label;
            if (order > 0)
                mistake_add(&t->mistake, "with the threads in another order (number %d)", order);
            break;
        }
        t->orders = order + 1;
    }
    return good;
}

/* A program that was right in these orders may be so only because a block sees all that earlier ones write. */
static bool try_late(const struct exercise *e, const char *program, struct trial *t, struct error *error)
{
    const struct size *size = e->counted.label != NULL ? &e->counted : &e->sizes[e->size_count - 1];

    if (mistaken(&t->mistake) || interrupted())
        return true;
    if (!late_look(e, program, size, &t->mistake, error))
        return false;
    if (mistaken(&t->mistake))
        t->failed_at = size->label;
    return true;
}

/* --- order between launches and copies ------------------------------------------------------------ */

/* Returns whether the learner's program queues work that may run later than it stands there. */
static bool queues_work(const struct exercise *e)
{
    static const char *const words[] = {"Async(", "cudaMallocManaged", "cudaSetDevice", "cudaStream"};
    struct error ignored;
    char *text = text_read(e->source, &ignored);
    bool found = false;

    for (size_t i = 0; text != NULL && i < sizeof words / sizeof *words; i++)
        found = found || strstr(text, words[i]) != NULL;
    free(text);
    return found;
}

bool trial_blocking(const struct exercise *e, const char *program, const struct size *size, const char *how, struct mistake *m,
                         struct error *error)
{
    struct worker w = {0};
    struct trial ignored = {0};
    const char *trace = getenv("RUNGS_SIM_TRACE"); /* which is of the wrong run */
    char *kept = trace != NULL ? strdup(trace) : NULL;

    *m = (struct mistake){.kind = ""};
    unsetenv("RUNGS_SIM_TRACE");
    setenv("RUNGS_SIM_BLOCKING", how, 1);
    bool good = case_start(&w, program, e, IN_SIMULATOR, false, error);
    unsetenv("RUNGS_SIM_BLOCKING");
    if (kept != NULL)
        setenv("RUNGS_SIM_TRACE", kept, 1);
    free(kept);
    good = good && case_try(&w, e, size, &ignored, m, error);
    case_stop(&w);
    return good;
}

static bool is_vague(const struct mistake *m)
{
    return strcmp(m->kind, "wrong-values") == 0 || strcmp(m->kind, "halo") == 0 || strcmp(m->kind, "not-repeatable") == 0;
}

/* Returns whether results are wrong as if data had been replaced before they were used. */
static bool may_be_replaced(const struct mistake *m)
{
    static const char *const kinds[] = {"wrong-values", "wrong-part", "misplaced", "part-missing", "not-repeatable", "one-step"};

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(m->kind, kinds[i]) == 0)
            return true;
    return false;
}

/* Late work may mix several steps up, so that nothing explains the result: perhaps something does if all is done at once. */
static bool try_plain(const struct exercise *e, const char *program, const struct size *last, struct trial *t, struct error *error)
{
    struct mistake m;

    if (!trial_blocking(e, program, last, "1", &m, error))
        return false;
    if (mistaken(&m) && pattern_rank(&m) == PATTERN_CLEAR && !is_vague(&m)) {
        t->mistake = m;
        t->failed_at = last->label;
    }
    return true;
}

/* If a size is right where each launch and copy is done at once, an order is missing: finds which of them have none. */
static bool try_in_order(const struct exercise *e, const char *program, const struct size *size, const struct size *last,
                         struct trial *t, struct error *error)
{
    enum { KEPT = 3 };
    struct mistake m;
    const struct mistake found = t->mistake;

    if (!trial_blocking(e, program, size, "1", &m, error))
        return false;
    const bool right = !mistaken(&m);
    if (!trial_blocking(e, program, size, "2", &m, error))
        return false;
    if (!right && strcmp(found.kind, "nothing-written") == 0 && strcmp(m.kind, "unwritten-read") == 0) {
        t->mistake = m;
        return true;
    }
    const bool two = right ? strcmp(m.kind, "no-order") == 0 : may_be_replaced(&found) && strcmp(m.kind, "replaced-unread") == 0;
    if (!right && !two)
        return !is_vague(&found) || try_plain(e, program, last, t, error);
    if (two)
        t->mistake = m;
    else
        mistake_set(&t->mistake, "no-order");
    if (right)
        mistake_add(&t->mistake, "if each launch and each copy ends before the next one begins, this is right%s",
                    two ? "" : ". They are in order among each other, so the host does not wait for the last of them");
    for (int i = 0; i < found.facts && i < KEPT; i++)
        mistake_add(&t->mistake, "%s", found.fact[i]);
    return true;
}

/* A program that was right may have been lucky with the order of its launches and copies. */
static bool try_lucky(const struct exercise *e, const char *program, struct trial *t, struct error *error)
{
    struct mistake m;

    if (e->counted.label == NULL || !queues_work(e))
        return true;
    if (!trial_blocking(e, program, &e->counted, "2", &m, error))
        return false;
    if (strcmp(m.kind, "no-order") == 0) {
        t->mistake = m;
        t->failed_at = e->counted.label;
        mistake_add(&t->mistake, "the result was right, by luck: on a GPU it need not be");
    }
    return true;
}

/* --- all sizes ---------------------------------------------------------------------------------- */

static bool try_sizes(const struct exercise *e, const char *program, enum place place,
                      struct trial *t, struct witness wrong[], size_t *count, struct error *error)
{
    struct worker w = {0};
    const double end = clock_now() + 2.0 * case_patience();
    bool good = true;

    for (size_t i = 0; good && i < e->size_count && !interrupted(); i++) {
        struct mistake m = {.kind = ""};
        if (clock_now() > end) { /* each call is just short enough, but all of them are far too long */
            mistake_set(&m, "endless");
            mistake_add(&m, "after %.1f s the program is not through; our own solution needs less than a tenth of that",
                        clock_now() - end + 2.0 * case_patience());
            wrong[(*count)++] = (struct witness){&e->sizes[i], m};
            t->sizes++;
            break;
        }
        good = (w.pid > 0 || case_start(&w, program, e, place, false, error)) &&
               case_try(&w, e, &e->sizes[i], t, &m, error);
        t->sizes++;
        if (!mistaken(&m)) {
            t->right += good;
            continue;
        }
        case_stop(&w);
        wrong[(*count)++] = (struct witness){&e->sizes[i], m};
        if (strcmp(m.kind, "endless") == 0)
            break; /* later sizes would be endless, too, and each takes long */
    }
    case_stop(&w);
    return good;
}

/* Returns the largest size that was right: all sizes before the first mistake were. */
static const struct size *largest_right(const struct exercise *e, const struct witness *first)
{
    return first->size > e->sizes ? first->size - 1 : NULL;
}

static bool find_mistake(const struct exercise *e, const char *program, enum place place, struct trial *t, struct error *error)
{
    static struct witness wrong[MAX_LAB_SIZES];
    const bool simulated = e->cuda && place == IN_SIMULATOR;
    size_t count = 0;

    *t = (struct trial){.orders = 1};
    if (!try_sizes(e, program, place, t, wrong, &count, error))
        return false;
    const struct witness *best = witness_choose(wrong, count);
    if (best == NULL)
        return !simulated || interrupted() || (try_lucky(e, program, t, error) && (mistaken(&t->mistake) || (try_orders(e, program, t, error) && try_late(e, program, t, error))));
    t->mistake = best->mistake;
    t->failed_at = best->size->label;
    turns_look(e, (size_t)t->sizes, wrong, count, &t->mistake);
    multiples_look(e, (size_t)t->sizes, wrong, count, &t->mistake);
    element_add(e, best->size, &t->mistake);
    if (simulated && queues_work(e)) {
        if (!try_in_order(e, program, best->size, wrong[count - 1].size, t, error))
            return false;
        if (strcmp(t->mistake.kind, "no-order") == 0)
            return true;
    }
    if (simulated && is_puzzling(&t->mistake))
        return try_for_race(e, program, best->size, t, error);
    if (simulated && (strcmp(t->mistake.kind, "gaps") == 0 || strcmp(t->mistake.kind, "part-missing") == 0 || strcmp(t->mistake.kind, "first-only") == 0))
        return try_for_same_work(e, program, best->size, t, error);
    /* Perhaps every thread does all the work, and each other's. */
    const bool endless = strcmp(t->mistake.kind, "endless") == 0;
    const struct size *right = endless ? largest_right(e, &wrong[0]) : NULL;
    return !simulated || right == NULL || try_for_race(e, program, right, t, error);
}

/* Returns the size with this label. */
static const struct size *failed(const struct exercise *e, const char *label)
{
    for (size_t i = 0; i < e->size_count; i++)
        if (e->sizes[i].label == label)
            return &e->sizes[i];
    return &e->counted;
}

/* Results that are as they were before the call: nothing was written, or something was added. */
static bool try_held(const struct exercise *e, const char *program, enum place place, struct trial *t, struct error *error)
{
    struct mistake m = {.kind = ""};

    if (strcmp(t->mistake.kind, "nothing-written") != 0 || t->mistake.facts == 0 || strstr(t->mistake.fact[0], "still NaN") == NULL)
        return true;
    if (!case_try_held(program, e, place, failed(e, t->failed_at), &m, error))
        return false;
    if (m.facts > 0 && (strcmp(m.kind, "nothing-written") == 0 || strcmp(m.kind, "added-to-old") == 0 || strcmp(m.kind, "not-a-number") == 0)) {
        snprintf(t->mistake.kind, sizeof t->mistake.kind, "%s", m.kind);
        mistake_add(&t->mistake, "%s", m.fact[0]);
    }
    if (m.facts == 0 || strcmp(m.kind, "not-a-number") != 0)
        return true;
    snprintf(t->mistake.fact[0], sizeof t->mistake.fact[0], "%s", m.fact[0]); /* the old one said "still" */
    t->mistake.facts--;
    return !e->cuda || place != IN_SIMULATOR || interrupted() || try_for_race(e, program, failed(e, t->failed_at), t, error);
}

/* Returns how many launches a right program makes at this size: one for each step; 0: that is not known. */
static size_t launches_wanted(const struct exercise *e, const struct size *size)
{
    struct error ignored;
    char *text = text_read(e->source, &ignored);
    const bool several = text == NULL || strstr(text, "__shared__") != NULL; /* steps, in one launch */

    free(text);
    return several || strcmp(e->problem->axes[0], "rows") != 0 ? 0 : size->dims[2];
}

bool trial_run(const struct exercise *e, const char *program, enum place place, struct trial *t,
               struct error *error)
{
    if (!find_mistake(e, program, place, t, error) || !try_held(e, program, place, t, error))
        return false;
    if (place == IN_SIMULATOR && mistaken(&t->mistake) && !interrupted()) {
        const struct size *size = failed(e, t->failed_at);
        if (!uses_look(e, program, size, launches_wanted(e, size), &t->mistake, error) || !functions_look(e, program, size, &t->mistake, error))
            return false;
    }
    const bool look = e->cuda && place == IN_SIMULATOR && mistaken(&t->mistake) && !interrupted();
    return !look || (owners_look(e, program, failed(e, t->failed_at), &t->mistake, error) &&
                     shares_look(e, program, failed(e, t->failed_at), &t->mistake, error) &&
                     between_look(e, program, failed(e, t->failed_at), &t->mistake, error) &&
                     adders_look(e, program, failed(e, t->failed_at), &t->mistake, error) &&
                     unread_look(e, program, failed(e, t->failed_at), &t->mistake, error) &&
                     branches_look(e, failed(e, t->failed_at), &t->mistake, error));
}

bool trial_count(const struct exercise *e, const char *program, const char *file,
                 struct mistake *m, struct error *error)
{
    struct worker w = {0};
    struct trial t = {0};

    setenv("RUNGS_SIM_COUNTERS", file, 1);
    bool good = case_start(&w, program, e, IN_SIMULATOR, false, error);
    unsetenv("RUNGS_SIM_COUNTERS");
    good = good && case_try(&w, e, &e->counted, &t, m, error);
    if (good && mistaken(m))
        case_release(&w);
    case_stop(&w);
    return good;
}

/* --- for the clock -------------------------------------------------------------------------------- */

bool trial_start(struct worker *w, const char *program, const char *name, enum place place,
                 struct error *error)
{
    struct exercise other = {.devices = 1};

    snprintf(other.full, sizeof other.full, "%s", name);
    return case_start(w, program, &other, place, false, error);
}

bool trial_open(struct worker *w, const struct exercise *e, const struct size *size, bool first,
                struct error *error)
{
    enum { LONG = 60 }; /* seconds */
    const struct request prepare = {.op = OP_PREPARE}, call = {.op = OP_CALL};
    struct arena *arena = case_arena();
    struct reply reply;

    if (first) {
        arena_begin(arena);
        e->problem->shape(arena_layout(arena)->data, size->dims, arena);
        if (!arena_fits(arena, 3, error) || !arena_commit(arena, error))
            return false;
        e->problem->fill(arena_layout(arena)->data, 1);
    }
    if (!worker_open(w, arena_layout(arena), false, LONG, &reply) ||
        !worker_ask(w, &prepare, &reply, LONG) || !worker_ask(w, &call, &reply, LONG))
        return error_set(error, "%s", w->fate.reason);
    return true;
}

void trial_stop(struct worker *w)
{
    case_stop(w);
}
