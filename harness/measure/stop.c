#include "harness/measure/stop.h"

#include <string.h>

enum { LEAST_ROUNDS = 6, PATIENCE = 2 }; /* rounds that a 95 % interval needs; how far they may exceed
                                            the time */

/* Returns the rounds of this pass, which are the last ones. */
static const double *latest(const struct series *s, unsigned pass, size_t *count)
{
    *count = s->pass[pass].rounds;
    return s->round + s->rounds - *count;
}

static bool narrow(const struct series *s, unsigned pass, double width)
{
    size_t count;
    const double *round = latest(s, pass, &count);
    struct summary sum = summarize(round, count);

    return count == 0 || 0.5 * (sum.high - sum.low) <= width * sum.median;
}

/* Testing after every round would stop too often by chance; these are a quarter apart. */
static bool is_checkpoint(size_t rounds)
{
    static const size_t at[] = {6, 8, 10, 13, 16, 20, 25, 31, 39, 48, 60, 75, 94, 100};

    for (size_t i = 0; i < sizeof at / sizeof *at; i++)
        if (at[i] == rounds)
            return true;
    return false;
}

enum { RESTARTS = 4 };

static bool moved_on(const struct series *s, unsigned pass, double width)
{
    size_t count;
    const double *round = latest(s, pass, &count);

    return drifts(round, count, width / 4.0);
}

static void gate_drift(struct result *r, unsigned pass, double width)
{
    if (r->drift_restarts == RESTARTS || (!moved_on(&r->time[PHASE_E2E], pass, width) &&
                                          !moved_on(&r->time[PHASE_RUN], pass, width)))
        return;
    r->drift_restarts++;
    for (int phase = 0; phase < PHASES; phase++)
        series_forget_older_half(&r->time[phase], pass);
}

/* --- what a pass may take --------------------------------------------------------------------- */

struct share {
    size_t least_rounds, min_rounds, max_rounds;
    double max_time;
};

static struct share share_of(const struct preset *p)
{
    const size_t n = p->passes;

    return (struct share){.least_rounds = (LEAST_ROUNDS + n - 1) / n,
                          .min_rounds = (p->min_rounds + n - 1) / n,
                          .max_rounds = p->max_rounds / n,
                          .max_time = p->max_time / (double)n};
}

const char *stop_reason(struct result *r, const struct preset *p, unsigned pass, size_t blocks,
                     double spent, bool together)
{
    const struct share share = share_of(p);

    if (together && is_checkpoint(blocks))
        gate_drift(r, pass, p->width);

    const size_t rounds = r->time[PHASE_E2E].pass[pass].rounds;

    if (rounds >= share.min_rounds && is_checkpoint(blocks) &&
        narrow(&r->time[PHASE_E2E], pass, p->width) && narrow(&r->time[PHASE_RUN], pass, p->width))
        return "converged";
    if (blocks >= share.max_rounds)
        return "max_rounds";
    if (spent >= share.max_time && rounds >= share.least_rounds)
        return "max_time";
    if (spent >= PATIENCE * share.max_time)
        return "slow_call";
    return NULL;
}
