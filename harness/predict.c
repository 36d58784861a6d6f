#include "harness/predict.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double LITTLE_WORK = 3e7; /* operations; a tenth of a second for the slowest of rungs */

static size_t longest_axis(const size_t dims[])
{
    size_t longest = 0;

    for (size_t i = 1; i < MAX_AXES; i++)
        if (dims[i] > dims[longest])
            longest = i;
    return longest;
}

/* The axis cut by `part` or a little less: exactly if possible, and so that the problem exists (a
   transform's length must stay a product of small primes). */
static bool cut(const struct problem *p, const size_t whole[], size_t part, size_t dims[])
{
    size_t axis = longest_axis(whole);

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

/* Times one call of every rung at these dims, the shorter of two. */
static bool pilot(struct cell *c, const size_t dims[], double seconds[])
{
    const struct request request = {.op = OP_CALL};
    struct reply reply;
    struct error error;

    memcpy(c->dims, dims, sizeof c->dims);
    if (!cell_open(c, &error))
        return false;
    cell_prepare(c);
    c->problem->fill(arena_layout(c->arena)->data, c->seed);
    for (size_t i = 0; i < c->count; i++) {
        struct entrant *e = &c->entrants[i];
        seconds[i] = INFINITY;
        for (int call = 0; call < 2 && e->in; call++) {
            if (!worker_ask(&e->worker, &request, &reply, c->timeout))
                entrant_out(e, &e->worker.fate);
            else if (reply.seconds < seconds[i])
                seconds[i] = reply.seconds;
        }
    }
    cell_close(c);
    return true;
}

static void sit_out(struct entrant *e, double longest)
{
    char predicted[32], limit[32];

    describe_duration(e->row->predicted, predicted, sizeof predicted);
    describe_duration(longest, limit, sizeof limit);
    fate_set(&e->row->fate, OUTCOME_SKIPPED, "predicted %s a call, more than --max-time %s",
             predicted, limit);
    e->sits_out = true;
}

static double operations(const struct problem *p, const size_t dims[])
{
    struct cost cost = p->cost(dims);

    return cost.flops + cost.bytes + 20.0 * cost.specials;
}

void predict(struct cell *c, double longest)
{
    size_t whole[MAX_AXES], small[MAX_AXES], middle[MAX_AXES];
    size_t axis = longest_axis(c->dims);
    double short_call[64], long_call[64];

    memcpy(whole, c->dims, sizeof whole);
    if (c->count > 64 || operations(c->problem, whole) < LITTLE_WORK ||
        !cut(c->problem, whole, 1024, small) || !cut(c->problem, whole, 128, middle))
        return;
    if (pilot(c, small, short_call) && pilot(c, middle, long_call)) {
        double step = (double)middle[axis] / (double)small[axis];
        double rest = (double)whole[axis] / (double)middle[axis];
        for (size_t i = 0; i < c->count; i++) {
            struct entrant *e = &c->entrants[i];
            double power = log(long_call[i] / short_call[i]) / log(step);
            if (e->gone || !isfinite(long_call[i]))
                continue;
            e->row->predicted = long_call[i] * pow(rest, fmin(fmax(power, 1.0), 3.0));
            if (e->row->predicted > longest && !e->ceiling)
                sit_out(e, longest);
        }
    }
    memcpy(c->dims, whole, sizeof whole);
}

void describe_duration(double seconds, char *text, size_t bytes)
{
    if (seconds < 1e-6)
        snprintf(text, bytes, "%.3g ns", seconds * 1e9);
    else if (seconds < 1e-3)
        snprintf(text, bytes, "%.3g us", seconds * 1e6);
    else if (seconds < 1.0)
        snprintf(text, bytes, "%.3g ms", seconds * 1e3);
    else if (seconds < 120.0)
        snprintf(text, bytes, "%.3g s", seconds);
    else if (seconds < 7200.0)
        snprintf(text, bytes, "%.3g min", seconds / 60.0);
    else if (seconds < 172800.0)
        snprintf(text, bytes, "%.3g h", seconds / 3600.0);
    else
        snprintf(text, bytes, "%.3g days", seconds / 86400.0);
}
