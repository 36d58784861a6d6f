/* Two arguments of a call that have the names of each other's parameters. */
#include <string.h>

#include "workshop/lab/wording.h"

enum { MOST_PARAMETERS = 16 };

/* Returns whether the two words are the same name, "d_" or "m_" before one of them apart. */
static bool same_name(const struct tokens *t, size_t a, size_t b)
{
    const char *const x = t->text + t->list[a].at, *const y = t->text + t->list[b].at;
    size_t n = t->list[a].end - t->list[a].at, skip = n > 2 && x[1] == '_' && strchr("dm", x[0]) != NULL ? 2 : 0;

    if (n == t->list[b].end - t->list[b].at && memcmp(x, y, n) == 0)
        return true;
    n -= skip;
    return skip > 0 && n == t->list[b].end - t->list[b].at && memcmp(x + skip, y, n) == 0;
}

/* Lists the last word of each argument from `open` on; 0: it is no name alone, such as "p->rows" or "n".  Returns how many there are. */
static size_t last_words(const struct tokens *t, size_t open, bool parameters, size_t word[])
{
    const size_t close = t->list[open].match;
    size_t count = 0;

    for (size_t i = open + 1, end; i < close && count < MOST_PARAMETERS; i = end + 1, count++) {
        end = wording_argument_end(t, i);
        bool alone = t->list[end - 1].kind == WORD;
        for (size_t k = i; k < end && !parameters; k++)
            alone = alone && (k % 2 == i % 2 ? t->list[k].kind == WORD : token_in(t, k, "-> ."));
        word[count] = alone ? end - 1 : 0;
    }
    return count;
}

/* Looks at the call whose name is token i.  Returns whether two of its arguments are exchanged. */
static bool look(const struct tokens *t, size_t i, const size_t parameter[], size_t count, struct mistake *m)
{
    const size_t open = token_is(t, i + 1, "<<<") ? t->list[i + 1].match + 1 : i + 1;
    size_t given[MOST_PARAMETERS];

    if (!token_is(t, open, "(") || last_words(t, open, false, given) != count)
        return false;
    for (size_t a = 0; a < count; a++)
        for (size_t b = a + 1; b < count; b++) {
            if (given[a] == 0 || given[b] == 0 || parameter[a] == 0 || parameter[b] == 0 || same_name(t, given[a], parameter[a]) ||
                !same_name(t, given[a], parameter[b]) || !same_name(t, given[b], parameter[a]))
                continue;
            mistake_add(m, "line %d: %.*s gets %.*s where its parameter is called %.*s, and %.*s where that is %.*s: the two are exchanged, there or in "
                           "the list of parameters in line %d", t->list[given[a]].line, WORDING_TEXT(t, i), WORDING_TEXT(t, given[a]),
                        WORDING_TEXT(t, parameter[a]), WORDING_TEXT(t, given[b]), WORDING_TEXT(t, parameter[b]), t->list[parameter[a]].line);
            mistake_quote(m, t->text, t->list[given[a]].line);
            return true;
        }
    return false;
}

bool wording_arguments(const struct tokens *t, struct mistake *m)
{
    size_t parameter[MOST_PARAMETERS];
    struct function f;

    for (size_t from = 1; wording_function(t, from, &f); from = f.name + 1) {
        const size_t count = last_words(t, f.open, true, parameter);
        for (size_t i = f.end; i + 1 < t->count; i++)
            if (tokens_equal(t, i, f.name, 1) && look(t, i, parameter, count, m))
                return true;
    }
    return false;
}
