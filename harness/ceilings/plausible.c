#include "harness/ceilings/plausible.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/machine/topology.h"

/* The factor by which a variant may exceed a measured ceiling.  Of 1,081 rows in results/reference the
   worst exceeds its own ceiling, that of a farther cache, by 1.29 (except launches, which overlap and
   are not checked here). */
static const double MARGIN = 1.5;
/* A GPU's ceilings are those of its second-level cache; memory within a block is nearer. */
static const double MARGIN_GPU = 5.0;

/* Without measured ceilings: a core with two loads and a store of 64 bytes, and two multiply-adds of
   16 numbers, at 6 GHz; and for GPUs more than any has. */
static const double CORE_BYTES = 192.0 * 6e9, CORE_FLOPS = 64.0 * 6e9;
static const double GPU_BYTES = 200e12, GPU_FLOPS = 20e15;

struct rates {
    double bytes, flops; /* in one second; INFINITY: not known */
};

/* For ordinary arithmetic: matrix units of processors have not been measured. */
static struct rates known_rates(const struct card *v, int cores)
{
    const bool ordinary = v->math != MATH_F16 && v->math != MATH_TF32 &&
                          !(v->traits & (TRAIT_TENSOR | TRAIT_PAIRS));

    if (!card_on_cpu(v))
        return (struct rates){GPU_BYTES, GPU_FLOPS};
    return (struct rates){CORE_BYTES * cores,
                          ordinary ? CORE_FLOPS * cores : INFINITY};
}

/* Returns the best measured rate, of any working set and any kind of arithmetic. */
static double best_measured(const struct ceilings *all, const char *device, enum resource resource)
{
    double best = 0.0;

    for (size_t i = 0; i < all->count; i++) {
        const struct ceiling_value *v = &all->values[i];
        if (v->fate.outcome == OUTCOME_OK && v->resource == resource &&
            strcmp(v->device, device) == 0)
            best = fmax(best, v->best);
    }
    return best;
}

static struct rates rates_of(const struct ceilings *all, const struct card *v, const struct work *work)
{
    const double margin = card_on_cpu(v) ? MARGIN : MARGIN_GPU;
    const double units = v->traits & TRAIT_ALL_GPUS ? (work->devices > 0 ? work->devices : 64) : 1;
    const double bytes = best_measured(all, v->device, RESOURCE_MEMORY);
    const double flops = best_measured(all, v->device, RESOURCE_ARITHMETIC) *
                         (v->traits & TRAIT_PAIRS ? 2.0 : 1.0);
    struct rates rates = known_rates(v, work->cores > 0 ? work->cores : topology_cores());

    if (bytes > 0.0)
        rates.bytes = bytes * margin;
    if (flops > 0.0)
        rates.flops = flops * margin;
    return (struct rates){rates.bytes * units, rates.flops * units};
}

/* Returns the time of the run alone, if it was timed, even on a CPU: a variant that works in its
   upload or download has no run to show. */
static double time_of_work(const struct result *r)
{
    const struct series *run = &r->time[PHASE_RUN];

    return series_median(run->rounds > 0 ? run : result_resident(r));
}

/* Returns the share of this machine's cores that a variant has kept busy, and one core more, since a call
   may end before its other threads do.  A core that waits moves no bytes. */
static double share_of_cores(const struct card *v, const struct result *r, int cores)
{
    return card_on_cpu(v) && isfinite(r->cores) && cores > 0 ? fmin(1.0, (r->cores + 1.0) / cores) : 1.0;
}

bool plausible_rate(const struct ceilings *all, const struct card *v, const struct result *r,
                    const struct work *work, char *text, size_t bytes)
{
    const double share = share_of_cores(v, r, work->cores);
    const struct rates of_all = rates_of(all, v, work);
    const struct rates rates = {of_all.bytes * share, of_all.flops * share};
    const double took = time_of_work(r);
    const double amount = work->in + work->out;
    const double flops = v->traits & TRAIT_SHORTCUT ? 0.0 : work->flops;

    if (r->clockless || !(took >= 0.0))
        return true;
    if (amount > rates.bytes * took) {
        snprintf(text, bytes, "faster than possible: %.3g bytes of inputs and outputs in %.3g us, more than "
                 "the caches of %s can move", amount, took * 1e6, share < 1.0 ? "the cores it kept busy" : "this machine");
        return false;
    }
    if (flops > rates.flops * took) {
        snprintf(text, bytes, "faster than possible: %.3g operations in %.3g us, more than %s can do",
                 flops, took * 1e6, share < 1.0 ? "the cores it kept busy" : "all cores");
        return false;
    }
    return true;
}

/* Of 673 rows of GPUs the worst is 1.31 times as long as its parts (h200-goals-stencil.jsonl, whose
   runs slow each other down).  Of those below 1 ms none is longer by more than 7 us.  On a CPU, as with MPI, other processes
   lengthen some rounds of the whole and others of the parts, by any factor.  So the shortest round of the whole counts.  Where
   there are few, all may have been lengthened: two ranks at a load of 7 took 17.7 ms in place of 3.8. */
bool plausible_parts(const struct result *r, char *text, size_t bytes)
{
    enum { FEW = 6 };
    const bool disturbed = result_on_cpu(r) && r->time[PHASE_E2E].rounds < FEW;
    const double times = disturbed ? 20.0 : 2.0, launches = disturbed ? 50e-3 : 0.2e-3;
    const enum phase phases[] = {PHASE_UPLOAD, PHASE_RUN, PHASE_DOWNLOAD};
    const struct summary e2e = series_summary(&r->time[PHASE_E2E]);
    const double whole = result_on_cpu(r) ? e2e.min : e2e.median;
    double parts = 0.0;

    if (r->clockless || r->time[PHASE_RUN].rounds == 0)
        return true;
    for (size_t i = 0; i < sizeof phases / sizeof *phases; i++)
        if (r->time[phases[i]].rounds > 0)
            parts += series_median(&r->time[phases[i]]);
    if (!(whole > times * parts + launches))
        return true;
    snprintf(text, bytes, "takes %.3g us end to end, but its upload, run and download take %.3g us in all", whole * 1e6,
             parts * 1e6);
    return false;
}
