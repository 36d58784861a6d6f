#include "harness/worker/last_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char begins[] = "rungs rank ";
#define FORMAT "%d of %d: ended %d, status %d, in %d by signal %d at %p, wrote %d, wanted %zu of %zu: "
enum { VALUES = 10 };

void last_words_write(const struct last_words *w, int file)
{
    const struct ledger *n = &w->note;
    char line[sizeof w->said + 300];
    const int length = snprintf(line, sizeof line, "%s" FORMAT "%s\n", begins, w->rank, w->ranks, w->ended, w->status,
                                n->activity, n->signal, n->address, n->wrote, n->wanted, n->allowed, w->said);

    if (length > 0)
        (void)!write(file, line, (size_t)length);
}

/* A rank may have written it, so it is checked. */
static bool take(const char *line, struct last_words *w)
{
    int ended = 0, activity = 0, wrote = 0;
    void *address = NULL;

    *w = (struct last_words){0};
    const bool whole = sscanf(line + sizeof begins - 1, FORMAT, &w->rank, &w->ranks, &ended, &w->status, &activity,
                              &w->note.signal, &address, &wrote, &w->note.wanted, &w->note.allowed) == VALUES;
    w->ended = ended != 0;
    w->note.activity = activity;
    w->note.address = address;
    w->note.wrote = wrote != 0;
    const char *said = whole ? strstr(line, ": ") : NULL; /* behind the second colon */
    said = said != NULL ? strstr(said + 1, ": ") : NULL;
    if (said != NULL)
        snprintf(w->said, sizeof w->said, "%.*s", (int)strcspn(said + 2, "\n"), said + 2);
    return whole && activity >= 0 && activity < ACTIVITIES;
}

size_t last_words_read(int file, struct last_words list[], size_t room)
{
    struct stat s;
    size_t count = 0;

    if (fstat(file, &s) != 0 || s.st_size == 0)
        return 0;
    char *text = malloc((size_t)s.st_size + 1);
    const ssize_t got = text != NULL ? pread(file, text, (size_t)s.st_size, 0) : 0;
    if (got > 0) {
        text[got] = '\0';
        for (const char *line = text; count < room && (line = strstr(line, begins)) != NULL; line++)
            count += take(line, &list[count]);
    }
    free(text);
    return count;
}
