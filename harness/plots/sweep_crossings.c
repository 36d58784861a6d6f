/* Where the curves of a sweep cross, by the records of the sweep itself. */
#include <math.h>
#include <string.h>

#include "harness/describe.h"
#include "harness/plots/sweep_field.h"

/* On the straight line between two sizes, both on logarithmic scales; NaN outside of them. */
static double between(const struct field *f, const struct curve *c, double x,
                      double value(const struct past_cell *))
{
    size_t low = MOST_SIZES;

    for (size_t s = 0; s < f->sizes; s++) {
        if (c->at[s] == NULL)
            continue;
        if (f->size[s] >= x && low < MOST_SIZES) {
            const double share = log(x / f->size[low]) / log(f->size[s] / f->size[low]);
            return value(c->at[low]) * pow(value(c->at[s]) / value(c->at[low]), share);
        }
        if (f->size[s] <= x)
            low = s;
    }
    return NAN;
}

/* The last word about each: a sweep that was resumed repeats them. */
static bool is_last(const struct past *p, size_t at)
{
    const struct past_crossover *c = &p->crossovers[at];

    for (size_t i = at + 1; i < p->crossover_count; i++) {
        const struct past_crossover *o = &p->crossovers[i];
        if (strcmp(o->problem, c->problem) == 0 && strcmp(o->variant, c->variant) == 0 &&
            strcmp(o->phase, c->phase) == 0)
            return false;
    }
    return true;
}

static double crossing(const struct field *f, const struct past_crossover *c)
{
    const double from = f->axis[0] != '\0' ? c->axis_from : c->from;
    const double to = f->axis[0] != '\0' ? c->axis_to : c->to;

    return from > 0.0 && to > 0.0 ? sqrt(from * to) : from > 0.0 ? from : to;
}

void put_crossings(struct drawing *d, const struct field *f, const char *phase, const char *name,
                   double value(const struct past_cell *))
{
    const struct past_crossover *first = NULL;
    char words[320] = "", from[32];

    data_comment(d, "crossovers: size, time or rate there, curve");
    for (size_t i = 0; i < f->p->crossover_count; i++) {
        const struct past_crossover *c = &f->p->crossovers[i];
        const double x = crossing(f, c);
        if (strcmp(c->problem, f->first->problem) != 0 || strcmp(c->phase, phase) != 0 ||
            !(x > 0.0 && x < 1e30) || !is_last(f->p, i))
            continue;
        for (size_t r = 0; r < f->rungs; r++) {
            if (strcmp(f->curve[r].variant, c->variant) != 0)
                continue;
            data_number(d, x);
            data_number(d, between(f, &f->curve[r], x, value));
            data_number(d, (double)r);
            data_row(d);
        }
        first = first == NULL || x < crossing(f, first) ? c : first;
    }
    for (size_t i = 0; i < 3; i++)
        data_number(d, NAN); /* so that there is such a block */
    data_row(d);
    data_block(d);
    if (first != NULL) {
        describe_number(crossing(f, first), from, sizeof from);
        snprintf(words, sizeof words, "first: %s from %s on, past %s", first->variant, from,
                 first->against);
    }
    drawing_text(d, name, words);
    snprintf(words, sizeof words, "%s_at", name);
    drawing_number(d, words, first != NULL ? crossing(f, first) : NAN);
}
