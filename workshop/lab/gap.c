#include "workshop/lab/gap.h"

#include <stdlib.h>
#include <string.h>

#include "workshop/lab/directives.h"
#include "workshop/lab/own_lines.h"
#include "workshop/lab/scope.h"
#include "workshop/lab/text.h"
#include "workshop/lab/uniform.h"

/* Returns the first token of the line; `last`: the last one.  0: it has none. */
static size_t token_of(const struct tokens *t, int line, bool last)
{
    size_t found = 0;

    for (size_t i = 1; i < t->count; i++)
        if (t->list[i].line == line && (last || found == 0))
            found = i;
    return found;
}

static bool is_barrier(const struct tokens *t, size_t i)
{
    if (token_in(t, i, "__syncthreads __syncthreads_or __syncthreads_and __syncthreads_count sync") && token_is(t, i + 1, "("))
        return true;
    const size_t body = t->list[i].kind == WORD && token_is(t, i + 1, "(") ? scope_body(t, i) : 0;
    for (size_t k = body; body > 0 && k < t->list[body].match; k++) /* or a function that has one */
        if (token_is(t, k, "__syncthreads"))
            return true;
    return false;
}

static bool has_barrier(const struct tokens *t, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (is_barrier(t, i))
            return true;
    return false;
}

/* Returns the innermost loop around both tokens, and where it ends; 0: there is none. */
static size_t loop_around(const struct tokens *t, size_t a, size_t b, size_t *end)
{
    size_t found = 0;

    for (size_t k = 1; k < a && k < b; k++) {
        const size_t behind = token_in(t, k, "for while") ? directive_statement_end(t, k) : token_is(t, k, "do") ? directive_statement_end(t, k + 1) : 0;
        if (behind > a && behind > b) {
            found = k;
            *end = behind;
        }
    }
    return found;
}

/* Returns whether both lines are in one function: no bracket of a function ends between them. */
static bool in_one_function(const struct tokens *t, size_t a, size_t b)
{
    for (size_t i = a < b ? a : b; i < (a < b ? b : a); i++)
        if (token_is(t, i, "}") && scope_is_outside(t, t->list[i].match))
            return false;
    return true;
}

/* Two lines, of which the first one stands before the second one in the text. */
struct pair {
    const struct tokens *t;
    int first, second;
    bool writes_first; /* the first one writes, and the second one reads */
};

static void tell_further_on(const struct pair *p, struct mistake *m)
{
    mistake_add(m, p->writes_first ? "line %d writes what line %d reads further on, and no barrier stands between the two"
                                   : "line %d reads what line %d overwrites further on, and no barrier stands between the two",
                p->first, p->second);
}

static void tell_next_turn(const struct pair *p, struct mistake *m)
{
    mistake_add(m, p->writes_first ? "line %d reads, and in the next turn of the loop line %d writes there again: no barrier stands on this way"
                                   : "line %d writes what line %d reads in the next turn of the loop: no barrier stands on this way",
                p->second, p->first);
}

static void tell(const struct pair *p, struct mistake *m)
{
    const struct tokens *t = p->t;
    const size_t a = token_of(t, p->first, true), b = token_of(t, p->second, false), from = token_of(t, p->first, false),
                 to = token_of(t, p->second, true);
    size_t end = 0;

    if (from == 0 || b == 0 || !in_one_function(t, from, b))
        return;
    const size_t loop = loop_around(t, from, b, &end);
    const bool further = a < b && has_barrier(t, a, b), back = loop > 0 && (has_barrier(t, to, end) || has_barrier(t, loop, from));
    const bool one_line = p->first == p->second;
    if (loop > 0 && !further && !back)
        mistake_add(m, "no barrier stands in the loop of line %d, in which one thread uses what another one writes", t->list[loop].line);
    else if (one_line || (further && (back || loop == 0)))
        return;
    else if (!further)
        tell_further_on(p, m);
    else
        tell_next_turn(p, m);
    m->named = true;
}

static bool read_file(const struct exercise *e, char **text, struct tokens *t)
{
    struct error ignored;

    *text = text_read(e->source, &ignored);
    if (*text == NULL)
        return false;
    if (tokens_read(t, *text))
        return true;
    tokens_free(t);
    free(*text);
    return false;
}

void gap_of_race(const struct exercise *e, const char *said, int line, struct mistake *m)
{
    const char *name = strrchr(e->source, '/') + 1, *reads = strstr(said, ") reads them at "), *writes = strstr(said, ") writes them at ");
    const char *changes = strstr(said, ") changes them "), *its = reads != NULL ? reads : writes != NULL ? writes : changes;
    const char *at = its != NULL ? strstr(its, name) : NULL;
    const bool i_read = strstr(said, "race: reads ") != NULL, it_reads = reads != NULL;
    const int other = at != NULL ? atoi(at + strlen(name) + 1) : 0;
    struct tokens t;
    char *text;

    if (strstr(said, "of the shared array") == NULL || i_read == it_reads || line == 0 || other == 0 || strstr(said, "blocks of a launch") != NULL || !read_file(e, &text, &t))
        return;
    const int writer = i_read ? other : line, reader = i_read ? line : other;
    const struct pair p = {&t, writer < reader ? writer : reader, writer < reader ? reader : writer, writer < reader};
    tell(&p, m);
    tokens_free(&t);
    free(text);
}

void gap_of_unwritten(const struct exercise *e, int writer, int reader, struct mistake *m)
{
    struct tokens t;
    char *text;

    if (writer >= reader || !read_file(e, &text, &t))
        return;
    const size_t from = token_of(&t, writer, true), to = token_of(&t, reader, false);
    for (size_t i = from; from > 0 && i < to; i++) {
        const size_t choice = is_barrier(&t, i) ? uniform_choice(&t, i) : 0;
        if (token_is(&t, i, "__syncwarp"))
            mistake_add(m, "between the two stands the __syncwarp() of line %d, in which only threads of one warp wait for each other", t.list[i].line);
        else if (choice > 0)
            mistake_add(m, "the barrier of line %d, between the two, depends on line %d, and the number of the thread decides there %s", t.list[i].line,
                        t.list[choice].line, token_is(&t, choice, "if") ? "which threads reach it" : "how many turns a thread makes");
        else
            continue;
        own_lines_quote(e, t.list[choice > 0 ? choice : i].line, m);
        m->named = true;
        break;
    }
    tokens_free(&t);
    free(text);
}
