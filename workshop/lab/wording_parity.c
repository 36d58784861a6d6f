/* Images that take turns by whether a number is odd, which goes on by more than one. */
#include "workshop/lab/wording.h"

#include <string.h>

/* Returns the variable of "left % 2", or of "(left - 1) % 2", whose % is token i; 0: it is neither. */
static size_t parity_of(const struct tokens *t, size_t i)
{
    if (!token_is(t, i, "%") || !token_is(t, i + 1, "2"))
        return 0;
    if (t->list[i - 1].kind == WORD)
        return i - 1;
    const size_t open = token_is(t, i - 1, ")") ? t->list[i - 1].match : 0;
    return open > 0 && open + 4 == i - 1 && t->list[open + 1].kind == WORD && token_in(t, open + 2, "+ -") && token_is(t, open + 3, "1") ? open + 1 : 0;
}

/* Returns the += or -= by which the variable goes on, by more than 1; 0: there is none. */
static size_t step_of(const struct tokens *t, const struct function *f, size_t name)
{
    for (size_t i = f->begin; i + 3 < f->end; i++)
        if (tokens_equal(t, i, name, 1) && token_in(t, i + 1, "+= -=") && token_in(t, i + 3, "; ) ,") && !token_in(t, i + 2, "1 1u"))
            return i + 1;
    return 0;
}

bool wording_parity(const struct tokens *t, struct mistake *m)
{
    struct function f;

    for (size_t from = 1; wording_function(t, from, &f); from = f.name + 1)
        for (size_t i = f.begin; i < f.end; i++) {
            const size_t name = parity_of(t, i), step = name > 0 ? step_of(t, &f, name) : 0;
            if (step == 0)
                continue;
            mistake_add(m, "line %d asks whether %.*s is odd, and line %d changes it by %.*s for each launch. If that is even, the answer is always the same, and "
                           "the images do not take turns", t->list[i].line, WORDING_TEXT(t, name), t->list[step].line, WORDING_TEXT(t, step + 1));
            mistake_quote(m, t->text, t->list[i].line);
            return true;
        }
    return false;
}
