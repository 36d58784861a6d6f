/* A line that is indented as if it belonged to a condition or a loop, which ends before it. */
#include "workshop/lab/wording.h"

/* Returns how far the line of a token is indented; -1: the token is not the first one in its line. */
static int indented(const struct tokens *t, size_t i)
{
    int columns = 0;
    size_t begin = t->list[i].at;

    if (i > 0 && t->list[i - 1].line == t->list[i].line)
        return -1;
    while (begin > 0 && t->text[begin - 1] != '\n')
        begin--;
    for (; begin < t->list[i].at; begin++)
        columns += t->text[begin] == '\t' ? 8 - columns % 8 : 1;
    return columns;
}

/* Returns the token behind the semicolon of a plain statement; 0: it is none. */
static size_t behind_plain(const struct tokens *t, size_t i)
{
    if (token_in(t, i, "{ ; if for while do else switch return break continue"))
        return 0;
    while (i + 1 < t->count && !token_is(t, i, ";"))
        i = token_in(t, i, "( [ { <<<") ? t->list[i].match + 1 : i + 1;
    return i + 1 < t->count ? i + 1 : 0;
}

bool wording_indent(const struct tokens *t, struct mistake *m)
{
    for (size_t i = 1; i + 1 < t->count; i++) {
        if (!token_in(t, i, "if for while") || !token_is(t, i + 1, "("))
            continue;
        const size_t body = t->list[i + 1].match + 1, next = body < t->count ? behind_plain(t, body) : 0;
        if (next == 0 || token_in(t, next, "} else case default"))
            continue;
        const int own = indented(t, i), inside = indented(t, body);
        if (own < 0 || inside <= own || indented(t, next) != inside)
            continue;
        mistake_add(m, "line %d is indented as if it belonged to the `%.*s` of line %d; without brackets { } only line %d does", t->list[next].line,
                    WORDING_TEXT(t, i), t->list[i].line, t->list[body].line);
        mistake_quote(m, t->text, t->list[i].line);
        mistake_quote(m, t->text, t->list[next].line);
        return true;
    }
    return false;
}
