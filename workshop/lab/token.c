#include "workshop/lab/token.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* --- reading -------------------------------------------------------------------------------------- */

static size_t literal_length(const char *at)
{
    size_t length = 1;

    while (at[length] != '\0' && at[length] != '\n' && at[length] != at[0])
        length += at[length] == '\\' && at[length + 1] != '\0' ? 2 : 1;
    return length + (at[length] == at[0]);
}

static size_t number_length(const char *at)
{
    size_t length = 0;

    while (in_word(at[length]) || at[length] == '.' ||
           ((at[length] == '+' || at[length] == '-') && length > 0 && strchr("eEpP", at[length - 1]) != NULL && at[1] != 'x'))
        length++;
    return length;
}

static size_t punctuation_length(const char *at)
{
    static const char *const longer[] = {"<<<", ">>>", "<<=", ">>=", "<=", ">=", "==", "!=", "&&", "||", "->", "++", "--",
                                         "+=",  "-=",  "*=",  "/=",  "%=", "|=", "&=", "^=", "<<", ">>", "::"};

    for (size_t i = 0; i < sizeof longer / sizeof *longer; i++)
        if (strncmp(at, longer[i], strlen(longer[i])) == 0)
            return strlen(longer[i]);
    return 1;
}

/* Returns the length of what is no code here: blanks, a comment, a preprocessor line; 0: it is code. */
static size_t skipped(const char *text, size_t at)
{
    const char *from = text + at;

    if (isspace((unsigned char)*from))
        return 1;
    if (strncmp(from, "//", 2) == 0)
        return strcspn(from, "\n");
    if (strncmp(from, "/*", 2) == 0) {
        const char *end = strstr(from + 2, "*/");
        return end != NULL ? (size_t)(end + 2 - from) : strlen(from);
    }
    if (*from != '#')
        return 0;
    size_t length = strcspn(from, "\n");
    while (length > 0 && from[length] == '\n' && from[length - 1] == '\\')
        length += 1 + strcspn(from + length + 1, "\n");
    return length;
}

static struct token token_at(const char *text, size_t at)
{
    const char *from = text + at;

    if (*from == '"' || *from == '\'')
        return (struct token){.kind = LITERAL, .at = at, .end = at + literal_length(from)};
    if (isdigit((unsigned char)*from))
        return (struct token){.kind = NUMBER, .at = at, .end = at + number_length(from)};
    if (!in_word(*from))
        return (struct token){.kind = PUNCTUATION, .at = at, .end = at + punctuation_length(from)};
    size_t end = at;
    while (in_word(text[end]))
        end++;
    return (struct token){.kind = WORD, .at = at, .end = end};
}

/* Finds the partner of each bracket.  Those of a launch, <<< and >>>, are brackets, too. */
static bool match(struct tokens *t)
{
    static const char *const open = "([{", *const close = ")]}";
    size_t stack[64], depth = 0;

    for (size_t i = 0; i < t->count; i++) {
        const char c = t->text[t->list[i].at];
        const bool opens = token_in(t, i, "( [ { <<<"), closes = token_in(t, i, ") ] } >>>");
        t->list[i].match = i;
        if (opens && depth == sizeof stack / sizeof *stack)
            return false;
        if (opens)
            stack[depth++] = i;
        if (!closes)
            continue;
        if (depth == 0)
            return false;
        const char partner = t->text[t->list[stack[--depth]].at];
        if (partner != (c == '>' ? '<' : open[strchr(close, c) - close]))
            return false;
        t->list[i].match = stack[depth];
        t->list[stack[depth]].match = i;
    }
    return depth == 0;
}

bool tokens_read(struct tokens *t, const char *text)
{
    int line = 1;

    *t = (struct tokens){.text = text, .list = calloc(strlen(text) + 1, sizeof *t->list)};
    for (size_t at = 0; t->list != NULL && text[at] != '\0';) {
        const size_t skip = skipped(text, at), from = at;
        if (skip == 0) {
            t->list[t->count] = token_at(text, at);
            t->list[t->count].line = line;
            at = t->list[t->count++].end;
        }
        at += skip;
        for (size_t i = from; i < at; i++)
            line += text[i] == '\n';
    }
    return t->list != NULL && match(t);
}

void tokens_free(struct tokens *t)
{
    free(t->list);
    *t = (struct tokens){.count = 0};
}

/* --- questions ------------------------------------------------------------------------------------ */

bool token_is(const struct tokens *t, size_t i, const char *text)
{
    return i < t->count && t->list[i].end - t->list[i].at == strlen(text) &&
           memcmp(t->text + t->list[i].at, text, strlen(text)) == 0;
}

bool tokens_equal(const struct tokens *t, size_t a, size_t b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct token *x = &t->list[a + i], *y = &t->list[b + i];
        if (x->end - x->at != y->end - y->at || memcmp(t->text + x->at, t->text + y->at, x->end - x->at) != 0)
            return false;
    }
    return true;
}

bool token_in(const struct tokens *t, size_t i, const char *list)
{
    char word[32];

    if (i >= t->count)
        return false;
    for (size_t length; *list != '\0'; list += length + strspn(list + length, " ")) {
        length = strcspn(list, " ");
        memcpy(word, list, length);
        word[length] = '\0';
        if (token_is(t, i, word))
            return true;
    }
    return false;
}

bool token_is_type(const struct tokens *t, size_t i)
{
    const struct token *w = &t->list[i];

    if (i >= t->count || w->kind != WORD)
        return false;
    if (token_in(t, i, "const volatile static extern unsigned signed int long short char float double bool void struct enum "
                       "auto dim3 float2 float4 int2 int4 uint2 __shared__ inline"))
        return true;
    if (i > 0 && token_in(t, i - 1, "struct enum"))
        return true;
    return w->end - w->at > 2 && memcmp(t->text + w->end - 2, "_t", 2) == 0;
}

bool token_is_cast(const struct tokens *t, size_t i)
{
    if (!token_is(t, i, ")") || t->list[i].match + 1 == i)
        return false;
    for (size_t k = t->list[i].match + 1; k < i; k++)
        if (!token_is_type(t, k) && !token_is(t, k, "*"))
            return false;
    return true;
}

int token_binary(const struct tokens *t, size_t i)
{
    static const char *const levels[] = {"||", "&&", "|", "^", "&", "== !=", "< <= > >=", "<< >>", "+ -", "* / %"};

    if (i == 0 || i + 1 >= t->count || t->list[i].kind != PUNCTUATION)
        return 0;
    const struct token *before = &t->list[i - 1];
    const bool ends = before->kind == NUMBER || token_in(t, i - 1, ") ]") ||
                      (before->kind == WORD && !token_is_type(t, i - 1) && !token_in(t, i - 1, "return case else sizeof"));
    if (!ends || token_is_cast(t, i - 1))
        return 0;
    for (int level = 0; level < 10; level++)
        if (token_in(t, i, levels[level]))
            return level + 1;
    return 0;
}

static bool ends_operand(const struct tokens *t, size_t i)
{
    return token_in(t, i, ", ; ? : = += -= *= /= %= |= &= ^= <<= >>= ( [ { <<< ) ] } >>> return case");
}

size_t token_left(const struct tokens *t, size_t i)
{
    const int level = token_binary(t, i);
    size_t at = i;

    while (at > 0) {
        const size_t before = at - 1;
        const bool closes = token_in(t, before, ") ]");
        const int other = closes ? 0 : token_binary(t, before);
        if ((!closes && ends_operand(t, before)) || (other > 0 && other < level))
            break;
        at = closes ? t->list[before].match : before;
    }
    return at;
}

size_t token_right(const struct tokens *t, size_t i)
{
    const int level = token_binary(t, i);
    size_t at = i + 1;

    while (at < t->count) {
        const bool opens = token_in(t, at, "( [");
        const int other = opens ? 0 : token_binary(t, at);
        if ((!opens && ends_operand(t, at)) || (other > 0 && other <= level))
            break;
        at = (opens ? t->list[at].match : at) + 1;
    }
    return at;
}
