#define _GNU_SOURCE
#include "workshop/lab/absent.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "workshop/lab/directives.h"
#include "workshop/lab/own_lines.h"
#include "workshop/lab/text.h"

static int number_of(const char *code, const char *at)
{
    int line = 1;

    for (; code < at; code++)
        line += *code == '\n';
    return line;
}

static const char *start_of(const char *code, int line)
{
    for (int i = 1; code != NULL && i < line; i++) {
        code = strchr(code, '\n');
        code = code != NULL ? code + 1 : NULL;
    }
    return code;
}

static bool is_word(const char *at, const char *word)
{
    const size_t length = strlen(word);

    return strncmp(at, word, length) == 0 && !isalnum((unsigned char)at[length]) && at[length] != '_';
}

/* Returns what begins the statement that ends before `end`: what stands behind the last ; { or }, outside of round brackets. */
static const char *statement_before(const char *code, const char *end)
{
    int depth = 0;

    while (end > code) {
        const char c = end[-1];
        depth += c == ')';
        depth -= c == '(';
        if (depth == 0 && (c == ';' || c == '{' || c == '}'))
            break;
        end--;
    }
    while (isspace((unsigned char)*end))
        end++;
    return end;
}

/* Of heads before `end` that follow each other, "if (...) for (...)", returns the last `if`; if there is none, the last one. */
static const char *last_head(const char *at, const char *end)
{
    const char *condition = NULL;

    while (is_word(at, "for") || is_word(at, "while") || is_word(at, "if")) {
        const char *next = strchr(at, '(');
        int depth = 0;
        condition = is_word(at, "if") ? at : condition;
        for (; next != NULL && next < end; next++) {
            depth += *next == '(';
            depth -= *next == ')';
            if (depth == 0)
                break;
        }
        if (next == NULL || next >= end)
            break;
        next += 1 + strspn(next + 1, " \t\n");
        if (next >= end || !(is_word(next, "for") || is_word(next, "while") || is_word(next, "if")))
            break;
        at = next;
    }
    return condition != NULL ? condition : at;
}

/* Returns the bracket that opens the block around `at`; NULL: there is none. */
static const char *block_around(const char *code, const char *at)
{
    int depth = 0;

    while (at > code) {
        at--;
        depth += *at == '}';
        if (*at == '{' && depth-- == 0)
            return at;
    }
    return NULL;
}

/* Returns the nearest `if` around the line (or, if there is none, the nearest loop), in its function; NULL: there is none. */
static const char *condition_around(const char *code, int line)
{
    const char *at = start_of(code, line), *loop = NULL, *end = at != NULL ? at + strspn(at, " \t") : NULL;

    for (at = end != NULL ? last_head(statement_before(code, end), end) : NULL; at != NULL;) {
        const bool own_line = number_of(code, at) == line; /* a loop's own condition is evaluated by all */
        if (is_word(at, "if") || is_word(at, "else"))
            return at;
        if (loop == NULL && !own_line && (is_word(at, "for") || is_word(at, "while")))
            loop = at;
        const char *open = block_around(code, at);
        if (open == NULL || (open > code && open[-1] == '\n')) /* of the function */
            return loop;
        at = last_head(statement_before(code, open), open);
        line = 0;
    }
    return loop;
}

/* Returns the first barrier of the text from `at` on, before `end`; NULL: there is none. */
static const char *barrier_in(const char *at, const char *end)
{
    at = at != NULL && end != NULL ? strstr(at, "__sync") : NULL;
    return at != NULL && at < end ? at : NULL;
}

void absent_barrier_add(const struct exercise *e, int writer, int reader, struct mistake *m)
{
    struct error ignored;
    char *text = text_read(e->source, &ignored), *code = text != NULL ? text_without_comments(text) : NULL;
    const char *write = start_of(code, writer), *read = start_of(code, reader), *body = write, *open;

    while (write != NULL && (open = block_around(code, body)) != NULL)
        body = open;
    const char *before = barrier_in(body, write), *next = before;
    while (next != NULL) { /* the last one */
        before = next;
        next = barrier_in(before + 1, write);
    }
    if (write != NULL && read != NULL && write < read && barrier_in(write, read) == NULL && before != NULL)
        mistake_add(m, "the barrier of line %d stands before line %d, which writes; between that and line %d, which reads, there is none",
                    number_of(code, before), writer, reader);
    free(code);
    free(text);
}

/* Returns whether the function that contains token k goes on to this line. */
static bool is_same_function(const struct tokens *t, size_t k, int line)
{
    for (size_t i = 0; i < k; i++)
        if (token_is(t, i, "{") && t->list[i].match > k)
            return t->list[t->list[i].match].line > line;
    return false;
}

/* Returns whether a loop contains the barrier's line, and ends before the return of line `left` of the same function: the threads had left that
   loop before. */
static bool is_behind_loop(const char *code, int line, int left)
{
    struct tokens t;
    bool found = false;

    for (size_t k = tokens_read(&t, code) ? 0 : t.count; k + 1 < t.count; k++) {
        const size_t behind = token_in(&t, k, "for while") ? directive_statement_end(&t, k) : 0;
        if (behind == 0 || behind >= t.count || t.list[k].line > line || t.list[behind - 1].line < line || !is_same_function(&t, k, left))
            continue;
        found = t.list[behind - 1].line < left;
        if (!found) /* a loop around both */
            break;
    }
    tokens_free(&t);
    return found;
}

void absent_add(const struct exercise *e, int line, struct mistake *m)
{
    struct error ignored;
    char *text = text_read(e->source, &ignored), *code = text != NULL ? text_without_comments(text) : NULL;
    int left = 0;

    for (int i = 0; i < m->facts; i++) {
        const char *by = strstr(m->fact[i], "by the return in line ");
        left = by != NULL ? atoi(by + strlen("by the return in line ")) : left;
    }
    if (code != NULL && left > line && is_behind_loop(code, line, left))
        left = 0;
    const char *around = code != NULL ? condition_around(code, left > 0 ? left : line) : NULL;
    const int where = around != NULL ? number_of(code, around) : 0;
    if (where > 0 && left == 0)
        mistake_add(m, is_word(around, "if") || is_word(around, "else") ? "line %d stands under the condition of line %d:"
                                                                        : "line %d stands in the loop of line %d, which some have left:", line, where);
    if (where > 0 && where != line)
        own_lines_quote(e, where, m);
    if (left > 0 && where != left)
        own_lines_quote(e, left, m);
    const char *next = around != NULL ? strstr(around, "continue;") : NULL;
    if (next != NULL && left == 0 && number_of(code, next) < line)
        mistake_add(m, "line %d goes on with the next turn of the loop, and so passes by line %d", number_of(code, next), line);
    free(code);
    free(text);
}
