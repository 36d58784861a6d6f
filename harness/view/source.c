/* Lines of the learner's source, and the names of the arrays that they make. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/view/view.h"

void source_line(const char *place, char *text, size_t bytes)
{
    const char *colon = strrchr(place, ':');
    char file[512], *line = NULL;
    size_t room = 0;
    FILE *in;

    text[0] = '\0';
    if (colon == NULL)
        return;
    snprintf(file, sizeof file, "%.*s", (int)(colon - place), place);
    in = fopen(file, "re");
    if (in == NULL)
        return;
    for (long left = atol(colon + 1); left > 0 && getline(&line, &room, in) > 0; left--)
        if (left == 1) {
            line[strcspn(line, "\r\n")] = '\0';
            snprintf(text, bytes, "%s", line + strspn(line, " \t"));
        }
    free(line);
    fclose(in);
}

static bool in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The argument is "&z", "&d->z", "(void **)&s.z[i]". */
void source_array(const char *line, char *name, size_t bytes)
{
    const char *call = strstr(line, "lloc"), *at = call != NULL ? strchr(call, '&') : NULL, *start;

    name[0] = '\0';
    if (at == NULL)
        return;
    for (start = ++at; in_name(*at) || *at == '.' || strncmp(at, "->", 2) == 0; at++)
        if (*at == '.')
            start = at + 1;
        else if (*at == '-')
            start = ++at + 1;
    if (strncmp(start, "d_", 2) == 0) /* of the device, by convention */
        start += 2;
    if (at > start)
        snprintf(name, bytes, "%.*s", (int)(at - start), start);
}
