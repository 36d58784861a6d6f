#include "workshop/lab/tested.h"

#include <stdio.h>
#include <string.h>

#include "workshop/lab/token.h"

enum { SUM = 3 }; /* tokens of "a + b" */

static bool is_sum(const struct tokens *t, size_t i)
{
    return i + SUM <= t->count && t->list[i].kind == WORD && token_is(t, i + 1, "+") && t->list[i + 2].kind == WORD;
}

/* Returns whether the sum stands between tokens begin and end. */
static bool stands(const struct tokens *t, size_t sum, size_t begin, size_t end)
{
    for (size_t i = begin; i + SUM <= end; i++)
        if (tokens_equal(t, i, sum, SUM))
            return true;
    return false;
}

/* Returns the sum between two tokens that has the first term of another sum, and not its second one; 0: there is none. */
static size_t other_sum(const struct tokens *t, size_t sum, size_t begin, size_t end)
{
    for (size_t i = begin; i + SUM <= end; i++)
        if (is_sum(t, i) && tokens_equal(t, i, sum, SUM - 1) && !tokens_equal(t, i + 2, sum + 2, 1))
            return i;
    return 0;
}

/* Looks at an index between two brackets, behind the condition with the sum. */
static bool tell(const struct tokens *t, size_t sum, size_t open, struct mistake *m)
{
    const size_t end = t->list[open].match, other = other_sum(t, sum, open + 1, end);

    if (other == 0 || stands(t, sum, open + 1, end))
        return false;
#define TEXT(i) (int)(t->list[(i) + 2].end - t->list[i].at), t->text + t->list[i].at
    mistake_add(m, "line %d tests %.*s, and the index has %.*s", t->list[open].line, TEXT(sum), TEXT(other));
#undef TEXT
    return true;
}

void tested_look(const char *text, struct mistake *m)
{
    struct tokens t;
    int line = 0;

    for (int i = 0; i < m->facts && line == 0 && strcmp(m->kind, "out-of-bounds") == 0; i++)
        if (sscanf(m->fact[i], " %d |", &line) != 1)
            line = 0;
    if (line == 0 || !tokens_read(&t, text))
        return;
    bool told = false;
    for (size_t sum = 0; sum + SUM < t.count && !told; sum++) {
        if (t.list[sum].line != line || !is_sum(&t, sum) || !token_is(&t, sum + SUM, "<"))
            continue;
        for (size_t i = sum + SUM; i < t.count && t.list[i].line == line && !told; i++)
            told = token_is(&t, i, "[") && tell(&t, sum, i, m);
    }
    tokens_free(&t);
}
