#define _GNU_SOURCE
#include "harness/plots/scripts.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The Makefile puts all of plots/ here: name, text, name, text ..., each with a zero after it, and one more
   zero at the end. */
__asm__(".pushsection .rodata\n"
        "plots_scripts: .incbin \"plots.scripts\"\n"
        ".popsection\n");
extern const char plots_scripts[];

enum { LONGEST_NAME = 32 };

/* --- what a script says ----------------------------------------------------------------------- */

bool scripts_say(const struct script *s, const char *word, char value[SCRIPT_VALUE])
{
    const size_t bytes = strlen(word);

    value[0] = '\0';
    for (const char *line = s->text; line[0] == '#';) {
        const size_t length = strcspn(line, "\n");
        if (strncmp(line, "# ", 2) == 0 && strncmp(line + 2, word, bytes) == 0 &&
            strncmp(line + 2 + bytes, ": ", 2) == 0) {
            const size_t from = bytes + 4;
            snprintf(value, SCRIPT_VALUE, "%.*s", (int)(length - from), line + from);
            return true;
        }
        line += length + (line[length] == '\n');
    }
    return false;
}

/* Orders kinds by "# place: ", then kinds without it, then scripts that are no kinds. */
enum { NO_PLACE = 100, NO_KIND = 1000 };

static int place_of(const struct script *s)
{
    char text[SCRIPT_VALUE];

    if (!scripts_say(s, "rungs plot", text))
        return NO_KIND;
    return scripts_say(s, "place", text) ? atoi(text) : NO_PLACE;
}

static int by_place(const void *a, const void *b)
{
    const struct script *x = a, *y = b;
    const int difference = place_of(x) - place_of(y);

    return difference != 0 ? difference : strcmp(x->name, y->name);
}

/* --- where they are --------------------------------------------------------------------------- */

/* Adds a script and takes both texts.  It replaces a script of the same name. */
static void add(struct scripts *s, char *name, char *text)
{
    size_t i = 0;

    if (name == NULL || text == NULL)
        abort();
    while (i < s->count && strcmp(s->list[i].name, name) != 0)
        i++;
    if (i == s->count) {
        s->list = realloc(s->list, (s->count + 1) * sizeof *s->list);
        if (s->list == NULL)
            abort();
        s->list[s->count++] = (struct script){.name = name};
    } else {
        free(name);
        free(s->list[i].text);
    }
    s->list[i].text = text;
}

char *scripts_file(const char *path, struct error *error)
{
    FILE *f = fopen(path, "re");
    char *text = NULL;
    size_t room = 0;
    const bool fine = f != NULL && getdelim(&text, &room, '\0', f) > 0;

    if (!fine) {
        error_set(error, "%s: %s", path, f == NULL ? strerror(errno) : "the file is empty");
        free(text);
        text = NULL;
    }
    if (f != NULL)
        (void)fclose(f);
    return text;
}

/* Returns the name of a kind: "my_plot" for FOLDER/my_plot.gp. */
static char *name_of(const char *path, struct error *error)
{
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    const size_t bytes = strlen(name) - strlen(".gp");

    if (bytes > 0 && bytes < LONGEST_NAME &&
        strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == bytes)
        return strndup(name, bytes);
    error_set(error, "%s: the name of a picture may have up to %d small letters, digits and _", path,
              LONGEST_NAME - 1);
    return NULL;
}

static bool read_folder(struct scripts *s, const char *folder, struct error *error)
{
    char *pattern = NULL;
    bool fine = true;
    glob_t found;

    if (asprintf(&pattern, "%s/*.gp", folder) < 0)
        abort();
    const int failed = glob(pattern, 0, NULL, &found);
    free(pattern);
    if (failed != 0)
        return error_set(error, "RUNGS_PLOTS: there is no NAME.gp in %s", folder);
    for (size_t i = 0; fine && i < found.gl_pathc; i++) {
        char *name = name_of(found.gl_pathv[i], error);
        char *text = name != NULL ? scripts_file(found.gl_pathv[i], error) : NULL;
        fine = text != NULL;
        if (fine)
            add(s, name, text);
        else
            free(name);
    }
    globfree(&found);
    return fine;
}

bool scripts_read(struct scripts *s, struct error *error)
{
    const char *folder = getenv("RUNGS_PLOTS");
    bool fine = true;

    *s = (struct scripts){.count = 0};
    for (const char *name = plots_scripts; name[0] != '\0';) {
        const char *text = name + strlen(name) + 1;
        add(s, strdup(name), strdup(text));
        name = text + strlen(text) + 1;
    }
    if (folder != NULL && folder[0] != '\0')
        fine = read_folder(s, folder, error);
    qsort(s->list, s->count, sizeof *s->list, by_place);
    while (s->kinds < s->count && place_of(&s->list[s->kinds]) != NO_KIND)
        s->kinds++;
    if (!fine)
        scripts_free(s);
    return fine;
}

void scripts_free(struct scripts *s)
{
    for (size_t i = 0; i < s->count; i++) {
        free(s->list[i].name);
        free(s->list[i].text);
    }
    free(s->list);
    *s = (struct scripts){.count = 0};
}
