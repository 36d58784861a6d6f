/* Reads all masters, and finds one of them. */
#define _GNU_SOURCE
#include "workshop/lab/exercise.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/model/registry.h"
#include "workshop/lab/exercise_card.h"
#include "workshop/lab/text.h"
#include "workshop/lab/typed.h"

static struct exercise all[MAX_EXERCISES];
static size_t count;

static bool name_it(struct exercise *e, const char *file, struct error *error)
{
    const char *dot = strrchr(file, '.');

    snprintf(e->master, sizeof e->master, "workshop/%.80s", file);
    if (dot == NULL || sscanf(file, "%2d_", &e->number) != 1 || dot - file >= (int)sizeof e->name)
        return error_set(error, "workshop/%s: a master is called NN_name.c or NN_name.cu", file);
    snprintf(e->name, sizeof e->name, "%.*s", (int)(dot - file), file);
    e->cuda = strcmp(dot, ".cu") == 0;
    return true;
}

static bool read_one(struct exercise *e, const char *file, struct error *error)
{
    if (!name_it(e, file, error))
        return false;
    char *text = text_read(e->master, error);
    bool good = text != NULL && exercise_card_read(e, text, error);
    free(text);
    if (!good)
        return false;
    snprintf(e->full, sizeof e->full, "%.24s/%.*s", problem_name(e->problem),
             (int)(strrchr(file, '.') - file), file);
    snprintf(e->source, sizeof e->source, "learn/%.24s/%.60s", problem_name(e->problem), file);
    return true;
}

static int is_master(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');

    return isdigit((unsigned char)entry->d_name[0]) && dot != NULL &&
           (strcmp(dot, ".c") == 0 || strcmp(dot, ".cu") == 0);
}

bool exercises_read(struct error *error)
{
    struct dirent **files;
    int found = scandir("workshop", &files, is_master, alphasort);
    bool good = found > 0;

    if (!good)
        error_set(error, "there are no exercises in workshop/ here");
    for (int i = 0; i < found; i++) {
        good = good && count < MAX_EXERCISES && read_one(&all[count], files[i]->d_name, error);
        if (good && count > 0 && all[count].track[0] == '\0') /* the track goes on */
            memcpy(all[count].track, all[count - 1].track, sizeof all->track);
        count += good;
        free(files[i]);
    }
    if (found >= 0)
        free(files);
    return good;
}

size_t exercises(const struct exercise **list)
{
    *list = all;
    return count;
}

size_t exercises_of_track(size_t first)
{
    size_t end = first;

    while (end < count && strcmp(all[end].track, all[first].track) == 0)
        end++;
    return end - first;
}

const struct exercise *exercise_find(const char *word, struct error *error)
{
    char *end;
    long number = strtol(word, &end, 10);

    for (size_t i = 0; i < count; i++)
        if ((*end == '\0' && all[i].number == number) || strcmp(word, all[i].name) == 0)
            return &all[i];
    error_set(error, "there is no exercise %s; %s list shows them", word, typed());
    return NULL;
}

const char *exercise_axis(const struct exercise *e, const char *label)
{
    static char text[32];

    snprintf(text, sizeof text, "%s=", e->problem->axes[0]);
    return label[strspn(label, "0123456789")] == '\0' ? text : "";
}

/* Returns whether one of the facts has the words.  A fact may quote the learner's line. */
static bool has_words(const struct mistake *m, const char *words)
{
    for (int i = 0; i < m->facts; i++)
        if (strstr(m->fact[i], words) != NULL)
            return true;
    return words[0] == '\0';
}

const char *exercise_saying(const struct exercise *e, const struct mistake *m)
{
    for (size_t i = 0; i < e->sayings; i++)
        if (strcmp(e->saying[i].kind, m->kind) == 0 && has_words(m, e->saying[i].words))
            return e->saying[i].text;
    return NULL;
}
