#include "harness/stop.h"

#include <string.h>

enum { LEAST_ROUNDS = 6, PATIENCE = 2 }; /* an interval of 95 % needs so many; what they may cost */

/* The rounds of this sitting, which are the last. */
static const double *latest(const struct series *s, unsigned sitting, size_t *count)
{
    *count = s->sitting[sitting].rounds;
    return s->round + s->rounds - *count;
}

static bool narrow(const struct series *s, unsigned sitting, double width)
{
    size_t count;
    const double *round = latest(s, sitting, &count);
    struct summary sum = summarize(round, count);

    return count == 0 || 0.5 * (sum.high - sum.low) <= width * sum.median;
}

/* Looking after every round would stop too often by luck; these are a quarter apart. */
static bool is_checkpoint(size_t rounds)
{
    static const size_t at[] = {6, 8, 10, 13, 16, 20, 25, 31, 39, 48, 60, 75, 94, 100};

    for (size_t i = 0; i < sizeof at / sizeof *at; i++)
        if (at[i] == rounds)
            return true;
    return false;
}

enum { RESTARTS = 4 };

static void forget_older_half(struct series *s, unsigned sitting)
{
    struct sitting *now = &s->sitting[sitting];
    const size_t half = now->rounds / 2, kept = now->rounds - half;

    memmove(s->round + s->rounds - now->rounds, s->round + s->rounds - kept,
            kept * sizeof *s->round);
    s->rounds -= half;
    now->rounds -= half;
    now->first += half;
}

static bool moved_on(const struct series *s, unsigned sitting, double width)
{
    size_t count;
    const double *round = latest(s, sitting, &count);

    return drifts(round, count, width / 4.0);
}

static void gate_drift(struct row *row, unsigned sitting, double width)
{
    struct series *all[] = {&row->e2e, &row->upload, &row->run, &row->cold, &row->download};

    if (row->drift_restarts == RESTARTS ||
        (!moved_on(&row->e2e, sitting, width) && !moved_on(&row->run, sitting, width)))
        return;
    row->drift_restarts++;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        forget_older_half(all[i], sitting);
}

/* --- what a sitting may take ------------------------------------------------------------------ */

struct share {
    size_t least_rounds, min_rounds, max_rounds;
    double max_time;
};

static struct share share_of(const struct profile *p)
{
    const size_t n = p->sittings;

    return (struct share){.least_rounds = (LEAST_ROUNDS + n - 1) / n,
                          .min_rounds = (p->min_rounds + n - 1) / n,
                          .max_rounds = p->max_rounds / n,
                          .max_time = p->max_time / (double)n};
}

const char *why_stop(struct row *row, const struct profile *p, unsigned sitting, size_t blocks,
                     double spent, bool together)
{
    const struct share share = share_of(p);

    if (together && is_checkpoint(blocks))
        gate_drift(row, sitting, p->width);

    const size_t rounds = row->e2e.sitting[sitting].rounds;

    if (rounds >= share.min_rounds && is_checkpoint(blocks) &&
        narrow(&row->e2e, sitting, p->width) && narrow(&row->run, sitting, p->width))
        return "converged";
    if (blocks >= share.max_rounds)
        return "max_rounds";
    if (spent >= share.max_time && rounds >= share.least_rounds)
        return "max_time";
    if (spent >= PATIENCE * share.max_time)
        return "slow_call";
    return NULL;
}
