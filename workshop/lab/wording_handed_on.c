/* A number that only thread 0 of a block has, handed on by a shuffle: to the lanes of its warp. */
#include "workshop/lab/wording.h"

/* Returns the token behind the ; or block of a condition "if (threadIdx.x == 0) ...", whose if is token i; 0: it is another statement. */
static size_t thread_0_end(const struct tokens *t, size_t i)
{
    if (!token_is(t, i, "if") || !token_is(t, i + 1, "(") || t->list[i + 1].match != i + 7)
        return 0;
    for (size_t k = 0; k < 5; k++) {
        static const char *const words[] = {"threadIdx", ".", "x", "==", "0"};
        if (!token_is(t, i + 2 + k, words[k]))
            return 0;
    }
    size_t end = i + 8;
    if (token_is(t, end, "{"))
        return t->list[end].match + 1;
    while (end < t->count && !token_is(t, end, ";"))
        end++;
    return end + 1;
}

/* Returns whether the variable of token `name` is set in the statements of thread 0, and nowhere else behind its declaration. */
static bool is_of_thread_0(const struct tokens *t, const struct function *f, size_t name)
{
    bool inside = false;

    for (size_t i = f->begin, until = 0; i < name; i++) {
        const size_t end = thread_0_end(t, i);
        until = end > 0 ? end : until;
        if (!tokens_equal(t, i, name, 1) || !token_in(t, i + 1, "= += -= ++"))
            continue;
        if (i < until)
            inside = true;
        else if (!token_is_type(t, i - 1))
            return false;
    }
    return inside;
}

/* Returns whether token i stands in no inner block of the function. */
static bool is_for_all(const struct tokens *t, const struct function *f, size_t i)
{
    for (size_t k = f->begin + 1; k < i; k++)
        if (token_is(t, k, "{") && t->list[k].match > i)
            return false;
    return true;
}

bool wording_handed_on(const struct tokens *t, struct mistake *m)
{
    struct function f;

    for (size_t from = 1; wording_function(t, from, &f); from = f.name + 1)
        for (size_t i = f.begin; i < f.end; i++) {
            const size_t name = token_is(t, i, "__shfl_sync") ? wording_argument_end(t, i + 2) + 1 : 0;
            if (name == 0 || !token_is(t, name + 1, ",") || !token_is(t, name + 2, "0") || !is_for_all(t, &f, i) || !is_of_thread_0(t, &f, name))
                continue;
            mistake_add(m, "line %d: what thread 0 has in %.*s, __shfl_sync hands on to the lanes of its warp. In each other warp of the block lane 0 has "
                           "in %.*s what it was before", t->list[i].line, WORDING_TEXT(t, name), WORDING_TEXT(t, name));
            mistake_quote(m, t->text, t->list[i].line);
            return true;
        }
    return false;
}
