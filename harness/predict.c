#include "harness/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/describe.h"
#include "harness/interrupt.h"

static const double CLEARLY_MORE = 1.4; /* than linear */
static const double CLEARLY_LESS = 0.5; /* most of it does not grow with this axis at all */
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

double extrapolate(const struct pilots *p, double axis)
{
    double power = 1.0, longer = axis / p->axis[1];

    if (p->seconds[0] > 0.0)
        power = log(p->seconds[1] / p->seconds[0]) / log(p->axis[1] / p->axis[0]);
    if (power < CLEARLY_LESS) /* a part that stays, as the copy of the other operand */
        return p->seconds[1] + (axis - p->axis[1]) *
               fmax(0.0, (p->seconds[1] - p->seconds[0]) / (p->axis[1] - p->axis[0]));
    if (!(power > CLEARLY_MORE)) /* a disturbed pilot can look like a power of 1.3 */
        power = 1.0;
    return p->seconds[1] * pow(longer, fmin(power, 3.0));
}

/* The shortest of a few calls: what disturbs one makes it longer, never shorter.  Two at least,
   since the first also pays for pages that nobody has touched yet. */
static double shortest_call(struct cell *c, struct entrant *e)
{
    const struct request request = {.op = OP_CALL};
    struct reply reply;
    double shortest = INFINITY, all = 0.0;

    for (int call = 0; call < 2 || (call < 4 && all < 0.1); call++) {
        if (!worker_ask(&e->worker, &request, &reply, c->timeout)) {
            entrant_out(e, &e->worker.fate);
            break;
        }
        shortest = fmin(shortest, reply.seconds);
        all += reply.seconds;
    }
    return shortest;
}

/* `whole`: the length of the axis that the pilots are parts of */
static void pilot(struct cell *c, double axis, double whole, struct pilots pilots[], double longest)
{
    struct error error;

    for (size_t i = 0; i < c->count; i++) {
        const struct pilots *p = &pilots[i];
        if (p->seconds[1] > 0.0 && extrapolate(p, axis) > longest)
            c->entrants[i].sits_out = true;
    }
    if (!cell_open(c, &error))
        return;
    cell_prepare(c);
    c->problem->fill(arena_layout(c->arena)->data, c->seed);
    for (size_t i = 0; i < c->count; i++) {
        struct pilots *p = &pilots[i];
        if (!c->entrants[i].in)
            continue;
        p->axis[0] = p->axis[1];
        p->seconds[0] = p->seconds[1];
        p->axis[1] = axis;
        p->seconds[1] = shortest_call(c, &c->entrants[i]);
    }
    for (size_t i = 0; i < c->count; i++) { /* nobody is left out for a pilot that was disturbed */
        struct pilots *p = &pilots[i];
        if (c->entrants[i].in && extrapolate(p, whole) > longest)
            p->seconds[1] = fmin(p->seconds[1], shortest_call(c, &c->entrants[i]));
    }
    cell_close(c);
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

/* A device without a clock tells right from wrong, which the check sizes do, and no more. */
static bool has_clock(const struct entrant *e)
{
    const struct device *device = e->worker.variant->device;

    return device == NULL || device->mark != NULL;
}

double operations(const struct problem *p, const size_t dims[])
{
    struct cost cost = p->cost(dims);

    return cost.flops + cost.bytes + 20.0 * cost.specials;
}

void predict(struct cell *c, double longest)
{
    static const size_t parts[] = {1024, 128, 16};
    struct pilots *pilots = calloc(c->count + 1, sizeof *pilots);
    size_t whole[MAX_AXES], axis = longest_axis(c->dims);

    if (pilots == NULL)
        abort();
    memcpy(whole, c->dims, sizeof whole);
    for (size_t i = 0; i < c->count; i++)
        if (!has_clock(&c->entrants[i]) && !c->entrants[i].gone) {
            fate_set(&c->entrants[i].row->fate, OUTCOME_SKIPPED,
                     "no times: its device, %s, has no clock",
                     c->entrants[i].worker.variant->device->name);
            c->entrants[i].sits_out = true;
        }
    for (size_t i = 0; i < 3 && operations(c->problem, whole) > LITTLE_WORK; i++)
        if (!interrupted() && cut(c->problem, whole, parts[i], c->dims))
            pilot(c, (double)c->dims[axis], (double)whole[axis], pilots, longest);
    memcpy(c->dims, whole, sizeof whole);

    for (size_t i = 0; i < c->count; i++) {
        struct entrant *e = &c->entrants[i];
        e->sits_out = !has_clock(e);
        if (e->sits_out || e->gone || pilots[i].seconds[1] == 0.0)
            continue;
        e->row->predicted = extrapolate(&pilots[i], (double)whole[axis]);
        if (e->row->predicted > longest)
            sit_out(e, longest);
    }
    free(pilots);
}
