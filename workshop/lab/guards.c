/* Mutants of what is done when: under a condition more, or elsewhere. */
#include <stdio.h>
#include <string.h>

#include "workshop/lab/finder.h"

enum { MOST_CONDITIONS = 40 };

struct conditions {
    char text[MOST_CONDITIONS][120];
    size_t count;
};

static void add(struct conditions *c, const char *text)
{
    for (size_t i = 0; i < c->count; i++)
        if (strcmp(c->text[i], text) == 0)
            return;
    if (c->count < MOST_CONDITIONS)
        snprintf(c->text[c->count++], sizeof *c->text, "%s", text);
}

/* Those that the function has already, that of the first thread, and each of its numbers below each length. */
static void find_conditions(const struct finder *f, size_t at, struct conditions *c)
{
    char text[120];

    c->count = 0;
    if (f->kernel)
        add(c, "threadIdx.x == 0");
    for (size_t i = f->begin; i < f->end; i++)
        if (token_is(&f->t, i, "if") && f->t.list[i + 1].match < at)
            add(c, finder_plain(f, i + 2, f->t.list[i + 1].match, text, sizeof text));
    for (size_t a = 0; a < f->paths; a++)
        for (size_t b = 0; b < f->paths; b++) {
            const struct path *x = &f->path[a], *y = &f->path[b];
            if (x->sort != INTEGER || y->sort != INTEGER || y->remote || x->scopes == 0 || y->scopes > 0 || strchr(y->text, '.') != NULL ||
                !finder_is_known(f, x, at))
                continue;
            snprintf(text, sizeof text, "%s < %s", x->text, y->text);
            add(c, text);
        }
}

static bool is_hinted(const struct finder *f, size_t i)
{
    for (size_t k = 0; k < HINT_LINES; k++)
        if (f->hint->line[k] == f->t.list[i].line)
            return true;
    return false;
}

static void guard(struct finder *f, size_t i, size_t end)
{
    static struct conditions c;
    char text[200];

    find_conditions(f, i, &c);
    for (size_t k = 0; k < c.count; k++)
        finder_change(f, finder_begin(f, i, k == 0 && f->kernel ? 3 : 5, "this statement is not for every case: it needs a condition"), GUARD, i, end, c.text[k]);
    for (size_t k = 0; k < c.count && f->kernel && is_hinted(f, i) && finder_begins_statement(f, i); k++) {
        snprintf(text, sizeof text, "if (!(%s)) return;", c.text[k]);
        finder_change(f, finder_begin(f, i, 5, "not all may go on from here: a condition is missing"), BEFORE, i, i + 1, text);
    }
}

/* An element that is read only if it is there, and else is 0. */
void mutate_read(struct finder *f, const struct site *s)
{
    static struct conditions c;
    char here[200], text[400];

    if (s->assigned || s->end == s->last + 1 || !is_hinted(f, s->first))
        return;
    finder_plain(f, s->first, s->end, here, sizeof here);
    find_conditions(f, s->first, &c);
    for (size_t k = 0; k < c.count; k++) {
        snprintf(text, sizeof text, "((%s) ? %s : 0)", c.text[k], here);
        finder_change(f, finder_begin(f, s->first, 4, "%.80s is read in cases where it must not be: a condition is missing", here), VALUE, s->first, s->end, text);
    }
}

/* A variable that says yes or no: another condition. */
void mutate_flag(struct finder *f, const struct site *s)
{
    static struct conditions c;

    if (s->assigned || strcmp(f->path[s->path].type, "bool") != 0 || s->end != s->last + 1)
        return;
    find_conditions(f, s->first, &c);
    add(&c, "true");
    for (size_t k = 0; k < c.count; k++)
        finder_change(f, finder_begin(f, s->first, 3, "%s is not the right condition", f->path[s->path].text), VALUE, s->first, s->end, c.text[k]);
}

/* Returns the brace that opens the block in which token i is. */
static size_t block_of(const struct finder *f, size_t i)
{
    size_t inner = f->begin;

    for (size_t k = f->begin; k < i; k++)
        if (token_is(&f->t, k, "{") && f->t.list[k].match > i)
            inner = k;
    return inner;
}

static void move(struct finder *f, size_t i, size_t end, size_t to, int priority, const char *words)
{
    char text[700];

    finder_plain(f, i, end, text, sizeof text);
    const size_t mutant = finder_begin(f, i, priority, "%s", words);
    finder_change(f, mutant, BEFORE, to, to + 1, text);
    finder_change(f, mutant, GUARD, i, end, "0");
}

static void move_out(struct finder *f, size_t i, size_t end)
{
    const struct tokens *t = &f->t;
    const size_t open = block_of(f, i), behind = t->list[open].match + 1;
    const int priority = token_in(t, i, "__syncthreads __syncwarp") && f->hint->order ? 1 : 4;

    if (token_is(t, i - 1, ")") && t->list[t->list[i - 1].match - 1].kind == WORD) /* if (...) statement */
        move(f, i, end, end, priority, "this statement depends on the condition or the loop before it, and must not");
    if (token_is(t, i - 1, "}"))
        move(f, i, end, i - 1, priority, "this statement belongs into the block before it, at its end");
    if (open == f->begin || !token_in(t, open - 1, ") else"))
        return;
    if (!token_is(t, behind, "else"))
        move(f, i, end, behind, priority, "this statement stands in a block, and belongs behind that");
    if (token_is(t, open - 1, ")")) {
        const size_t head = t->list[open - 1].match - 1;
        if (finder_begins_statement(f, head))
            move(f, i, end, head, priority, "this statement stands in a block, and belongs before that");
    }
}

void mutate_when(struct finder *f, size_t i, size_t end)
{
    if (!finder_is_learners(f, i))
        return;
    guard(f, i, end);
    move_out(f, i, end);
}

/* The same condition of several ifs left out. */
static void leave_out_everywhere(struct finder *f, size_t i, const char *here)
{
    size_t at[MUTANT_PLACES], count = 0;
    char other[200];

    for (size_t k = f->begin; k < f->end && count < MUTANT_PLACES; k++) {
        if (!token_is(&f->t, k, "if") || strcmp(finder_plain(f, k + 2, f->t.list[k + 1].match, other, sizeof other), here) != 0)
            continue;
        if (k < i)
            return; /* done already */
        at[count++] = k;
    }
    if (count < 2)
        return;
    const size_t mutant = finder_begin(f, i, 1, "the condition %.80s is too much, here and wherever it stands: it keeps out what must not be", here);
    for (size_t k = 0; k < count; k++)
        finder_change(f, mutant, VALUE, at[k] + 2, f->t.list[at[k] + 1].match, "1");
}

/* Returns whether a line of the learner's is in the statement that begins there: its condition may have been right for another one. */
static bool has_learners(const struct finder *f, size_t i)
{
    const size_t end = finder_behind_statement(f, i);

    for (size_t k = i; k < end; k++)
        if (finder_is_learners(f, k))
            return true;
    return false;
}

/* if (condition) return; */
static void go_on(struct finder *f, size_t i, const char *here)
{
    const size_t close = f->t.list[i + 1].match;
    const bool many = token_is(&f->t, close + 1, "{");
    char word[16];

    if (many || !token_in(&f->t, close + 1, "return continue break"))
        return;
    finder_plain(f, close + 1, close + 2, word, sizeof word);
    finder_change(f, finder_begin(f, i, f->hint->order || f->hint->place ? 1 : 2, "\"%s\" is too much here: what stands behind it is also needed where %.80s holds", word, here),
                  VALUE, i + 2, close, "0");
}

/* All comparisons of a condition: with the case that both sides are equal, or without it. */
static void with_equal(struct finder *f, size_t open)
{
    static const char *const pairs[][2] = {{"<", "<="}, {">", ">="}};
    size_t at[MUTANT_PLACES];
    char left[120], right[120], text[300];

    for (size_t k = 0; k < 2 * sizeof pairs / sizeof *pairs; k++) {
        const char *one = pairs[k / 2][k % 2], *other = pairs[k / 2][1 - k % 2];
        size_t count = 0, mutant = 0;
        for (size_t i = open + 1; i < f->t.list[open].match && count < MUTANT_PLACES; i++)
            if (token_is(&f->t, i, one) && finder_is_learners(f, i))
                at[count++] = i;
        for (size_t i = 0; count > 1 && i < count; i++) {
            const size_t from = token_left(&f->t, at[i]), to = token_right(&f->t, at[i]);
            finder_plain(f, from, at[i], left, sizeof left);
            finder_plain(f, at[i] + 1, to, right, sizeof right);
            snprintf(text, sizeof text, "%s %s %s", left, other, right);
            if (i == 0)
                mutant = finder_begin(f, open, 1, "%s %s the case that both sides are equal, here and wherever it stands in this line", one,
                                      strlen(one) == 1 ? "leaves out" : "takes in");
            finder_change(f, mutant, VALUE, from, to, text);
        }
    }
}

/* A condition to which a variable that says yes or no belongs, too. */
static void add_flags(struct finder *f, size_t i, const char *here)
{
    const size_t open = i + 1, close = f->t.list[open].match;
    char text[300];

    for (size_t k = 0; k < f->paths; k++) {
        if (strcmp(f->path[k].type, "bool") != 0 || !finder_is_known(f, &f->path[k], i) || strstr(here, f->path[k].text) != NULL)
            continue;
        snprintf(text, sizeof text, "(%s) && %s", here, f->path[k].text);
        finder_change(f, finder_begin(f, i, 1, "%.80s is not all of the condition", here), VALUE, open + 1, close, text);
    }
}

/* The condition of an if left out, or another one. */
void mutate_condition(struct finder *f, size_t i)
{
    static struct conditions c;
    const size_t open = i + 1, close = f->t.list[open].match;
    char here[200], text[200];

    if (!token_is(&f->t, i, "if") || !token_is(&f->t, open, "(") || !has_learners(f, i))
        return;
    with_equal(f, open);
    finder_plain(f, open + 1, close, here, sizeof here);
    go_on(f, i, here);
    if (token_in(&f->t, close + 1, "return continue break"))
        return;
    finder_change(f, finder_begin(f, i, 1, "the condition %.80s is too much: it keeps out what must not be", here), VALUE, open + 1, close, "1");
    if (!finder_is_learners(f, i))
        return;
    leave_out_everywhere(f, i, here);
    find_conditions(f, i, &c);
    for (size_t k = 0; k < f->paths && f->kernel; k++)
        if (f->path[k].sort == INTEGER && f->path[k].scopes == 0 && !f->path[k].remote && strchr(f->path[k].text, '.') == NULL) {
            snprintf(text, sizeof text, "(size_t)blockIdx.x * blockDim.x + threadIdx.x < %s", f->path[k].text);
            add(&c, text);
        }
    add_flags(f, i, here);
    for (size_t k = 0; k < c.count; k++)
        if (strcmp(c.text[k], here) != 0)
            finder_change(f, finder_begin(f, i, strncmp(c.text[k], "(size_t)", 8) == 0 ? 3 : 5, "%.80s is not the right condition", here), VALUE, open + 1, close, c.text[k]);
}

/* n / threads: rounded up, and each loop ends at n. */
void mutate_share(struct finder *f, size_t i)
{
    const size_t from = token_left(&f->t, i), to = token_right(&f->t, i);
    char all[100], by[100], text[400], bound[200];
    size_t count = 0;

    if (!token_is(&f->t, i, "/") || from >= i || to <= i + 1)
        return;
    finder_plain(f, from, i, all, sizeof all);
    finder_plain(f, i + 1, to, by, sizeof by);
    snprintf(text, sizeof text, "((%s) + (%s) - 1) / (%s)", all, by, by);
    const size_t mutant = finder_begin(f, i, 2, "%.60s / %.60s is rounded down, so the rest of the division is left out: round it up, and end each loop at %.60s", all, by, all);
    finder_change(f, mutant, VALUE, from, to, text);
    for (size_t k = f->begin; k < f->end && count + 1 < MUTANT_PLACES; k++) {
        if (!token_is(&f->t, k, "for") || !token_is(&f->t, k + 1, "("))
            continue;
        size_t begin = k + 2, end;
        while (begin < f->t.list[k + 1].match && !token_is(&f->t, begin, ";"))
            begin++;
        for (end = begin + 1; end < f->t.list[k + 1].match && !token_is(&f->t, end, ";");)
            end++;
        if (end <= begin + 3 || !token_in(&f->t, begin + 2, "< <= !="))
            continue;
        finder_plain(f, begin + 1, end, bound, sizeof bound);
        snprintf(text, sizeof text, "(%s) && %.*s < (%s)", bound, (int)strcspn(bound, " <!"), bound, all);
        finder_change(f, mutant, VALUE, begin + 1, end, text);
        count++;
    }
    if (count == 0)
        f->all->list[mutant].dead = true;
}

/* Returns whether an if stands there that does nothing but give an element a value.  Sets where that begins and ends. */
static bool sets_element(const struct finder *f, size_t i, size_t *from, size_t *to)
{
    const struct tokens *t = &f->t;

    if (!token_is(t, i, "if") || !token_is(t, i + 1, "(") || !has_learners(f, i))
        return false;
    size_t first = t->list[i + 1].match + 1, end = finder_behind_statement(f, first);
    if (token_is(t, end, "else"))
        return false;
    if (token_is(t, first, "{")) {
        first++;
        end--;
    }
    if (finder_statement_end(f, first) != end || end <= first)
        return false;
    for (size_t k = 0; k < f->sites; k++)
        if (f->site[k].first == first && f->site[k].end > f->site[k].last + 1 && token_is(t, f->site[k].end, "=")) {
            *from = f->site[k].end + 1;
            *to = end - 1;
            return *to > *from;
        }
    return false;
}

/* if (there) tile[t] = x: where nothing is, a 0 belongs into the tile, and not what was there before.  Here, and of all such ifs together. */
void mutate_unset(struct finder *f, size_t i)
{
    char here[120], value[300], text[460];
    size_t from, to, mutant = 0, count = 0;

    if (!f->kernel || !sets_element(f, i, &from, &to))
        return;
    for (int all = 0; all < 2; all++) {
        count = 0;
        for (size_t k = all == 1 ? f->begin : i; k < (all == 1 ? f->end : i + 1) && count + 2 <= MUTANT_PLACES; k++) {
            if (!sets_element(f, k, &from, &to))
                continue;
            if (k < i)
                return; /* done already */
            finder_plain(f, k + 2, f->t.list[k + 1].match, here, sizeof here);
            finder_plain(f, from, to, value, sizeof value);
            if (count == 0)
                mutant = finder_begin(f, i, 1, "where %.70s does not hold nothing is written%s: what was there before stays, and a 0 belongs there", here,
                                      all == 1 ? ", and so in other lines" : "");
            snprintf(text, sizeof text, "((%s) ? (%s) : 0)", here, value);
            finder_change(f, mutant, VALUE, k + 2, f->t.list[k + 1].match, "1");
            finder_change(f, mutant, VALUE, from, to, text);
            count += 2;
        }
        if (all == 1 && count == 2)
            f->all->list[mutant].dead = true;
    }
}
