/* A thread that writes one of its elements and then returns, in the loop over all of them. */
#include "workshop/lab/wording.h"

/* Returns the last statement "... = ...;" that stands directly before the return at i, in the same block; 0: none. */
static size_t writes_before(const struct tokens *t, size_t i)
{
    size_t begin = i;

    if (i < 2 || !token_is(t, i - 1, ";"))
        return 0;
    for (begin = i - 1; begin > 0 && !token_in(t, begin - 1, "; { }"); begin--)
        ;
    for (size_t k = begin; k < i; k++)
        if (token_is(t, k, "=") && token_is(t, k - 1, "]"))
            return begin;
    return 0;
}

/* Returns the `for` or `while` in whose block, in brackets, token i stands; 0: none. */
static size_t loop_of(const struct tokens *t, const struct function *f, size_t i)
{
    size_t loop = 0;

    for (size_t k = f->begin + 1; k < i; k++) {
        const size_t body = token_in(t, k, "for while") && token_is(t, k + 1, "(") ? t->list[k + 1].match + 1 : 0;
        if (body > 0 && token_is(t, body, "{") && body < i && t->list[body].match > i)
            loop = k;
    }
    return loop;
}

bool wording_leaves_loop(const struct tokens *t, struct mistake *m)
{
    struct function f;

    for (size_t from = 1; wording_function(t, from, &f); from = f.name + 1)
        for (size_t i = f.begin + 1; i < f.end; i++) {
            const size_t written = token_is(t, i, "return") && token_is(t, i + 1, ";") ? writes_before(t, i) : 0;
            const size_t loop = written > 0 ? loop_of(t, &f, i) : 0;
            if (loop == 0)
                continue;
            mistake_add(m, "line %d: this return stands in the loop of line %d: behind the element of line %d the thread leaves the kernel, and its other "
                           "elements are not done", t->list[i].line, t->list[loop].line, t->list[written].line);
            mistake_quote(m, t->text, t->list[i].line);
            return true;
        }
    return false;
}
