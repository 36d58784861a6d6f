#include "harness/measure/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/interrupt.h"
#include "harness/base/step.h"
#include "harness/base/text.h"
#include "harness/model/registry.h"
#include "harness/worker/parent.h"

static const double CLEARLY_MORE = 1.4; /* than linear */
static const double CLEARLY_LESS = 0.5; /* most of the time does not depend on this axis */
static const double SETUP = 10.0; /* preparation may take this many times as long as a call */
static const double LITTLE_WORK = 3e7; /* operations; a tenth of a second for the slowest variant */
static const double SHORT = 0.01; /* seconds; worth no decision */

size_t pilots_axis(const struct problem *p, const size_t dims[])
{
    enum { LONG = 1 << 12 }; /* the shortest pilot has several of it */
    size_t longest = 0;

    for (size_t i = 0; i < MAX_AXES; i++) {
        if (p->words[i] != NULL)
            continue;
        if (dims[i] >= LONG)
            return i;
        longest = dims[i] > dims[longest] ? i : longest;
    }
    return longest;
}

/* Cuts the axis by `part` or a little less: exactly if possible, and so that the problem exists (a
   transform's length must stay a product of small primes). */
static bool cut(const struct problem *p, const size_t whole[], size_t part, size_t dims[])
{
    size_t axis = pilots_axis(p, whole);

    for (int exactly = 1; exactly >= 0; exactly--)
        for (size_t divisor = part; divisor > part / 2; divisor--) {
            if (exactly && whole[axis] % divisor != 0)
                continue;
            memcpy(dims, whole, MAX_AXES * sizeof *dims);
            dims[axis] = whole[axis] / divisor;
            if (dims[axis] > 0 && (p->impossible == NULL || p->impossible(dims) == NULL))
                return true;
        }
    return false;
}

double extrapolate(const struct pilots *p, double axis)
{
    double power = 1.0, longer = axis / p->axis[1];

    if (p->seconds[0] > 0.0)
        power = log(p->seconds[1] / p->seconds[0]) / log(p->axis[1] / p->axis[0]);
    if (power < CLEARLY_LESS) /* part of the time is constant, e.g. the copy of the other operand */
        return p->seconds[1] + (axis - p->axis[1]) *
               fmax(0.0, (p->seconds[1] - p->seconds[0]) / (p->axis[1] - p->axis[0]));
    if (!(power > CLEARLY_MORE)) /* a disturbed pilot can look like a power of 1.3 */
        power = 1.0;
    return p->seconds[1] * pow(longer, fmin(power, 3.0));
}

/* Returns the shortest of a few calls, because disturbances only lengthen a call.  There are at least
   two, since the first also pays for pages that were never touched. */
static double shortest_call(struct cell *c, struct entrant *e)
{
    struct reply reply;
    double shortest = INFINITY, all = 0.0;

    for (int call = 0; call < 2 || (call < 4 && all < 0.1); call++) {
        if (!entrant_do(c, e, OP_CALL, &reply))
            break;
        shortest = fmin(shortest, reply.seconds);
        all += reply.seconds;
    }
    return shortest;
}

static void sit_out(struct entrant *e)
{
    if (e->state != ENTRANT_GONE)
        e->state = ENTRANT_SITS_OUT;
}

/* The longest call that is worth making */
struct longest {
    double seconds, times; /* at most so long, and at most so many times the shortest that is predicted */
};

/* Returns the longest call worth making at a length of the axis, in seconds. */
static double longest_call(const struct cell *c, const struct pilots pilots[], double axis,
                           const struct longest *longest)
{
    double shortest = INFINITY;

    for (size_t i = 0; i < c->count; i++)
        if (pilots[i].seconds[1] > 0.0)
            shortest = fmin(shortest, extrapolate(&pilots[i], axis));
    return fmin(longest->seconds, fmax(SHORT, longest->times * shortest));
}

/* `whole`: the full length of the axis */
static void pilot(struct cell *c, double axis, double whole, struct pilots pilots[], const struct longest *longest)
{
    const double here = longest_call(c, pilots, axis, longest);
    struct error error;

    for (size_t i = 0; i < c->count; i++) {
        const struct pilots *p = &pilots[i];
        if (p->seconds[1] > 0.0 && extrapolate(p, axis) > here)
            sit_out(&c->entrants[i]);
    }
    if (!cell_open(c, &error))
        return;
    cell_prepare(c);
    step_begin("fill", problem_name(c->problem), c->problem->path);
    c->problem->fill(arena_layout(c->arena)->data, c->seed);
    step_end();
    for (size_t i = 0; i < c->count; i++) {
        struct pilots *p = &pilots[i];
        if (c->entrants[i].state != ENTRANT_IN)
            continue;
        p->axis[0] = p->axis[1];
        p->seconds[0] = p->seconds[1];
        p->axis[1] = axis;
        p->seconds[1] = shortest_call(c, &c->entrants[i]);
    }
    const double at_last = longest_call(c, pilots, whole, longest);
    for (size_t i = 0; i < c->count; i++) { /* repeat a pilot call that would exclude a variant: it may
                                               have been disturbed */
        struct pilots *p = &pilots[i];
        if (c->entrants[i].state == ENTRANT_IN && extrapolate(p, whole) > at_last)
            p->seconds[1] = fmin(p->seconds[1], shortest_call(c, &c->entrants[i]));
    }
    cell_close(c);
}

/* Skips a variant: `what` would take `seconds`, more than `times` ("": 1) the longest allowed. */
static void skip(struct entrant *e, const char *what, double seconds, const char *times,
                 double longest)
{
    char predicted[32], limit[32];

    describe_duration(seconds, predicted, sizeof predicted);
    describe_duration(longest, limit, sizeof limit);
    fate_set(&e->result->fate, OUTCOME_SKIPPED, "predicted %s %s, more than %s--max-time %s",
             predicted, what, times, limit);
    e->state = ENTRANT_SITS_OUT;
}

/* Without a clock, a device's variants are judged at the check sizes and not timed. */
static bool has_clock(const struct entrant *e)
{
    return e->worker.variant->clock;
}

/* Returns roughly how much work a case is, of any kind. */
static double operations(const struct problem *p, const size_t dims[])
{
    const struct cost cost = p->cost(dims);

    return cost.flops + cost.bytes + 20.0 * cost.specials;
}

/* Sets result->predicted of every entrant, by pilots.  A pilot that would itself be longer than `longest` is skipped.  The
   second pilot is near the first, so that it is made for a variant with a constant part, as an engine's: one pilot alone
   cannot tell this part from the rest. */
static void predict_calls(struct cell *c, const struct longest *longest)
{
    static const size_t parts[] = {1024, 512, 128, 16}, count = sizeof parts / sizeof *parts;
    struct pilots *pilots = calloc(c->count + 1, sizeof *pilots);
    size_t whole[MAX_AXES], axis = pilots_axis(c->problem, c->dims);

    if (pilots == NULL)
        abort();
    memcpy(whole, c->dims, sizeof whole);
    for (size_t i = 0; i < c->count; i++)
        if (!has_clock(&c->entrants[i]) && c->entrants[i].state != ENTRANT_GONE) {
            fate_set(&c->entrants[i].result->fate, OUTCOME_SKIPPED,
                     "cannot be timed: its device, %s, has no clock",
                     c->entrants[i].worker.variant->device);
            sit_out(&c->entrants[i]);
        }
    for (size_t i = 0; i < count && operations(c->problem, whole) > LITTLE_WORK; i++)
        if (!interrupted() && cut(c->problem, whole, parts[i], c->dims))
            pilot(c, (double)c->dims[axis], (double)whole[axis], pilots, longest);
    memcpy(c->dims, whole, sizeof whole);

    for (size_t i = 0; i < c->count; i++) {
        struct entrant *e = &c->entrants[i];
        if (e->state == ENTRANT_GONE || !has_clock(e))
            continue;
        e->state = ENTRANT_WAITS; /* also one that missed the longer pilots */
        if (pilots[i].seconds[1] > 0.0)
            e->result->predicted = extrapolate(&pilots[i], (double)whole[axis]);
    }
    free(pilots);
}

void predict(struct cell *c, double longest)
{
    predict_calls(c, &(struct longest){.seconds = longest, .times = INFINITY});
    for (size_t i = 0; i < c->count; i++)
        if (c->entrants[i].state == ENTRANT_WAITS && c->entrants[i].result->predicted > longest)
            skip(&c->entrants[i], "a call", c->entrants[i].result->predicted, "", longest);
}

void predict_fastest(struct cell *c, double times)
{
    const double pilot_times = 4.0 * times; /* a shorter pilot is less sure */
    double shortest = INFINITY;
    char predicted[32], least[32];

    predict_calls(c, &(struct longest){.seconds = c->timeout, .times = pilot_times});
    for (size_t i = 0; i < c->count; i++)
        shortest = fmin(shortest, c->entrants[i].result->predicted);
    describe_duration(shortest, least, sizeof least);
    for (size_t i = 0; i < c->count; i++) {
        struct entrant *e = &c->entrants[i];
        if (e->state != ENTRANT_WAITS || !(e->result->predicted > fmax(SHORT, times * shortest)))
            continue;
        describe_duration(e->result->predicted, predicted, sizeof predicted);
        fate_set(&e->result->fate, OUTCOME_SKIPPED, "predicted %s a call, where another takes %s", predicted, least);
        e->state = ENTRANT_SITS_OUT;
    }
}

/* --- by smaller sizes of a sweep --------------------------------------------------------------- */

static double call_time(const struct result *r)
{
    return series_median(&r->time[PHASE_E2E]);
}

static double setup_time(const struct result *r)
{
    return r->setup;
}

/* Returns what something will take, from the last two sizes.  At least linear in the work, because a
   constant part at the start says nothing about the rest.  NaN: not known. */
static double expected(const struct sweep *s, size_t size, size_t variant,
                       double (*time)(const struct result *))
{
    double work[2] = {0.0, 0.0}, seconds[2] = {NAN, NAN}, power = 1.0;
    int known = 0;

    for (size_t i = size; i-- > 0 && known < 2;) {
        const struct result *r = sweep_row(s, i, variant);
        if (r == NULL || !result_timed(r))
            continue;
        work[known] = operations(s->problem, s->sizes[i].dims);
        seconds[known++] = time(r);
    }
    if (known == 2)
        power = log(seconds[0] / seconds[1]) / log(work[0] / work[1]);
    power = power > 1.0 ? fmin(power, 2.0) : 1.0;
    return seconds[0] * pow(operations(s->problem, s->sizes[size].dims) / work[0], power);
}

/* Returns the result of a smaller size at which the variant was skipped, or NULL. */
static const struct result *skipped_before(const struct sweep *s, size_t size, size_t variant)
{
    for (size_t i = 0; i < size; i++) {
        const struct result *r = sweep_row(s, i, variant);
        if (r != NULL && r->fate.outcome == OUTCOME_SKIPPED)
            return r;
    }
    return NULL;
}

static void predict_variant(const struct sweep *s, size_t size, size_t variant, struct entrant *e,
                            double longest)
{
    const struct result *before = skipped_before(s, size, variant);
    double setup = expected(s, size, variant, setup_time);

    if (e->state == ENTRANT_GONE)
        return;
    e->result->predicted = expected(s, size, variant, call_time);
    if (before != NULL) {
        e->result->fate = before->fate;
        e->state = ENTRANT_SITS_OUT;
    } else if (e->result->predicted > longest) {
        skip(e, "a call", e->result->predicted, "", longest);
    } else if (setup > SETUP * longest) {
        skip(e, "to set up", setup, "10 times ", longest);
    }
}

void predict_size(const struct sweep *s, size_t size, struct cell *c, double longest)
{
    bool any = false;

    for (size_t i = 0; i < c->count; i++)
        any |= isfinite(expected(s, size, i, call_time)) || skipped_before(s, size, i) != NULL;
    if (!any)
        predict(c, longest);
    for (size_t i = 0; i < c->count && any; i++)
        predict_variant(s, size, i, &c->entrants[i], longest);
}
