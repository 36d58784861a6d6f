#include "harness/records/forecast.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/records/speedup.h"
#include "harness/records/traffic.h"

const double FORECAST_OFF = 0.25;

/* --- the network ---------------------------------------------------------------------------------- */

bool network_find(const struct records *p, struct network *n)
{
    size_t bytes = 0;

    *n = (struct network){.alpha = NAN, .beta = NAN};
    for (size_t i = 0; i < p->ceiling_count; i++) {
        const struct ceiling_value *v = &p->ceilings[i];
        const double rate = isfinite(v->median) ? v->median : v->best; /* what runs meet, not the best of all */
        if (v->fate.outcome != OUTCOME_OK || !(rate > 0.0))
            continue;
        const double width = isfinite(v->low) ? (v->high - v->low) / v->median : INFINITY;
        if (v->resource == RESOURCE_MESSAGE) {
            n->alpha = 1.0 / rate;
            n->alpha_width = width;
            n->mpi = v->mpi;
        }
        if (v->resource == RESOURCE_NETWORK && v->bytes > bytes) {
            n->beta = rate;
            n->beta_width = width;
            bytes = v->bytes;
        }
    }
    return isfinite(n->alpha) && isfinite(n->beta);
}

/* "1.5us": a number with one of these units behind it */
static const char *take_number(const char *at, const char *const units[], const double factors[], double *value)
{
    char *end;
    const double number = strtod(at, &end);
    const size_t bytes = strcspn(end, ",");

    for (size_t i = 0; end > at && units[i] != NULL; i++)
        if (strlen(units[i]) == bytes && strncmp(end, units[i], bytes) == 0) {
            *value = number * factors[i];
            return *value > 0.0 && isfinite(*value) ? end + bytes : NULL;
        }
    return NULL;
}

bool network_parse(const char *text, struct network *n, struct error *error)
{
    static const char *const seconds[] = {"ns", "us", "ms", "s", NULL}, *const bytes[] = {"MB", "GB", "MB/s", "GB/s", NULL};
    static const double of_seconds[] = {1e-9, 1e-6, 1e-3, 1.0}, of_bytes[] = {1e6, 1e9, 1e6, 1e9};
    const char *at = text;

    *n = (struct network){.alpha = NAN, .beta = NAN};
    while (at != NULL && *at != '\0') {
        if (strncmp(at, "alpha=", 6) == 0)
            at = take_number(at + 6, seconds, of_seconds, &n->alpha);
        else if (strncmp(at, "beta=", 5) == 0)
            at = take_number(at + 5, bytes, of_bytes, &n->beta);
        else
            at = NULL;
        if (at != NULL && *at == ',')
            at++;
    }
    return (at != NULL && isfinite(n->alpha) && isfinite(n->beta)) ||
           error_set(error, "--network takes the time of a message and a rate, alpha=1.5us,beta=12.5GB, not \"%s\"", text);
}

/* --- measured points ------------------------------------------------------------------------------ */

static double run_time(const struct result *r)
{
    return series_median(r->time[PHASE_RUN].rounds > 0 ? &r->time[PHASE_RUN] : &r->time[PHASE_E2E]);
}

/* Is it a point of this curve? */
static bool belongs(const struct result *r, const struct result *base, bool weak)
{
    enum { MOST = 1 << 24 }; /* a record may say anything */

    if (!result_timed(r) || r->scale.ranks == 0 || r->scale.ranks > MOST || r->run != base->run || strcmp(r->variant, base->variant) != 0)
        return false;
    return weak ? strcmp(r->problem, base->problem) == 0 && speedup_is_weak(r) && speedup_same_stem(r, base)
                : result_same_table(r, base);
}

bool forecast_begins(const struct records *p, const struct result *r, bool weak)
{
    if (!result_timed(r) || r->scale.ranks != 1)
        return false;
    if (strchr(r->label, '*') != NULL)
        return false;
    if (!weak)
        return true;
    for (size_t i = 0; i < p->result_count; i++)
        if (p->results[i].scale.ranks > 1 && belongs(&p->results[i], r, true))
            return true;
    return false;
}

static void add_point(struct forecast *f, int ranks, double measured)
{
    size_t at = f->count;

    if (f->count == FORECAST_POINTS)
        return;
    while (at > 0 && f->points[at - 1].ranks >= ranks)
        at--;
    if (at < f->count && f->points[at].ranks == ranks) {
        if (isfinite(measured))
            f->points[at].measured = measured;
        return;
    }
    memmove(&f->points[at + 1], &f->points[at], (f->count++ - at) * sizeof *f->points);
    f->points[at] = (struct forecast_point){.ranks = ranks, .measured = measured};
}

/* --- the formula ---------------------------------------------------------------------------------- */

enum { ORDER = 1 << 10 }; /* bytes of an order (harness/worker/ranks.c) */

/* Each run begins with an order to all ranks along a tree and ends with a barrier; both are in the measured time. */
static bool compute(const struct forecast *f, struct forecast_point *at, const struct network *n)
{
    const double times = f->weak ? at->ranks : 1.0;
    struct traffic t;

    if (!traffic_of(f->base, at->ranks, times, &t))
        return false;
    const double sent = t.messages * n->alpha + t.bytes / n->beta;
    const double led = ceil(log2(at->ranks)) * (2.0 * n->alpha + ORDER / n->beta);
    at->work = run_time(f->base) * times * t.share;
    at->wait = sent + led;
    at->formula = led + (t.overlapped ? fmax(at->work, sent) : at->work + sent);
    return true;
}

static bool refuse(struct forecast *f, const char *reason)
{
    snprintf(f->reason, sizeof f->reason, "%s", reason);
    return false;
}

/* Compares the formula with the measured times. */
static bool check(struct forecast *f, const struct network *n)
{
    for (size_t i = 0; i < f->count; i++) {
        struct forecast_point *at = &f->points[i];
        if (!compute(f, at, n))
            return refuse(f, f->base->mpi.sends[0] == '\0' ? "the record does not say what the ranks send"
                                                           : "there is no formula for what the ranks send");
        const double off = fabs(at->formula / at->measured - 1.0);
        if (at->ranks > 1 && !(off <= f->worst)) {
            f->worst = off;
            f->worst_at = at->ranks;
        }
    }
    if (f->count < 2)
        return refuse(f, "only one number of ranks was measured; rungs bench --ranks 1,2,4 measures several");
    if (f->worst <= FORECAST_OFF)
        return true;
    snprintf(f->reason, sizeof f->reason, "the formula is %.0f %% off with %d ranks, more than %.0f %%", 100.0 * f->worst,
             f->worst_at, 100.0 * FORECAST_OFF);
    return false;
}

/* Returns up to how many ranks the formula holds that the measured ones have checked.  Weak scaling may grow
   the axis that is cut, so there it is asked for the last case. */
static int limit(const struct forecast *f, int measured, int most)
{
    struct traffic t;

    return traffic_of(f->base, measured, f->weak ? most : 1.0, &t) && t.most < most ? (int)t.most : most;
}

/* Strong scaling ends where four times the ranks do not halve the time. */
static void find_ends(struct forecast *f, const struct network *n)
{
    for (size_t i = 0; i < f->count; i++) {
        const struct forecast_point *at = &f->points[i];
        struct forecast_point more = {.ranks = 4 * at->ranks};
        if (f->waits == 0 && at->wait > at->work)
            f->waits = at->ranks;
        if (!f->weak && f->ends == 0 && compute(f, &more, n) && more.formula > at->formula / 2.0)
            f->ends = at->ranks;
    }
}

void forecast_make(struct forecast *f, const struct records *p, const struct result *base, bool weak,
                   const struct network *n, int most)
{
    *f = (struct forecast){.of = p, .base = base, .weak = weak, .worst = NAN};
    for (size_t i = 0; i < p->result_count; i++)
        if (belongs(&p->results[i], base, weak))
            add_point(f, p->results[i].scale.ranks, run_time(&p->results[i]));
    f->accepted = check(f, n);
    if (!f->accepted)
        return;
    const int measured = f->points[f->count - 1].ranks;
    f->last = limit(f, measured, most);
    for (int ranks = 2; ranks < f->last; ranks *= 2)
        if (ranks > measured)
            add_point(f, ranks, NAN);
    if (f->last > measured)
        add_point(f, f->last, NAN);
    for (size_t i = 0; i < f->count; i++)
        compute(f, &f->points[i], n);
    find_ends(f, n);
}

double forecast_speedup(const struct forecast *f, const struct forecast_point *at)
{
    const double time = isfinite(at->measured) ? at->measured : at->formula;

    return run_time(f->base) / time * (f->weak ? at->ranks : 1.0);
}
