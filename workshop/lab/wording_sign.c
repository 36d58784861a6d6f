/* A loop that begins below 0, with a number that is never below 0. */
#include <stdlib.h>

#include "workshop/lab/wording.h"

/* Returns the token behind a type without a sign at i; 0: there is none. */
static size_t behind_unsigned(const struct tokens *t, size_t i)
{
    i += token_is(t, i, "const");
    if (token_in(t, i, "size_t uint32_t uint64_t uint16_t uint8_t"))
        return i + 1;
    if (!token_is(t, i, "unsigned"))
        return 0;
    for (i++; token_in(t, i, "int long short char"); i++)
        ;
    return i;
}

bool wording_sign(const struct tokens *t, struct mistake *m)
{
    for (size_t i = 0; i + 8 < t->count; i++) {
        const size_t name = token_is(t, i, "for") && token_is(t, i + 1, "(") ? behind_unsigned(t, i + 2) : 0;
        if (name == 0 || name + 7 >= t->count || !token_is(t, name + 1, "=") || !token_is(t, name + 2, "-") || t->list[name + 3].kind != NUMBER ||
            atoi(t->text + t->list[name + 3].at) == 0 || !token_is(t, name + 4, ";") || !tokens_equal(t, name, name + 5, 1) ||
            !token_in(t, name + 6, "< <="))
            continue;
        mistake_add(m, "line %d: %.*s has a type without a sign, so it is never below 0: -%.*s becomes one of the largest numbers of the type. The condition "
                       "behind it does not hold then, and the loop does not run at all", t->list[i].line, WORDING_TEXT(t, name), WORDING_TEXT(t, name + 3));
        mistake_quote(m, t->text, t->list[i].line);
        return true;
    }
    return false;
}
