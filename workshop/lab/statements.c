/* Mutants of statements: one that is left out, exchanged or inserted. */
#include <stdio.h>
#include <string.h>

#include "workshop/lab/finder.h"

/* Returns the token behind the statement that begins at i, if it is an expression; else i. */
static size_t statement_end(const struct finder *f, size_t i)
{
    size_t end = i;

    if (finder_is_keyword(&f->t, i) || token_is_type(&f->t, i) || f->t.list[i].kind != WORD || f->t.list[i + 1].kind == WORD)
        return i;
    if (token_is(&f->t, i + 1, "*") && token_in(&f->t, i + 3, "= ; ,"))
        return i; /* a declaration */
    while (end < f->end && !token_in(&f->t, end, "; { }"))
        end = token_in(&f->t, end, "( [ <<<") ? f->t.list[end].match + 1 : end + 1;
    return end < f->end && token_is(&f->t, end, ";") ? end + 1 : i;
}

/* Returns whether a statement may be inserted before token i. */
static bool begins_statement(const struct finder *f, size_t i)
{
    return token_in(&f->t, i - 1, "; }") ||
           (token_is(&f->t, i - 1, "{") && (token_in(&f->t, i - 2, ") else do") || i - 1 == f->begin));
}

static void insert(struct finder *f, size_t i, int priority, const char *text, const char *words)
{
    finder_change(f, finder_begin(f, i, priority, "%s", words), BEFORE, i, i + 1, text);
}

/* Another value for a variable, before token i. */
static void insert_assignments(struct finder *f, size_t i)
{
    char text[120], words[120];

    for (size_t a = 0; a < f->paths; a++)
        for (size_t b = 0; b < f->paths; b++) {
            const struct path *x = &f->path[a], *y = &f->path[b];
            if (x->constant || strcmp(x->type, y->type) != 0 || strpbrk(x->text, ".-") != NULL || strpbrk(y->text, ".-") != NULL || x->sort != y->sort || a == b ||
                !finder_is_known(f, x, i) || !finder_is_known(f, y, i))
                continue;
            snprintf(words, sizeof words, "a new value for %s before this line", x->text);
            snprintf(text, sizeof text, "%s = %s;", x->text, y->text);
            insert(f, i, 6, text, words);
            if (x->sort != INTEGER)
                continue;
            snprintf(text, sizeof text, "%s -= %s;", x->text, y->text);
            insert(f, i, 6, text, words);
        }
}

void mutate_statement(struct finder *f, size_t i)
{
    const size_t end = statement_end(f, i), next = end > i ? statement_end(f, end) : end;
    const bool inserts = begins_statement(f, i);
    const bool behind_head = token_in(&f->t, i - 1, ") else") && f->t.list[i].kind == WORD; /* if (...), for (...) */
    char text[700];

    if (!inserts && !behind_head)
        return;

    if (end > i && finder_is_learners(f, i)) {
        finder_plain(f, i, end, text, sizeof text);
        finder_change(f, finder_begin(f, i, 5, "this statement left out"), WITHOUT, i, end, "");
    }
    if (inserts && next > end && end > i && (finder_is_learners(f, i) || finder_is_learners(f, end))) {
        const size_t mutant = finder_begin(f, i, 5, "this statement and the next one exchanged");
        finder_plain(f, end, next, text, sizeof text);
        finder_change(f, mutant, BEFORE, i, i + 1, text);
        finder_change(f, mutant, WITHOUT, end, next, "");
    }
    if (!inserts || token_is(&f->t, i, "else"))
        return;
    if (f->kernel && !token_is(&f->t, i, "__syncthreads"))
        insert(f, i, f->order ? 0 : 5, "__syncthreads();", "a barrier before this line");
    if (finder_is_learners(f, i) || finder_is_learners(f, i - 1))
        insert_assignments(f, i);
}
