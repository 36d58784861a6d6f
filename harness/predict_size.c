#include "harness/predict_size.h"

#include <math.h>

#include "harness/describe.h"
#include "harness/predict.h"

/* Plans and tables may take so many times as long as a call may. */
static const double SETUP = 10.0;

static double call_time(const struct row *row)
{
    return median_of(row->e2e.round, row->e2e.rounds);
}

static double setup_time(const struct row *row)
{
    return row->setup;
}

/* What something will take, by what it took at the last two sizes.  No less than linear in the work,
   since a start that does not grow says nothing about the rest.  NaN: it is not known. */
static double expected(const struct sweep *s, size_t size, size_t rung,
                       double (*time)(const struct row *))
{
    double work[2] = {0.0, 0.0}, seconds[2] = {NAN, NAN}, power = 1.0;
    int known = 0;

    for (size_t i = size; i-- > 0 && known < 2;) {
        const struct row *row = sweep_row(s, i, rung);
        if (row == NULL || !row_timed(row))
            continue;
        work[known] = operations(s->problem, s->sizes[i].dims);
        seconds[known++] = time(row);
    }
    if (known == 2)
        power = log(seconds[0] / seconds[1]) / log(work[0] / work[1]);
    power = power > 1.0 ? fmin(power, 2.0) : 1.0;
    return seconds[0] * pow(operations(s->problem, s->sizes[size].dims) / work[0], power);
}

/* One that was skipped at a smaller size. */
static const struct row *skipped_before(const struct sweep *s, size_t size, size_t rung)
{
    for (size_t i = 0; i < size; i++) {
        const struct row *row = sweep_row(s, i, rung);
        if (row != NULL && row->fate.outcome == OUTCOME_SKIPPED)
            return row;
    }
    return NULL;
}

static void sit_out(struct entrant *e, const char *what, double seconds, const char *times,
                    double longest)
{
    char predicted[32], limit[32];

    describe_duration(seconds, predicted, sizeof predicted);
    describe_duration(longest, limit, sizeof limit);
    fate_set(&e->row->fate, OUTCOME_SKIPPED, "predicted %s %s, more than %s--max-time %s", predicted,
             what, times, limit);
    e->sits_out = true;
}

static void predict_rung(const struct sweep *s, size_t size, size_t rung, struct entrant *e,
                         double longest)
{
    const struct row *before = skipped_before(s, size, rung);
    double setup = expected(s, size, rung, setup_time);

    if (e->gone)
        return;
    e->row->predicted = expected(s, size, rung, call_time);
    if (before != NULL) {
        e->row->fate = before->fate;
        e->sits_out = true;
    } else if (e->row->predicted > longest) {
        sit_out(e, "a call", e->row->predicted, "", longest);
    } else if (setup > SETUP * longest) {
        sit_out(e, "to set up", setup, "10 times ", longest);
    }
}

void predict_size(const struct sweep *s, size_t size, struct cell *c, double longest)
{
    bool any = false;

    for (size_t i = 0; i < c->row_count; i++)
        any |= isfinite(expected(s, size, i, call_time)) || skipped_before(s, size, i) != NULL;
    if (!any)
        predict(c, longest);
    for (size_t i = 0; i < c->row_count && any; i++)
        predict_rung(s, size, i, &c->entrants[i], longest);
}
