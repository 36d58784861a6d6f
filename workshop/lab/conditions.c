#include "workshop/lab/conditions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workshop/lab/schema.h"
#include "workshop/lab/token.h"

/* Where conditions begin and end, in the text. */
struct marks {
    const struct tokens *t;
    struct conditions *c;
    size_t at[MOST_CONDITIONS], end[MOST_CONDITIONS];
};

/* Notes the condition of tokens first to end - 1, unless it is a declaration or a constant. */
static void add(struct marks *k, enum condition_kind kind, size_t first, size_t end)
{
    const struct tokens *t = k->t;
    struct conditions *c = k->c;

    if (first >= end || c->count == MOST_CONDITIONS || token_is_type(t, first) || (end == first + 1 && t->list[first].kind == NUMBER))
        return;
    struct condition *one = &c->list[c->count];
    char *plain = schema_plain(t->text, t->list[first].at, t->list[end - 1].end);
    *one = (struct condition){.kind = kind, .line = t->list[first].line};
    snprintf(one->text, sizeof one->text, "%s", plain != NULL ? plain : "");
    if (plain != NULL && strlen(plain) >= sizeof one->text)
        memcpy(one->text + sizeof one->text - sizeof " ...", " ...", sizeof " ...");
    free(plain);
    k->at[c->count] = t->list[first].at;
    k->end[c->count++] = t->list[end - 1].end;
}

static size_t behind(const struct tokens *t, size_t i)
{
    return token_in(t, i, "( [ {") ? t->list[i].match + 1 : i + 1;
}

/* Notes a condition, and its parts if && or || stand between them. */
static void add_with_parts(struct marks *k, enum condition_kind kind, size_t first, size_t end)
{
    size_t parts = 0, from = first;

    add(k, kind, first, end);
    for (size_t i = first; i < end; i = behind(k->t, i)) {
        if (token_in(k->t, i, "? , = += -=")) /* they bind less */
            return;
        parts += token_in(k->t, i, "&& ||");
    }
    for (size_t i = first; parts > 0 && i <= end; i = behind(k->t, i)) {
        if (i < end && !token_in(k->t, i, "&& ||"))
            continue;
        add(k, PART, from, i);
        from = i + 1;
    }
}

/* Notes the condition of the loop for (...; condition; ...) whose bracket is at `open`. */
static void add_for(struct marks *k, size_t open)
{
    size_t semicolon[2], count = 0;

    for (size_t i = open + 1; i < k->t->list[open].match && count < 2; i = behind(k->t, i))
        if (token_is(k->t, i, ";"))
            semicolon[count++] = i;
    if (count == 2)
        add_with_parts(k, LOOP, semicolon[0] + 1, semicolon[1]);
}

/* Returns where the condition before the ? at i begins. */
static size_t choice_begin(const struct tokens *t, size_t i)
{
    while (i > 0 && !token_in(t, i - 1, "( [ { , ; ? : = += -= *= /= return"))
        i = token_in(t, i - 1, ") ] }") ? t->list[i - 1].match : i - 1;
    return i;
}

static void find(struct marks *k)
{
    const struct tokens *t = k->t;

    for (size_t i = 0; i + 1 < t->count; i++) {
        if (token_is(t, i, "for") && token_is(t, i + 1, "("))
            add_for(k, i + 1);
        else if (token_in(t, i, "if while") && token_is(t, i + 1, "("))
            add_with_parts(k, token_is(t, i, "if") ? BRANCH : LOOP, i + 2, t->list[i + 1].match);
        else if (token_is(t, i, "?"))
            add_with_parts(k, BRANCH, choice_begin(t, i), i);
    }
}

/* Writes what ends here, and then what begins here, the longest first. */
static void write_marks(const struct marks *k, size_t at, FILE *out)
{
    bool written[MOST_CONDITIONS] = {false};

    for (size_t n = 0; n < k->c->count; n++)
        if (k->end[n] == at)
            fputs("))", out);
    for (;;) {
        size_t longest = k->c->count;
        for (size_t n = 0; n < k->c->count; n++)
            if (k->at[n] == at && !written[n] && (longest == k->c->count || k->end[n] > k->end[longest]))
                longest = n;
        if (longest == k->c->count)
            return;
        written[longest] = true;
        fprintf(out, "cudasim_branch(%zu, (", longest);
    }
}

char *conditions_mark(const char *program, struct conditions *c)
{
    struct tokens t;
    struct marks k = {.t = &t, .c = c};
    char *text = NULL;
    size_t size = 0;

    c->count = 0;
    if (tokens_read(&t, program))
        find(&k);
    FILE *out = c->count > 0 ? open_memstream(&text, &size) : NULL;
    for (size_t at = 0; out != NULL; at++) {
        write_marks(&k, at, out);
        if (program[at] == '\0')
            break;
        putc(program[at], out);
    }
    if (out != NULL)
        fclose(out);
    tokens_free(&t);
    return text;
}
