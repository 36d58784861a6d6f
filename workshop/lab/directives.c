#include "workshop/lab/directives.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Returns the first token behind this line. */
static size_t token_behind(const struct tokens *t, int line)
{
    size_t i = 0;

    while (i < t->count && t->list[i].line <= line)
        i++;
    return i;
}

size_t directive_statement_end(const struct tokens *t, size_t i)
{
    const bool choice = token_is(t, i, "if");

    if (token_in(t, i, "for if while switch") && i + 1 < t->count) {
        const size_t end = directive_statement_end(t, t->list[i + 1].match + 1);
        return choice && token_is(t, end, "else") ? directive_statement_end(t, end + 1) : end;
    }
    if (token_is(t, i, "{"))
        return t->list[i].match + 1;
    while (i < t->count && !token_is(t, i, ";"))
        i = token_in(t, i, "( [ {") ? t->list[i].match + 1 : i + 1;
    return i + 1;
}

/* Returns the words of a line "#pragma omp ...", or NULL for another line. */
static const char *words_of(const char *line)
{
    static const char *const parts[] = {"#", "pragma", "omp"};

    for (size_t k = 0; k < 3; k++) {
        line += strspn(line, " \t");
        if (strncmp(line, parts[k], strlen(parts[k])) != 0)
            return NULL;
        line += strlen(parts[k]);
    }
    return in_word(*line) ? NULL : line;
}

/* Copies the words and the lines that continue them.  Returns how many lines these are. */
static int copy_words(struct directive *d, const char *at)
{
    size_t length = 0;
    int lines = 0;

    for (; *at != '\0' && *at != '\n' && length + 1 < sizeof d->words; at++) {
        const bool goes_on = at[0] == '\\' && at[1] == '\n';
        d->words[length++] = *(goes_on ? " " : at);
        at += goes_on;
        lines += goes_on;
    }
    d->words[length] = '\0';
    return lines;
}

void directives_read(struct directives *d, const struct tokens *t)
{
    int line = 1;

    d->count = 0;
    for (const char *at = t->text; *at != '\0' && d->count < MAX_DIRECTIVES; at += strcspn(at, "\n"), at += *at == '\n', line++) {
        struct directive *new = &d->list[d->count];
        const char *words = words_of(at);
        if (words == NULL)
            continue;
        new->line = line;
        new->begin = token_behind(t, line + copy_words(new, words));
        new->end = directive_statement_end(t, new->begin);
        d->count += new->end <= t->count;
    }
}

/* Returns whether one of the words, which blanks separate, is this one. */
static bool is_listed(const char *list, const char *word, size_t length)
{
    for (size_t one; *list != '\0'; list += one + strspn(list + one, " ")) {
        one = strcspn(list, " ");
        if (one == length && strncmp(list, word, length) == 0)
            return true;
    }
    return false;
}

bool directive_has(const struct directive *d, const char *list)
{
    int depth = 0;

    for (const char *at = d->words; *at != '\0';) {
        size_t length = 0;
        while (in_word(at[length]))
            length++;
        if (length > 0 && depth == 0 && is_listed(list, at, length))
            return true;
        depth += *at == '(' ? 1 : *at == ')' ? -1 : 0;
        at += length > 0 ? length : 1;
    }
    return false;
}

/* Returns whether the name stands in the bracket that begins at `at`. */
static bool in_bracket(const char *at, const char *name, size_t length)
{
    for (at++; *at != '\0' && *at != ')'; at++)
        if (!in_word(at[-1]) && strncmp(at, name, length) == 0 && !in_word(at[length]))
            return true;
    return false;
}

bool directive_owns(const struct directive *d, const struct tokens *t, size_t i)
{
    static const char *const clauses[] = {"private", "firstprivate", "lastprivate", "reduction", "linear"};
    const char *name = t->text + t->list[i].at;

    for (size_t k = 0; k < sizeof clauses / sizeof *clauses; k++)
        for (const char *at = d->words; (at = strstr(at, clauses[k])) != NULL; at++) {
            const char *behind = at + strlen(clauses[k]);
            behind += strspn(behind, " \t");
            if (!in_word(at[-1]) && *behind == '(' && in_bracket(behind, name, t->list[i].end - t->list[i].at))
                return true;
        }
    return false;
}

bool directive_within(const struct directive *inner, const struct directive *outer)
{
    return inner->line > outer->line && inner->begin >= outer->begin && inner->end <= outer->end;
}
