#include "workshop/lab/times.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness/model/registry.h"
#include "harness/worker/parent.h"
#include "workshop/lab/trial.h"
#include "workshop/lab/version.h"

enum { BASE, YOURS, OURS, RUNNERS = TIMED, ROUNDS = TIMED_ROUNDS };

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(const double values[], size_t count)
{
    double sorted[ROUNDS * MAX_SAMPLES];

    if (count == 0)
        return NAN;
    for (size_t i = 0; i < count; i++)
        sorted[i] = values[i];
    qsort(sorted, count, sizeof *sorted, ascending);
    return sorted[count / 2];
}

/* Returns the round that had the median ratio.  The times shown are of this round, so that they agree with the ratio: on a
   busy machine each median by itself may be of another round. */
static int round_of(const double ratio[ROUNDS], double middle)
{
    int round = 0;

    while (round < ROUNDS - 1 && ratio[round] != middle)
        round++;
    return round;
}

static bool block(struct worker *w, const struct request *q, struct round_times *t)
{
    static struct reply reply;

    if (!worker_ask(w, q, &reply, 60.0) || reply.samples.count == 0)
        return false;
    *t = (struct round_times){median(reply.samples.time[PHASE_RUN], reply.samples.count),
                              median(reply.samples.time[PHASE_E2E], reply.samples.count)};
    return t->whole > 0.0;
}

bool times_choose(struct round_times taken[RUNNERS][ROUNDS], bool resident,
                  double time[RUNNERS][ROUNDS])
{
    for (int i = 0; i < RUNNERS; i++)
        for (int round = 0; round < ROUNDS; round++)
            resident = resident && taken[i][round].run > 0.0;
    for (int i = 0; i < RUNNERS; i++)
        for (int round = 0; round < ROUNDS; round++)
            time[i][round] = resident ? taken[i][round].run : taken[i][round].whole;
    return resident;
}

static bool measure(struct worker w[], bool resident, struct timed *t, struct error *error)
{
    struct request warm = {.op = OP_WARM, .seconds = 0.05, .target = 2e-3};
    struct request ask[RUNNERS];
    struct round_times taken[RUNNERS][ROUNDS];
    double time[RUNNERS][ROUNDS], ratio[RUNNERS][ROUNDS];
    static struct reply reply;

    for (int i = 0; i < RUNNERS; i++) {
        if (!worker_ask(&w[i], &warm, &reply, 60.0))
            return error_set(error, "%s", w[i].fate.reason);
        ask[i] = (struct request){.op = OP_BLOCK, .samples = 5, .reps = reply.reps,
                                  .seconds = 0.05, .settle = true};
    }
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < RUNNERS; i++)
            if (!block(&w[i], &ask[i], &taken[i][round]))
                return error_set(error, "no time could be measured: %s", w[i].fate.reason);
    resident = times_choose(taken, resident, time);
    for (int i = 0; i < RUNNERS; i++)
        for (int round = 0; round < ROUNDS; round++)
            ratio[i][round] = time[BASE][round] / time[i][round];
    const double yours = median(ratio[YOURS], ROUNDS);
    const int shown = round_of(ratio[YOURS], yours);
    *t = (struct timed){time[BASE][shown], time[YOURS][shown], time[OURS][shown], yours,
                        median(ratio[OURS], ROUNDS), resident};
    return true;
}

/* A variant to be timed: its name and its file. */
struct runner {
    const char *name, *program;
    char room[160];
};

/* Finds a variant: that of this build, or for a GPU that of the build with CUDA. */
static bool find_variant(const char *name, enum place place, struct runner *r, struct error *error)
{
    const struct card *v = registry_find(name);

    if (v == NULL)
        return error_set(error, "there is no variant called %s", name);
    r->program = v->file;
    if (place == ON_CARD) {
        snprintf(r->room, sizeof r->room, "build/variants/%s.so", name);
        r->program = r->room;
    }
    return true;
}

/* Finds a variant or a version of the exercise; builds the version if it is not up to date. */
static bool find_runner(const struct exercise *e, const char *word, enum place place,
                        struct runner *r, struct error *error)
{
    const char *symbol = version_symbol(word);
    char source[160];

    *r = (struct runner){.name = word};
    if (symbol == NULL)
        return find_variant(word, place, r, error);
    version_source(e, symbol, source, sizeof source);
    build_program(source, place, r->room, sizeof r->room);
    r->name = e->full;
    r->program = r->room;
    return version_build(e, &symbol, 1, place, error);
}

bool times_look(const struct exercise *e, const char *program, enum place place, struct timed *t,
                struct error *error)
{
    struct runner runner[RUNNERS] = {[YOURS] = {.name = e->full, .program = program}};
    struct worker w[RUNNERS] = {{0}, {0}, {0}};
    bool good = find_runner(e, e->base, place, &runner[BASE], error) &&
                find_runner(e, e->ours, place, &runner[OURS], error);

    for (int i = 0; good && i < RUNNERS; i++)
        good = trial_start(&w[i], runner[i].program, runner[i].name, place, error) &&
               trial_open(&w[i], e, &e->timed, i == 0, error);
    good = good && measure(w, place == ON_CARD && e->cuda && !e->with_copies, t, error);
    for (int i = 0; i < RUNNERS; i++)
        trial_stop(&w[i]);
    return good;
}
