#include "workshop/lab/team.h"

#include "workshop/lab/directives.h"
#include "workshop/lab/scope.h"
#include "workshop/lab/team_shared.h"

/* Sets a mistake in this line, and quotes it; what was found before stands behind it. */
static void tell_line(const char *text, int line, const char *kind, const char *what, struct mistake *m)
{
    const struct mistake found = *m;

    mistake_set(m, kind);
    mistake_add(m, "line %d: %s", line, what);
    mistake_quote(m, text, line);
    for (int k = 0; k < found.facts; k++)
        mistake_add(m, "%s", found.fact[k]);
}

/* Returns whether a directive between the two gives the inner one to one thread, or each of its turns to one. */
static bool is_shared_out(const struct directives *all, const struct directive *outer, const struct directive *inner)
{
    for (size_t k = 0; k < all->count; k++) {
        const struct directive *d = &all->list[k];
        const bool between = d != inner && (d == outer || directive_within(d, outer)) && directive_within(inner, d);
        if (between && directive_has(d, "for single master masked sections section task taskloop"))
            return true;
    }
    return false;
}

static bool has_between(const struct tokens *t, size_t from, size_t to, const char *name)
{
    for (size_t i = from; i < to; i++)
        if (token_is(t, i, name))
            return true;
    return false;
}

/* Returns whether each thread of the outer team does what begins at token i in the same way: no condition chooses one, and the number of
   the thread is not known there. */
static bool all_do_the_same(const struct tokens *t, const struct directive *outer, size_t i)
{
    return !has_between(t, outer->begin, i, "omp_get_thread_num") && !team_shared_chosen(t, i, outer->begin, outer->end);
}

static const char second_team[] = "this begins a second team inside of the first one, so each thread of the first one does the whole of it";

/* Finds a team in a function that the region calls.  Returns the token of the call; 0: there is none. */
static size_t call_of_team(const struct tokens *t, const struct directives *all, const struct directive *outer, const struct directive *inner)
{
    for (size_t i = outer->begin; i < outer->end; i++) {
        const size_t body = t->list[i].kind == WORD && token_is(t, i + 1, "(") ? scope_body(t, i) : 0;
        if (body == 0 || inner->begin < body || inner->begin > t->list[body].match || !all_do_the_same(t, outer, i))
            continue;
        if (has_between(t, i + 2, t->list[i + 1].match, "omp_get_thread_num"))
            continue;
        const struct directive call = {.line = t->list[i].line, .begin = i, .end = i + 1};
        if (!is_shared_out(all, outer, &call))
            return i;
    }
    return 0;
}

/* Finds a team in a team: each thread of the outer one is the only thread of an inner one. */
static bool look_for_second(const struct tokens *t, const struct directives *all, const struct directive *outer, struct mistake *m)
{
    for (size_t k = 0; k < all->count; k++) {
        const struct directive *inner = &all->list[k];
        if (inner == outer || !directive_has(inner, "parallel"))
            continue;
        if (directive_within(inner, outer) && !is_shared_out(all, outer, inner) && all_do_the_same(t, outer, inner->begin)) {
            tell_line(t->text, inner->line, "repeated-work", second_team, m);
            return true;
        }
        const size_t call = call_of_team(t, all, outer, inner);
        if (call == 0)
            continue;
        tell_line(t->text, inner->line, "repeated-work", second_team, m);
        mistake_add(m, "line %d calls this function in each thread of the first team", t->list[call].line);
        return true;
    }
    return false;
}

/* Returns the token behind an earlier team's statement that begins at i; else i. */
static size_t behind_team(const struct directives *all, size_t i)
{
    for (size_t k = 0; k < all->count; k++)
        if (all->list[k].begin == i && directive_has(&all->list[k], "parallel"))
            return all->list[k].end;
    return i;
}

/* Finds a question for the size of the team in the function that begins it, before it begins. */
static bool look_before(const struct tokens *t, const struct directives *all, const struct directive *r, struct mistake *m)
{
    size_t i = 1;

    while (i < r->begin) {
        i = behind_team(all, i);
        if (token_is(t, i, "{") && t->list[i].match < r->begin) /* another function, or an inner block */
            i = t->list[i].match;
        else if (token_is(t, i, "omp_get_num_threads") && i < r->begin)
            break;
        i++;
    }
    if (i >= r->begin)
        return false;
    tell_line(t->text, t->list[i].line, "repeated-work", "there is no team here yet, so omp_get_num_threads() is 1, and each thread divides the work by 1", m);
    return true;
}

/* Returns whether "number > 0", "number >= 1", "number != 0" or "number" alone as a condition stands at i: thread 0 is excluded. */
static bool excludes_first(const struct tokens *t, size_t i)
{
    return (token_is(t, i + 1, ">") && token_is(t, i + 2, "0")) || (token_is(t, i + 1, "!=") && token_is(t, i + 2, "0")) ||
           (token_is(t, i + 1, ">=") && token_is(t, i + 2, "1"));
}

/* Finds a condition that keeps thread 0 out: of a variable that holds the number of the thread. */
static bool look_for_leader(const struct tokens *t, const struct directive *r, const char *text, struct mistake *m)
{
    size_t number = 0;

    for (size_t i = r->begin; i < r->end && number == 0; i++)
        if (token_is(t, i, "omp_get_thread_num"))
            for (size_t k = i; k > r->begin && !token_in(t, k - 1, "; { } ,"); k--)
                number = token_is(t, k, "=") ? k - 1 : number;
    for (size_t i = r->begin, depth = 0; number > 0 && i < r->end; i++) {
        depth = token_is(t, i, "if") ? t->list[i + 1].match : depth;
        if (i >= depth || !tokens_equal(t, i, number, 1) || !excludes_first(t, i))
            continue;
        tell_line(text, t->list[i].line, "one-thread", "this condition does not hold for thread 0 of the team, so it has no share: it is a thread like all others", m);
        return true;
    }
    return false;
}

static bool look(const struct tokens *t, const struct directives *all, const struct directive *team, bool leader, struct mistake *m)
{
    if (leader)
        return look_for_leader(t, team, t->text, m);
    return look_for_second(t, all, team, m) || look_before(t, all, team, m) || team_shared_look(t, all, team, m);
}

static void look_at_teams(const char *text, bool leader, struct mistake *m)
{
    static struct directives all;
    struct tokens t;
    bool found = !tokens_read(&t, text);

    if (!found)
        directives_read(&all, &t);
    for (size_t k = 0; !found && k < all.count; k++)
        found = directive_has(&all.list[k], "parallel") && look(&t, &all, &all.list[k], leader, m);
    tokens_free(&t);
}

void team_look(const char *text, struct mistake *m)
{
    look_at_teams(text, false, m);
}

void team_look_idle(const char *text, struct mistake *m)
{
    look_at_teams(text, true, m);
}
