/* Mutants of where control goes: return, continue and break in a loop, and what belongs to a head without braces. */
#include <stdio.h>
#include <string.h>

#include "workshop/lab/finder.h"

/* Returns whether token i stands in the body of a loop. */
static bool in_loop(const struct finder *f, size_t i)
{
    for (size_t k = f->begin; k < i; k++)
        if ((token_in(&f->t, k, "for while") || token_is(&f->t, k, "do")) && finder_behind_statement(f, k) > i)
            return true;
    return false;
}

/* return, continue and break: one in the place of another.  It is done before that, or before the if whose only statement that is. */
void mutate_jump(struct finder *f, size_t i)
{
    static const struct {
        const char *other;
        int priority; /* in the place of return, continue, break; 0: it is none */
    } others[] = {{"return", 3}, {"continue", 1}, {"break", 2}};
    const struct tokens *t = &f->t;
    char word[16], head[300], text[340];

    if (!token_in(t, i, "return continue break") || !token_is(t, i + 1, ";") || !finder_is_learners(f, i) || !in_loop(f, i))
        return;
    const size_t begin = token_is(t, i - 1, ")") && token_is(t, t->list[i - 1].match - 1, "if") ? t->list[i - 1].match - 1 : i;
    if (!finder_begins_statement(f, begin))
        return;
    finder_plain(f, i, i + 1, word, sizeof word);
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        if (strcmp(word, others[k].other) == 0 || (strcmp(others[k].other, "return") == 0 && !f->kernel))
            continue;
        snprintf(text, sizeof text, "%s %s;", begin < i ? finder_plain(f, begin, i, head, sizeof head) : "", others[k].other);
        finder_change(f, finder_begin(f, i, others[k].priority, strcmp(word, "return") == 0 ? "\"return\" ends more than this round of the loop: what comes behind it is left out"
                                      : "\"%s\" is not the right way out of here", word), BEFORE, begin, begin + 1, text);
    }
}

/* Returns how far from the left the line of token i begins. */
static size_t indent(const struct finder *f, size_t i)
{
    size_t at = f->t.list[i].at, first = at;

    for (; at > 0 && f->t.text[at - 1] != '\n'; at--)
        first = strchr(" \t", f->t.text[at - 1]) == NULL ? at - 1 : first;
    return first - at;
}

/* The statement behind an if or a loop without braces: into it. */
void mutate_braces(struct finder *f, size_t i)
{
    const struct tokens *t = &f->t;
    char head[300], body[400], next[400], text[1200];

    if (!token_in(t, i, "if for while") || !token_is(t, i + 1, "(") || !finder_begins_statement(f, i))
        return;
    const size_t first = t->list[i + 1].match + 1, end = finder_behind_statement(f, i), behind = finder_statement_end(f, end);
    if (token_in(t, first, "{ ; return continue break") || behind == end || finder_behind_statement(f, first) != end || !finder_is_learners(f, end))
        return;
    for (size_t k = first; k < end; k++)
        if (token_is(t, k, "else"))
            return;
    snprintf(text, sizeof text, "%s { %s %s }", finder_plain(f, i, first, head, sizeof head), finder_plain(f, first, end, body, sizeof body),
             finder_plain(f, end, behind, next, sizeof next));
    const char *const word = token_is(t, i, "if") ? "if" : "loop";
    const size_t mutant = finder_begin(f, end, indent(f, end) > indent(f, i) ? 0 : 1, "without braces this does not belong to the %s in line %d", word, t->list[i].line);
    finder_change(f, mutant, BEFORE, i, i + 1, text);
    finder_change(f, mutant, GUARD, i, end, "0");
    finder_change(f, mutant, GUARD, end, behind, "0");
}

/* A barrier at the end of each round of a loop without braces. */
void mutate_loop_barrier(struct finder *f, size_t i)
{
    const struct tokens *t = &f->t;
    char head[300], body[600], text[940];

    if (!f->kernel || !f->hint->order || !token_in(t, i, "for while") || !finder_begins_statement(f, i) || !token_is(t, i + 1, "(") || !finder_is_learners(f, i))
        return;
    const size_t first = t->list[i + 1].match + 1, end = finder_behind_statement(f, i);
    if (token_in(t, first, "{ ;"))
        return;
    snprintf(text, sizeof text, "%s { %s __syncthreads(); }", finder_plain(f, i, first, head, sizeof head), finder_plain(f, first, end, body, sizeof body));
    const size_t mutant = finder_begin(f, i, 0, "a barrier is missing at the end of each round of this loop");
    finder_change(f, mutant, BEFORE, i, i + 1, text);
    finder_change(f, mutant, GUARD, i, end, "0");
}
