#include "workshop/lab/own_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workshop/lab/text.h"

static const char *line_of(const char *text, int number)
{
    for (int i = 1; text != NULL && i < number; i++) {
        text = strchr(text, '\n');
        text = text != NULL ? text + 1 : NULL;
    }
    return number > 0 ? text : NULL;
}

void own_lines_quote(const struct exercise *e, int number, struct mistake *m)
{
    struct error ignored;
    char *text = text_read(e->source, &ignored);
    const char *line = line_of(text, number);
    const char *rest = text != NULL ? strstr(text, "nothing to do here") : NULL;

    if (line != NULL && (rest == NULL || line < rest))
        mistake_quote(m, text, number);
    free(text);
}

bool own_lines_array(const struct exercise *e, int number, char *name, size_t room)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.->[]";
    struct error ignored;
    char *text = text_read(e->source, &ignored);
    const char *line = line_of(text, number), *at = line != NULL ? strstr(line, "cudaMalloc") : NULL;
    const char *end = line != NULL ? line + strcspn(line, "\n") : NULL;
    const char *other = at != NULL ? strstr(at + 1, "cudaMalloc") : NULL;

    if (at != NULL && at < end && (other == NULL || other > end))
        at = memchr(at, '&', (size_t)(end - at));
    else
        at = NULL;
    size_t length = at != NULL ? strspn(at + 1, letters) : 0;
    if (length > 0)
        snprintf(name, room, "%.*s", (int)length, at + 1);
    free(text);
    return length > 0;
}

bool own_lines_is_in(const struct exercise *e, int number, const char *function)
{
    struct error ignored;
    char *text = text_read(e->source, &ignored), *last = NULL;
    const char *line = line_of(text, number);

    for (char *at = text; line != NULL && (at = strstr(at, "\nstatic ")) != NULL && at < line; at++)
        last = at;
    const char *end = last != NULL ? strchr(last + 1, '\n') : NULL, *name = last != NULL ? strstr(last, function) : NULL;
    const bool found = name != NULL && end != NULL && name < end;
    free(text);
    return found;
}

int own_lines_first(const struct exercise *e, const char *place)
{
    struct error ignored;
    char *text = text_read(e->source, &ignored);
    const char *rest = text != NULL ? strstr(text, "nothing to do here") : NULL, *at = strrchr(place, ':');
    int line = at != NULL ? atoi(at + 1) : 0;

    for (; at != NULL && rest != NULL && line_of(text, line) > rest; at = strchr(at + 1, ','))
        if (strchr(at + 1, ',') != NULL)
            line = atoi(strchr(at + 1, ',') + 1);
    free(text);
    return line;
}

/* Replaces the words of the simulator for some work, "copy" and "PtoP", by a learner's; those of a kernel stay. */
