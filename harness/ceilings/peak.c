#include "harness/ceilings/peak.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double MUCH_FASTER = 1.3; /* faster than with the largest working set: it is a cache's
                                          rate */

/* --- rates ------------------------------------------------------------------------------------ */

/* The ceilings that apply to a variant. */
struct scope {
    const char *device;
    bool all_cores;
    double units; /* how many such devices share the work */
};

/* Returns whether a ceiling applies.  One of a single core applies to all cores as well. */
static bool holds(const struct ceiling_value *v, const struct scope *s, enum resource resource)
{
    return v->fate.outcome == OUTCOME_OK && v->resource == resource &&
           strcmp(v->device, s->device) == 0 && (v->cores <= 1 || s->all_cores);
}

/* Returns the best rate of a resource, in one kind of arithmetic; 0: not measured. */
static double rate_of(const struct ceilings *all, const struct scope *s, enum resource resource,
                      enum math math)
{
    double best = 0.0;

    for (size_t i = 0; i < all->count; i++) {
        const struct ceiling_value *v = &all->values[i];
        if (holds(v, s, resource) && v->math == math)
            best = fmax(best, v->best);
    }
    return s->units * best;
}

/* Returns the best measured rate of memory for a working set of this size or a larger one, starting at
   the largest measured size that is not above it. *name says whether a cache took part. */
static double memory_rate(const struct ceilings *all, const struct scope *s, double bytes,
                          const char **name)
{
    double set = 0.0, best = 0.0, largest = 0.0, far = 0.0;

    for (size_t i = 0; i < all->count; i++) {
        const struct ceiling_value *v = &all->values[i];
        if (!holds(v, s, RESOURCE_MEMORY))
            continue;
        if ((double)v->bytes <= bytes / s->units)
            set = fmax(set, (double)v->bytes);
        largest = fmax(largest, (double)v->bytes);
    }
    for (size_t i = 0; i < all->count; i++) {
        const struct ceiling_value *v = &all->values[i];
        if (!holds(v, s, RESOURCE_MEMORY) || (double)v->bytes < set)
            continue;
        best = fmax(best, v->best);
        if ((double)v->bytes == largest)
            far = fmax(far, v->best);
    }
    *name = best > MUCH_FASTER * far ? "cache" : "memory";
    return s->units * best;
}

/* Returns the rate of the arithmetic that a variant promises.  On tensor cores, float32 takes three
   products of halves (high by high, high by low, low by high).  Pairs of 16 bits are two products in
   the place of one. */
static double arithmetic_rate(const struct ceilings *all, const struct scope *s,
                              const struct card *v, const char **name)
{
    const double plain = rate_of(all, s, RESOURCE_ARITHMETIC, MATH_F32) *
                         (v->traits & TRAIT_PAIRS ? 2.0 : 1.0);
    const double half = rate_of(all, s, RESOURCE_ARITHMETIC, MATH_F16);
    const double tf32 = rate_of(all, s, RESOURCE_ARITHMETIC, MATH_TF32);
    double tensor = 0.0;

    if (v->math == MATH_F16)
        tensor = half;
    else if (v->math == MATH_TF32)
        tensor = tf32;
    else if (v->traits & TRAIT_TENSOR)
        tensor = fmax(half, tf32) / 3.0;
    *name = tensor > plain ? "tensor cores" : "arithmetic";
    return fmax(tensor, plain);
}

static struct scope scope_of(const struct ceilings *all, const struct card *v, bool several,
                             int devices)
{
    struct scope s = {.device = v->device,
                      .all_cores = several, .units = 1.0};

    for (size_t i = 0; i < all->count; i++)
        if (v->traits & TRAIT_ALL_GPUS && strcmp(all->values[i].device, s.device) == 0)
            s.units = fmax(s.units, devices > 0 ? devices : all->values[i].devices);
    return s;
}

/* --- floors ----------------------------------------------------------------------------------- */

struct work peak_work(const struct problem *p, const size_t dims[], const struct layout *layout)
{
    const struct cost cost = p->least != NULL ? p->least(dims) : p->cost(dims);
    struct work work = {.flops = cost.flops, .specials = cost.specials};

    for (size_t i = 0; i < layout->count; i++) {
        const struct slot *slot = &layout->slots[i];
        *(slot->output ? &work.out : &work.in) += (double)slot->bytes;
    }
    work.in = cost.in > 0.0 ? cost.in : work.in;
    work.out = cost.out > 0.0 ? cost.out : work.out;
    return work;
}

/* Keeps the longer one.  An unknown rate bounds nothing. */
static struct bound bound_of(const char *name, double floor)
{
    struct bound bound = {.floor = floor};

    snprintf(bound.name, sizeof bound.name, "%s", name);
    return bound;
}

static void consider(struct bound *bound, const char *name, double amount, double rate)
{
    if (rate > 0.0 && amount / rate > bound->floor)
        *bound = bound_of(name, amount / rate);
}

struct bound peak_resident(const struct ceilings *all, const struct card *v, bool several,
                            const struct work *work)
{
    const struct scope s = scope_of(all, v, several, work->devices);
    const bool shortcut = (v->traits & TRAIT_SHORTCUT) != 0;
    const char *memory, *arithmetic;
    const double bytes = work->in + work->out;
    const double byte_rate = memory_rate(all, &s, bytes, &memory);
    const double flop_rate = arithmetic_rate(all, &s, v, &arithmetic);
    struct bound bound = bound_of("", 0.0);

    if (byte_rate == 0.0 || flop_rate == 0.0)
        return bound; /* half of it known would be a wrong bound */
    consider(&bound, memory, bytes, byte_rate);
    consider(&bound, arithmetic, shortcut ? 0.0 : work->flops, flop_rate);
    consider(&bound, resource_names[RESOURCE_SPECIAL], shortcut ? 0.0 : work->specials,
             rate_of(all, &s, RESOURCE_SPECIAL, MATH_F32));
    if (bytes > 0.0)
        consider(&bound, "launch", s.units, rate_of(all, &s, RESOURCE_LAUNCH, MATH_F32));
    return bound;
}

struct bound peak_e2e(const struct ceilings *all, const struct card *v, bool several,
                       const struct work *work)
{
    const struct scope s = scope_of(all, v, several, work->devices);
    struct bound bound = peak_resident(all, v, several, work);

    if (card_on_cpu(v) || bound.name[0] == '\0')
        return bound;
    const double up = rate_of(all, &s, RESOURCE_UPLOAD, MATH_F32);
    const double down = rate_of(all, &s, RESOURCE_DOWNLOAD, MATH_F32);
    if (up == 0.0 || down == 0.0)
        return bound_of("", 0.0);
    consider(&bound, "bus", work->in, up); /* at best both directions at once */
    consider(&bound, "bus", work->out, down);
    consider(&bound, "launch", s.units, rate_of(all, &s, RESOURCE_ROUND_TRIP, MATH_F32));
    return bound;
}
