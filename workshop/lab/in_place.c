#include "workshop/lab/in_place.h"

#include <stdio.h>
#include <string.h>

#include "workshop/lab/token.h"

enum { MOST = 8 };

/* The places of an array that a loop reads or writes: the tokens of their indices. */
struct places {
    size_t index[MOST], count;
};

/* Returns the brace that opens the innermost loop around the line; the count of tokens if there is none. */
static size_t loop_around(const struct tokens *t, int line)
{
    size_t inner = t->count;

    for (size_t i = 0; i < t->count; i++) {
        const size_t open = token_is(t, i, "for") && token_is(t, i + 1, "(") ? t->list[i + 1].match + 1 : t->count;
        if (open < t->count && token_is(t, open, "{") && t->list[open].line <= line && t->list[t->list[open].match].line >= line)
            inner = open;
    }
    return inner;
}

static bool same_index(const struct tokens *t, size_t a, size_t b)
{
    const size_t length = t->list[a].match - a;

    return t->list[b].match - b == length && tokens_equal(t, a, b, length);
}

static bool has(const struct tokens *t, const struct places *p, size_t index)
{
    for (size_t i = 0; i < p->count; i++)
        if (same_index(t, p->index[i], index))
            return true;
    return false;
}

static void add(const struct tokens *t, struct places *p, size_t index)
{
    if (p->count < MOST && !has(t, p, index))
        p->index[p->count++] = index;
}

/* Finds the places of the array, a token, in a loop.  Returns false if a barrier stands between two of them. */
static bool find_places(const struct tokens *t, size_t open, size_t array, struct places *reads, struct places *writes)
{
    bool begun = false, barrier = false;

    reads->count = writes->count = 0;
    for (size_t i = open; i < t->list[open].match; i++) {
        barrier = barrier || (begun && token_is(t, i, "__syncthreads"));
        if (!tokens_equal(t, i, array, 1) || !token_is(t, i + 1, "["))
            continue;
        if (barrier)
            return false;
        begun = true;
        add(t, token_is(t, t->list[i + 1].match + 1, "=") ? writes : reads, i + 1);
    }
    return true;
}

/* Returns the first array that this line writes an element of: a token; the count of tokens if there is none. */
static size_t written_in(const struct tokens *t, int line)
{
    for (size_t i = 0; i + 1 < t->count; i++)
        if (t->list[i].line == line && t->list[i].kind == WORD && token_is(t, i + 1, "[") && token_is(t, t->list[i + 1].match + 1, "="))
            return i;
    return t->count;
}

/* Returns whether a barrier stands in the loop, under no condition. */
static bool has_barrier(const struct tokens *t, size_t open)
{
    for (size_t i = open + 1; i < t->list[open].match; i = token_in(t, i, "( [ {") ? t->list[i].match + 1 : i + 1)
        if (token_is(t, i, "__syncthreads") && token_in(t, i - 1, "; { }"))
            return true;
    return false;
}

static void tell(const struct tokens *t, size_t array, const struct places *p, struct mistake *m)
{
    const struct token *name = &t->list[array], *one = &t->list[p->index[0]], *two = &t->list[p->index[1]];

#define INDEX(open) (int)(t->list[(open)->match].at - (open)->end), t->text + (open)->end
    mistake_add(m, "a thread reads and writes the same places in a turn of the loop, %.*s[%.*s] and %.*s[%.*s], and a barrier stands between two turns: so "
                   "in one turn two threads have the same place", (int)(name->end - name->at), t->text + name->at, INDEX(one),
                (int)(name->end - name->at), t->text + name->at, INDEX(two));
#undef INDEX
}

void in_place_look(const char *text, struct mistake *m)
{
    struct tokens t;
    struct places reads, writes;
    int line = 0;

    for (int i = 0; i < m->facts && line == 0; i++) {
        const char *does = strcmp(m->kind, "race") == 0 ? strstr(m->fact[i], "writes ") : NULL, *at = does != NULL ? strstr(does, " at line ") : NULL;
        if (at != NULL && strncmp(m->fact[i], "thread ", 7) == 0)
            sscanf(at, " at line %d", &line);
    }
    if (line == 0 || strstr(m->fact[0], "shared array") == NULL || !tokens_read(&t, text))
        return;
    const size_t array = written_in(&t, line), open = loop_around(&t, line);
    bool told = array < t.count && open < t.count && has_barrier(&t, open) && find_places(&t, open, array, &reads, &writes) && writes.count == 2 &&
                reads.count == writes.count;
    for (size_t i = 0; told && i < writes.count; i++)
        told = has(&t, &reads, writes.index[i]);
    if (told)
        tell(&t, array, &writes, m);
    tokens_free(&t);
}
