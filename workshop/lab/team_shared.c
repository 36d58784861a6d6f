#include "workshop/lab/team_shared.h"

#include <stdio.h>
#include <string.h>

#include "workshop/lab/scope.h"

/* Directives and calls by which threads take turns, or by which one thread alone does something. */
#define OTHERS "single master masked critical atomic ordered sections section task taskloop threadprivate target"
#define LOCKS "_Atomic omp_set_lock omp_test_lock omp_set_nest_lock"

/* What is looked at: the tokens from `from` to `to` - 1, in the region of a directive. */
struct search {
    const struct tokens *t;
    const struct directives *all;
    const struct directive *region;
    size_t from, to;
    int call; /* the line in the region that calls the function with these tokens; 0: they are the region's */
};

/* Returns whether the condition in the bracket at `open` compares variables by < or >, and does nothing else: it may hold for many threads. */
static bool is_for_many(const struct tokens *t, size_t open)
{
    bool compares = false;

    for (size_t k = open + 1; k < t->list[open].match; k++) {
        if (token_in(t, k, "== != ! & %") || t->list[k].kind == NUMBER)
            return false;
        compares = compares || token_in(t, k, "< > <= >=");
    }
    return compares;
}

bool team_shared_chosen(const struct tokens *t, size_t i, size_t from, size_t to)
{
    for (size_t k = from; k < i; k++) {
        if (!token_in(t, k, "if switch") || !token_is(t, k + 1, "("))
            continue;
        size_t end = directive_statement_end(t, k);
        for (size_t j = k, last = end; j < last; j++) /* those that go on behind it are chosen, too */
            end = token_in(t, j, "return continue break goto") ? to : end;
        if (i < end && !is_for_many(t, k + 1))
            return true;
    }
    return false;
}

static bool is_assignment(const struct tokens *t, size_t i)
{
    return token_in(t, i, "= += -= *= /= %= |= &= ^= <<= >>= ++ --");
}

/* Returns whether the variable at i is written there as a whole, or at a place that is the same for all threads: v = , v[0] = , v.x = */
static bool is_written(const struct tokens *t, size_t i)
{
    size_t behind = i + 1;

    if (t->list[i].kind != WORD || token_in(t, i - 1, ". ->") || token_is_type(t, i - 1))
        return false;
    if (token_in(t, i - 1, "++ --") || token_in(t, behind, "++ --"))
        return true;
    if (is_assignment(t, behind))
        return !(token_is(t, i - 1, "*") && (i < 2 || token_in(t, i - 2, "; { } ) * ("))); /* *v = writes what v points to */
    while (token_is(t, behind, ".") || (token_is(t, behind, "[") && t->list[behind + 1].kind == NUMBER && token_is(t, behind + 2, "]")))
        behind += token_is(t, behind, ".") ? 2 : 3;
    return behind > i + 1 && !token_is(t, i - 1, "*") && is_assignment(t, behind);
}

/* Returns whether all threads write the same number: of the team's size alone. */
static bool is_team_size(const struct tokens *t, size_t i)
{
    if (!token_is(t, i + 1, "="))
        return false;
    for (size_t k = i + 2; k < t->count && !token_is(t, k, ";"); k++)
        if (!token_in(t, k, "( ) omp_get_num_threads") && !token_is_type(t, k))
            return false;
    return true;
}

/* Returns whether the variable counts the iterations of a loop that a directive divides: each thread has its own. */
static bool is_of_divided_loop(const struct search *s, size_t i)
{
    for (size_t k = 0; k < s->all->count; k++) {
        const struct directive *d = &s->all->list[k];
        const char *collapse = strstr(d->words, "collapse");
        int loops = 1;
        if (!directive_has(d, "for") || i < d->begin || i >= d->end)
            continue;
        if (collapse != NULL && sscanf(collapse, "collapse ( %d", &loops) != 1)
            loops = 1;
        for (size_t f = d->begin; f < d->end && loops > 0; f++)
            if (token_is(s->t, f, "for")) {
                loops--;
                const size_t end = s->t->list[f + 1].match;
                for (size_t n = f + 2; n < end && !token_is(s->t, n, ";"); n++)
                    if (tokens_equal(s->t, n, i, 1) && token_is(s->t, n + 1, "="))
                        return true;
            }
    }
    return false;
}

/* Returns whether a clause of the region, or of a directive in it around i, gives each thread its own. */
static bool is_owned(const struct search *s, size_t i)
{
    if (directive_owns(s->region, s->t, i))
        return true;
    for (size_t k = 0; k < s->all->count; k++) {
        const struct directive *d = &s->all->list[k];
        if (i >= d->begin && i < d->end && directive_within(d, s->region) && directive_owns(d, s->t, i))
            return true;
    }
    return false;
}

static bool is_of_each_thread(const struct tokens *t, size_t declared)
{
    return scope_has(t, declared, "_Thread_local") || scope_has(t, declared, "__thread") || scope_has(t, declared, "thread_local");
}

/* Says why there is one variable for all: where it was declared. */
static void tell_why(const struct search *s, size_t declared, struct mistake *m)
{
    const int line = s->t->list[declared].line;

    if (scope_is_outside(s->t, declared))
        mistake_add(m, "it was declared in line %d, outside of all functions: such a variable exists once, for all threads", line);
    else if (scope_has(s->t, declared, "static"))
        mistake_add(m, "line %d declares it as static: such a variable exists once, for all threads", line);
    else
        mistake_add(m, "it was declared before the team began%s",
                    strchr(s->region->words, '(') != NULL ? ", and no clause makes it private" : "");
}

static void tell(const struct search *s, size_t i, size_t declared, struct mistake *m)
{
    const struct mistake found = *m;
    const int line = s->t->list[i].line;

    mistake_set(m, "race");
    mistake_add(m, "line %d: there is one %.*s for all threads of the team, and each of them writes to it", line,
                (int)(s->t->list[i].end - s->t->list[i].at), s->t->text + s->t->list[i].at);
    mistake_quote(m, s->t->text, line);
    tell_why(s, declared, m);
    if (s->call > 0)
        mistake_add(m, "line %d calls this function in each thread of the team", s->call);
    m->named = true;
    for (int k = 0; k < found.facts; k++)
        mistake_add(m, "%s", found.fact[k]);
}

/* Returns whether the declaration gives one variable to all threads. */
static bool is_for_all(const struct search *s, size_t declared)
{
    const struct tokens *t = s->t;

    if (is_of_each_thread(t, declared))
        return false;
    if (scope_is_outside(t, declared) || scope_has(t, declared, "static"))
        return true;
    return s->call == 0 && declared < s->from;
}

static bool look_for_written(const struct search *s, struct mistake *m)
{
    for (size_t i = s->from; i < s->to; i++) {
        if (!is_written(s->t, i) || is_team_size(s->t, i) || is_of_divided_loop(s, i) || is_owned(s, i) ||
            team_shared_chosen(s->t, i, s->from, s->to))
            continue;
        const size_t declared = scope_declared(s->t, i);
        if (declared == 0 || !is_for_all(s, declared))
            continue;
        tell(s, i, declared, m);
        return true;
    }
    return false;
}

/* Looks into the functions that the region calls. */
static bool look_into_calls(const struct search *s, struct mistake *m)
{
    for (size_t i = s->from; i < s->to; i++) {
        const size_t body = s->t->list[i].kind == WORD && token_is(s->t, i + 1, "(") ? scope_body(s->t, i) : 0;
        if (body == 0 || team_shared_chosen(s->t, i, s->from, s->to))
            continue;
        struct search of_function = *s;
        of_function.from = body + 1;
        of_function.to = s->t->list[body].match;
        of_function.call = s->t->list[i].line;
        if (look_for_written(&of_function, m))
            return true;
    }
    return false;
}

/* Returns whether the file has something by which threads take turns.  They may do so in a function that the region calls. */
static bool takes_turns(const struct tokens *t, const struct directives *all)
{
    for (size_t k = 0; k < all->count; k++)
        if (directive_has(&all->list[k], OTHERS))
            return true;
    for (size_t i = 0; i < t->count; i++)
        if (token_in(t, i, LOCKS))
            return true;
    return false;
}

bool team_shared_look(const struct tokens *t, const struct directives *all, const struct directive *region, struct mistake *m)
{
    const struct search s = {.t = t, .all = all, .region = region, .from = region->begin, .to = region->end};

    if (takes_turns(t, all) || strstr(region->words, "num_threads(1)") != NULL)
        return false;
    return look_for_written(&s, m) || look_into_calls(&s, m);
}
