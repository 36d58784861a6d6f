#include "workshop/lab/one_place.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "harness/model/registry.h"
#include "workshop/lab/own_lines.h"

enum { LONG = 32 };

/* Returns what follows the name, and copies it; NULL: none is there. */
static const char *read_name(const char *at, char name[LONG])
{
    size_t length = 0;

    at += strspn(at, " \t\r\n");
    while (isalnum((unsigned char)at[length]) || at[length] == '_')
        length++;
    if (length == 0 || length >= LONG || isdigit((unsigned char)at[0]))
        return NULL;
    snprintf(name, LONG, "%.*s", (int)length, at);
    return at + length;
}

static const char *skip(const char *at, const char *words)
{
    if (at == NULL)
        return NULL;
    at += strspn(at, " \t\r\n");
    return strncmp(at, words, strlen(words)) == 0 ? at + strlen(words) : NULL;
}

/* Returns the statement behind "if (A == B)", or behind "if (A != B) continue;"; NULL if this is neither. */
static const char *read_condition(const char *at, char a[LONG], char b[LONG])
{
    const char *first = skip(skip(at, "if"), "(");
    const char *middle = first != NULL ? read_name(first, a) : NULL;
    const char *same = skip(middle, "=="), *other = skip(middle, "!=");
    const char *second = same != NULL ? same : other;
    const char *end = second != NULL ? read_name(second, b) : NULL;

    end = skip(end, ")");
    if (other != NULL)
        return skip(skip(end, "continue"), ";");
    const char *brace = skip(end, "{");
    return brace != NULL ? brace : end;
}

void one_place_look(const struct exercise *e, const char *text, struct mistake *m)
{
    char a[LONG], b[LONG], array[LONG], index[LONG];
    int line = 1;

    if (strcmp(problem_name(e->problem), "fft") != 0 || !mistaken(m))
        return;
    for (const char *at = text, *last = text; (at = strstr(at, "if (")) != NULL; at++) {
        const char *behind = read_condition(at, a, b), *bracket = behind != NULL ? read_name(behind, array) : NULL;
        const char *closed = bracket != NULL && *bracket == '[' ? read_name(bracket + 1, index) : NULL;
        const char *equals = closed != NULL && *closed == ']' ? skip(closed + 1, "=") : NULL;
        if (equals == NULL || *equals == '=' || (strcmp(index, a) != 0 && strcmp(index, b) != 0))
            continue;
        for (; last < bracket; last++)
            line += *last == '\n';
        mistake_add(m, "line %d: %s is %s there, so %s[%s] is the same place in each turn of the loop: %s[%s]", line, a, b, array, index, array,
                    strcmp(index, a) == 0 ? b : a);
        own_lines_quote(e, line, m);
        return;
    }
}
