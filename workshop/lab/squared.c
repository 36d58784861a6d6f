#include "workshop/lab/squared.h"

#include <stdlib.h>
#include <string.h>

#include "workshop/lab/wording.h"

static const char *const of_sums = "the norm is the root of the sum of x: nothing was squared";

/* Returns the line in which something is multiplied by itself, x * x or x[i] * x[i]; 0: none. */
static int squaring_line(const struct tokens *t)
{
    for (size_t i = 1; i + 1 < t->count; i++) {
        const size_t right = token_is(t, i, "*") && token_binary(t, i) > 0 ? token_right(t, i) : 0, length = right > i ? right - i - 1 : 0;
        if (length > 0 && length <= i && t->list[i + 1].kind == WORD && tokens_equal(t, i - length, i + 1, length))
            return t->list[i].line;
    }
    return 0;
}

/* Returns the token behind the value that is given by the = at i. */
static size_t value_end(const struct tokens *t, size_t i)
{
    size_t end = i + 1;

    while (end < t->count && !token_in(t, end, ", ; ) }"))
        end = token_in(t, end, "( [ {") ? t->list[end].match + 1 : end + 1;
    return end;
}

/* Returns whether the value, from the token behind = on, is one of an array, or of a function. */
static bool is_taken(const struct tokens *t, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++)
        if (token_in(t, i, "[ (") && i > first && t->list[i - 1].kind == WORD && !token_is(t, i - 1, "sizeof"))
            return true;
    return false;
}

/* Finds two variables of a function to which the same is given: element [i] of an array, or what a function returns. */
static bool find_same(const struct tokens *t, size_t *a, size_t *b)
{
    struct function f;

    for (size_t from = 1; wording_function(t, from, &f); from = f.name + 1)
        for (size_t i = f.begin; i < f.end; i++) {
            const size_t end = token_is(t, i, "=") ? value_end(t, i) : 0;
            for (size_t k = end; end > 0 && k < f.end; k++)
                if (token_is(t, k, "=") && value_end(t, k) - k == end - i && tokens_equal(t, i + 1, k + 1, end - i - 1) && is_taken(t, i + 1, end) &&
                    !tokens_equal(t, i - 1, k - 1, 1)) {
                    *a = i;
                    *b = k;
                    return true;
                }
        }
    return false;
}

void squared_look(const char *text, struct mistake *m)
{
    struct mistake found = *m;
    struct tokens t;
    size_t a, b;

    if (m->facts == 0 || strcmp(m->fact[0], of_sums) != 0)
        return;
    const int line = tokens_read(&t, text) ? squaring_line(&t) : 0;
    if (line > 0) {
        found.facts = 0;
        mistake_add(&found, "the norm is the root of the sum of x. Line %d squares, and behind it the squares are lost: sums have taken their place", line);
        if (find_same(&t, &a, &b)) {
            mistake_add(&found, "line %d gives %.*s the same as line %d gives %.*s", t.list[b].line, WORDING_TEXT(&t, b - 1), t.list[a].line,
                        WORDING_TEXT(&t, a - 1));
            mistake_quote(&found, text, t.list[b].line);
        }
        for (int i = 1; i < m->facts; i++)
            mistake_add(&found, "%s", m->fact[i]);
        *m = found;
    }
    tokens_free(&t);
}
