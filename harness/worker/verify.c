#include "harness/worker/verify.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "harness/base/clock.h"

#define ELSEWHERE "its work is not on the default stream, whose events should time it: remove clock = \"stream\""

enum { TRIES = 4 };            /* the best of them counts, because others may be disturbed */
enum { CYCLES = 2, TURNS = 3 };
enum { LONGER_RUNS = 10 }; /* what is repeated is repeated so much more often here, so that the work exceeds the calls */

/* Of the host's time, by which the stamps fall short of it: less than so many seconds may be calls and waking up. */
static const double STAMPS = 0.5, CALLS = 0.5e-3;
/* A download that finds work left takes longer than one that finds none. */
static const double LONGER = 2.0, DOWNLOADS = 0.3e-3;
static const double LONGEST_PAUSE = 1.0, ALMOST = 0.9; /* seconds; of a time by the GPU's own clock */

static bool breach(struct reply *a, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    a->outcome = OUTCOME_BREACH;
    vsnprintf(a->text, sizeof a->text, format, arguments);
    va_end(arguments);
    return false;
}

static double since(double start)
{
    return clock_now() - start;
}

/* While the default stream is kept busy, work on it cannot begin, so its answer cannot arrive.  Returns after how many
   seconds it did. */
static double answer_after(const struct stage *s, double busy)
{
    stage_do(s, IN_UPLOAD, s->variant->upload);
    s->device->sync();
    const double start = clock_now();
    s->device->lead(busy);
    stage_do(s, IN_RUN, s->variant->run);
    stage_do(s, IN_DOWNLOAD, s->variant->download);
    const double took = since(start);
    s->device->sync();
    return took;
}

/* A call that is too long for this is long enough for the comparison below.  The first one may have compiled.  Work on
   another stream waits now and then, too, e.g. when its runtime makes room: so every turn must wait. */
static bool waits_for_its_turn(const struct stage *s, struct reply *a)
{
    double busy = INFINITY;

    for (int i = 0; i < CYCLES && busy > LONGEST_PAUSE; i++) {
        const double start = clock_now();
        stage_cycle(s);
        busy = 3.0 * since(start) + 5e-3;
    }
    if (s->variant->download == NULL || busy > LONGEST_PAUSE)
        return true;
    for (int i = 0; i < TURNS; i++) {
        const double took = answer_after(s, busy);

        if (took <= ALMOST * busy)
            return breach(a, ELSEWHERE " (its answer came after %.3g ms, while that stream was busy for %.3g ms)", 1e3 * took,
                          1e3 * busy);
    }
    return true;
}

/* Stamps of a stream that the work is not on follow each other at once.  One try in which they agree with the host's clock
   is enough: what else the machine does makes the host's time longer. */
static bool stamps_are_true(const struct stage *s, unsigned long runs, struct reply *a)
{
    const struct device *d = s->device;
    double host = 0.0, stamps = 0.0;

    if (runs > 1)
        runs *= LONGER_RUNS;
    stage_do(s, IN_UPLOAD, s->variant->upload);
    for (int i = 0; i < TRIES; i++) {
        if (i > 0)
            stage_do(s, IN_RESET, s->variant->reset);
        d->sync();
        const double start = clock_now();
        d->mark(0);
        for (unsigned long r = 0; r < runs; r++)
            stage_do(s, IN_RUN, s->variant->run);
        d->mark(1);
        d->sync();
        host = since(start);
        stamps = d->seconds(0, 1);
        if (stamps > STAMPS * host || host - stamps < CALLS)
            return true;
    }
    return breach(a, ELSEWHERE " (%lu runs took %.3g ms, and %.3g ms by events)", runs, 1e3 * host, 1e3 * stamps);
}

/* Returns the seconds of a download that begins this long after the run's end, as the harness sees it. */
static double download_after(const struct stage *s, double pause)
{
    stage_do(s, IN_RESET, s->variant->reset);
    stage_do(s, IN_RUN, s->variant->run);
    s->device->sync();
    if (pause > 0.0)
        usleep((useconds_t)(pause * 1e6));
    const double start = clock_now();
    stage_do(s, IN_DOWNLOAD, s->variant->download);
    s->device->sync();
    return since(start);
}

static bool run_ends_in_run(const struct stage *s)
{
    double at_once = INFINITY, later = INFINITY;
    const double start = clock_now();

    stage_cycle(s);
    const double pause = fmin(1.5 * since(start) + 1e-3, LONGEST_PAUSE);
    stage_do(s, IN_UPLOAD, s->variant->upload);
    for (int i = 0; i < TRIES; i++) {
        at_once = fmin(at_once, download_after(s, 0.0));
        later = fmin(later, download_after(s, pause));
        if (at_once <= LONGER * later + DOWNLOADS)
            return true;
    }
    return false;
}

bool verify_stamps(const struct stage *s, unsigned long runs, struct reply *a)
{
    return s->device->lead == NULL || (waits_for_its_turn(s, a) && stamps_are_true(s, runs, a));
}

bool verify_end_of_run(const struct stage *s, struct reply *a)
{
    if (s->variant->download == NULL || run_ends_in_run(s))
        return true;
    return breach(a, "its run goes on after it has returned, where the harness cannot wait for it: download is faster some "
                  "time later");
}
