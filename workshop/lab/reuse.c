/* Mutants that take a part of the program for another one: an expression that stands elsewhere, a statement as its sibling has it. */
#include <stdio.h>
#include <string.h>

#include "workshop/lab/finder.h"

/* --- expressions ------------------------------------------------------------------------------------ */

enum { MOST_WHOLE = 64 };

/* An expression of whole numbers that is all of an index, an argument, a side of a comparison, or a value. */
struct whole {
    size_t from, to;
    bool name; /* one name alone */
    char text[160];
};

/* Returns the site that begins at token i; NULL: none does. */
static const struct site *site_at(const struct finder *f, size_t i)
{
    for (size_t k = 0; k < f->sites; k++)
        if (f->site[k].first == i)
            return &f->site[k];
    return NULL;
}

/* Returns whether tokens from to to - 1 have names of whole numbers, and nothing but these, numbers, brackets and arithmetic. */
static bool has_whole_numbers(const struct finder *f, size_t from, size_t to)
{
    bool any = false;

    for (size_t i = from; i < to; i++) {
        const struct site *s = site_at(f, i);
        if (s != NULL) {
            if (f->path[s->path].sort != INTEGER || s->assigned || s->end != s->last + 1)
                return false;
            any = true;
            i = s->last;
        } else if (f->t.list[i].kind == WORD ? !token_is_type(&f->t, i) : f->t.list[i].kind != NUMBER && !token_in(&f->t, i, "( ) + - * / % << >>")) {
            return false;
        }
    }
    return any;
}

/* Returns whether such an expression begins at token i. */
static bool find_whole(const struct finder *f, size_t i, struct whole *w)
{
    const struct tokens *t = &f->t;
    const bool head = token_is(t, i - 1, "(") && (t->list[i - 2].kind != WORD || token_in(t, i - 2, "sizeof"));
    const struct site *one = site_at(f, i);
    size_t end = i;

    if (!token_in(t, i - 1, "= += -= [ ( , return ? : < <= > >= == != && || <<<") || head || token_is_type(t, i))
        return false;
    while (end < f->end && !token_in(t, end, "; ] ) , ? : < <= > >= == != && || = >>>"))
        end = token_in(t, end, "( [ {") ? t->list[end].match + 1 : end + 1;
    if (end == i || !has_whole_numbers(f, i, end))
        return false;
    *w = (struct whole){.from = i, .to = end, .name = one != NULL && one->end == end};
    finder_plain(f, i, end, w->text, sizeof w->text);
    return strlen(w->text) + 1 < sizeof w->text;
}

/* Returns whether all names of the expression are known at the token. */
static bool is_known_at(const struct finder *f, const struct whole *w, size_t token)
{
    for (size_t k = 0; k < f->sites; k++)
        if (f->site[k].first >= w->from && f->site[k].first < w->to && !finder_is_known(f, &f->path[f->site[k].path], token))
            return false;
    return true;
}

static void replace(struct finder *f, const struct whole *w, int priority, const char *text)
{
    finder_change(f, finder_begin(f, w->from, priority, "%.80s is not what belongs here", w->text), VALUE, w->from, w->to, text);
}

/* A number of the thread or the block, computed from another one of them: "threadIdx.x / 32" for "threadIdx.y". */
static void replace_number(struct finder *f, const struct whole *w)
{
    static const char *const numbers[] = {"threadIdx.x", "threadIdx.y", "blockIdx.x", "blockIdx.y"};

    if (!f->kernel || w->name || strstr(w->text, "Idx.") == NULL || strstr(f->t.text, "dim3") == NULL)
        return;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        replace(f, w, 1, numbers[k]);
}

/* Each expression of the function, where another one of it belongs, or a name where more than a name stands. */
void mutate_wholes(struct finder *f)
{
    static struct whole list[MOST_WHOLE];
    size_t count = 0;

    for (size_t i = f->begin + 1; i < f->end && count < MOST_WHOLE; i++)
        count += find_whole(f, i, &list[count]);
    for (size_t i = 0; i < count; i++) {
        if (!finder_is_learners(f, list[i].from))
            continue;
        replace_number(f, &list[i]);
        for (size_t k = 0; k < count; k++) {
            bool done = list[k].name || strcmp(list[i].text, list[k].text) == 0 || !is_known_at(f, &list[k], list[i].from);
            for (size_t earlier = 0; !done && earlier < k; earlier++)
                done = strcmp(list[earlier].text, list[k].text) == 0;
            if (!done)
                replace(f, &list[i], 4, list[k].text);
        }
        for (size_t p = 0; p < f->paths && !list[i].name; p++)
            if (f->path[p].sort == INTEGER && !f->path[p].remote && finder_is_known(f, &f->path[p], list[i].from))
                replace(f, &list[i], f->path[p].scopes > 0 ? 2 : 3, f->path[p].text);
    }
}

/* --- statements ------------------------------------------------------------------------------------- */

/* Returns whether the word, or a part of it between underscores, is `part`.  Sets where. */
static const char *part_of(const char *word, size_t length, const char *part)
{
    const size_t own = strlen(part);

    for (const char *at = word; at + own <= word + length; at++)
        if (memcmp(at, part, own) == 0 && (at == word || at[-1] == '_') && (at + own == word + length || at[own] == '_'))
            return at;
    return NULL;
}

/* Returns whether the word stands in the program, or in the header of the problem. */
static bool is_a_name(const struct finder *f, const char *word)
{
    const struct tokens *const texts[] = {&f->t, &f->header};

    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < texts[k]->count; i++)
            if (token_is(texts[k], i, word))
                return true;
    return false;
}

/* Writes the statement with each name that has `part` as the name with `other`.  Returns false if it has none, or such a name stands nowhere. */
static bool write_sibling(const struct finder *f, size_t from, size_t to, const char *part, const char *other, char *text, size_t room)
{
    size_t used = 0;
    bool changed = false;
    char name[100];

    for (size_t i = from; i < to && used < room; i++) {
        const struct token *w = &f->t.list[i];
        const size_t length = w->end - w->at;
        const char *word = f->t.text + w->at, *at = w->kind == WORD ? part_of(word, length, part) : NULL;
        if (at != NULL && length + strlen(other) < sizeof name) {
            snprintf(name, sizeof name, "%.*s%s%.*s", (int)(at - word), word, other, (int)(length - (size_t)(at - word) - strlen(part)), at + strlen(part));
            if (!is_a_name(f, name))
                return false;
            changed = true;
        } else if (length < sizeof name) {
            snprintf(name, sizeof name, "%.*s", (int)length, word);
        } else {
            return false;
        }
        used += (size_t)snprintf(text + used, room - used, "%s ", name);
    }
    return changed && used < room;
}

/* Returns whether the function has the statement already. */
static bool has_statement(const struct finder *f, const char *text)
{
    struct tokens t;
    bool has = false;

    const bool read = tokens_read(&t, text);
    for (size_t i = f->begin; read && !has && i + t.count <= f->end; i++) {
        has = true;
        for (size_t k = 0; has && k < t.count; k++)
            has = t.list[k].end - t.list[k].at == f->t.list[i + k].end - f->t.list[i + k].at &&
                  memcmp(t.text + t.list[k].at, f->t.text + f->t.list[i + k].at, t.list[k].end - t.list[k].at) == 0;
    }
    tokens_free(&t);
    return has;
}

/* A statement that is there for one of two, and not for the other: before it. */
void mutate_sibling(struct finder *f, size_t i)
{
    static const char *const parts[][2] = {{"x", "y"}, {"y", "z"}, {"x", "z"}, {"lat", "lon"}, {"even", "odd"}, {"a", "b"}, {"b", "c"}, {"row", "column"},
                                           {"rows", "cols"}, {"r", "c"}, {"index", "distance"}, {"0", "1"}, {"lats", "lons"}, {"first", "last"}};
    const size_t end = finder_statement_end(f, i);
    char text[500];

    if (end == i || !finder_is_learners(f, i) || !finder_begins_statement(f, i) || token_is(&f->t, end, "else"))
        return;
    for (size_t k = 0; k < 2 * sizeof parts / sizeof *parts; k++)
        if (write_sibling(f, i, end, parts[k / 2][k % 2], parts[k / 2][1 - k % 2], text, sizeof text) && !has_statement(f, text))
            finder_change(f, finder_begin(f, i, 2, "this is done for %s, and not for %s", parts[k / 2][k % 2], parts[k / 2][1 - k % 2]), BEFORE, i, i + 1, text);
}
