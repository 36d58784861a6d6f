#include "harness/plots/forecast.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/folders.h"
#include "harness/plots/picture.h"
#include "harness/plots/tidy.h"

/* The curves of one problem and size, of one run. */
struct scene {
    const struct forecast *list;
    size_t curves;
    const struct forecast *first;
    const struct run *run;
    struct tidy table;
    size_t count; /* of its curves */
};

static bool is_of(const struct scene *s, const struct forecast *f)
{
    const struct result *a = s->first->base, *b = f->base;

    return strcmp(a->problem, b->problem) == 0 && strcmp(a->label, b->label) == 0 && a->run == b->run &&
           s->first->of == f->of;
}

/* --- the table ------------------------------------------------------------------------------------ */

/* The same number for both curves of a variant, which have one colour. */
static size_t hue_of(const struct scene *s, const struct forecast *f)
{
    size_t hue = 0;

    for (const struct forecast *g = s->list; g < f; g++) {
        bool seen = !is_of(s, g);
        for (const struct forecast *h = s->list; h < g && !seen; h++)
            seen = is_of(s, h) && strcmp(h->base->variant, g->base->variant) == 0;
        if (!seen && strcmp(g->base->variant, f->base->variant) == 0)
            return hue;
        hue += !seen;
    }
    return hue;
}

static void add_curve(struct scene *s, const struct forecast *f)
{
    for (size_t i = 0; i < f->count; i++) {
        const struct forecast_point *at = &f->points[i];
        const bool measured = isfinite(at->measured);
        const bool turns = measured && (i + 1 == f->count || !isfinite(f->points[i + 1].measured)); /* both lines meet there */
        const double speedup = forecast_speedup(f, at);
        tidy_number(&s->table, "curve", (double)s->count);
        tidy_number(&s->table, "hue", (double)hue_of(s, f));
        tidy_text(&s->table, "variant", f->base->variant);
        tidy_text(&s->table, "scaling", f->weak ? "weak" : "strong");
        tidy_text(&s->table, "accepted", f->accepted ? "yes" : "no");
        tidy_number(&s->table, "ranks", at->ranks);
        tidy_number(&s->table, "measured", measured);
        tidy_number(&s->table, "extrapolated", !measured || turns);
        tidy_number(&s->table, "measured_s", at->measured);
        tidy_number(&s->table, "formula_s", at->formula > 0.0 ? at->formula : NAN);
        tidy_number(&s->table, "speedup", speedup);
        tidy_number(&s->table, "efficiency", speedup / at->ranks);
        tidy_end(&s->table);
    }
    s->count++;
}

static void add_all(struct scene *s, bool weak)
{
    for (size_t i = 0; i < s->curves; i++)
        if (s->list[i].weak == weak && is_of(s, &s->list[i]))
            add_curve(s, &s->list[i]);
}

static bool write_table(const struct scene *s, const struct plots *plots, const struct plot *plot, struct error *error)
{
    char path[600];
    size_t *lines = calloc(s->table.count + 1, sizeof *lines);

    if (lines == NULL)
        abort();
    for (size_t i = 0; i < s->table.count; i++)
        lines[i] = i;
    snprintf(path, sizeof path, "%.450s/%s.tsv", plots->folder, plot->name);
    const bool fine = tidy_write(&s->table, lines, s->table.count, path, error);
    free(lines);
    return fine;
}

/* --- the script ----------------------------------------------------------------------------------- */

static bool write_script(const struct scene *s, const struct plots *plots, const struct plot *plot, struct error *error)
{
    char path[600], machine[400];

    snprintf(path, sizeof path, "%.450s/%s.gp", plots->folder, plot->name);
    FILE *f = fopen(path, "we");
    if (f == NULL)
        return error_set(error, "%s: %s", path, strerror(errno));
    snprintf(machine, sizeof machine, "%s, %d cores; %.10s", s->run->cpu, s->run->cores, s->run->started);
    fprintf(f, "# To draw this picture again: gnuplot %s.gp\n", plot->name);
    picture_text(f, "name", plot->name);
    picture_text(f, "heading", plot->title);
    picture_text(f, "machine", machine);
    fprintf(f, "rows = %zu\nvariants = %zu\n", s->table.count, s->count);
    fputs("if (!exists('pictures')) { pictures = 'svg png dark.png' }\n"
          "do for [picture in pictures] { load 'scripts/forecast.gp' }\n", f);
    const bool failed = ferror(f) != 0;
    return (fclose(f) == 0 && !failed) || error_set(error, "%s: could not be written", path);
}

/* Only letters, digits and dashes, because labels and problems come from a record. */
static void set_name(struct plot *plot, const struct forecast *f, size_t number)
{
    char size[160];

    result_size(f->base, size, sizeof size);
    snprintf(plot->title, sizeof plot->title, "%.63s  %.31s  %.120s  run over ranks", f->base->problem, f->base->label, size);
    snprintf(plot->name, sizeof plot->name, "forecast-%.40s-%.20s", f->base->problem, f->base->label);
    for (char *c = plot->name; *c != '\0'; c++)
        if (strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", *c) == NULL)
            *c = '-';
    if (number > 0)
        snprintf(plot->name + strlen(plot->name), sizeof plot->name - strlen(plot->name), "-%u", (unsigned)number + 1);
}

/* --- all ------------------------------------------------------------------------------------------ */

/* Is there an earlier curve of the same picture?  *number: how many earlier pictures would have the same name. */
static bool was_drawn(const struct forecast list[], size_t at, size_t *number)
{
    *number = 0;
    for (size_t i = 0; i < at; i++) {
        const struct scene s = {.first = &list[i]};
        const struct result *a = list[i].base, *b = list[at].base;
        size_t before;
        if (is_of(&s, &list[at]))
            return true;
        if (strcmp(a->problem, b->problem) == 0 && strcmp(a->label, b->label) == 0)
            *number += !was_drawn(list, i, &before);
    }
    return false;
}

static const struct script *find_script(const struct scripts *s)
{
    for (size_t i = 0; i < s->count; i++)
        if (strcmp(s->list[i].name, "forecast") == 0)
            return &s->list[i];
    abort();
}

static bool draw_scene(struct scene *s, const struct plots *plots, size_t number, bool *there, struct error *error)
{
    struct plot plot = {.kind = find_script(plots->scripts)};

    set_name(&plot, s->first, number);
    add_all(s, false);
    add_all(s, true);
    const bool fine = write_table(s, plots, &plot, error) && write_script(s, plots, &plot, error) &&
                      (!*there || gnuplot_draw(plots, &plot, there, error));
    tidy_free(&s->table);
    return fine;
}

bool plots_forecast(const struct forecast list[], size_t curves, const char *folder, unsigned pictures, size_t *count,
                    bool *there, struct error *error)
{
    struct scripts scripts;
    struct plots plots = {.folder = folder, .scripts = &scripts,
                          .pictures = pictures != 0 ? pictures : PICTURE_SVG | PICTURE_PNG};
    size_t number;

    *there = true;
    *count = 0;
    if (strlen(folder) > 400)
        return error_set(error, "the name of the folder has more than 400 bytes");
    if (!folders_make(folder, error) || !scripts_read(&scripts, error))
        return false;
    bool fine = plots_write_scripts(&plots, error);
    for (size_t i = 0; fine && i < curves; i++) {
        struct scene s = {.list = list, .curves = curves, .first = &list[i]};
        if (was_drawn(list, i, &number))
            continue;
        s.run = &list[i].of->runs[list[i].base->run];
        fine = draw_scene(&s, &plots, number, there, error);
        *count += fine && *there;
    }
    scripts_free(&scripts);
    return fine;
}
