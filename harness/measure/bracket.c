#include "harness/measure/bracket.h"

#include <math.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/clock.h"

/* Two readings of a clock; and one tick of the kernel's slowest clock, 100 a second. */
static const double SLACK = 50e-6, TICK = 10e-3;
/* Messages, waking up, and other work of a library's threads. */
static const double A_REQUEST = 0.3e-3;
enum { FAR = 3, ENOUGH_TURNS = 6 };
/* So far off that few turns suffice: no library's thread spins for so long. */
enum { VERY_FAR = 8, FEW_TURNS = 3 };
static const double LONG = 0.05;

/* On a busy machine the worker may wait within its samples, which then exceed its processor time, or
   outside of them, which lengthens any request.  But some of many requests are not delayed.  The times
   are false if even the best request reports little more than half of the time it took, and all
   together report less than the processor time used.  Only the worker says among how many threads that
   time was shared; without trusting it, more requests are needed. */
static const double TRUE = 0.55, USED = 1.3;
enum { MANY = 8, VERY_MANY = 24 };
static const double MESSAGES = 0.1e-3, WORTH = 1e-3; /* shorter requests are mostly messages */

/* Seconds outside of its calls that a request may work for, or a share of the time in its calls, on slow machines; and the share of
   requests that may do more.  Of honest requests, at most 0.11 of a compiled variant's do (106 variants, 2 busy cores of an
   EPYC, 2026-11-29). */
static const double HIDDEN = 0.15e-3, HIDDEN_SHARE = 0.05, MOST = 0.5;

bool bracket_hid_work(double took, double used, double said, int threads)
{
    return fmin(took, used - (threads - 1) * said) - said > fmax(HIDDEN, HIDDEN_SHARE * said);
}

void bracket_begin(struct bracket *b, struct worker *w)
{
    b->cpu_before = worker_cpu(w);
    b->began = clock_now();
    b->wall -= b->began;
}

void bracket_end(struct bracket *b, struct worker *w, const struct request *q,
                 const struct reply *a, int threads)
{
    const double now = clock_now();
    double said = a->first + a->beside;

    for (unsigned i = 0; i < a->samples.count; i++)
        said += a->samples.time[PHASE_E2E][i] * (double)q->reps;
    b->wall += now;
    b->used = fmax(worker_cpu(w) - b->cpu_before, 0.0); /* less, if a process has ended in between */
    b->cpu += b->used;
    b->said += said;
    b->ended++;
    b->hidden_ones += bracket_hid_work(now - b->began, b->used, said, threads);
    if (now - b->began > WORTH) {
        b->most_true = fmax(b->most_true, (said + MESSAGES) / (now - b->began));
        b->asked++;
    }
    b->other_clock |= a->last_call < b->began - SLACK || a->last_call > now + SLACK;
    b->claimed += a->cpu_seconds;
    b->requests++;
}

static bool none_is_true(const struct bracket *b)
{
    const double used = b->asked < VERY_MANY ? b->all_used : b->all_cpu;

    return b->asked >= MANY && b->most_true < TRUE && used > USED * b->all_said;
}

/* Returns the least processor time that one thread of the worker must have used. */
static double least_used(const struct bracket *b, int threads)
{
    const double alone = b->cpu / (threads > 1 ? threads : 1);

    return alone < b->wall ? alone : b->wall;
}

bool bracket_tells(struct bracket *b, int threads, char *text, size_t bytes)
{
    const double processors = (double)sysconf(_SC_NPROCESSORS_ONLN);
    const double wall = b->wall, said = b->said, used = least_used(b, threads);
    const double claimed = b->claimed, beside = A_REQUEST * (double)b->requests;

    b->all_used += used;
    b->all_cpu += b->cpu;
    b->all_said += said + beside;
    const bool at_once =
        used > VERY_FAR * said + beside + LONG ||
        (b->turns + 1 >= FEW_TURNS && b->all_used > FAR * b->all_said + FEW_TURNS * LONG) ||
        none_is_true(b);

    b->turns++;
    b->short_ones += used > FAR * said + beside;
    b->wall = b->cpu = b->said = b->claimed = 0.0;
    b->requests = 0;
    if (b->other_clock) {
        snprintf(text, bytes, "reports false times: by its clock, the last call began outside of the request");
        return true;
    }
    if (!(said <= 1.001 * wall + SLACK)) {
        snprintf(text, bytes, "reports false times: %.3g ms in all, in a turn of %.3g ms",
                 said * 1e3, wall * 1e3);
        return true;
    }
    if (!(claimed <= 1.05 * processors * wall + processors * TICK)) {
        snprintf(text, bytes, "reports false times: %.3g ms of processor time, in a turn of %.3g ms",
                 claimed * 1e3, wall * 1e3);
        return true;
    }
    if (!at_once && (b->turns < ENOUGH_TURNS || 2 * b->short_ones <= b->turns))
        return false;
    snprintf(text, bytes, "reports false times: it worked for %.3g ms in a turn, and reports %.3g ms",
             used * 1e3, said * 1e3);
    return true;
}

bool bracket_hides(const struct bracket *b, char *text, size_t bytes)
{
    if (b->ended < VERY_MANY || (double)b->hidden_ones <= MOST * (double)b->ended)
        return false;
    snprintf(text, bytes, "reports false times: in %zu of %zu requests it worked for more than %.3g ms outside of its calls",
             b->hidden_ones, b->ended, HIDDEN * 1e3);
    return true;
}
