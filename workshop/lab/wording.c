#include "workshop/lab/wording.h"

#include <string.h>

bool wording_function(const struct tokens *t, size_t from, struct function *f)
{
    for (size_t i = from > 0 ? from : 1; i + 2 < t->count; i++) {
        if (t->list[i].kind != WORD || !token_is(t, i + 1, "(") || !token_is(t, t->list[i + 1].match + 1, "{"))
            continue;
        if (t->list[i - 1].kind != WORD && !token_is(t, i - 1, "*")) /* if (...) {, for (...) { */
            continue;
        if (token_is(t, i - 1, "else"))
            continue;
        *f = (struct function){i, i + 1, t->list[i + 1].match, t->list[i + 1].match + 1, t->list[t->list[i + 1].match + 1].match};
        return true;
    }
    return false;
}

size_t wording_argument_end(const struct tokens *t, size_t i)
{
    while (i < t->count && !token_in(t, i, ", ) ;"))
        i = token_in(t, i, "( [ { <<<") ? t->list[i].match + 1 : i + 1;
    return i;
}

/* Returns whether a thread may have left out elements that are its own. */
static bool lacks_elements(const struct mistake *m)
{
    return strcmp(m->kind, "gaps") == 0 || strcmp(m->kind, "part-missing") == 0 || strcmp(m->kind, "tail-missing") == 0;
}

/* Returns whether a launch has used another image than it should. */
static bool is_of_images(const struct mistake *m)
{
    for (int i = 0; i < m->facts; i++)
        if (strstr(m->fact[i], "the same image") != NULL || strstr(m->fact[i], "the copy back reads") != NULL ||
            strstr(m->fact[i], "the last one, has written") != NULL)
            return true;
    return false;
}

void wording_look(const char *text, struct mistake *m)
{
    struct mistake found = *m;
    struct tokens t;

    found.facts = 0;
    if (tokens_read(&t, text) && (wording_sign(&t, &found) || wording_arguments(&t, &found) || wording_own_copy(&t, &found) ||
                                  wording_indent(&t, &found) || wording_handed_on(&t, &found) || (is_of_images(m) && wording_parity(&t, &found)) || (lacks_elements(m) && wording_leaves_loop(&t, &found)))) {
        for (int i = 0; i < m->facts; i++)
            mistake_add(&found, "%s", m->fact[i]);
        found.named = true;
        *m = found;
    }
    tokens_free(&t);
}
