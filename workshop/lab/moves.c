/* Mutants of where a value is computed, and where a statement stands: earlier, later, or again in each round of a loop. */
#include <stdio.h>
#include <string.h>

#include "workshop/lab/finder.h"

/* --- a statement earlier or later ------------------------------------------------------------------- */

static bool is_barrier(const struct finder *f, size_t i)
{
    return token_in(&f->t, i, "__syncthreads __syncwarp");
}

static void move(struct finder *f, size_t i, size_t end, size_t to, int priority)
{
    char text[700];

    finder_plain(f, i, end, text, sizeof text);
    if (strlen(text) + 1 == sizeof text)
        return;
    const size_t mutant = finder_begin(f, i, priority, "this statement comes too %s: it belongs %s line %d", to < i ? "late" : "early",
                                       to < i ? "before" : "behind", f->t.list[to < i ? to : to - 1].line);
    finder_change(f, mutant, BEFORE, to, to + 1, text);
    finder_change(f, mutant, GUARD, i, end, "0");
}

/* The statements of the block that begins at `open`: each that is simple, some places up and down. */
void mutate_order(struct finder *f, size_t open)
{
    enum { MOST_STATEMENTS = 48, FAR = 4 };
    const struct tokens *t = &f->t;
    size_t at[MOST_STATEMENTS + 1], count = 0;

    if (!token_is(t, open, "{") || !(open == f->begin || token_in(t, open - 1, ") else do")))
        return;
    for (size_t i = open + 1; i < t->list[open].match && count < MOST_STATEMENTS;) {
        at[count++] = i;
        const size_t next = finder_behind_statement(f, i);
        i = next > i ? next : i + 1;
    }
    at[count] = t->list[open].match;
    for (size_t s = 0; s < count; s++) {
        const size_t end = finder_statement_end(f, at[s]);
        if (end == at[s] || !finder_is_learners(f, at[s]))
            continue;
        for (size_t to = s > FAR ? s - FAR : 0; to <= count && to <= s + FAR + 1; to++) {
            const size_t distance = to < s ? s - to : to - s - 1;
            const bool done = to + 1 == s && finder_statement_end(f, at[to]) > at[to] && finder_is_learners(f, at[to]); /* as that one's move down */
            if (to == s || to == s + 1 || done || !(finder_begins_statement(f, at[to]) || to == count))
                continue;
            move(f, at[s], end, at[to], (is_barrier(f, at[s]) && f->hint->order) || distance == 1 ? 1 : 4);
        }
    }
}

/* --- a value in each round -------------------------------------------------------------------------- */

/* Returns the brace that opens the body of the loop whose keyword is at i; 0: there is no loop, or no brace. */
static size_t body_of(const struct finder *f, size_t i)
{
    if (!token_in(&f->t, i, "for while") || !token_is(&f->t, i + 1, "("))
        return 0;
    const size_t body = f->t.list[i + 1].match + 1;
    return token_is(&f->t, body, "{") ? body : 0;
}

/* Returns whether something is assigned to the variable, or read from it, from token `from` to `to`. */
static bool is_used(const struct finder *f, size_t path, size_t from, size_t to, bool assigned)
{
    for (size_t i = 0; i < f->sites; i++)
        if (f->site[i].path == path && f->site[i].assigned == assigned && f->site[i].first > from && f->site[i].first < to)
            return true;
    return false;
}

/* Finds the value with which a variable is declared at token `name`: tokens *from to *to - 1.  Returns false if it has none. */
static bool first_value(const struct finder *f, size_t name, size_t *from, size_t *to)
{
    const struct tokens *t = &f->t;
    size_t i = name + 1;

    while (token_is(t, i, "["))
        i = t->list[i].match + 1;
    if (!token_is(t, i, "="))
        return false;
    *from = ++i;
    while (i < f->end && !token_in(t, i, "; ,"))
        i = token_in(t, i, "( [ {") ? t->list[i].match + 1 : i + 1;
    *to = i;
    return true;
}

/* A first value that each round of a loop needs again. */
static void set_again(struct finder *f, size_t path, size_t scope)
{
    const struct path *p = &f->path[path];
    size_t from, to;
    char value[200], text[300];

    if (p->constant || !first_value(f, p->from[scope], &from, &to))
        return;
    finder_plain(f, from, to, value, sizeof value);
    if (!token_is(&f->t, from, "{"))
        snprintf(text, sizeof text, "%s = %s;", p->text, value);
    else if (strcmp(value, "{0}") == 0 || strcmp(value, "{}") == 0)
        snprintf(text, sizeof text, "__builtin_memset(&%s, 0, sizeof %s);", p->text, p->text);
    else
        return;
    for (size_t i = to; i < p->to[scope]; i++) {
        const size_t body = body_of(f, i);
        if (body == 0 || !is_used(f, path, body, f->t.list[body].match, true) || !(finder_is_learners(f, p->from[scope]) || finder_is_learners(f, i)))
            continue;
        finder_change(f, finder_begin(f, p->from[scope], 1, "%s gets its first value only once, before the loop in line %d: each round begins with what the last one "
                                      "has left in it", p->text, f->t.list[i].line), BEFORE, body + 1, body + 2, text);
    }
}

/* Copies the tokens of a value, with `index` in the place of all that stands in brackets. */
static bool with_index(const struct finder *f, size_t from, size_t to, const char *index, char *text, size_t room)
{
    size_t used = 0;
    bool has = false;
    char word[100];

    for (size_t i = from; i < to && used < room; i++) {
        used += (size_t)snprintf(text + used, room - used, "%s ", finder_plain(f, i, i + 1, word, sizeof word));
        if (!token_is(&f->t, i, "[") || used >= room)
            continue;
        used += (size_t)snprintf(text + used, room - used, "%s ", index);
        i = f->t.list[i].match - 1;
        has = true;
    }
    return has && used < room;
}

/* What is computed before a loop, and should be computed in each of its rounds: for the loop's own element, or as it stands. */
static void compute_again(struct finder *f, size_t path, size_t scope)
{
    const struct path *p = &f->path[path];
    const struct tokens *t = &f->t;
    size_t from, to;
    char text[2][300], index[64];

    if (!finder_is_learners(f, p->from[scope]) || !first_value(f, p->from[scope], &from, &to) || to < from + 3 || token_is(t, from, "{"))
        return;
    finder_plain(f, from, to, text[0], sizeof text[0]);
    for (size_t i = to; i < p->to[scope]; i++) {
        const size_t body = body_of(f, i);
        if (body == 0 || is_used(f, path, to, t->list[body].match, true) || !is_used(f, path, body, t->list[body].match, false))
            continue;
        size_t own = i + 2;
        while (own < body && !token_is(t, own + 1, "="))
            own++;
        finder_plain(f, own, own + 1, index, sizeof index);
        const bool has = own < body && with_index(f, from, to, index, text[1], sizeof text[1]);
        for (int k = 0; k < (has ? 2 : 1); k++) {
            const size_t mutant = finder_begin(f, p->from[scope], 1, "%s is computed once, before the loop in line %d, but it is another one in each round", p->text,
                                               t->list[i].line);
            for (size_t s = 0, count = 0; s < f->sites && count < MUTANT_PLACES; s++)
                if (f->site[s].path == path && f->site[s].first > body && f->site[s].first < t->list[body].match) {
                    finder_change(f, mutant, VALUE, f->site[s].first, f->site[s].last + 1, text[k]);
                    count++;
                }
        }
    }
}

/* A variable that is declared without a first value. */
static void set_first(struct finder *f, size_t path, size_t scope)
{
    const struct tokens *t = &f->t;
    const struct path *p = &f->path[path];
    size_t from = p->from[scope], end = from, to;
    char text[120];

    if (!finder_is_learners(f, from) || token_is(t, from - 1, "*") || first_value(f, from, &from, &to))
        return;
    while (end < f->end && !token_is(t, end, ";"))
        end = token_in(t, end, "( [ {") ? t->list[end].match + 1 : end + 1;
    while (from > f->begin && !token_in(t, from - 1, "; { }"))
        from--;
    if (!token_is_type(t, from) || token_in(t, from, "__shared__ static extern struct") || !finder_begins_statement(f, end + 1))
        return;
    snprintf(text, sizeof text, "__builtin_memset(&%s, 0, sizeof %s);", p->text, p->text);
    finder_change(f, finder_begin(f, p->from[scope], 1, "%s has no first value", p->text), BEFORE, end + 1, end + 2, text);
}

/* A variable that is declared before a loop. */
void mutate_rounds(struct finder *f, size_t path)
{
    for (size_t scope = 0; scope < f->path[path].scopes; scope++) {
        set_first(f, path, scope);
        set_again(f, path, scope);
        compute_again(f, path, scope);
    }
}

/* do ... while (condition): the condition is tested before the first round, too. */
void mutate_do(struct finder *f, size_t i)
{
    const struct tokens *t = &f->t;
    char condition[200];

    if (!token_is(t, i, "do") || !finder_is_learners(f, i) || !finder_begins_statement(f, i))
        return;
    const size_t end = finder_behind_statement(f, i);
    if (!token_is(t, end - 2, ")"))
        return;
    finder_plain(f, t->list[end - 2].match + 1, end - 2, condition, sizeof condition);
    finder_change(f, finder_begin(f, end - 2, 1, "the loop tests %.80s only behind its first round, which it makes in any case", condition), GUARD, i, end,
                  condition);
}

/* --- before a branch -------------------------------------------------------------------------------- */

/* Returns whether token i calls a function that all lanes named in its mask have to call. */
static bool is_of_all_lanes(const struct finder *f, size_t i)
{
    return token_is(&f->t, i + 1, "(") && token_in(&f->t, i, "__shfl_sync __shfl_down_sync __shfl_up_sync __shfl_xor_sync __ballot_sync __any_sync __all_sync");
}

/* Returns the type of what such a call returns, as C has it. */
static const char *type_of(const struct finder *f, size_t i, char *text, size_t room)
{
    const struct tokens *t = &f->t;
    size_t from = i + 2, to;
    char value[120];

    while (from < t->list[i + 1].match && !token_is(t, from, ","))
        from = token_in(t, from, "( [") ? t->list[from].match + 1 : from + 1;
    for (to = ++from; to < t->list[i + 1].match && !token_is(t, to, ",");)
        to = token_in(t, to, "( [") ? t->list[to].match + 1 : to + 1;
    const bool shuffle = strncmp(t->text + t->list[i].at, "__shfl", 6) == 0 && to > from;
    snprintf(text, room, shuffle ? "__typeof__(%s)" : "%s", shuffle ? finder_plain(f, from, to, value, sizeof value) : "unsigned");
    return text;
}

/* What stands in a branch, and all lanes have to call: before it.  Of one if all together. */
void mutate_branch(struct finder *f, size_t i)
{
    const struct tokens *t = &f->t;
    char call[200], type[140], text[500], name[40];
    size_t mutant = 0;
    int places = 0;

    if (!token_is(t, i, "if") || !finder_begins_statement(f, i) || !f->kernel)
        return;
    const size_t end = finder_behind_statement(f, i);
    for (size_t k = t->list[i + 1].match + 1; k < end && places + 2 <= MUTANT_PLACES; k++) {
        if (!is_of_all_lanes(f, k) || !finder_is_learners(f, k))
            continue;
        const size_t behind = t->list[k + 1].match + 1;
        if (places == 0)
            mutant = finder_begin(f, k, 1, "all lanes that the mask names have to call this, but it stands behind the condition in line %d, which not all of them fulfil",
                                  t->list[i].line);
        snprintf(name, sizeof name, "rungs_early_%zu_%zu", mutant, k);
        snprintf(text, sizeof text, "%s %s; @ %s = %s;", type_of(f, k, type, sizeof type), name, name, finder_plain(f, k, behind, call, sizeof call));
        finder_change(f, mutant, DECLARE, i, i + 1, text);
        finder_change(f, mutant, VALUE, k, behind, name);
        places += 2;
    }
}
