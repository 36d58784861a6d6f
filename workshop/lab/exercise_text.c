/* The versions in the code of a master: starter, solution and wrong ones are alternatives between #if lines. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workshop/lab/exercise.h"
#include "workshop/lab/text.h"

/* Returns whether "#if A || B" names the version. */
static bool names(const char *line, const char *version)
{
    const char *end = line + strcspn(line, "\n");
    size_t length = strlen(version);

    for (const char *at = line; length > 0 && (at = strstr(at, version)) != NULL && at < end;
         at += length)
        if (!isalnum((unsigned char)at[-1]) && at[-1] != '_' &&
            !isalnum((unsigned char)at[length]) && at[length] != '_')
            return true;
    return false;
}

enum gap { OUTSIDE_GAP, TAKEN, NOT_YET, DONE };

static bool is_marker(const char *line, const char *word)
{
    size_t length = strlen(word);

    return strncmp(line, word, length) == 0 &&
           (strncmp(line + length, " STARTER", 8) == 0 ||
            strncmp(line + length, " WRONG_", 7) == 0 ||
            strncmp(line + length, " RIGHT_", 7) == 0);
}

/* Returns whether the version lacks the line: it is a marker, or belongs to another alternative. */
static bool leave_out(enum gap *gap, const char *line, const char *version)
{
    if (is_marker(line, "#if")) {
        *gap = names(line, version) ? TAKEN : NOT_YET;
        return true;
    }
    if (*gap == OUTSIDE_GAP)
        return false;
    if (is_marker(line, "#elif")) {
        *gap = *gap == TAKEN || *gap == DONE ? DONE : names(line, version) ? TAKEN : NOT_YET;
        return true;
    }
    if (strncmp(line, "#else", 5) == 0) {
        *gap = *gap == NOT_YET ? TAKEN : DONE;
        return true;
    }
    if (strncmp(line, "#endif", 6) == 0) {
        *gap = OUTSIDE_GAP;
        return true;
    }
    return *gap != TAKEN;
}

static void copy_version(const char *code, const char *version, char *to)
{
    enum gap gap = OUTSIDE_GAP;

    for (const char *line = code, *next; *line != '\0'; line = next) {
        next = text_next_line(line);
        if (!leave_out(&gap, line, version))
            to = mempcpy(to, line, (size_t)(next - line));
    }
    *to = '\0';
}

/* Returns whether the gap that begins here has an alternative for the starter. */
static bool is_starters(const char *line)
{
    for (; *line != '\0' && strncmp(line, "#endif", 6) != 0; line = text_next_line(line))
        if ((is_marker(line, "#if") || is_marker(line, "#elif")) && names(line, "STARTER"))
            return true;
    return false;
}

char *exercise_text(const struct exercise *e, const char *version)
{
    char *text = malloc(strlen(e->code) + 1);

    if (text != NULL)
        copy_version(e->code, version, text);
    return text;
}

void exercise_gaps(const struct exercise *e, char *text, size_t room)
{
    enum gap gap = OUTSIDE_GAP;
    bool starters = false, between = false; /* other lines stand between this gap and the last */
    size_t used = 0;

    text[0] = '\0';
    for (const char *line = e->code, *next; *line != '\0' && used < room; line = next) {
        next = text_next_line(line);
        if (is_marker(line, "#if")) {
            starters = is_starters(line);
            if (starters && used > 0 && between)
                used += (size_t)snprintf(text + used, room - used, "    ...\n");
            between = false;
        } else {
            between = between || gap == OUTSIDE_GAP;
        }
        if (!leave_out(&gap, line, "") && gap == TAKEN && starters && used < room)
            used += (size_t)snprintf(text + used, room - used, "%.*s", (int)(next - line), line);
    }
}
