/* Mutants of brackets: what an operator or a function takes in. */
#include <stdio.h>
#include <string.h>

#include "workshop/lab/finder.h"

static bool is_arithmetic(const struct finder *f, size_t i)
{
    return token_in(&f->t, i, "+ - * /") && token_binary(&f->t, i) > 0;
}

static bool is_logical(const struct finder *f, size_t i)
{
    return token_in(&f->t, i, "&& ||");
}

/* Returns the operator that is computed last of tokens from to to - 1; 0: there is none. */
static size_t last_operator(const struct finder *f, size_t from, size_t to)
{
    for (size_t i = from + 1; i + 1 < to; i = token_in(&f->t, i, "( [ {") ? f->t.list[i].match + 1 : i + 1)
        if (token_binary(&f->t, i) > 0 && token_left(&f->t, i) == from && token_right(&f->t, i) == to)
            return i;
    return 0;
}

/* Takes brackets off that are around all of it. */
static void strip(const struct finder *f, size_t *from, size_t *to)
{
    if (token_is(&f->t, *from, "(") && f->t.list[*from].match + 1 == *to && !token_is_cast(&f->t, *to - 1)) {
        ++*from;
        --*to;
    }
}

/* a + b * c, (a + b) * c, a / b * c: the other operator is computed first. */
void mutate_grouping(struct finder *f, size_t i)
{
    const size_t from = token_left(&f->t, i), to = token_right(&f->t, i);
    char a[200], b[200], c[200], here[300], one[4], other[4], text[700];

    if (!(is_arithmetic(f, i) || is_logical(f, i)) || from >= i || to <= i + 1 || finder_is_pointer(f, from) || finder_is_pointer(f, i + 1))
        return;
    finder_plain(f, from, to, here, sizeof here);
    for (int side = 0; side < 2; side++) {
        size_t begin = side == 0 ? from : i + 1, end = side == 0 ? i : to;
        strip(f, &begin, &end);
        const size_t k = last_operator(f, begin, end);
        const bool no_matter = k > 0 && token_in(&f->t, i, "+ * && ||") && tokens_equal(&f->t, i, k, 1);
        if (k == 0 || no_matter || is_arithmetic(f, k) != is_arithmetic(f, i) || is_logical(f, k) != is_logical(f, i))
            continue;
        finder_plain(f, i, i + 1, one, sizeof one);
        finder_plain(f, k, k + 1, other, sizeof other);
        finder_plain(f, begin, k, side == 0 ? a : b, sizeof a);
        finder_plain(f, k + 1, end, side == 0 ? b : c, sizeof b);
        finder_plain(f, side == 0 ? i + 1 : from, side == 0 ? to : i, side == 0 ? c : a, sizeof c);
        if (side == 0)
            snprintf(text, sizeof text, "(%s) %s ((%s) %s (%s))", a, other, b, one, c);
        else
            snprintf(text, sizeof text, "((%s) %s (%s)) %s (%s)", a, one, b, other, c);
        finder_change(f, finder_begin(f, i, 2, "of %.80s another part belongs together", here), VALUE, from, to, text);
    }
}

/* Returns the bracket of a call with one argument that is all of tokens from to to - 1; 0: there is none. */
static size_t call_of_one(const struct finder *f, size_t from, size_t to)
{
    const struct tokens *t = &f->t;
    const size_t open = from + 1;

    if (t->list[from].kind != WORD || finder_is_keyword(t, from) || token_is_type(t, from) || !token_is(t, open, "(") || t->list[open].match + 1 != to || to == open + 2)
        return 0;
    for (size_t k = open + 1; k + 1 < to; k = token_in(t, k, "( [ {") ? t->list[k].match + 1 : k + 1)
        if (token_is(t, k, ","))
            return 0;
    return open;
}

/* f(a / b): f(a) / b, and f(b) for a product. */
static void out_of_call(struct finder *f, size_t i)
{
    const struct tokens *t = &f->t;
    char name[64], a[200], b[200], word[4], text[600];

    if (!token_is(t, i + 1, "(") || call_of_one(f, i, t->list[i + 1].match + 1) == 0)
        return;
    const size_t close = t->list[i + 1].match, k = last_operator(f, i + 2, close);
    if (k == 0 || !is_arithmetic(f, k))
        return;
    finder_plain(f, i, i + 1, name, sizeof name);
    finder_plain(f, i + 2, k, a, sizeof a);
    finder_plain(f, k + 1, close, b, sizeof b);
    finder_plain(f, k, k + 1, word, sizeof word);
    for (int side = 0; side < (token_in(t, k, "* +") ? 2 : 1); side++) {
        snprintf(text, sizeof text, side == 0 ? "(%s(%s) %s (%s))" : "((%s) %s %s(%s))", side == 0 ? name : a, side == 0 ? a : word, side == 0 ? word : name, b);
        finder_change(f, finder_begin(f, i, 1, "%s takes in too much of its argument", name), VALUE, i, close + 1, text);
    }
}

/* f(a) / b: f(a / b). */
static void into_call(struct finder *f, size_t i)
{
    const struct tokens *t = &f->t;
    char name[64], a[200], b[200], word[4], text[600];

    if (!is_arithmetic(f, i))
        return;
    const size_t from = token_left(t, i), to = token_right(t, i);
    for (int side = 0; side < 2; side++) {
        const size_t begin = side == 0 ? from : i + 1, end = side == 0 ? i : to, open = begin < end ? call_of_one(f, begin, end) : 0;
        if (open == 0 || from >= i || to <= i + 1)
            continue;
        finder_plain(f, begin, begin + 1, name, sizeof name);
        finder_plain(f, open + 1, end - 1, side == 0 ? a : b, sizeof a);
        finder_plain(f, side == 0 ? i + 1 : from, side == 0 ? to : i, side == 0 ? b : a, sizeof b);
        snprintf(text, sizeof text, "%s((%s) %s (%s))", name, a, finder_plain(f, i, i + 1, word, sizeof word), b);
        finder_change(f, finder_begin(f, i, 2, "%s takes in too little: what stands beside it belongs into its brackets", name), VALUE, from, to, text);
    }
}

void mutate_reach(struct finder *f, size_t i)
{
    if (!finder_is_learners(f, i))
        return;
    out_of_call(f, i);
    into_call(f, i);
}
