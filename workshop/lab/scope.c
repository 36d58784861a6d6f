#include "workshop/lab/scope.h"

#include "workshop/lab/directives.h"

/* Returns where the statement or parameter list begins in which the token stands. */
static size_t statement_begin(const struct tokens *t, size_t i)
{
    for (; i > 0; i--) {
        if (token_in(t, i - 1, "; { } ("))
            break;
        if (token_in(t, i - 1, ") ]"))
            i = t->list[i - 1].match + 1;
    }
    return i;
}

/* Returns whether the token is a name that is declared there: "float a", "*b", and c in "float a = 1, c". */
static bool declares(const struct tokens *t, size_t i)
{
    size_t k = i;

    if (i == 0 || t->list[i].kind != WORD || token_is_type(t, i) || !token_in(t, i + 1, "= , ; [ ) :"))
        return false;
    while (k > 1 && token_in(t, k - 1, "* restrict __restrict__"))
        k--;
    if (token_is_type(t, k - 1))
        return true;
    return token_is(t, k - 1, ",") && token_is_type(t, statement_begin(t, k - 1));
}

static size_t declared_between(const struct tokens *t, size_t i, size_t from, size_t to)
{
    for (size_t k = from; k < to; k++)
        if (tokens_equal(t, k, i, 1) && declares(t, k))
            return k;
    return 0;
}

/* Returns whether the bracket that ends at `close` is the head of what token i stands in: of a loop, or of a function. */
static bool is_head(const struct tokens *t, size_t close, size_t i)
{
    const size_t open = t->list[close].match;

    if (open == 0)
        return false;
    if (token_in(t, open - 1, "for while if switch"))
        return i < directive_statement_end(t, open - 1);
    return token_is(t, close + 1, "{") && i < t->list[close + 1].match;
}

size_t scope_declared(const struct tokens *t, size_t i)
{
    for (size_t k = i; k > 0; k--) {
        if (tokens_equal(t, k - 1, i, 1) && declares(t, k - 1))
            return k - 1;
        if (token_in(t, k - 1, "} ]")) {
            k = t->list[k - 1].match + 1;
        } else if (token_is(t, k - 1, ")")) {
            const size_t open = t->list[k - 1].match, found = is_head(t, k - 1, i) ? declared_between(t, i, open + 1, k - 1) : 0;
            if (found > 0)
                return found;
            k = open + 1;
        }
    }
    return 0;
}

bool scope_has(const struct tokens *t, size_t i, const char *word)
{
    for (size_t k = statement_begin(t, i); k < i; k++)
        if (token_is(t, k, word))
            return true;
    return false;
}

bool scope_is_outside(const struct tokens *t, size_t i)
{
    for (size_t k = i; k > 0; k--) {
        if (token_in(t, k - 1, "{ ("))
            return false;
        if (token_in(t, k - 1, "} ) ]"))
            k = t->list[k - 1].match + 1;
    }
    return true;
}

size_t scope_body(const struct tokens *t, size_t i)
{
    for (size_t k = 1; k + 1 < t->count; k++)
        if (tokens_equal(t, k, i, 1) && token_is(t, k + 1, "(") && token_is(t, t->list[k + 1].match + 1, "{") && scope_is_outside(t, k))
            return t->list[k + 1].match + 1;
    return 0;
}
