#include "workshop/lab/team.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workshop/lab/token.h"

/* A directive that begins a team, with its clauses, and the tokens of its region. */
struct region {
    char clauses[300];
    bool loop; /* it divides the loop behind it, too */
    size_t begin, end;
};

/* Returns the first token behind this line. */
static size_t token_behind(const struct tokens *t, int line)
{
    size_t i = 1;

    while (i + 1 < t->count && t->list[i].line <= line)
        i++;
    return i;
}

/* Returns the token behind the statement that begins at i. */
static size_t statement_end(const struct tokens *t, size_t i)
{
    while (i + 1 < t->count && token_in(t, i, "for if while"))
        i = t->list[i + 1].match + 1;
    if (token_is(t, i, "{"))
        return t->list[i].match + 1;
    while (i + 1 < t->count && !token_is(t, i, ";"))
        i = token_in(t, i, "( [ {") ? t->list[i].match + 1 : i + 1;
    return i + 1;
}

static bool is_declared(const struct tokens *t, size_t i)
{
    size_t k = i - 1;

    while (k > 0 && token_is(t, k, "*"))
        k--;
    if (token_is_type(t, k))
        return true;
    for (; token_is(t, i - 1, ",") && k > 0 && !token_in(t, k, "; { } ("); k--) /* a, b; */
        if (token_is_type(t, k) && token_in(t, k - 1, "; { }"))
            return true;
    return false;
}

/* Returns whether the name at `i` is declared from token `from` to `to` - 1. */
static bool is_declared_in(const struct tokens *t, size_t i, size_t from, size_t to)
{
    char name[64];

    snprintf(name, sizeof name, "%.*s", (int)(t->list[i].end - t->list[i].at), t->text + t->list[i].at);
    for (size_t k = from; k < to; k++)
        if (token_is(t, k, name) && is_declared(t, k))
            return true;
    return false;
}

static bool is_written(const struct tokens *t, size_t i)
{
    return t->list[i].kind == WORD && !token_in(t, i - 1, ". -> *") && !is_declared(t, i) &&
           (token_in(t, i + 1, "= += -= *= /= ++ --") || token_in(t, i - 1, "++ --"));
}

/* Returns whether a clause names the variable: private(t), reduction(+: sum). */
static bool in_clauses(const struct region *r, const struct tokens *t, size_t i)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    const size_t length = t->list[i].end - t->list[i].at;

    for (const char *at = strchr(r->clauses, '('); at != NULL && *at != '\0'; at++)
        if (strchr(letters, at[-1]) == NULL && strncmp(at, t->text + t->list[i].at, length) == 0 && strchr(letters, at[length]) == NULL)
            return true;
    return false;
}

static void tell(const struct tokens *t, const struct region *r, const char *text, size_t i, struct mistake *m)
{
    const struct mistake found = *m;
    const int line = t->list[i].line;

    mistake_set(m, "race");
    mistake_add(m, "line %d: there is one %.*s for all threads of the team, and each of them writes to it", line,
                (int)(t->list[i].end - t->list[i].at), t->text + t->list[i].at);
    mistake_quote(m, text, line);
    mistake_add(m, "it was declared before the team began%s", strchr(r->clauses, '(') != NULL ? ", and no clause makes it private" : "");
    for (int k = 0; k < found.facts; k++)
        mistake_add(m, "%s", found.fact[k]);
}

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

/* Finds a team in a team: each thread of the outer one is the only thread of an inner one. */
static bool look_for_second(const struct tokens *t, const struct region *r, const char *text, struct mistake *m)
{
    const char *end = text + t->list[r->end - 1].at, *at = strstr(text + t->list[r->begin].at, "#pragma omp parallel");
    int line = 1;

    if (r->loop || at == NULL || at > end)
        return false;
    for (const char *c = text; c < at; c++)
        line += *c == '\n';
    tell_line(text, line, "repeated-work", "this begins a second team inside of the first one, so each thread of the first one does the whole of it", m);
    return true;
}

/* Finds a question for the size of the team in the function that begins it, before it begins. */
static bool look_before(const struct tokens *t, const struct region *r, const char *text, struct mistake *m)
{
    size_t i = 1;

    while (i < r->begin) {
        if (token_is(t, i, "{") && t->list[i].match < r->begin) /* another function, or an inner block */
            i = t->list[i].match;
        else if (token_is(t, i, "omp_get_num_threads") && i < r->begin)
            break;
        i++;
    }
    if (i >= r->begin)
        return false;
    tell_line(text, t->list[i].line, "repeated-work", "there is no team here yet, so omp_get_num_threads() is 1, and each thread divides the work by 1", m);
    return true;
}

/* Looks at one region.  Returns whether there is such a variable. */
static bool look(const struct tokens *t, const struct region *r, const char *text, struct mistake *m)
{
    for (size_t i = r->begin; i < r->end; i++) {
        const bool of_loop = r->loop && i == r->begin + 2; /* for (i = ...: each thread has its own */
        if (!is_written(t, i) || of_loop || in_clauses(r, t, i) || is_declared_in(t, i, r->begin, r->end) || !is_declared_in(t, i, 1, r->begin))
            continue;
        if (r->loop && t->list[i].end - t->list[i].at == t->list[r->begin + 2].end - t->list[r->begin + 2].at &&
            memcmp(text + t->list[i].at, text + t->list[r->begin + 2].at, t->list[i].end - t->list[i].at) == 0)
            continue;
        tell(t, r, text, i, m);
        return true;
    }
    return false;
}

/* Returns whether "number > 0", "number >= 1", "number != 0" or "number" alone as a condition stands at i: thread 0 is excluded. */
static bool excludes_first(const struct tokens *t, size_t i)
{
    return (token_is(t, i + 1, ">") && token_is(t, i + 2, "0")) || (token_is(t, i + 1, "!=") && token_is(t, i + 2, "0")) ||
           (token_is(t, i + 1, ">=") && token_is(t, i + 2, "1"));
}

/* Finds a condition that keeps thread 0 out: of a variable that holds the number of the thread. */
static bool look_for_leader(const struct tokens *t, const struct region *r, const char *text, struct mistake *m)
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

/* Returns whether the region has directives by which its threads take turns, or which divide loops in it: then it is not looked at. */
static bool has_directives(const char *text, const struct tokens *t, const struct region *r)
{
    const char *end = text + t->list[r->end - 1].at, *at = strstr(text + t->list[r->begin].at, "#pragma omp");

    return at != NULL && at < end;
}

static void look_at_regions(const char *text, bool leader, struct mistake *m)
{
    struct tokens t;
    int line = 1;
    bool found = false;

    if (!tokens_read(&t, text)) {
        tokens_free(&t);
        return;
    }
    for (const char *at = text; *at != '\0' && !found; at += strcspn(at, "\n"), at += *at == '\n', line++) {
        struct region r;
        if (strncmp(at + strspn(at, " \t"), "#pragma omp parallel", 20) != 0)
            continue;
        snprintf(r.clauses, sizeof r.clauses, "%.*s", (int)strcspn(at, "\n"), at);
        r.loop = strstr(r.clauses, "parallel for") != NULL;
        r.begin = token_behind(&t, line);
        r.end = statement_end(&t, r.begin);
        if (leader)
            found = r.end < t.count && look_for_leader(&t, &r, text, m);
        else
            found = r.end < t.count && (look_for_second(&t, &r, text, m) || look_before(&t, &r, text, m) ||
                                        (!has_directives(text, &t, &r) && look(&t, &r, text, m)));
    }
    tokens_free(&t);
}

void team_look(const char *text, struct mistake *m)
{
    look_at_regions(text, false, m);
}

void team_look_idle(const char *text, struct mistake *m)
{
    look_at_regions(text, true, m);
}
