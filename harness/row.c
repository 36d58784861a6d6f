#include "harness/row.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/json_values.h"

enum { SERIES = 5 };

static void all_series(struct row *row, struct series *list[SERIES])
{
    struct series *all[SERIES] = {&row->e2e, &row->upload, &row->run, &row->cold, &row->download};

    memcpy(list, all, sizeof all);
}

struct row *row_new(void)
{
    struct row *row = calloc(1, sizeof *row);

    if (row == NULL)
        abort();
    return row;
}

void row_free(struct row *row)
{
    if (row != NULL)
        row_drop_samples(row);
    free(row);
}

static void have_no_samples(struct row *row)
{
    struct series *list[SERIES];

    all_series(row, list);
    for (int i = 0; i < SERIES; i++) {
        list[i]->sample = NULL;
        list[i]->kept = 0;
    }
}

void row_drop_samples(struct row *row)
{
    struct series *list[SERIES];

    all_series(row, list);
    for (int i = 0; i < SERIES; i++)
        free(list[i]->sample);
    have_no_samples(row);
}

void row_copy(struct row *to, const struct row *from)
{
    row_drop_samples(to);
    *to = *from;
    have_no_samples(to);
}

void series_keep(struct series *s, const double sample[], size_t count)
{
    const size_t room = MAX_KEPT - s->kept, fits = count < room ? count : room;

    s->dropped += count - fits;
    if (fits == 0)
        return;
    s->sample = realloc(s->sample, (s->kept + fits) * sizeof *s->sample);
    if (s->sample == NULL)
        abort();
    memcpy(s->sample + s->kept, sample, fits * sizeof *sample);
    s->kept += fits;
}

struct rounds series_rounds(const struct series *s)
{
    struct rounds r = {.count = s->rounds, .time = s->round, .launches = s->launches > 0};

    memcpy(r.sitting, s->sitting, sizeof r.sitting);
    return r;
}

struct summary series_summary(const struct series *s)
{
    const struct rounds r = series_rounds(s);

    return rounds_summary(&r);
}

void row_end_launch(struct row *row)
{
    struct series *list[SERIES];

    all_series(row, list);
    for (int i = 0; i < SERIES; i++) {
        struct series *s = list[i];
        if (s->rounds > 0 && s->launches < MAX_LAUNCHES)
            s->launch[s->launches++] = time_on_record(median_of(s->round, s->rounds));
        s->rounds = 0;
        memset(s->sitting, 0, sizeof s->sitting);
    }
    row->blocks = 0;
    row->drift_restarts = 0;
    row->stop = NULL;
}

void row_join_launches(struct row *row)
{
    struct series *list[SERIES];

    all_series(row, list);
    for (int i = 0; i < SERIES; i++) {
        memcpy(list[i]->round, list[i]->launch, list[i]->launches * sizeof *list[i]->launch);
        list[i]->rounds = list[i]->sitting[0].rounds = list[i]->launches;
    }
    row->stop = "launches";
}

static const double SEVERAL = 1.2; /* cores at work from which on a rung counts as multi-core */

bool row_several(const struct row *row)
{
    if (row->scale.threads > 0)
        return row->scale.threads > 1;
    return row->threads > 1 || row->cores > SEVERAL;
}

double limit_share(const struct limit *limit, const struct series *time)
{
    return limit->name != NULL && time->rounds > 0
               ? limit->floor / median_of(time->round, time->rounds)
               : NAN;
}

struct name row_name(const struct row *row)
{
    struct name name = variant_name(row->variant);
    const int at = row->twin ? 2 : row->scale.threads + row->scale.devices;

    if (at > 0) {
        snprintf(name.variant + strlen(name.variant), sizeof name.variant - strlen(name.variant),
                 "@%d", at);
        snprintf(name.full, sizeof name.full, "%s/%s", name.problem, name.variant);
    }
    return name;
}

bool row_timed(const struct row *row)
{
    return row->fate.outcome == OUTCOME_OK && row->e2e.rounds > 0;
}

double row_work(const struct row *row, const char **unit)
{
    static char items[48];
    struct cost cost = row->problem->cost(row->dims);

    switch (row->problem->rate) {
    case RATE_FLOPS: *unit = "GFLOP/s"; return cost.flops;
    case RATE_BYTES: *unit = "GB/s"; return cost.bytes;
    case RATE_ITEMS: break;
    }
    snprintf(items, sizeof items, "G%s/s", row->problem->item);
    *unit = items;
    return cost.items;
}
