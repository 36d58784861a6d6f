/* The exercises for a program in place of a terminal: serve starts the page's server, data and save are what it asks. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "harness/commands/command.h"
#include "harness/model/registry.h"
#include "workshop/lab/explain.h"
#include "workshop/lab/folder.h"
#include "workshop/lab/lab.h"
#include "workshop/lab/learned.h"
#include "workshop/lab/stars.h"
#include "workshop/lab/text.h"
#include "workshop/lab/typed.h"

enum { MOST_TEXT = 1 << 18 }; /* bytes of a learner's file */

static const char server[] = "build-sim/rungs-serve";

/* --- serve ---------------------------------------------------------------------------------------- */

int lab_serve(const struct lab_call *c)
{
    struct error error;
    char program[1024];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);

    program[length > 0 ? length : 0] = '\0';
    fflush(stdout);
    execl(server, server, program, c->options->listen, (char *)NULL); /* no --listen: the list ends earlier */
    if (errno == ENOENT)
        error_set(&error, "%s has not been built; install libmicrohttpd-dev and run make workshop", server);
    else
        error_set(&error, "%s: %s", server, strerror(errno));
    return usage_error(&error);
}

/* --- data ----------------------------------------------------------------------------------------- */

/* Writes a text's version: its hash (FNV-1a), by which a change is noticed. */
static void version_of(const char *text, char version[17])
{
    uint64_t hash = 0xcbf29ce484222325;

    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3;
    snprintf(version, 17, "%016" PRIx64, hash);
}

static json_t *state_of(const struct exercise *e)
{
    const struct learned *l = learned_of(e);
    char stars[STARS + 1];

    stars_draw(l->stars, stars_of(e), stars);
    return json_pack("{si ss ss ss ss si ss sb si si ss sb}", "number", e->number, "title", e->title, "track", e->track, "problem",
                     problem_name(e->problem), "concept", e->concept, "minutes", e->minutes, "stars", stars, "passed",
                     l->passed > 0, "tries", l->attempts, "hints", l->hints, "kind", l->kind, "current",
                     e == lab_current());
}

/* Adds what only the page of this exercise shows. */
static bool add_texts(json_t *data, const struct exercise *e, struct error *error)
{
    static char words[128], page[8192];
    char version[17], *text = text_read(e->source, error);
    const struct learned *l = learned_of(e);

    if (text == NULL)
        return false;
    version_of(text, version);
    const bool known = explain_find(l->kind, words, sizeof words, page, sizeof page);
    json_t *more = json_pack("{ss ss ss ss ss ss ss ss ss so si sb}", "story", e->story, "task", e->task, "now",
                             e->now, "goal", e->goal, "why", e->why, "extra", e->extra, "file", e->source, "version",
                             version, "words", known ? words : "", "text", json_string(text), "levels", HINTS, "gpu",
                             e->cuda && lab_has_card());
    free(text);
    if (more == NULL)
        return error_set(error, "%s is not UTF-8; another editor may have written it", e->source);
    json_object_set_new(more, "page", json_string(known ? page : ""));
    json_object_update(data, more);
    json_decref(more);
    return true;
}

static json_t *data_of_one(const struct exercise *e, struct error *error)
{
    char notice[256];
    json_t *data;

    if (!folder_prepare(e, notice, sizeof notice, error))
        return NULL;
    data = state_of(e);
    json_object_set_new(data, "notice", json_string(notice));
    if (add_texts(data, e, error))
        return data;
    json_decref(data);
    return NULL;
}

static json_t *data_of_all(void)
{
    const struct exercise *list;
    const size_t count = exercises(&list);
    json_t *all = json_array();

    for (size_t i = 0; i < count; i++)
        json_array_append_new(all, state_of(&list[i]));
    return all;
}

/* Prints one exercise, or the list of all, as JSON. */
int lab_data(const struct lab_call *c)
{
    struct error error;
    const struct exercise *e = c->count > 0 ? exercise_find(c->words[0], &error) : NULL;

    if (c->count > 0 && e == NULL)
        return usage_error(&error);
    json_t *data = e != NULL ? data_of_one(e, &error) : data_of_all();
    if (data == NULL)
        return usage_error(&error);
    json_dumpf(data, stdout, JSON_COMPACT);
    putchar('\n');
    json_decref(data);
    return STATUS_OK;
}

/* --- save ----------------------------------------------------------------------------------------- */

/* Reads standard input to its end.  Returns NULL with an error if that is no text of a source file. */
static char *read_input(struct error *error)
{
    char *text = malloc(MOST_TEXT + 2);
    const size_t got = text != NULL ? fread(text, 1, MOST_TEXT + 1, stdin) : 0;

    if (text == NULL || ferror(stdin))
        error_set(error, "the text cannot be read");
    else if (got > MOST_TEXT)
        error_set(error, "a file may have %d KiB at most", MOST_TEXT >> 10);
    else if (memchr(text, '\0', got) != NULL)
        error_set(error, "the text has a zero byte, so it is no source file");
    else {
        text[got] = '\0';
        return text;
    }
    free(text);
    return NULL;
}

/* Returns STATUS_FAILED if the file is another version: the learner's text must not replace one that they have not seen. */
static int save(const struct exercise *e, const char *known, const char *text, struct error *error)
{
    char version[17], *there = text_read(e->source, error);

    if (there == NULL)
        return STATUS_USAGE;
    version_of(there, version);
    free(there);
    if (strcmp(version, known) != 0) {
        printf("%s has been changed since; it is version %s now\n", e->source, version);
        return STATUS_FAILED;
    }
    if (!text_write(e->source, text, error))
        return STATUS_USAGE;
    version_of(text, version);
    printf("%s\n", version);
    return STATUS_OK;
}

/* save NN VERSION <TEXT   writes the learner's file, if it still is that version, and prints the new one. */
int lab_write(const struct lab_call *c)
{
    struct error error;
    char notice[256];

    if (c->count < 2) {
        error_set(&error, "save NN VERSION reads a text; %s data NN has the version", typed());
        return usage_error(&error);
    }
    const struct exercise *e = exercise_find(c->words[0], &error);
    char *text = e != NULL && folder_prepare(e, notice, sizeof notice, &error) ? read_input(&error) : NULL;
    if (text == NULL)
        return usage_error(&error);
    const int status = save(e, c->words[1], text, &error);
    free(text);
    return status == STATUS_USAGE ? usage_error(&error) : status;
}
