/* Mutants of an index, and of a whole expression, such as one stands in brackets. */
#include <stdio.h>
#include <string.h>

#include "workshop/lab/finder.h"

enum { MOST_TOGETHER = 60 /* tokens */ };

static const struct site *site_at(const struct finder *f, size_t token)
{
    for (size_t i = 0; i < f->sites; i++)
        if (f->site[i].first == token)
            return &f->site[i];
    return NULL;
}

/* a * b + c: c * b + a, and with other lengths in the place of b. */
void mutate_index(struct finder *f, const struct site *a)
{
    const struct tokens *t = &f->t;
    const struct site *b = token_is(t, a->end, "*") ? site_at(f, a->end + 1) : NULL;
    const struct site *c = b != NULL && token_is(t, b->end, "+") ? site_at(f, b->end + 1) : NULL;
    char text[200];

    if (c == NULL || !finder_is_learners(f, a->first) || f->path[a->path].sort != INTEGER || f->path[c->path].sort != INTEGER ||
        token_in(t, c->end, "* / % . -> (") || token_in(t, a->first - 1, "* / %"))
        return;
    const char *first = f->path[a->path].text, *last = f->path[c->path].text, *length = f->path[b->path].text;
    for (size_t k = 0; k < f->paths; k++) {
        const struct path *p = &f->path[k];
        if (p->sort != INTEGER || k == a->path || k == c->path || !finder_is_known(f, p, a->first))
            continue;
        snprintf(text, sizeof text, "%s * %s + %s", last, p->text, first);
        finder_change(f, finder_begin(f, a->first, k == b->path ? 2 : 3, "%s * %s + %s is not the right index", first, length, last),
                      VALUE, a->first, c->end, text);
    }
}

/* [a][b] */
void mutate_brackets(struct finder *f, size_t i)
{
    const struct tokens *t = &f->t;
    const size_t close = t->list[i].match, open = close + 1, end = t->list[open].match;
    char a[120], b[120];

    if (!token_is(t, i, "[") || !token_is(t, open, "[") || close == i + 1 || end == open + 1 || !finder_is_learners(f, i))
        return;
    finder_plain(f, i + 1, close, a, sizeof a);
    finder_plain(f, open + 1, end, b, sizeof b);
    if (strcmp(a, b) == 0)
        return;
    const size_t mutant = finder_begin(f, i, 1, "the indices [%.60s][%.60s] are exchanged", a, b);
    finder_change(f, mutant, VALUE, i + 1, close, b);
    finder_change(f, mutant, VALUE, open + 1, end, a);
}

/* a[i]: a[j + k], here and in the same block wherever i stands alone in brackets. */
void mutate_element(struct finder *f, const struct site *s)
{
    const struct tokens *t = &f->t;
    char text[120];

    if (f->path[s->path].sort != INTEGER || !token_is(t, s->first - 1, "[") || !token_is(t, s->end, "]") || !finder_is_learners(f, s->first))
        return;
    for (size_t a = 0; a < f->paths; a++)
        for (size_t b = a + 1; b < f->paths; b++) {
            const struct path *x = &f->path[a], *y = &f->path[b];
            if (x->sort != INTEGER || y->sort != INTEGER || x->remote || y->remote || (x->constant && x->scopes == 0) || (y->constant && y->scopes == 0) || a == s->path || b == s->path ||
                !finder_is_known(f, x, s->first) || !finder_is_known(f, y, s->first))
                continue;
            snprintf(text, sizeof text, "%s + %s", x->text, y->text);
            const size_t mutant = finder_begin(f, s->first, strstr(text, "threadIdx") != NULL ? 2 : 4, "%s is not the right index", f->path[s->path].text);
            size_t count = 0;
            for (const struct site *o = s; o < f->site + f->sites && count < MUTANT_PLACES && o->first < s->first + MOST_TOGETHER; o++)
                if (o->path == s->path && token_is(t, o->first - 1, "[") && token_is(t, o->end, "]")) {
                    finder_change(f, mutant, VALUE, o->first, o->end, text);
                    count++;
                }
        }
}

/* --- whole expressions -------------------------------------------------------------------------------- */

/* An expression of whole numbers that is all of an index, an argument or a value: with a name added, or another factor. */
void mutate_whole(struct finder *f, size_t i)
{
    const struct tokens *t = &f->t;
    const size_t from = token_left(t, i), to = token_right(t, i);
    bool whole = false;
    char here[200], text[300];

    if (token_binary(t, i) < 8 || from >= i || to <= i + 1 || !token_in(t, from - 1, "= [ ( , return += ?") || !token_in(t, to, "; ] ) , : ?") ||
        (token_is(t, from - 1, "(") && token_is(t, from - 2, "sizeof")))
        return;
    for (size_t k = 0; k < f->sites; k++)
        if (f->site[k].first >= from && f->site[k].first < to) {
            if (f->path[f->site[k].path].sort != INTEGER)
                return;
            whole = true;
        }
    if (!whole)
        return;
    finder_plain(f, from, to, here, sizeof here);
    for (size_t k = 0; k < f->paths; k++) {
        const struct path *p = &f->path[k];
        if (p->sort != INTEGER || p->remote || !finder_is_known(f, p, from))
            continue;
        for (int o = 0; o < 3; o++) {
            snprintf(text, sizeof text, "(%s) %c %s", here, "+-*"[o], p->text);
            finder_change(f, finder_begin(f, i, o > 0 || (p->scopes == 0 && p->constant) ? 4 : p->scopes > 0 ? 2 : 3, "%.80s is not all: something has to be %s", here, o == 0 ? "added" : o == 1 ? "subtracted" : "multiplied"),
                          VALUE, from, to, text);
        }
    }
}
