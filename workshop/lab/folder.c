#define _GNU_SOURCE
#include "workshop/lab/folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "workshop/lab/stars.h"
#include "workshop/lab/text.h"

bool folder_enter(struct error *error)
{
    char program[1024];
    ssize_t length;

    if (access("workshop/lab", F_OK) == 0 && access("Makefile", F_OK) == 0)
        return true;
    length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    for (int up = 0; up < 2; up++) { /* build/rungs */
        char *slash = strrchr(program, '/');
        if (slash != NULL)
            *slash = '\0';
    }
    if (program[0] != '\0' && chdir(program) == 0 && access("workshop/lab", F_OK) == 0)
        return true;
    return error_set(error, "there is no workshop/ here; start the lab in the folder of Rungs");
}

static const char *ending(const struct exercise *e)
{
    return e->cuda ? ".cu" : ".c";
}

static void last_judged(const struct exercise *e, char *file, size_t room)
{
    snprintf(file, room, "learn/.kept/%s%s", e->name, ending(e));
}

void folder_passed(const struct exercise *e, char *file, size_t room)
{
    snprintf(file, room, "learn/.kept/%s.passed%s", e->name, ending(e));
}

static bool copy_file(const char *from, const char *to, struct error *error)
{
    char *text = text_read(from, error);
    bool good = text != NULL && text_write(to, text, error);

    free(text);
    return good;
}

static bool write_starter(const struct exercise *e, struct error *error)
{
    char *text = exercise_text(e, "STARTER");
    bool good = text != NULL ? text_write(e->source, text, error) : error_set(error, "no memory");

    free(text);
    return good;
}

bool folder_prepare(const struct exercise *e, char *notice, size_t room, struct error *error)
{
    char kept[128];

    notice[0] = '\0';
    if (access(e->source, F_OK) == 0)
        return true;
    last_judged(e, kept, sizeof kept);
    if (access(kept, F_OK) != 0)
        return write_starter(e, error);
    snprintf(notice, room, "%s was gone; your last version that was judged is back", e->source);
    return copy_file(kept, e->source, error);
}

/* Renames the learner's file to learn/saxpy/03_first_kernel.1.cu, or to the next number that is free. */
static bool move_away(const struct exercise *e, char *kept, size_t room, struct error *error)
{
    const int stem = (int)(strlen(e->source) - strlen(ending(e)));

    for (int i = 1; i < 1000; i++) {
        snprintf(kept, room, "%.*s.%d%s", stem, e->source, i, ending(e));
        if (access(kept, F_OK) == 0)
            continue;
        return rename(e->source, kept) == 0 ||
               error_set(error, "%s: %s", e->source, strerror(errno));
    }
    return error_set(error, "%s: there are too many old versions beside it", e->source);
}

bool folder_reset(const struct exercise *e, char *kept, size_t room, struct error *error)
{
    kept[0] = '\0';
    if (access(e->source, F_OK) == 0 && !move_away(e, kept, room, error))
        return false;
    if (write_starter(e, error))
        return true;
    if (kept[0] != '\0')
        rename(kept, e->source); /* the disk may be full: the old version is better than none */
    return false;
}

bool folder_keep(const struct exercise *e, struct error *error)
{
    char kept[128], *text = text_read(e->source, error);

    if (text == NULL)
        return false;
    last_judged(e, kept, sizeof kept);
    /* An empty file is an accident: it must not replace the version before. */
    bool good = text[strspn(text, " \t\r\n")] == '\0' || text_write(kept, text, error);
    free(text);
    return good;
}

/* Reads which stars the version that is kept has won. */
static unsigned kept_stars(const char *file)
{
    struct error ignored;
    unsigned stars = 0;
    char *words = text_read(file, &ignored);

    if (words == NULL || !stars_read(text_trim(words), &stars))
        stars = 0;
    free(words);
    return stars;
}

bool folder_keep_passed(const struct exercise *e, unsigned stars, bool *kept, struct error *error)
{
    char passed[128], note[128], words[STARS_WORDS];
    struct error ignored;

    folder_passed(e, passed, sizeof passed);
    snprintf(note, sizeof note, "learn/.kept/%s.stars", e->name);
    char *text = text_read(e->source, error), *before = text_read(passed, &ignored);
    const unsigned had = before != NULL ? kept_stars(note) : 0;
    const bool same = text != NULL && before != NULL && strcmp(text, before) == 0;

    *kept = same || __builtin_popcount(stars) >= __builtin_popcount(had);
    stars_write(same ? stars | had : stars, words);
    bool good = text != NULL && (!*kept || (text_write(passed, text, error) && text_write(note, words, error)));
    free(text);
    free(before);
    return good;
}

static void facts_file(const struct exercise *e, char *file, size_t room)
{
    snprintf(file, room, "learn/.kept/%s.facts", e->name);
}

void folder_keep_facts(const struct exercise *e, const struct mistake *m)
{
    char file[128], text[MISTAKE_FACTS * sizeof m->fact[0]] = "";
    struct error ignored; /* a hint works without the facts */
    size_t used = 0;

    for (int i = 0; i < m->facts; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s\n", m->fact[i]);
    facts_file(e, file, sizeof file);
    text_write(file, text, &ignored);
}

void folder_facts(const struct exercise *e, struct mistake *m)
{
    char file[128];
    struct error ignored;

    facts_file(e, file, sizeof file);
    char *text = text_read(file, &ignored);
    for (char *line = text != NULL ? strtok(text, "\n") : NULL; line != NULL;
         line = strtok(NULL, "\n"))
        mistake_add(m, "%s", line);
    free(text);
}
