#include "harness/records/derived.h"

#include <math.h>
#include <stdlib.h>

#include "harness/base/json.h"
#include "harness/model/registry.h"
#include "harness/records/measurement.h"
#include "harness/records/speedup.h"

/* --- comparisons ------------------------------------------------------------------------------ */

void derived_comparison(json_t *object, const struct comparison *c)
{
    json_object_update_new(
        object, json_pack("{s:o, s:o, s:o, s:o, s:I, s:I, s:s, s:s}", "ratio",
                          json_number(c->ratio), "lo", json_number(c->low), "hi", json_number(c->high), "conf",
                          json_number(c->confidence), "rounds", (json_int_t)c->rounds, "ties",
                          (json_int_t)c->ties, "method", c->method, "verdict",
                          finding_names[c->finding]));
}

json_t *derived_compare(const struct result *r, const struct result *base,
                        const struct comparisons *s, const char *phase, const struct comparison *c)
{
    json_t *roles = json_array();

    for (size_t role = 0; role < ROLES; role++)
        if (s->baseline[role] == base)
            json_array_append_new(roles, json_string(role_names[role]));
    json_t *object = json_pack(
        "{s:s, s:s, s:s, s:o, s:s, s:o, s:s, s:o, s:o, s:s}", "record", "compare", "problem",
        r->problem, "variant", measurement_variant(r).text, "scale", scale_write(&r->scale), "label",
        r->label, "size", size_write(r), "base", measurement_variant(base).text, "base_scale",
        scale_write(&base->scale), "against", roles, "phase", phase);
    derived_comparison(object, c);
    return object;
}

/* Has an earlier role the same baseline?  A baseline with several roles is recorded once. */
static bool seen_before(const struct comparisons *s, size_t role)
{
    for (size_t earlier = 0; earlier < role; earlier++)
        if (s->baseline[earlier] == s->baseline[role])
            return true;
    return false;
}

static void add_ladder(json_t *list, const struct ladder *l, struct result *const results[])
{
    for (size_t i = 0; i < l->count; i++) {
        const struct comparisons *s = &l->comparisons[i];
        for (size_t role = 0; role < ROLES; role++) {
            const struct result *base = s->baseline[role];
            if (base == NULL || seen_before(s, role))
                continue;
            if (isfinite(s->e2e[role].ratio))
                json_array_append_new(
                    list, derived_compare(results[i], base, s, "e2e", &s->e2e[role]));
            if (isfinite(s->resident[role].ratio))
                json_array_append_new(
                    list, derived_compare(results[i], base, s, "resident", &s->resident[role]));
        }
    }
}

/* --- speed-ups -------------------------------------------------------------------------------- */

static json_t *speedup_write(const struct speedup *s, const char *phase, const struct comparison *c)
{
    const struct result *r = s->result;

    return json_pack(
        "{s:s, s:s, s:s, s:s, s:o, s:s, s:i, s:i, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:I,"
        " s:s}",
        "record", "scaling", "problem", r->problem, "variant", r->variant, "label", r->label, "size",
        size_write(r), "axis", scale_axis(&r->scale), "value", s->value, "from", s->from, "phase",
        phase, "speedup", json_number(c->ratio), "lo", json_number(c->low), "hi",
        json_number(c->high), "efficiency", json_number(speedup_efficiency(s, c->ratio)),
        "efficiency_lo", json_number(speedup_efficiency(s, c->low)), "efficiency_hi",
        json_number(speedup_efficiency(s, c->high)), "conf", json_number(c->confidence), "rounds",
        (json_int_t)c->rounds, "ties", (json_int_t)c->ties, "method", c->method);
}

static void add_speedups(json_t *list, struct result *const results[], size_t count)
{
    struct speedup *speedups = calloc(count + 1, sizeof *speedups);

    if (speedups == NULL)
        abort();
    for (size_t i = 0, found = speedups_find(results, count, speedups); i < found; i++) {
        const struct speedup *s = &speedups[i];
        if (isfinite(s->e2e.ratio))
            json_array_append_new(list, speedup_write(s, "e2e", &s->e2e));
        if (isfinite(s->resident.ratio))
            json_array_append_new(list, speedup_write(s, "resident", &s->resident));
    }
    free(speedups);
}

json_t *derived_table(const struct ladder *ladder, struct result *const results[], size_t count)
{
    json_t *list = json_array();

    if (ladder != NULL)
        add_ladder(list, ladder, results);
    add_speedups(list, results, count);
    return list;
}

/* --- sweeps ----------------------------------------------------------------------------------- */

static json_t *words(const char *const list[], size_t count)
{
    json_t *array = json_array();

    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, json_string(list[i]));
    return array;
}

json_t *derived_sweep(const struct sweep *s, const struct sides *sides, double step)
{
    json_t *lengths = json_array();
    char axes[64];

    for (size_t i = 0; i < s->size_count; i++)
        json_array_append_new(lengths, json_integer((json_int_t)sweep_length(s, i)));
    sweep_axes(s, axes, sizeof axes);
    return json_pack("{s:s, s:s, s:s, s:o, s:f, s:o, s:o}", "record", "sweep", "problem",
                     problem_name(s->problem), "axis", axes, "lengths", lengths, "step", step,
                     "of", words(sides->contenders, sides->contender_count), "against",
                     words(sides->baseline, sides->baseline_count));
}

/* An unknown end is null; so is an edge at the end of the range. */
static json_t *edge_write(const struct edge *e, bool begin)
{
    if (e->kind == EDGE_RANGE)
        return json_null();
    bool low = e->kind == EDGE_CROSSING || !begin, high = e->kind == EDGE_CROSSING || begin;
    return json_pack("[o, o]", json_number(low ? e->low : NAN), json_number(high ? e->high : NAN));
}

static json_t *points_write(const struct curve *c)
{
    json_t *list = json_array();

    for (size_t i = 0; i < c->count; i++) {
        const struct point *p = &c->points[i];
        json_array_append_new(
            list, json_pack("{s:o, s:f, s:s, s:f, s:f, s:f, s:b}", "size", size_write(c->mine[i]),
                            "items", p->at, "against", c->best[i]->variant,
                            "ratio", p->ratio, "lo", p->low, "hi", p->high, "few_rounds", p->few));
    }
    return list;
}

json_t *derived_crossover(const struct sweep *s, size_t contender, enum view view,
                          const struct curve *curve)
{
    const struct crossover *c = &curve->crossover;
    const bool some = c->pays == PAYS_FROM || c->pays == PAYS_PARTLY;
    const struct name name = s->variants[contender]->name;
    json_t *stretches = json_array();
    double from = NAN, to = NAN;
    bool few = false;
    char sentence[1024], axes[64];

    if (some && c->stretches[0].begin.kind != EDGE_RANGE) {
        from = c->stretches[0].begin.kind == EDGE_CROSSING ? c->stretches[0].begin.low : NAN;
        to = c->stretches[0].begin.high;
    }
    for (size_t i = 0; i < c->count; i++) {
        const struct stretch *st = &c->stretches[i];
        few |= st->begin.few || st->end.few;
        json_array_append_new(stretches,
                              json_pack("{s:o, s:o}", "begin", edge_write(&st->begin, true), "end",
                                        edge_write(&st->end, false)));
    }
    sweep_axes(s, axes, sizeof axes);
    crossover_describe(c, s->problem->item, sentence, sizeof sentence);
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:s, s:o, s:o, s:[o, o], s:o, s:b, s:o, s:s}",
        "record", "crossover", "problem", name.problem, "variant", name.variant, "against",
        sweep_baseline(curve), "phase", view_names[view], "pays", pays_names[c->pays], "unit",
        s->problem->item, "from", json_number(from), "to", json_number(to), "axis", axes, "axis_from",
        json_number(sweep_length_at(s, from)), "axis_to", json_number(sweep_length_at(s, to)), "range",
        json_number(c->first), json_number(c->last), "stretches", stretches, "few_rounds", few, "points",
        points_write(curve), "sentence", sentence);
}

json_t *derived_break_even(const struct sweep *s, size_t contender, const struct curve *curve,
                           size_t point)
{
    const struct name name = s->variants[contender]->name;

    return json_pack("{s:s, s:s, s:s, s:s, s:o, s:f, s:o}", "record", "break_even", "problem",
                     name.problem, "variant", name.variant, "against",
                     curve->best[point]->variant, "size",
                     size_write(curve->mine[point]), "items", curve->points[point].at, "calls",
                     json_number(sweep_break_even(curve, point)));
}
