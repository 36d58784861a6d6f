/* A function that sets a pointer which it was given: its own copy of it. */
#include "workshop/lab/wording.h"

/* Returns whether the parameter of tokens `from` to `end` - 1 is a pointer by value: "float *a", and not "float **a" or "float *&a". */
static bool is_pointer(const struct tokens *t, size_t from, size_t end)
{
    size_t stars = 0;

    for (size_t i = from; i < end; i++) {
        stars += token_is(t, i, "*");
        if (token_in(t, i, "& [ && **"))
            return false;
    }
    return stars == 1 && t->list[end - 1].kind == WORD;
}

/* Returns the token where the parameter is set last, in a statement of the function's own block, behind which nothing uses it; 0: none. */
static size_t set_last(const struct tokens *t, const struct function *f, size_t name)
{
    size_t last = 0;

    for (size_t i = f->begin + 1; i < f->end; i++)
        if (tokens_equal(t, i, name, 1))
            last = i;
    if (last == 0 || !token_is(t, last + 1, "=") || !token_in(t, last - 1, "; { }"))
        return 0;
    for (size_t i = f->begin + 1; i < last; i++) /* no loop or inner block */
        if (token_is(t, i, "{") && t->list[i].match > last)
            return 0;
    return last;
}

bool wording_own_copy(const struct tokens *t, struct mistake *m)
{
    struct function f;

    for (size_t from = 1; wording_function(t, from, &f); from = f.name + 1) {
        if (!token_is(t, f.name - 1, "void"))
            continue;
        for (size_t i = f.open + 1, end; i < f.close; i = end + 1) {
            end = wording_argument_end(t, i);
            const size_t at = is_pointer(t, i, end) ? set_last(t, &f, end - 1) : 0;
            if (at == 0)
                continue;
            mistake_add(m, "line %d: %.*s is a parameter of %.*s, a copy of the pointer that it was given. What it is set to here is lost when the function "
                           "ends: the caller's pointer stays as it was", t->list[at].line, WORDING_TEXT(t, at), WORDING_TEXT(t, f.name));
            mistake_quote(m, t->text, t->list[at].line);
            return true;
        }
    }
    return false;
}
