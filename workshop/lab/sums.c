#include "workshop/lab/sums.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workshop/lab/own_lines.h"
#include "workshop/lab/text.h"

static bool in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Returns the line in which the program adds to the variable, "sum +=", or sets it to itself and something; 0: none. */
static int adds_to(const char *text, const char *name)
{
    const size_t length = strlen(name);
    int line = 1;

    for (const char *at = text; *at != '\0'; at++) {
        line += *at == '\n';
        if (strncmp(at, name, length) != 0 || (at > text && in_name(at[-1])))
            continue;
        const char *behind = at + length + strspn(at + length, " ");
        if (strncmp(behind, "+=", 2) == 0)
            return line;
        behind += strspn(behind, "= ");
        if (behind > at + length && strncmp(behind, name, length) == 0 && strncmp(behind + length, " + ", 3) == 0)
            return line;
    }
    return 0;
}

/* Copies the name that a statement of the line sets, "sum" of "    sum = number_of(word);".  Returns false if the line declares it. */
static bool sets(const char *line, char name[40])
{
    const char *at = line + strspn(line, " ");
    size_t length = 0;

    while (in_name(at[length]))
        length++;
    if (length == 0 || length >= 40 || strncmp(at + length, " = ", 3) != 0)
        return false;
    snprintf(name, 40, "%.*s", (int)length, at);
    return strncmp(at + length + 3, name, length) != 0; /* sum = sum + ... */
}

void sums_set(const struct exercise *e, const char *word, struct mistake *m)
{
    struct error ignored;
    char *text = text_read(e->source, &ignored), name[40];
    int number = 1;

    for (const char *line = text; line != NULL; number++) {
        const size_t length = strcspn(line, "\n");
        const char *found = strstr(line, word);
        if (found != NULL && found < line + length && sets(line, name)) {
            const int added = adds_to(text, name);
            if (added > 0) {
                mistake_add(m, "line %d sets %s, to which line %d adds: what was added before is lost", number, name, added);
                own_lines_quote(e, number, m);
                break;
            }
        }
        line = line[length] != '\0' ? line + length + 1 : NULL;
    }
    free(text);
}
