/* Mutants of a choice a ? b : c, of what is added to a pointer, of a product, and of a share's begin. */
#include <stdio.h>
#include <string.h>

#include "workshop/lab/finder.h"

/* a ? b : c: b and c exchanged, or one of them alone. */
void mutate_choice(struct finder *f, size_t i)
{
    const struct tokens *t = &f->t;
    char yes[200], no[200];
    size_t colon = i + 1, end;

    if (!token_is(t, i, "?") || !finder_is_learners(f, i))
        return;
    while (colon < f->end && !token_in(t, colon, ": ; ?"))
        colon = token_in(t, colon, "( [ {") ? t->list[colon].match + 1 : colon + 1;
    for (end = colon + 1; end < f->end && !token_in(t, end, "; , ) ] } ? :");)
        end = token_in(t, end, "( [ {") ? t->list[end].match + 1 : end + 1;
    if (!token_is(t, colon, ":") || token_in(t, end, "? :") || colon == i + 1 || end == colon + 1)
        return;
    finder_plain(f, i + 1, colon, yes, sizeof yes);
    finder_plain(f, colon + 1, end, no, sizeof no);
    const size_t both = finder_begin(f, i, 1, "the choice is the wrong way round: %.60s and %.60s are exchanged", yes, no);
    finder_change(f, both, VALUE, i + 1, colon, no);
    finder_change(f, both, VALUE, colon + 1, end, yes);
    finder_change(f, finder_begin(f, i, 2, "this choice is too much: it is never %.60s", yes), VALUE, i + 1, colon, no);
    finder_change(f, finder_begin(f, i, 2, "this choice is too much: it is never %.60s", no), VALUE, colon + 1, end, yes);
}

/* Returns whether token i is a + behind a pointer, and a name of a whole number stands behind it. */
static const struct site *added_to_pointer(const struct finder *f, size_t i)
{
    const struct site *to = NULL, *what = NULL;

    if (!token_is(&f->t, i, "+") || token_binary(&f->t, i) == 0)
        return NULL;
    for (size_t k = 0; k < f->sites; k++) {
        to = f->site[k].end == i ? &f->site[k] : to;
        what = f->site[k].first == i + 1 ? &f->site[k] : what;
    }
    if (to == NULL || what == NULL || f->path[to->path].sort != POINTER || to->end != to->last + 1 || f->path[what->path].sort != INTEGER)
        return NULL;
    return what;
}

/* pointer + bytes: it counts in elements.  Here, and everywhere. */
void mutate_bytes(struct finder *f, size_t i)
{
    const struct site *what = added_to_pointer(f, i);
    size_t at[MUTANT_PLACES], count = 0;
    char text[100];

    if (what == NULL || !finder_is_learners(f, i))
        return;
    const char *name = f->path[what->path].text;
    for (size_t k = f->begin; k < f->end && count < MUTANT_PLACES; k++) {
        const struct site *other = added_to_pointer(f, k);
        if (other == NULL || other->path != what->path)
            continue;
        if (k < i)
            return; /* done already */
        at[count++] = k + 1;
    }
    snprintf(text, sizeof text, "(%s / sizeof(float))", name);
    const size_t all = finder_begin(f, i, 1, "%s counts bytes, and a number that is added to a pointer to float counts floats%s", name,
                                    count > 1 ? ", here and in other lines" : "");
    for (size_t k = 0; k < count; k++)
        finder_change(f, all, VALUE, at[k], at[k] + 1 + (what->last - what->first), text);
}

/* Returns whether a variable is declared with this operator: a share has /, and the rest %. */
static bool is_declared_with(const struct finder *f, const struct path *p, const char *operator)
{
    for (size_t i = p->scopes > 0 ? p->from[0] : f->end; i < f->end && !token_in(&f->t, i, "; ,"); i++)
        if (token_is(&f->t, i, operator))
            return true;
    return false;
}

/* Returns whether a share is one of the variables there. */
static bool has_share(const struct finder *f, size_t from, size_t to)
{
    for (size_t k = 0; k < f->sites; k++)
        if (f->site[k].first >= from && f->site[k].first < to && is_declared_with(f, &f->path[f->site[k].path], "/"))
            return true;
    return false;
}

/* Where a share begins, if those before it have one more: their number, at most the remainder, is added. */
void mutate_begin(struct finder *f, size_t i)
{
    const size_t from = token_left(&f->t, i), to = token_right(&f->t, i);
    char here[100], text[400];

    if (!token_is(&f->t, i, "*") || from >= i || to <= i + 1 || !token_in(&f->t, from - 1, "= [ ( , return") || !token_in(&f->t, to, "; ] ) ,") ||
        !has_share(f, from, to))
        return;
    finder_plain(f, from, to, here, sizeof here);
    for (size_t r = 0; r < f->paths; r++)
        for (size_t k = 0; k < f->sites && is_declared_with(f, &f->path[r], "%"); k++) {
            if (f->site[k].first < from || f->site[k].first >= to || f->site[k].path == r || !finder_is_known(f, &f->path[r], from))
                continue;
            const char *name = f->path[f->site[k].path].text, *rest = f->path[r].text;
            snprintf(text, sizeof text, "%s + (%s < %s ? %s : %s)", here, name, rest, name, rest);
            finder_change(f, finder_begin(f, i, 1, "%.80s takes all shares for equal, but those before this one may have one more", here), VALUE, from, to, text);
        }
}
