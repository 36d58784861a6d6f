#define _GNU_SOURCE
#include "harness/plots/picture.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/text.h"
#include "harness/plots/roofline.h"

/* The lines that a picture shows. */
struct subject {
    const struct tidy *t;
    const struct selection *of;
    size_t last; /* the last of them, of the newest run */
};

/* --- names ------------------------------------------------------------------------------------ */

/* Appends only safe characters: the text comes from a record, the name becomes a path. */
static void append_safe(char *name, size_t bytes, const char *text)
{
    size_t used = strlen(name);

    for (; *text != '\0' && used + 1 < bytes; text++) {
        bool safe = (*text >= '0' && *text <= '9') || (*text >= 'a' && *text <= 'z') ||
                    (*text >= 'A' && *text <= 'Z') || *text == '_';
        if (safe)
            name[used++] = *text;
        else if ((*text == ' ' || *text == '-') && name[used - 1] != '-')
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

/* Finds the meaning of the x axis by "# over: ": a word, or the value of the column of that name. */
static void find_over(const struct script *kind, const struct subject *s, char over[TIDY_FIELD])
{
    char word[SCRIPT_VALUE];

    over[0] = '\0';
    if (!scripts_say(kind, "over", word))
        return;
    snprintf(over, TIDY_FIELD, "%s", word);
    if (tidy_column(s->t, word) >= 0)
        tidy_get(s->t, s->last, word, over);
}

/* The size that all lines of a picture have. */
struct common {
    char label[TIDY_FIELD]; /* "M" or "M-town"; "": it has no name, or they differ */
    char size[TIDY_FIELD];  /* "m=8 n=4 data=town", or "m=8 n=4" where words differ; "": lengths differ */
    char word[TIDY_FIELD];  /* "town", where lengths differ and this does not */
    char axis[TIDY_FIELD];  /* "data", of the word */
};

static void find_common(const struct subject *s, struct common *c)
{
    const bool one = select_distinct(s->t, s->of, "lengths") == 1;
    const bool whole = select_distinct(s->t, s->of, "size") == 1;

    *c = (struct common){.label = ""};
    if (one) {
        tidy_get(s->t, s->last, "label", c->label);
        tidy_get(s->t, s->last, whole ? "size" : "lengths", c->size);
        const size_t letters = strcspn(c->label, "-");
        if (!whole)
            c->label[letters] = '\0';
        if (letters > 2 || strchr("SMLX", c->label[0]) == NULL || (letters == 2 && c->label[1] != 'L'))
            c->label[0] = '\0';
    } else if (select_distinct(s->t, s->of, "word") == 1 && tidy_value(s->t, s->last, "word_number") > 0.0) {
        tidy_get(s->t, s->last, "word_axis", c->axis);
        tidy_get(s->t, s->last, "word", c->word);
    }
}

/* Names a picture KIND-PROBLEM; a common size or word and the x axis follow. */
static void set_name(const struct plots *plots, struct plot *plot, const struct subject *s)
{
    char problem[TIDY_FIELD], over[TIDY_FIELD], name[sizeof plot->name - 8];
    struct common c;

    tidy_get(s->t, s->last, "problem", problem);
    find_common(s, &c);
    find_over(plot->kind, s, over);
    snprintf(plot->title, sizeof plot->title, "%.63s%s%.31s%s%.199s", problem, c.label[0] != '\0' ? "  " : "",
             c.label, c.size[0] != '\0' ? "  " : "", c.size);
    if (c.word[0] != '\0')
        snprintf(plot->title + strlen(plot->title), sizeof plot->title - strlen(plot->title), "  %.30s=%.30s",
                 c.axis, c.word);
    if (over[0] != '\0')
        snprintf(plot->title + strlen(plot->title), sizeof plot->title - strlen(plot->title),
                 "  over %.20s", over);
    text_clean(plot->title);
    snprintf(name, sizeof name, "%s-", plot->kind->name);
    append_safe(name, sizeof name, problem);
    if (c.word[0] != '\0') {
        append_safe(name, sizeof name, " ");
        append_safe(name, sizeof name, c.word);
    }
    if (c.size[0] != '\0') {
        append_safe(name, sizeof name, " ");
        append_safe(name, sizeof name, c.label[0] != '\0' ? c.label : c.size);
        append_safe(name, sizeof name, over[0] != '\0' ? " " : "");
        append_safe(name, sizeof name, over);
    }
    snprintf(plot->name, sizeof plot->name, "%s", name);
    for (unsigned number = 2; taken(plots, plot->name); number++)
        snprintf(plot->name, sizeof plot->name, "%s-%u", name, number % 1000000);
}

/* Notes the last measurement in the picture. */
static void set_place(struct plot *plot, const struct subject *s)
{
    char line[TIDY_FIELD];

    tidy_get(s->t, s->last, "file", plot->file);
    tidy_get(s->t, s->last, "line", line);
    plot->line = strtoul(line, NULL, 10);
}

static struct plot *add_plot(struct plots *plots, const struct script *kind)
{
    plots->list = realloc(plots->list, (plots->count + 1) * sizeof *plots->list);
    if (plots->list == NULL)
        abort();
    plots->list[plots->count] = (struct plot){.kind = kind};
    return &plots->list[plots->count++];
}

/* --- files ------------------------------------------------------------------------------------ */

static char *path_of(const struct plots *plots, const struct plot *plot, const char *ending)
{
    char *path = NULL;

    if (asprintf(&path, "%s/%s%s", plots->folder, plot->name, ending) < 0)
        abort();
    return path;
}

/* Removes pictures of older data, which must not be taken for these. */
static void remove_old(const struct plots *plots, const struct plot *plot)
{
    static const char *const endings[] = {".svg", ".png", "-dark.png", ".pdf"};

    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        char *path = path_of(plots, plot, endings[i]);
        (void)unlink(path);
        free(path);
    }
}

static bool write_table(const struct plots *plots, const struct plot *plot, const char *ending,
                        const struct tidy *t, const struct selection *of, struct error *error)
{
    char *path = path_of(plots, plot, ending);
    const bool fine = tidy_write(t, of->lines, of->count, path, error);

    free(path);
    return fine;
}

/* Between single quotes gnuplot interprets nothing, not even backslashes, $, @ and `. */
void picture_text(FILE *f, const char *name, const char *text)
{
    fprintf(f, "%s = '", name);
    for (const char *s = text; *s != '\0'; s++)
        fputs(*s == '\'' ? "''" : (const char[]){*s, '\0'}, f);
    fputs("'\n", f);
}

/* Writes the machine, the commit and the day. */
static void put_machine(FILE *f, const struct subject *s)
{
    char machine[TIDY_FIELD], commit[TIDY_FIELD], started[TIDY_FIELD], text[2 * TIDY_FIELD];

    tidy_get(s->t, s->last, "machine", machine);
    tidy_get(s->t, s->last, "commit", commit);
    tidy_get(s->t, s->last, "started", started);
    const bool known = strcmp(commit, "-") != 0;
    snprintf(text, sizeof text, "%s%s%.80s; %.10s", machine, known ? "; commit " : "",
             known ? commit : "", started);
    picture_text(f, "machine", text);
}

static bool write_script(const struct plots *plots, const struct plot *plot,
                         const struct subject *s, const char *more, size_t more_lines,
                         struct error *error)
{
    char *path = path_of(plots, plot, ".gp");
    FILE *f = fopen(path, "we");

    if (f == NULL) {
        error_set(error, "%s: %s", path, strerror(errno));
        free(path);
        return false;
    }
    fprintf(f, "# To draw this picture again: gnuplot %s.gp\n", plot->name);
    picture_text(f, "name", plot->name);
    picture_text(f, "heading", plot->title);
    put_machine(f, s);
    fprintf(f, "rows = %zu\nvariants = %zu\n", s->of->count,
            select_distinct(s->t, s->of, "variant"));
    if (more[0] != '\0')
        fprintf(f, "%s = %zu\n", more, more_lines);
    fprintf(f, "if (!exists('pictures')) { pictures = 'svg png dark.png' }\n"
               "do for [picture in pictures] { load 'scripts/%s.gp' }\n", plot->kind->name);
    const bool failed = ferror(f) != 0;
    const bool fine = (fclose(f) == 0 && !failed) ||
                      error_set(error, "%s: could not be written", path);
    free(path);
    return fine;
}

/* --- a second table --------------------------------------------------------------------------- */

/* "# with: " names a second table: the crossovers of this problem, the ceilings or roofs of this machine, or the
   evaluations of these measurements.  Without lines there is no picture, except for crossovers. */
struct second {
    char name[SCRIPT_VALUE];
    const struct tidy *t;
    struct selection of;
    struct tidy roofs;
};

static void take(struct selection *s, size_t line)
{
    s->lines = realloc(s->lines, (s->count + 1) * sizeof *s->lines);
    if (s->lines == NULL)
        abort();
    s->lines[s->count++] = line;
}

/* Takes the lines of a file with this text in a column.  `file` empty: of the first file that has any. */
static void take_like(struct second *w, const char *column, const char *want,
                      char file[TIDY_FIELD])
{
    char text[TIDY_FIELD];

    for (size_t i = 0; i < w->t->count; i++) {
        tidy_get(w->t, i, column, text);
        if (strcmp(text, want) != 0)
            continue;
        tidy_get(w->t, i, "file", text);
        if (file[0] == '\0')
            memcpy(file, text, sizeof text);
        if (strcmp(text, file) == 0)
            take(&w->of, i);
    }
}

/* Takes the evaluations of each measurement in the picture, in its order. */
static void take_evaluations(struct second *w, const struct subject *s)
{
    char file[TIDY_FIELD], text[TIDY_FIELD];

    for (size_t l = 0; l < s->of->count; l++) {
        const double line = tidy_value(s->t, s->of->lines[l], "line");
        tidy_get(s->t, s->of->lines[l], "file", file);
        for (size_t i = 0; i < w->t->count; i++) {
            tidy_get(w->t, i, "file", text);
            if (tidy_value(w->t, i, "line") == line && strcmp(text, file) == 0)
                take(&w->of, i);
        }
    }
}

static bool find_second(struct second *w, const struct script *kind, const struct export *e,
                        const struct subject *s, struct error *error)
{
    char want[TIDY_FIELD], file[TIDY_FIELD] = "";

    *w = (struct second){.t = &e->crossovers};
    if (!scripts_say(kind, "with", w->name))
        return true;
    if (strcmp(w->name, "crossovers") == 0) {
        tidy_get(s->t, s->last, "problem", want);
        tidy_get(s->t, s->last, "file", file);
        take_like(w, "problem", want, file);
        return true;
    }
    if (strcmp(w->name, "evaluations") == 0) {
        w->t = &e->evaluations;
        take_evaluations(w, s);
        return true;
    }
    if (strcmp(w->name, "ceilings") != 0 && strcmp(w->name, "roofs") != 0)
        return error_set(error, "%s.gp: \"with\" takes crossovers, ceilings, roofs or evaluations, not %s",
                         kind->name, w->name);
    w->t = &e->ceilings;
    tidy_get(s->t, s->last, "machine", want);
    take_like(w, "machine", want, file);
    if (strcmp(w->name, "ceilings") == 0)
        return true;
    roofline_export(s->t, s->of, w->t, &w->of, &w->roofs);
    w->t = &w->roofs;
    w->of.count = 0;
    for (size_t i = 0; i < w->roofs.count; i++)
        take(&w->of, i);
    return true;
}

static bool is_needed(const struct second *w)
{
    return w->name[0] != '\0' && strcmp(w->name, "crossovers") != 0;
}

/* --- the picture ------------------------------------------------------------------------------ */

static bool write_all(struct plots *plots, const struct script *kind, const struct subject *s,
                      const struct second *w, struct error *error)
{
    char ending[SCRIPT_VALUE + 8];
    struct plot *plot = add_plot(plots, kind);

    set_name(plots, plot, s);
    set_place(plot, s);
    remove_old(plots, plot);
    snprintf(ending, sizeof ending, "-%s.tsv", w->name);
    return write_table(plots, plot, ".tsv", s->t, s->of, error) &&
           (w->of.count == 0 || write_table(plots, plot, ending, w->t, &w->of, error)) &&
           write_script(plots, plot, s, w->name, w->of.count, error);
}

static bool can_be_read(const struct subject *s, struct error *error)
{
    char problem[TIDY_FIELD];
    const size_t variants = select_distinct(s->t, s->of, "variant");

    tidy_get(s->t, s->last, "problem", problem);
    return variants <= MOST_VARIANTS ||
           error_set(error, "a picture shows at most %d variants, but one of %s would have %zu", MOST_VARIANTS,
                     problem, variants);
}

bool picture_make(struct plots *plots, const struct script *kind, const struct export *e,
                  const struct selection *of, struct error *error)
{
    const struct subject s = {&e->measurements, of, of->lines[of->count - 1]};
    struct second w = {.t = NULL};

    bool fine = can_be_read(&s, error) && find_second(&w, kind, e, &s, error);
    if (fine && (w.of.count > 0 || !is_needed(&w)))
        fine = write_all(plots, kind, &s, &w, error);
    free(w.of.lines);
    tidy_free(&w.roofs);
    return fine;
}
