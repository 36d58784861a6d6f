#define _GNU_SOURCE
#include "workshop/lab/retype.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workshop/lab/mutant.h"
#include "workshop/lab/token.h"

static bool is_whole(const struct tokens *t, size_t i)
{
    return token_in(t, i, "int unsigned long size_t int32_t uint32_t uint64_t int64_t");
}

static bool same_word(const struct tokens *t, size_t a, size_t b)
{
    const size_t length = t->list[a].end - t->list[a].at;

    return length == t->list[b].end - t->list[b].at && memcmp(t->text + t->list[a].at, t->text + t->list[b].at, length) == 0;
}

/* Returns whether the variable must be whole: it is a part of an index, or is counted, or has bits. */
static bool must_be_whole(const struct tokens *t, size_t name)
{
    size_t brackets = 0;

    for (size_t i = 0; i < t->count; i++) {
        brackets += token_is(t, i, "[");
        brackets -= token_is(t, i, "]");
        if (!same_word(t, i, name) || i == name)
            continue;
        if (brackets > 0 || token_in(t, i + 1, "++ -- % & | << >>") || (i > 0 && token_in(t, i - 1, "++ -- % | << >>")))
            return true;
    }
    return false;
}

size_t retype_find(const char *text, const char *starter, struct retype list[], size_t most)
{
    bool *learners = mutants_lines(text, starter);
    struct tokens t;
    size_t count = 0;

    const bool read = tokens_read(&t, text);
    for (size_t i = 1; read && learners != NULL && i + 2 < t.count && count < most; i++) {
        if (!is_whole(&t, i) || t.list[i + 1].kind != WORD || !token_in(&t, i + 2, "= ;") || !token_in(&t, i - 1, "; { } const") ||
            !learners[t.list[i].line] || must_be_whole(&t, i + 1))
            continue;
        struct retype *r = &list[count];
        const struct token *name = &t.list[i + 1];
        r->line = t.list[i].line;
        snprintf(r->name, sizeof r->name, "%.*s", (int)(name->end - name->at), text + name->at);
        if (asprintf(&r->text, "%.*sfloat%s", (int)t.list[i].at, text, text + t.list[i].end) >= 0)
            count++;
    }
    tokens_free(&t);
    free(learners);
    return count;
}
