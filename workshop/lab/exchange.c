#include "workshop/lab/exchange.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { LONG = 60 };

/* A statement "a = b;": what it sets, and to what. */
struct assignment {
    char to[LONG], from[LONG];
    int line;
};

/* Copies without blanks.  Returns false for nothing, or if it is too long. */
static bool copy(char to[LONG], const char *begin, const char *end)
{
    size_t length = 0;

    for (const char *at = begin; at < end; at++) {
        if (isspace((unsigned char)*at))
            continue;
        if (length + 1 == LONG)
            return false;
        to[length++] = *at;
    }
    to[length] = '\0';
    return length > 0;
}

/* Reads a statement that ends before the semicolon.  Returns false if it is no plain assignment. */
static bool read_assignment(const char *begin, const char *end, struct assignment *a)
{
    const char *equals = memchr(begin, '=', (size_t)(end - begin));

    return equals != NULL && equals > begin && equals + 1 < end && strchr("=<>!+-*/%&|^", equals[-1]) == NULL && equals[1] != '=' &&
           copy(a->to, begin, equals) && copy(a->from, equals + 1, end);
}

static void tell(const struct assignment *first, const struct assignment *second, struct mistake *m)
{
    const struct mistake found = *m;

    mistake_set(m, "exchange-lost");
    mistake_add(m, "line %d: %s = %s, and then line %d: %s = %s. After the first of the two both are the same, so the second changes nothing: what %s was "
                   "before is lost",
                first->line, first->to, first->from, second->line, second->to, second->from, first->to);
    for (int i = 0; i < found.facts; i++)
        mistake_add(m, "%s", found.fact[i]);
    m->explains = found.explains;
}

void exchange_look(const char *text, struct mistake *m)
{
    struct assignment last = {.line = 0}, this = {.line = 0};
    const char *begin = text;
    int line = 1, began = 1; /* the line in which the statement begins */

    for (const char *at = text; *at != '\0'; at++) {
        if (*at == '\n') {
            line++;
        } else if (*at == ';' || *at == '{' || *at == '}') {
            const bool is = *at == ';' && read_assignment(begin, at, &this);
            this.line = is ? began : 0;
            if (is && last.line > 0 && strcmp(last.to, this.from) == 0 && strcmp(last.from, this.to) == 0) {
                tell(&last, &this, m);
                return;
            }
            last = this;
            begin = at + 1;
        } else if (!isspace((unsigned char)*at) && strspn(begin, " \t\r\n") == (size_t)(at - begin)) {
            began = line;
        }
    }
}
