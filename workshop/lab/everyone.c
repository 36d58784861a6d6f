#include "workshop/lab/everyone.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workshop/lab/own_lines.h"
#include "workshop/lab/text.h"
#include "workshop/lab/uniform.h"

static bool is_assignment(const struct tokens *t, size_t i)
{
    return token_in(t, i, "= += -= *= /= %= |= &= ^= <<= >>= ++ --");
}

/* Returns whether a store begins at token i: a name that has an index, or one of this array, and then an assignment. */
static bool is_store(const struct tokens *t, size_t i, const char *array)
{
    size_t behind = i + 1;

    if (t->list[i].kind != WORD || token_in(t, i - 1, ". ->") || (array[0] != '\0' && !token_is(t, i, array)))
        return false;
    while (token_is(t, behind, "[") || token_is(t, behind, "."))
        behind = token_is(t, behind, "[") ? t->list[behind].match + 1 : behind + 2;
    return is_assignment(t, behind) && (token_is(t, i + 1, "[") || array[0] != '\0');
}

/* Returns who makes all of the line's stores into the array (without a name: all of its stores); sets `first` to the first of them. */
static enum uniform stores_of(const struct tokens *t, int line, const char *array, size_t *first)
{
    enum uniform by = UNIFORM_BLOCK;

    *first = 0;
    for (size_t i = 1; i + 1 < t->count && by != UNIFORM_NOT; i++) {
        if (t->list[i].line != line || !is_store(t, i, array))
            continue;
        const enum uniform one = uniform_store(t, i);
        by = one < by ? one : by;
        *first = *first == 0 ? i : *first;
    }
    return *first == 0 ? UNIFORM_NOT : by;
}

/* Puts the facts before those that were found. */
static void tell(const struct exercise *e, const struct tokens *t, size_t store, enum uniform by, struct mistake *m)
{
    const struct mistake found = *m;
    const int line = t->list[store].line;
    size_t behind = store + 1;

    while (token_is(t, behind, "[") || token_is(t, behind, "."))
        behind = token_is(t, behind, "[") ? t->list[behind].match + 1 : behind + 2;
    m->facts = 0;
    mistake_add(m, "line %d: all %s do this, and %.*s is the same place for each of them", line,
                by == UNIFORM_BLOCK ? "threads of the block" : "32 lanes of a warp",
                (int)(t->list[behind - 1].end - t->list[store].at), t->text + t->list[store].at);
    own_lines_quote(e, line, m);
    mistake_add(m, "no condition around it chooses one %s", by == UNIFORM_BLOCK ? "of them by the number of the thread" : "lane");
    m->named = true;
    for (int k = 0; k < found.facts; k++)
        if (strcmp(found.fact[k], m->fact[1]) != 0) /* it is quoted already */
            mistake_add(m, "%s", found.fact[k]);
}

bool everyone_add(const struct exercise *e, const char *said, int line, struct mistake *m)
{
    const char *place = strstr(said, "of the shared array "), *name = strrchr(e->source, '/') + 1, *its = strstr(said, ") writes them at ");
    const char *at = its != NULL ? strstr(its, name) : NULL;
    const int other = at != NULL ? atoi(at + strlen(name) + 1) : 0;
    const bool writes = strstr(said, "race: writes ") != NULL, blocks = strstr(said, "blocks of a launch") != NULL;
    char array[48] = "";
    struct error ignored;
    struct tokens t;
    size_t store = 0;
    enum uniform by = UNIFORM_NOT;

    char *text = blocks ? NULL : text_read(e->source, &ignored);
    if (text == NULL)
        return false;
    if (place != NULL)
        sscanf(place, "of the shared array %47[A-Za-z0-9_]", array);
    if (tokens_read(&t, text) && writes)
        by = stores_of(&t, line, array, &store);
    if (by == UNIFORM_NOT && other > 0)
        by = stores_of(&t, other, array, &store);
    if (by != UNIFORM_NOT)
        tell(e, &t, store, by, m);
    tokens_free(&t);
    free(text);
    return by != UNIFORM_NOT;
}
