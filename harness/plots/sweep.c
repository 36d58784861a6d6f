/* Time and rate of a problem's rungs over its size, and where they overtake each other. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/plots/sweep_field.h"

/* Below this many flops a byte, no machine waits for its arithmetic: bytes are counted. */
static const double FEW_FLOPS = 4.0;

/* --- sizes ------------------------------------------------------------------------------------ */

static double axis_value(const struct past_cell *c, const char *name)
{
    for (size_t i = 0; i < c->axes; i++)
        if (strcmp(c->size[i].name, name) == 0)
            return (double)c->size[i].value;
    return NAN;
}

/* Of a problem's cells: the axes that differ from its first, if all of them are always equal. */
static void find_axis(struct field *f)
{
    const char *one = NULL;

    f->axis[0] = '\0';
    for (size_t a = 0; a < f->first->axes; a++) {
        const struct past_axis *axis = &f->first->size[a];
        bool grows = false, equal = true;
        for (size_t i = 0; i < f->p->cell_count; i++) {
            const struct past_cell *c = &f->p->cells[i];
            if (strcmp(c->problem, f->first->problem) != 0)
                continue;
            grows |= axis_value(c, axis->name) != (double)axis->value;
            equal &= one == NULL || axis_value(c, axis->name) == axis_value(c, one);
        }
        if (!grows)
            continue;
        if (!equal) {
            f->axis[0] = '\0';
            return;
        }
        one = axis->name;
        const size_t used = strlen(f->axis);
        snprintf(f->axis + used, sizeof f->axis - used, "%s%s", used > 0 ? "=" : "", one);
    }
}

static double size_of(const struct field *f, const struct past_cell *c)
{
    char name[sizeof f->axis];

    if (f->axis[0] == '\0')
        return c->items;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(f->axis, "="), f->axis);
    return axis_value(c, name);
}

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* --- curves ----------------------------------------------------------------------------------- */

static bool of_field(const struct field *f, const struct past_cell *c)
{
    return strcmp(c->problem, f->first->problem) == 0 && past_timed(c) && size_of(f, c) > 0.0 &&
           size_of(f, c) < 1e30;
}

static bool add_size(struct field *f, const struct past_cell *c, struct error *error)
{
    for (size_t i = 0; i < f->sizes; i++)
        if (f->size[i] == size_of(f, c))
            return true;
    if (f->sizes == MOST_SIZES)
        return error_set(error, "%s:%zu: %s has more than the %d sizes that a picture holds",
                         f->p->file, c->line, c->problem, MOST_SIZES);
    f->size[f->sizes++] = size_of(f, c);
    return true;
}

static struct curve *curve_of(struct field *f, const struct past_cell *c, struct error *error)
{
    for (size_t i = 0; i < f->rungs; i++)
        if (strcmp(f->curve[i].variant, c->variant) == 0)
            return &f->curve[i];
    if (f->rungs == MOST_RUNGS) {
        error_set(error, "%s:%zu: %s has more than the %d rungs that a picture holds", f->p->file,
                  c->line, c->problem, MOST_RUNGS);
        return NULL;
    }
    f->curve[f->rungs] = (struct curve){.variant = c->variant};
    return &f->curve[f->rungs++];
}

static bool collect(struct field *f, struct error *error)
{
    for (size_t i = 0; i < f->p->cell_count; i++) {
        const struct past_cell *c = &f->p->cells[i];
        if (of_field(f, c) && (!cell_drawable(f->p, c, error) || !add_size(f, c, error)))
            return false;
    }
    qsort(f->size, f->sizes, sizeof *f->size, ascending);
    for (size_t i = 0; i < f->p->cell_count; i++) {
        const struct past_cell *c = &f->p->cells[i];
        if (!of_field(f, c))
            continue;
        struct curve *curve = curve_of(f, c, error);
        if (curve == NULL)
            return false;
        for (size_t s = 0; s < f->sizes; s++)
            if (f->size[s] == size_of(f, c))
                curve->at[s] = c; /* of several the last */
    }
    return true;
}

static const struct past_cell *last_of(const struct curve *c)
{
    const struct past_cell *last = NULL;

    for (size_t s = 0; s < MOST_SIZES; s++)
        last = c->at[s] != NULL ? c->at[s] : last;
    return last;
}

/* By the time for an item, at the largest size of each: as the curves end, from above. */
static int slowest_first(const void *a, const void *b)
{
    const struct past_cell *x = last_of(a), *y = last_of(b);
    const double one = cell_e2e(x).median / x->items, other = cell_e2e(y).median / y->items;

    return (one < other) - (one > other);
}

/* --- what is drawn ---------------------------------------------------------------------------- */

static bool counts_bytes(const struct past_cell *c)
{
    return c->flops > 0.0 && c->bytes > 0.0 && c->flops / c->bytes < FEW_FLOPS;
}

static double work_of(const struct past_cell *c)
{
    const double work = counts_bytes(c) ? c->bytes : c->flops > 0.0 ? c->flops : c->items;

    return work > 0.0 && work < 1e30 ? work : NAN;
}

static double resident(const struct past_cell *c)
{
    const double run = cell_resident(c).median;

    return isfinite(run) ? run : cell_e2e(c).median;
}

static double e2e_median(const struct past_cell *c)
{
    return cell_e2e(c).median;
}

static double rate(const struct past_cell *c)
{
    return work_of(c) / resident(c);
}

static void put_curve(struct drawing *d, const struct field *f, const struct curve *c)
{
    data_comment(d, c->variant);
    for (size_t s = 0; s < f->sizes; s++) {
        if (c->at[s] == NULL)
            continue;
        const struct times e2e = cell_e2e(c->at[s]);
        data_number(d, f->size[s]);
        data_number(d, e2e.median);
        data_number(d, e2e.low);
        data_number(d, e2e.high);
        data_number(d, resident(c->at[s]));
        data_number(d, rate(c->at[s]));
        data_row(d);
    }
    data_block(d);
}

/* --- the picture ------------------------------------------------------------------------------ */

static void put_curves(struct drawing *d, const struct field *f)
{
    const char *names[MOST_RUNGS];
    double shades[MOST_RUNGS];

    data_comment(d, "a block for each rung: size, end to end in s, low, high, run alone in s, "
                    "work a second of the run");
    for (size_t i = 0; i < f->rungs; i++)
        put_curve(d, f, &f->curve[i]);
    put_crossings(d, f, "e2e", "crossing", e2e_median);
    put_crossings(d, f, "resident", "crossing_resident", rate);
    for (size_t i = 0; i < f->rungs; i++) {
        names[i] = f->curve[i].variant;
        shades[i] = cell_shade(last_of(&f->curve[i]));
    }
    drawing_texts(d, "rungs", names, f->rungs);
    drawing_height(d, f->rungs);
    drawing_numbers(d, "kind", shades, f->rungs);
}

static bool draw_field(struct plots *plots, struct field *f, struct error *error)
{
    const struct subject of = {f->p, f->first, true, f->axis[0] != '\0' ? f->axis : "items"};
    struct drawing d;

    qsort(f->curve, f->rungs, sizeof *f->curve, slowest_first);
    if (!drawing_start(&d, plots, PLOT_SWEEP, &of, error))
        return false;
    const struct past_cell *last = last_of(&f->curve[0]);
    drawing_text(&d, "axis", of.over);
    drawing_text(&d, "unit", counts_bytes(last) ? "B/s" : last->flops > 0.0 ? "flop/s" : "items/s");
    drawing_number(&d, "smallest", f->size[0]);
    drawing_number(&d, "largest", f->size[f->sizes - 1]);
    put_curves(&d, f);
    return drawing_end(&d);
}

static bool first_of_problem(const struct past *p, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (strcmp(p->cells[i].problem, p->cells[at].problem) == 0)
            return false;
    return true;
}

static bool plot_problem(struct plots *plots, const struct past *p, size_t at, struct error *error)
{
    struct field f = {.p = p, .first = &p->cells[at]};
    bool fine = true;

    f.curve = calloc(MOST_RUNGS, sizeof *f.curve);
    if (f.curve == NULL)
        abort();
    find_axis(&f);
    fine = collect(&f, error);
    if (fine && f.sizes >= FEWEST_SIZES)
        fine = draw_field(plots, &f, error);
    free(f.curve);
    return fine;
}

bool plot_sweep(struct plots *plots, const struct source *all, struct error *error)
{
    for (size_t f = 0; f < all->count; f++)
        for (size_t at = 0; at < all->files[f]->cell_count; at++)
            if (first_of_problem(all->files[f], at) &&
                !plot_problem(plots, all->files[f], at, error))
                return false;
    return true;
}
