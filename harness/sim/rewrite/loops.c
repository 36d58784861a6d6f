/*
 * Marks loops of kernels and of the functions that they call, for the second pass:
 *
 *     for (...) x += y;           CUDASIM_LOOP for (...) CUDASIM_TURN x += y;
 *     return;                     return cudasim_returns(__LINE__);     (of kernels, so that it is known where a thread has left)
 *
 * Two kinds stay unmarked: loops that will be unrolled, because no loop is left of them, and loops of
 * constexpr functions, which may not call anything at run time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/sim/rewrite/source.h"

static void mark(struct marks *m, size_t at, const char *text)
{
    if (m->count % 64 == 0) {
        m->mark = realloc(m->mark, (m->count + 64) * sizeof *m->mark);
        if (m->mark == NULL)
            give_up("no memory");
    }
    m->mark[m->count++] = (struct mark){at, text};
}

static bool starts_word(const struct source *s, size_t at)
{
    return s->kind[at] == CODE && in_word(s->text[at]) && (at == 0 || !in_word(s->text[at - 1]));
}

/* Returns whether #pragma unroll precedes it, without a number or with one above 1. */
static bool is_unrolled(const struct source *s, size_t at)
{
    size_t line = backward(s, at);
    char rest[16] = "";

    while (line > 0 && s->text[line - 1] != '\n')
        line--;
    line = forward(s, line);
    return strncmp(s->text + line, "#pragma unroll", 14) == 0 &&
           (sscanf(s->text + line + 14, "%15[^\n]", rest) != 1 || strtol(rest, NULL, 10) != 1);
}

/* Marks the for, while or do at `at`. */
static void mark_loop(const struct source *s, size_t at, struct marks *m)
{
    size_t body = word_end(s, at);
    int ignored = 0;

    if (is_unrolled(s, at))
        return;
    if (!is_word(s, at, "do")) {
        body = closing(s, forward(s, body), &ignored) + 1;
        if (is_word(s, at, "while") && s->text[forward(s, body)] == ';')
            return; /* the end of do ... while */
    }
    mark(m, at, "CUDASIM_LOOP ");
    mark(m, body, " CUDASIM_TURN ");
}

/* Marks the return at `at`, which gives no value. */
static void mark_return(const struct source *s, size_t at, struct marks *m)
{
    if (s->text[forward(s, word_end(s, at))] == ';')
        mark(m, word_end(s, at), " cudasim_returns(__LINE__)");
}

static int by_place(const void *a, const void *b)
{
    const struct mark *x = a, *y = b;

    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return strcmp(y->text, x->text); /* for (...)for (...): marks of the first loop come before those
                                        of the second */
}

/* Returns where the body of the function declared at `at` starts; 0: it has none, or is not a
   function. */
static size_t body_of(const struct source *s, size_t at)
{
    int ignored = 0;

    for (size_t i = at; i < s->length; i++) {
        if (s->kind[i] != CODE)
            continue;
        if (starts_word(s, i) && is_word(s, i, "constexpr"))
            return 0;
        if (s->text[i] == '(')
            i = closing(s, i, &ignored);
        else if (s->text[i] == '{')
            return i;
        else if (s->text[i] == ';' || s->text[i] == '=')
            return 0;
    }
    return 0;
}

struct marks mark_loops(const struct source *s)
{
    struct marks m = {.count = 0};
    size_t end = 0; /* of the function */
    bool constant = false, kernel = false;
    int ignored = 0;

    for (size_t i = 0; i < s->length; i++) {
        if (s->kind[i] == CODE && strchr(";}", s->text[i]) != NULL)
            constant = false;
        if (!starts_word(s, i))
            continue;
        constant = constant || is_word(s, i, "constexpr");
        if (i < end) {
            if (is_word(s, i, "for") || is_word(s, i, "while") || is_word(s, i, "do"))
                mark_loop(s, i, &m);
            else if (kernel && is_word(s, i, "return"))
                mark_return(s, i, &m);
        } else if (!constant && (is_word(s, i, "__global__") || is_word(s, i, "__device__"))) {
            size_t body = body_of(s, i);
            kernel = is_word(s, i, "__global__");
            end = body > 0 ? closing(s, body, &ignored) : 0;
        }
    }
    if (m.count > 0)
        qsort(m.mark, m.count, sizeof *m.mark, by_place);
    return m;
}
