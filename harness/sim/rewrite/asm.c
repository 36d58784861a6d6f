/*
 * Turns inline PTX into a call of the function that executes it:
 *
 *     asm volatile("text" : "=r"(a) : "r"(b) : "memory");
 *     cudasim_asm(CUDASIM_PTX("text"), CUDASIM_OPERAND("=r", a), CUDASIM_OPERAND("r", b));
 *
 * If operands stand in a macro, the macro's text is changed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/sim/ptx/ptx_text.h"
#include "harness/sim/rewrite/source.h"

/* Returns the length of "=r" if it is an operand's constraint, before a bracket; else 0. */
static size_t constraint_length(const struct source *s, size_t at)
{
    const char *t = s->text + at;
    const size_t prefix = t[1] == '=' || t[1] == '+';
    const size_t length = prefix + 3;

    if (s->kind[at] != LITERAL || t[0] != '"' || strchr("rlfdhn", t[1 + prefix]) == NULL ||
        t[1 + prefix] == '\0' || t[length - 1] != '"' || s->text[forward(s, at + length)] != '(')
        return 0;
    return length;
}

/* Returns the literals of the text, without quotation marks and escapes.  Macros are not expanded. */
static char *text_of(const struct source *s, size_t from, size_t to)
{
    char *text = calloc(to - from + 1, 1);
    size_t length = 0;

    if (text == NULL)
        give_up("no memory");
    for (size_t i = from; i < to; i++) {
        if (s->kind[i] != LITERAL || s->text[i] == '"')
            continue;
        if (s->text[i] == '\\') {
            text[length++] = ' ';
            i++;
        } else {
            text[length++] = s->text[i];
        }
    }
    return text;
}

static void refuse_unknown(const struct source *s, const struct asm_statement *a, size_t text_end)
{
    char name[PTX_NAME_BYTES], what[PTX_NAME_BYTES + 8];
    char *text = text_of(s, a->open + 1, text_end);
    const char *condition, *at = text;

    while ((at = ptx_next(at, name, &condition)) != NULL) {
        if (!ptx_known(name)) {
            snprintf(what, sizeof what, "PTX %s", name);
            refuse(s, a->start, what);
        }
        at = ptx_end(at);
    }
    free(text);
}

struct asm_statement asm_at(const struct source *s, size_t at)
{
    struct asm_statement a = {.start = at, .open = forward(s, word_end(s, at))};
    int depth = 0, ignored = 0;

    if (is_word(s, a.open, "volatile") || is_word(s, a.open, "__volatile__"))
        a.open = forward(s, word_end(s, a.open));
    if (s->text[a.open] != '(')
        give_up("%s:%d: an asm statement that cannot be read", s->path, line_of(s, at));
    a.close = closing(s, a.open, &ignored);
    for (size_t i = a.open + 1; i < a.close; i++) {
        if (s->kind[i] != CODE)
            continue;
        depth += s->text[i] == '(' || s->text[i] == '[' || s->text[i] == '{';
        depth -= s->text[i] == ')' || s->text[i] == ']' || s->text[i] == '}';
        if (s->text[i] == ':' && depth == 0 && a.colons < 3)
            a.colon[a.colons++] = i;
    }
    refuse_unknown(s, &a, a.colons > 0 ? a.colon[0] : a.close);
    return a;
}

bool put_asm(const struct source *s, const struct asm_statement *a, size_t *at)
{
    if (*at == a->start) {
        fputs("cudasim_asm(CUDASIM_PTX(", stdout);
        *at = a->open + 1;
        return true;
    }
    if (*at == a->close) {
        fputs(a->colons == 0 ? "))" : ")", stdout);
        ++*at;
        return true;
    }
    for (unsigned c = 0; c < a->colons; c++) {
        const size_t end = c + 1 < a->colons ? a->colon[c + 1] : a->close;
        if (*at != a->colon[c])
            continue;
        fputs(c == 0 ? ")" : "", stdout);
        fputs(c < 2 && forward(s, *at + 1) < end ? "," : "", stdout);
        ++*at;
        for (; c == 2 && *at < a->close; ++*at) /* drops the clobbers, but keeps the line ends */
            fputs(s->text[*at] == '\n' ? "\n" : "", stdout);
        return true;
    }
    return false;
}

bool put_constraint(const struct source *s, size_t *at)
{
    const size_t length = constraint_length(s, *at);

    if (length == 0)
        return false;
    printf("CUDASIM_OPERAND(%.*s,", (int)length, s->text + *at);
    *at = forward(s, *at + length) + 1;
    return true;
}
