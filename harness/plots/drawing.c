#define _GNU_SOURCE
#include "harness/plots/drawing.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- names ------------------------------------------------------------------------------------ */

/* What a record calls a problem must not become a path. */
static void append_safe(char *name, size_t bytes, const char *text)
{
    size_t used = strlen(name);

    for (; *text != '\0' && used + 1 < bytes; text++) {
        bool safe = (*text >= '0' && *text <= '9') || (*text >= 'a' && *text <= 'z') ||
                    (*text >= 'A' && *text <= 'Z') || *text == '_';
        if (safe)
            name[used++] = *text;
        else if (*text == ' ' && name[used - 1] != '-')
            name[used++] = '-';
    }
    name[used] = '\0';
}

static bool taken(const struct plots *plots, const char *name)
{
    for (size_t i = 0; i + 1 < plots->count; i++)
        if (strcmp(plots->list[i].name, name) == 0)
            return true;
    return false;
}

static bool is_size_name(const char *label)
{
    return strcmp(label, "S") == 0 || strcmp(label, "M") == 0 || strcmp(label, "L") == 0 ||
           strcmp(label, "XL") == 0;
}

static void set_name(const struct plots *plots, struct plot *plot, const char *over)
{
    char name[sizeof plot->name - 8];

    snprintf(name, sizeof name, "%s-", plot_kind_names[plot->kind]);
    append_safe(name, sizeof name, plot->problem);
    if (plot->size[0] != '\0') {
        append_safe(name, sizeof name, " ");
        append_safe(name, sizeof name, is_size_name(plot->label) ? plot->label : plot->size);
    }
    if (over != NULL && plot->size[0] != '\0') {
        append_safe(name, sizeof name, " ");
        append_safe(name, sizeof name, over);
    }
    snprintf(plot->name, sizeof plot->name, "%s", name);
    for (unsigned number = 2; taken(plots, plot->name); number++)
        snprintf(plot->name, sizeof plot->name, "%s-%u", name, number % 1000000);
}

static void set_title(struct plot *plot, const char *over)
{
    const bool named = is_size_name(plot->label);

    snprintf(plot->title, sizeof plot->title, "%s%s%s%s%s%s%s", plot->problem, named ? "  " : "",
             named ? plot->label : "", plot->size[0] != '\0' ? "  " : "", plot->size,
             over != NULL ? "  over " : "", over != NULL ? over : "");
    text_clean(plot->title);
}

/* --- files ------------------------------------------------------------------------------------ */

static FILE *open_one(const struct drawing *d, const char *ending)
{
    char *path = NULL;
    FILE *f = NULL;

    if (asprintf(&path, "%s/%s%s", d->plots->folder, d->plot->name, ending) < 0)
        abort();
    f = fopen(path, "w");
    if (f == NULL)
        error_set(d->error, "%s: %s", path, strerror(errno));
    free(path);
    return f;
}

/* Pictures of former data must not stand beside these. */
static void remove_pictures(const struct drawing *d)
{
    static const char *const endings[] = {".svg", ".png", "-dark.png", ".pdf"};
    char *path = NULL;

    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        if (asprintf(&path, "%s/%s%s", d->plots->folder, d->plot->name, endings[i]) < 0)
            abort();
        (void)unlink(path);
        free(path);
    }
}

static bool close_one(struct drawing *d, FILE *f, const char *ending)
{
    const bool failed = ferror(f) != 0;

    if (fclose(f) == 0 && !failed)
        return true;
    return error_set(d->error, "%s/%s%s: could not be written", d->plots->folder, d->plot->name,
                     ending);
}

static struct plot *add_plot(struct plots *plots, struct error *error)
{
    if (plots->count == MOST_PLOTS) {
        error_set(error, "more than %d pictures; name one kind, or fewer files", MOST_PLOTS);
        return NULL;
    }
    struct plot *more = realloc(plots->list, (plots->count + 1) * sizeof *more);
    if (more == NULL)
        abort();
    plots->list = more;
    more[plots->count] = (struct plot){.name = ""};
    return &more[plots->count++];
}

/* --- start and end ---------------------------------------------------------------------------- */

/* The machine, the program and the day. */
static void describe_run(const struct past_run *run, char *text, size_t bytes)
{
    char cores[32] = "", commit[80] = "", gpus[FACT_TEXT];

    if (run->cores > 1)
        snprintf(cores, sizeof cores, ", %d cores", run->cores);
    if (run->commit[0] != '\0')
        snprintf(commit, sizeof commit, "; commit %s", run->commit);
    past_gpus(run, gpus, sizeof gpus);
    snprintf(text, bytes, "%s%s%s%s%s; %.10s", gpus, gpus[0] != '\0' ? "; " : "", run->cpu,
             cores, commit, run->started);
}

bool drawing_start(struct drawing *d, struct plots *plots, enum plot_kind kind,
                   const struct subject *of, struct error *error)
{
    const struct past_cell *cell = of->cell;
    char machine[512];

    *d = (struct drawing){.plots = plots, .error = error, .plot = add_plot(plots, error)};
    if (d->plot == NULL)
        return false;
    d->plot->kind = kind;
    snprintf(d->plot->problem, sizeof d->plot->problem, "%s", cell->problem);
    if (!of->all_sizes) {
        snprintf(d->plot->label, sizeof d->plot->label, "%s", cell->label);
        past_size(cell, d->plot->size, sizeof d->plot->size);
    }
    set_name(plots, d->plot, of->over);
    set_title(d->plot, of->over);
    remove_pictures(d);
    d->data = open_one(d, ".tsv");
    d->script = d->data != NULL ? open_one(d, ".gp") : NULL;
    if (d->script == NULL) {
        if (d->data != NULL)
            fclose(d->data);
        return false;
    }
    fprintf(d->script, "# To draw this picture again: gnuplot %s.gp\n", d->plot->name);
    drawing_text(d, "name", d->plot->name);
    drawing_text(d, "heading", d->plot->title);
    describe_run(&of->p->runs[cell->run], machine, sizeof machine);
    drawing_text(d, "machine", machine);
    return true;
}

bool drawing_end(struct drawing *d)
{
    fprintf(d->script,
            "if (!exists('pictures')) { pictures = 'svg png dark.png' }\n"
            "do for [picture in pictures] {\n"
            "    load 'scripts/style.gp'\n"
            "    load 'scripts/%s.gp'\n"
            "}\n", plot_kind_names[d->plot->kind]);
    bool data = close_one(d, d->data, ".tsv");
    bool script = close_one(d, d->script, ".gp");
    return data && script;
}
