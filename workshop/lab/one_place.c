#include "workshop/lab/one_place.h"

#include <string.h>

#include "harness/model/registry.h"
#include "workshop/lab/own_lines.h"
#include "workshop/lab/token.h"

static bool is_word(const struct tokens *t, size_t i)
{
    return i < t->count && t->list[i].kind == WORD;
}

/* Returns the token behind "if (A == B)", or behind "if (A != B) continue;", of which A is token i + 2 and B token i + 4; 0: it is neither. */
static size_t behind_condition(const struct tokens *t, size_t i)
{
    if (!token_is(t, i, "if") || !token_is(t, i + 1, "(") || !is_word(t, i + 2) || !is_word(t, i + 4) || !token_is(t, i + 5, ")"))
        return 0;
    if (token_is(t, i + 3, "=="))
        return i + 6 + token_is(t, i + 6, "{");
    return token_is(t, i + 3, "!=") && token_is(t, i + 6, "continue") && token_is(t, i + 7, ";") ? i + 8 : 0;
}

/* Returns whether "ARRAY[INDEX] =" stands at token i. */
static bool sets_element(const struct tokens *t, size_t i)
{
    return is_word(t, i) && token_is(t, i + 1, "[") && is_word(t, i + 2) && token_is(t, i + 3, "]") && token_is(t, i + 4, "=");
}

void one_place_look(const struct exercise *e, const char *text, struct mistake *m)
{
    struct tokens t;

    if (strcmp(problem_name(e->problem), "fft") != 0 || !mistaken(m))
        return;
    bool told = !tokens_read(&t, text);
    for (size_t i = 0; i < t.count && !told; i++) {
        const size_t array = behind_condition(&t, i), a = i + 2, b = i + 4, index = array + 2;
        if (array == 0 || !sets_element(&t, array) || (!tokens_equal(&t, index, a, 1) && !tokens_equal(&t, index, b, 1)))
            continue;
        const size_t other = tokens_equal(&t, index, a, 1) ? b : a;
        const int line = t.list[array].line;
#define TEXT(token) (int)(t.list[token].end - t.list[token].at), t.text + t.list[token].at
        mistake_add(m, "line %d: %.*s is %.*s there, so %.*s[%.*s] is the same place in each turn of the loop: %.*s[%.*s]", line, TEXT(a), TEXT(b),
                    TEXT(array), TEXT(index), TEXT(array), TEXT(other));
#undef TEXT
        own_lines_quote(e, line, m);
        told = true;
    }
    tokens_free(&t);
}
