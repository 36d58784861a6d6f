#include "harness/records/result.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/model/language.h"
#include "harness/model/registry.h"

struct result *result_new(void)
{
    struct result *r = calloc(1, sizeof *r);

    if (r == NULL)
        abort();
    return r;
}

void result_clear(struct result *r)
{
    for (int phase = 0; phase < PHASES; phase++)
        series_free(&r->time[phase]);
    free(r->telemetry);
    r->telemetry = NULL;
    convergence_free(&r->convergence);
}

void result_free(struct result *r)
{
    if (r != NULL)
        result_clear(r);
    free(r);
}

/* --- adding ----------------------------------------------------------------------------------- */

static void set_size(struct result *r, const struct problem *problem, const size_t dims[])
{
    r->axes = size_axes(problem, strcmp(r->label, "file") == 0);
    for (size_t a = 0; a < r->axes; a++) {
        struct axis *axis = &r->size[a];
        const char *word = size_word(problem, a, dims[a]);
        snprintf(axis->name, sizeof axis->name, "%s", problem->axes[a]);
        snprintf(axis->word, sizeof axis->word, "%s", word != NULL ? word : "");
        axis->value = (long long)dims[a];
    }
}

void result_begin(struct result *r, const struct problem *problem, const struct card *variant,
                  const struct scale *scale, const char *label, const size_t dims[])
{
    const size_t ok = r->sizes_ok, refused = r->sizes_refused;

    result_clear(r);
    *r = (struct result){.math = variant->math, .scale = *scale,
                         .clockless = !variant->clock,
                         .any_tie = (variant->traits & TRAIT_ANY_TIE) != 0,
                         .host_clock = variant->language != NULL && !card_on_cpu(variant) && !variant->stream,
                         .error = NAN, .exact = NAN, .verdict = verdict_start(), .sizes_ok = ok,
                         .sizes_refused = refused, .predicted = NAN, .context = NAN, .setup = NAN,
                         .first = NAN, .cores = NAN, .memory = NAN};
    if (problem->cost != NULL)
        r->work = problem->cost(dims);
    snprintf(r->problem, sizeof r->problem, "%s", problem_name(problem));
    snprintf(r->variant, sizeof r->variant, "%s", variant->name.variant);
    const char *base = registry_base_name(variant);
    snprintf(r->base, sizeof r->base, "%s", base != NULL ? base : "");
    snprintf(r->idea, sizeof r->idea, "%s", variant->idea);
    snprintf(r->device, sizeof r->device, "%s", variant->device);
    snprintf(r->language, sizeof r->language, "%s", variant->language != NULL ? variant->language->name : "");
    snprintf(r->engine, sizeof r->engine, "%s", variant->engine != NULL ? variant->engine : "");
    snprintf(r->label, sizeof r->label, "%s", label);
    set_size(r, problem, dims);
}

void result_judged(struct result *r, const struct verdict *v)
{
    r->verdict = verdict_worse(r->verdict, *v);
    r->error = r->verdict.seen > 0 ? r->verdict.error : NAN;
    r->exact = verdict_exact(&r->verdict);
}

void result_add(struct result *r, unsigned pass, const struct samples *s,
                const struct telemetry *telemetry)
{
    for (int phase = 0; phase < PHASES; phase++)
        if (s->count > 0 && !isnan(s->time[phase][0]))
            series_add(&r->time[phase], pass, s->time[phase], s->count);
    if (r->time[PHASE_RUN].rounds > 0)
        r->runs = s->runs;
    if (r->telemetry == NULL)
        r->telemetry = calloc(MAX_ROUNDS, sizeof *r->telemetry);
    if (r->telemetry == NULL)
        abort();
    r->telemetry[r->blocks++] = *telemetry;
}

static void copy_rounds(struct series *to, const struct series *from)
{
    *to = *from;
    to->sample = NULL;
    to->kept = 0;
    to->round = NULL;
    if (from->rounds == 0)
        return;
    to->round = malloc(from->rounds * sizeof *to->round);
    if (to->round == NULL)
        abort();
    memcpy(to->round, from->round, from->rounds * sizeof *to->round);
}

void result_copy(struct result *to, const struct result *from)
{
    result_clear(to);
    *to = *from;
    to->telemetry = NULL;
    to->convergence = (struct convergence){0};
    convergence_set(&to->convergence, from->convergence.count, from->convergence.list, from->convergence.kept);
    if (from->telemetry != NULL) {
        to->telemetry = malloc(from->blocks * sizeof *to->telemetry);
        if (to->telemetry == NULL)
            abort();
        memcpy(to->telemetry, from->telemetry, from->blocks * sizeof *to->telemetry);
    }
    for (int phase = 0; phase < PHASES; phase++)
        copy_rounds(&to->time[phase], &from->time[phase]);
}

/* --- names and sizes -------------------------------------------------------------------------- */

const struct problem *result_problem(const struct result *r)
{
    return registry_problem(r->problem);
}

struct result_name result_name(const struct result *r)
{
    const int at = r->twin ? 2 : scale_value(&r->scale);
    struct result_name name;

    snprintf(name.text, sizeof name.text, at > 0 ? "%s@%d" : "%s", r->variant, at);
    return name;
}

void result_size(const struct result *r, char *text, size_t bytes)
{
    text[0] = '\0';
    for (size_t i = 0; i < r->axes; i++) {
        const struct axis *axis = &r->size[i];
        text_add(text, bytes, "%s%s=", i > 0 ? " " : "", axis->name);
        if (axis->word[0] != '\0')
            text_add(text, bytes, "%s", axis->word);
        else
            text_add(text, bytes, "%lld", axis->value);
    }
}

bool result_has_size(const struct result *r, const struct problem *p, const size_t dims[])
{
    const size_t count = size_axes(p, false);

    for (size_t a = 0; a < count; a++) {
        const bool has = a < r->axes;
        if (has ? strcmp(r->size[a].name, p->axes[a]) != 0 : p->words[a] == NULL)
            return false;
        if (dims != NULL && (has ? r->size[a].value : 0) != (long long)dims[a])
            return false;
    }
    return r->axes <= count;
}

static size_t without_zeros(const struct axis axes[], size_t count)
{
    while (count > 0 && axes[count - 1].value == 0)
        count--;
    return count;
}

int axes_order(const struct axis a[], size_t a_count, const struct axis b[], size_t b_count)
{
    a_count = without_zeros(a, a_count);
    b_count = without_zeros(b, b_count);
    if (a_count != b_count)
        return a_count < b_count ? -1 : 1;
    for (size_t i = 0; i < a_count; i++) {
        const int order = strcmp(a[i].name, b[i].name);
        if (order != 0)
            return order;
        if (a[i].value != b[i].value)
            return a[i].value < b[i].value ? -1 : 1;
    }
    return 0;
}

bool result_same_table(const struct result *a, const struct result *b)
{
    return strcmp(a->problem, b->problem) == 0 && strcmp(a->label, b->label) == 0 &&
           axes_order(a->size, a->axes, b->size, b->axes) == 0;
}

/* --- properties ------------------------------------------------------------------------------- */

bool result_timed(const struct result *r)
{
    return r->fate.outcome == OUTCOME_OK && r->time[PHASE_E2E].rounds > 0;
}

bool result_single_call(const struct result *r)
{
    return strcmp(r->stop, RESULT_SINGLE_CALL) == 0;
}

bool result_on_cpu(const struct result *r)
{
    return r->device[0] == '\0' || strcmp(r->device, "cpu") == 0;
}

bool result_several(const struct result *r)
{
    static const double SEVERAL = 1.2; /* a variant that keeps more cores busy counts as multi-core */

    if (r->scale.threads + r->scale.ranks > 0)
        return r->scale.threads + r->scale.ranks > 1;
    return r->threads > 1 || r->cores > SEVERAL;
}

const struct series *result_resident(const struct result *r)
{
    return &r->time[result_on_cpu(r) ? PHASE_E2E : PHASE_RUN];
}

double result_peak_share(const struct bound *bound, const struct series *time)
{
    return bound->name[0] != '\0' && time->rounds > 0 ? bound->floor / series_median(time) : NAN;
}

/* Records have nine digits of the work; if the problem is known, it is computed with all digits. */
static struct cost work_of(const struct result *r, const struct problem *problem)
{
    size_t dims[MAX_AXES] = {0};

    for (size_t a = 0; a < r->axes && a < MAX_AXES; a++)
        dims[a] = (size_t)r->size[a].value;
    return problem != NULL ? problem->cost(dims) : r->work;
}

double result_rate_work(const struct result *r, const char **unit)
{
    static char items[48];
    const struct problem *problem = result_problem(r);
    const struct cost work = work_of(r, problem);

    switch (problem != NULL ? problem->rate : RATE_ITEMS) {
    case RATE_FLOPS: *unit = "GFLOP/s"; return work.flops;
    case RATE_BYTES: *unit = "GB/s"; return work.bytes;
    case RATE_ITEMS: break;
    }
    snprintf(items, sizeof items, "G%s/s", problem != NULL ? problem->item : "items");
    *unit = items;
    return work.items;
}
