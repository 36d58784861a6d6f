#include "harness/record_sweep.h"

#include <math.h>

#include "harness/record.h"
#include "harness/registry.h"

static json_t *number(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

static json_t *words(const char *const list[], size_t count)
{
    json_t *array = json_array();

    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, json_string(list[i]));
    return array;
}

json_t *json_sweep(const struct sweep *s, const struct options *o)
{
    json_t *lengths = json_array();
    char axes[64];

    for (size_t i = 0; i < s->size_count; i++)
        json_array_append_new(lengths, json_integer((json_int_t)sweep_length(s, i)));
    sweep_axes(s, axes, sizeof axes);
    return json_pack("{s:s, s:s, s:s, s:o, s:f, s:o, s:o}", "record", "sweep", "problem",
                     problem_name(s->problem), "axis", axes, "lengths", lengths, "step", o->step,
                     "of", words(o->of, o->of_count), "against",
                     words(o->against, o->against_count));
}

/* What is not known of an edge is null; so is one that is the range's own. */
static json_t *json_edge(const struct edge *e, bool begin)
{
    if (e->kind == EDGE_RANGE)
        return json_null();
    bool low = e->kind == EDGE_CROSSING || !begin, high = e->kind == EDGE_CROSSING || begin;
    return json_pack("[o, o]", number(low ? e->low : NAN), number(high ? e->high : NAN));
}

static json_t *json_points(const struct curve *c)
{
    json_t *list = json_array();

    for (size_t i = 0; i < c->count; i++) {
        const struct point *p = &c->points[i];
        json_array_append_new(
            list, json_pack("{s:o, s:f, s:s, s:f, s:f, s:f, s:b}", "size", record_size(c->mine[i]),
                            "items", p->at, "against", variant_name(c->best[i]->variant).variant,
                            "ratio", p->ratio, "lo", p->low, "hi", p->high, "few_rounds", p->few));
    }
    return list;
}

json_t *json_crossover(const struct sweep *s, size_t of, enum view view, const struct curve *curve)
{
    const struct crossover *c = &curve->crossover;
    const bool some = c->pays == PAYS_FROM || c->pays == PAYS_PARTLY;
    const struct name name = variant_name(s->rungs[of]);
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
                              json_pack("{s:o, s:o}", "begin", json_edge(&st->begin, true), "end",
                                        json_edge(&st->end, false)));
    }
    sweep_axes(s, axes, sizeof axes);
    crossover_describe(c, s->problem->item, sentence, sizeof sentence);
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:s, s:o, s:o, s:[o, o], s:o, s:b, s:o, s:s}",
        "record", "crossover", "problem", name.problem, "variant", name.variant, "against",
        sweep_rival(curve), "phase", view_names[view], "pays", pays_names[c->pays], "unit",
        s->problem->item, "from", number(from), "to", number(to), "axis", axes, "axis_from",
        number(sweep_length_at(s, from)), "axis_to", number(sweep_length_at(s, to)), "range",
        number(c->first), number(c->last), "stretches", stretches, "few_rounds", few, "points",
        json_points(curve), "sentence", sentence);
}

json_t *json_break_even(const struct sweep *s, size_t of, const struct curve *curve, size_t point)
{
    const struct name name = variant_name(s->rungs[of]);

    return json_pack("{s:s, s:s, s:s, s:s, s:o, s:f, s:o}", "record", "break_even", "problem",
                     name.problem, "variant", name.variant, "against",
                     variant_name(curve->best[point]->variant).variant, "size",
                     record_size(curve->mine[point]), "items", curve->points[point].at, "calls",
                     number(sweep_break_even(curve, point)));
}
