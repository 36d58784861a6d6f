/* Parses a C++ file as far as rewriting needs it. */
#include "harness/sim/rewrite/source.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 64 }; /* of brackets */

void give_up(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(EXIT_FAILURE);
}

int line_of(const struct source *s, size_t at)
{
    int line = 1;

    for (size_t i = 0; i < at; i++)
        line += s->text[i] == '\n';
    return line;
}

bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Returns the end of a literal that starts at `at` with a quotation mark. */
static size_t literal_end(const struct source *s, size_t at)
{
    const char *t = s->text;

    if (t[at] == '"' && at > 0 && t[at - 1] == 'R') { /* R"x(...)x" */
        const char *open = strchr(t + at, '(');
        char close[32];
        if (open != NULL && open - (t + at) < 20) {
            snprintf(close, sizeof close, ")%.*s\"", (int)(open - (t + at) - 1), t + at + 1);
            const char *end = strstr(open, close);
            return end != NULL ? (size_t)(end - t) + strlen(close) : s->length;
        }
    }
    for (size_t i = at + 1; i < s->length && t[i] != '\n'; i++) {
        if (t[i] == '\\')
            i++;
        else if (t[i] == t[at])
            return i + 1;
    }
    return at + 1; /* an apostrophe in an #error line */
}

/* 1'000'000: returns whether an apostrophe separates digits: it is inside of a word that starts with a
   digit. */
static bool separates_digits(const char *t, size_t at)
{
    size_t start = at;

    while (start > 0 && (in_word(t[start - 1]) || t[start - 1] == '\''))
        start--;
    return isdigit((unsigned char)t[start]);
}

static void classify(struct source *s)
{
    const char *t = s->text;
    size_t i = 0, end;

    while (i < s->length) {
        enum kind kind = CODE;
        end = i + 1;
        if (t[i] == '/' && t[i + 1] == '/') {
            kind = COMMENT;
            while (end < s->length && (t[end] != '\n' || t[end - 1] == '\\'))
                end++;
        } else if (t[i] == '/' && t[i + 1] == '*') {
            const char *close = strstr(t + i + 2, "*/");
            kind = COMMENT;
            end = close != NULL ? (size_t)(close - t) + 2 : s->length;
        } else if (t[i] == '"' || (t[i] == '\'' && !separates_digits(t, i))) {
            kind = LITERAL;
            end = literal_end(s, i);
        }
        memset(s->kind + i, kind, end - i);
        i = end;
    }
}

struct source read_source(const char *path)
{
    struct source s = {.path = path};
    FILE *f = fopen(path, "rb");

    if (f == NULL || fseek(f, 0, SEEK_END) != 0)
        give_up("%s: cannot be read", path);
    long length = ftell(f);
    rewind(f);
    s.length = (size_t)length;
    s.text = calloc(s.length + 2, 1);
    s.kind = calloc(s.length + 2, 1);
    if (s.text == NULL || s.kind == NULL || fread(s.text, 1, s.length, f) != s.length)
        give_up("%s: cannot be read", path);
    fclose(f);
    classify(&s);
    return s;
}

/* --- steps over what is no code --------------------------------------------------------------- */

static bool blank(const struct source *s, size_t at)
{
    return s->kind[at] == COMMENT || isspace((unsigned char)s->text[at]) || s->text[at] == '\\';
}

size_t forward(const struct source *s, size_t at)
{
    while (at < s->length && blank(s, at))
        at++;
    return at;
}

/* Returns the end of the last code before `at`. */
size_t backward(const struct source *s, size_t at)
{
    while (at > 0 && blank(s, at - 1))
        at--;
    return at;
}

size_t word_end(const struct source *s, size_t at)
{
    while (at < s->length && in_word(s->text[at]))
        at++;
    return at;
}

bool is_word(const struct source *s, size_t at, const char *word)
{
    size_t end = word_end(s, at);

    return end - at == strlen(word) && memcmp(s->text + at, word, end - at) == 0;
}

/* Returns the bracket that closes the one at `at`.  Inside of < >, only brackets that are not nested
   in others count.  `commas` counts the commas directly inside. */
size_t closing(const struct source *s, size_t at, int *commas)
{
    char stack[MAX_DEPTH];
    size_t depth = 0;

    for (size_t i = at; i < s->length; i++) {
        char c = s->text[i];
        if (s->kind[i] != CODE)
            continue;
        if (c == ',' && depth == 1)
            ++*commas;
        if (c == '(' || c == '[' || c == '{' ||
            (c == '<' && (depth == 0 || stack[depth - 1] == '<'))) {
            if (depth == MAX_DEPTH)
                break;
            stack[depth++] = c;
        } else if (c == ')' || c == ']' || c == '}') {
            while (depth > 0 && stack[depth - 1] == '<')
                depth--;
            if (depth > 0)
                depth--;
        } else if (c == '>' && depth > 0 && stack[depth - 1] == '<' && s->text[i - 1] != '-') {
            depth--;
        }
        if (depth == 0)
            return i;
    }
    give_up("%s:%d: nothing closes this '%c'", s->path, line_of(s, at), s->text[at]);
}

/* The same in the other direction. */
size_t opening(const struct source *s, size_t at)
{
    char stack[MAX_DEPTH];
    size_t depth = 0;

    for (size_t i = at + 1; i-- > 0;) {
        char c = s->text[i];
        if (s->kind[i] != CODE)
            continue;
        if (c == ')' || c == ']' || c == '}' ||
            (c == '>' && (depth == 0 || stack[depth - 1] == '>') &&
             (i == 0 || s->text[i - 1] != '-'))) {
            if (depth == MAX_DEPTH)
                break;
            stack[depth++] = c;
        } else if (c == '(' || c == '[' || c == '{') {
            while (depth > 0 && stack[depth - 1] == '>')
                depth--;
            if (depth > 0)
                depth--;
        } else if (c == '<' && depth > 0 && stack[depth - 1] == '>') {
            depth--;
        }
        if (depth == 0)
            return i;
    }
    give_up("%s:%d: nothing opens this '%c'", s->path, line_of(s, at), s->text[at]);
}
