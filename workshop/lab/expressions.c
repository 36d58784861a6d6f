/* Mutants of expressions: operators, names, numbers, arguments. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workshop/lab/finder.h"

/* --- operators ------------------------------------------------------------------------------------ */

/* Returns the sort of the variable that begins there. */
static enum sort sort_at(const struct finder *f, size_t token)
{
    for (size_t i = 0; i < f->sites; i++)
        if (f->site[i].first == token)
            return f->path[f->site[i].path].sort;
    return UNKNOWN;
}

bool finder_is_pointer(const struct finder *f, size_t token)
{
    for (size_t i = 0; i < f->sites; i++)
        if (f->site[i].first == token)
            return f->path[f->site[i].path].sort == POINTER && !token_is(&f->t, f->site[i].last + 1, "[");
    return false;
}

/* Returns whether operator `other` is often written in the place of this one. */
static bool is_likely(const char *word, const char *other)
{
    static const char *const pairs[] = {"< <= ", "<= < ", "> >= ", ">= > ", "< > ", "> < ", "== != ", "!= == ", "+ - ", "- + ", "+ * ", "* + ",
                                        "/ % ", "% / ", "&& || ", "|| && "};
    char pair[16];

    snprintf(pair, sizeof pair, "%s %.*s ", word, (int)strcspn(other, " "), other);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (strcmp(pairs[i], pair) == 0)
            return true;
    return false;
}

/* Returns in words what is wrong with an operator that should be the other one. */
static const char *operator_words(const char *word, const char *other)
{
    const size_t length = strcspn(other, " ");

    if ((strcmp(word, "<") == 0 || strcmp(word, ">") == 0) && length == 2 && strncmp(other, word, 1) == 0)
        return "leaves out the case that both sides are equal, which belongs to it";
    if ((strcmp(word, "<=") == 0 || strcmp(word, ">=") == 0) && length == 1 && *other == *word)
        return "takes in the case that both sides are equal, which does not belong to it";
    return "is not the right operator";
}

static void other_operators(struct finder *f, size_t i)
{
    static const char *const groups[] = {"< <= > >= == !=", "+ - *", "* / + %", "/ * %", "% /", "- +", "&& ||", "|| &&", "== !=", "!= ==", "& |", "| &",
                                         "<< >>", ">> <<"};
    char left[400], right[400], word[8], text[1300];
    const size_t from = token_left(&f->t, i), to = token_right(&f->t, i);

    if (from >= i || to <= i + 1 || f->t.list[i].end - f->t.list[i].at > 3)
        return;
    finder_plain(f, from, i, left, sizeof left);
    finder_plain(f, i + 1, to, right, sizeof right);
    finder_plain(f, i, i + 1, word, sizeof word);
    const bool pointer = finder_is_pointer(f, from), chain = strstr(left, word) != NULL || token_is(&f->t, to, word);
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
        const size_t length = strlen(word);
        if (strncmp(groups[g], word, length) != 0 && (g != 0 || token_binary(&f->t, i) != 7))
            continue;
        if (g != 0 && groups[g][length] != ' ')
            continue;
        for (const char *other = groups[g]; *other != '\0';) {
            const size_t end = strcspn(other, " ");
            if ((end != length || strncmp(other, word, length) != 0) && !(pointer && strchr("*/%", *other) != NULL) &&
                !(*other == '%' && sort_at(f, from) != INTEGER)) {
                snprintf(text, sizeof text, "(%s) %.*s (%s)", left, (int)end, other, right);
                finder_change(f, finder_begin(f, i, !is_likely(word, other) || (f->hint->counts && strchr("+-*/", *word) != NULL) ? 4 : chain && *word == '+' ? 2 : 1, "%s %s", word, operator_words(word, other)), VALUE, from, to, text);
            }
            other += end + strspn(other + end, " ");
        }
    }
    if (word[0] == '/' && sort_at(f, from) != REAL && (sort_at(f, from) == INTEGER || sort_at(f, i + 1) == INTEGER)) {
        snprintf(text, sizeof text, "((%s) + (%s) - 1) / (%s)", left, right, right);
        finder_change(f, finder_begin(f, i, 1, "%.60s / %.60s is rounded down, and has to be rounded up", left, right), VALUE, from, to, text);
    }
    const size_t other_side = finder_begin(f, i, 2, "a part of %.60s %s %.60s is too much", left, word, right);
    finder_change(f, other_side, VALUE, from, to, left);
    if (!pointer && !token_in(&f->t, i, "< <= > >= == != % / << >>")) {
        const size_t this_side = finder_begin(f, i, 2, "a part of %.60s %s %.60s is too much", left, word, right);
        finder_change(f, this_side, VALUE, from, to, right);
    }
}

/* Returns in words what is wrong with an assignment that should be the other one. */
static const char *assignment_words(const char *word, const char *other)
{
    if (strcmp(word, "=") == 0)
        return strcmp(other, "+=") == 0 ? "= replaces what was there, which has to be added to" : "= is not the right assignment";
    if (strcmp(other, "=") == 0)
        return "what was there before is taken into account, and has to be replaced";
    return "this is not the right assignment";
}

/* a += b, and what else may stand there. */
static void other_assignments(struct finder *f, const struct site *s)
{
    static const char *const others[] = {"=", "+=", "-=", "*=", "/="};
    const size_t i = s->end;
    char left[200], right[400], text[700], word[8];
    size_t to = i + 1;

    while (to < f->end && !token_in(&f->t, to, "; , )"))
        to = token_in(&f->t, to, "( [ {") ? f->t.list[to].match + 1 : to + 1;
    if (!token_in(&f->t, i, "= += -= *= /=") || to == i + 1 || !s->assigned)
        return;
    finder_plain(f, s->first, i, left, sizeof left);
    finder_plain(f, i + 1, to, right, sizeof right);
    finder_plain(f, i, i + 1, word, sizeof word);
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        const struct path *p = &f->path[s->path];
        if (strcmp(others[k], word) == 0 || (p->sort == POINTER && s->end == s->last + 1) || strstr(p->type, "float2") != NULL)
            continue;
        snprintf(text, sizeof text, "%s %s %s", left, others[k], right);
        finder_change(f, finder_begin(f, i, k < 2 ? 1 : 3, "%s", assignment_words(word, others[k])), PLACE, s->first, to, text);
    }
}

/* Finds numbers of the file, each once. */
enum { MOST_NUMBERS = 12 };

static size_t find_numbers(const struct finder *f, char numbers[MOST_NUMBERS][16])
{
    size_t count = 0;

    for (size_t i = 0; i < f->t.count && count < MOST_NUMBERS; i++) {
        bool known = f->t.list[i].kind != NUMBER || f->t.list[i].end - f->t.list[i].at > 12;
        for (size_t k = 0; !known && k < count; k++)
            known = token_is(&f->t, i, numbers[k]);
        if (!known)
            finder_plain(f, i, i + 1, numbers[count++], sizeof *numbers);
    }
    return count;
}

/* i++ */
static void other_steps(struct finder *f, const struct site *s)
{
    char text[120], numbers[MOST_NUMBERS][16];

    if (!token_in(&f->t, s->end, "++ --") || f->path[s->path].sort == POINTER)
        return;
    for (size_t p = 0; p < f->paths; p++) {
        if (f->path[p].sort != INTEGER || p == s->path || !finder_is_known(f, &f->path[p], s->first))
            continue;
        snprintf(text, sizeof text, "%s += %s", f->path[s->path].text, f->path[p].text);
        finder_change(f, finder_begin(f, s->first, f->path[p].constant ? 2 : 3, "the step is not one"), PLACE, s->first, s->end + 1, text);
    }
    const size_t count = find_numbers(f, numbers);
    for (size_t k = 0; k < count; k++) {
        if (strpbrk(numbers[k], ".f") != NULL || strtol(numbers[k], NULL, 0) < 2)
            continue;
        snprintf(text, sizeof text, "%s += %s", f->path[s->path].text, numbers[k]);
        finder_change(f, finder_begin(f, s->first, 3, "the step is not one"), PLACE, s->first, s->end + 1, text);
    }
}

/* --- names and numbers ------------------------------------------------------------------------------ */

/* Returns whether both are members of the same, as threadIdx.x and threadIdx.y are, or the same member. */
static bool related(const char *a, const char *b)
{
    const size_t base = strcspn(a, ".-");
    const char *of_a = a + base, *of_b = b + strcspn(b, ".-");

    return *of_a != '\0' && *of_b != '\0' && ((strncmp(a, b, base + 1) == 0) || strcmp(of_a, of_b) == 0);
}

static bool may_replace(enum sort a, enum sort b)
{
    return a == b || a == UNKNOWN || b == UNKNOWN;
}

/* Returns whether both are of the same type, as far as that is known: of members it is not. */
static bool same_type(const struct path *a, const struct path *b)
{
    const bool member_a = strpbrk(a->text, ".-") != NULL, member_b = strpbrk(b->text, ".-") != NULL;

    if (member_a != member_b) /* a member of what is const is const, and the compiler would not take a choice of both for a place */
        return false;
    if (member_a && (a->type[0] == '\0' || b->type[0] == '\0'))
        return true;
    return a->type[0] != '\0' && strcmp(a->type, b->type) == 0;
}

static void other_name(struct finder *f, const struct site *s, const struct path *other, int priority)
{
    const char *text = other->text;
    const struct path *p = &f->path[s->path];
    const bool array = token_is(&f->t, s->last + 1, "[");

    if (strcmp(text, p->text) == 0 || !may_replace(p->sort, other->sort) || ((s->assigned || array) && !same_type(p, other)))
        return;
    finder_change(f, finder_begin(f, s->first, priority, "%s stands where another name belongs", p->text), s->assigned || array ? PLACE : VALUE,
           s->first, s->last + 1, text);
}

/* Returns whether the name stands in the line of this token, too: it is more likely to be mistaken for another one there. */
static bool on_line(const struct finder *f, size_t path, size_t token)
{
    for (size_t i = 0; i < f->sites; i++)
        if (f->site[i].path == path && f->t.list[f->site[i].first].line == f->t.list[token].line)
            return true;
    return false;
}

/* Returns how likely a mistake one name in the place of another one is. */
static int name_priority(const struct finder *f, const struct path *p, const struct path *other, size_t token, size_t path)
{
    if ((related(p->text, other->text) && strstr(p->text, "Idx.") == NULL) || (on_line(f, path, token) && same_type(p, other)))
        return 1;
    if (on_line(f, path, token))
        return 2;
    if ((same_type(p, other) || (p->type[0] != '\0' && strcmp(p->type, other->type) == 0)) && !other->remote)
        return p->sort == POINTER && p->type[0] != '\0' ? 1 : 2;
    if (same_type(p, other) && p->sort == POINTER && p->type[0] != '\0')
        return 2;
    return other->remote && !same_type(p, other) ? 5 : p->sort == UNKNOWN || other->sort == UNKNOWN ? 4 : 3;
}

/* Returns whether the threads have a second number. */
static bool has_rows(const struct finder *f)
{
    for (size_t i = 0; i < f->paths; i++)
        if (strcmp(f->path[i].text, "threadIdx.y") == 0 || strcmp(f->path[i].text, "blockIdx.y") == 0)
            return true;
    return false;
}

static void other_names(struct finder *f, const struct site *s)
{
    static const char *const kinds[] = {"cudaMemcpyHostToDevice", "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice"};
    static const char *const bases[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
    const struct path *p = &f->path[s->path];
    struct path given = {.sort = UNKNOWN};

    for (size_t k = 0; strncmp(p->text, "cudaMemcpy", 10) == 0 && k < 3; k++) {
        snprintf(given.text, sizeof given.text, "%s", kinds[k]);
        other_name(f, s, &given, 1);
    }
    if (strncmp(p->text, "cudaMemcpy", 10) == 0)
        return;
    const char *dot = strchr(p->text, '.');
    const bool builtin = dot != NULL && dot[2] == '\0' && (strstr(p->text, "Idx.") != NULL || strstr(p->text, "Dim.") != NULL);
    const bool index = token_is(&f->t, s->first - 1, "[") && token_is(&f->t, s->end, "]");
    for (size_t k = 0; builtin && f->kernel && k < 4; k++)
        for (int axis = 0; axis < (has_rows(f) ? 2 : 1); axis++) {
            snprintf(given.text, sizeof given.text, "%s.%c", bases[k], "xy"[axis]);
            given.sort = INTEGER;
            other_name(f, s, &given, index ? 3 : 1);
        }
    for (size_t k = 0; k < f->paths; k++) {
        const struct path *other = &f->path[k];
        const bool done = builtin && (strstr(other->text, "Idx.") != NULL || strstr(other->text, "Dim.") != NULL);
        if (!done && !(s->assigned && other->constant) && finder_is_known(f, other, s->first))
            other_name(f, s, other, name_priority(f, p, other, s->first, k));
    }
}

/* One more, one less, and something added, subtracted or multiplied. */
static void other_values(struct finder *f, const struct site *s)
{
    const enum sort sort = f->path[s->path].sort;
    char here[200], text[300];

    if (s->assigned || sort == REAL || (sort == POINTER && token_is(&f->t, s->last + 1, "[")) || s->end != s->last + 1)
        return;
    finder_plain(f, s->first, s->end, here, sizeof here);
    for (int k = 0; sort != POINTER && k < 2; k++) {
        snprintf(text, sizeof text, "%s %c 1", here, "+-"[k]);
        finder_change(f, finder_begin(f, s->first, 2, "%s is one too %s", here, k == 0 ? "small" : "large"), VALUE, s->first, s->end, text);
    }
    for (int k = 0; sort == INTEGER && k < 2; k++) {
        snprintf(text, sizeof text, k == 0 ? "(2 * %s)" : "(%s / 2)", here);
        finder_change(f, finder_begin(f, s->first, 3, "%s is too %s by a factor", here, k == 0 ? "small" : "large"), VALUE, s->first, s->end, text);
    }
    for (size_t k = 0; k < f->paths; k++) {
        const struct path *other = &f->path[k];
        if (other->sort != INTEGER || other->remote || (sort != POINTER && k == s->path) || !finder_is_known(f, other, s->first))
            continue;
        const bool dimensions = strstr(here, "Dim.") != NULL && strstr(other->text, "Dim.") != NULL;
        for (int o = 0; o < (sort == POINTER ? 1 : 3); o++) {
            snprintf(text, sizeof text, "%s %c %s", here, "+*-"[o], other->text);
            finder_change(f, finder_begin(f, s->first, o == 1 && dimensions ? !token_is(&f->t, s->first - 1, "+=") : o > 0 ? 5 : other->constant ? 4 : other->scopes == 0 ? 3 : sort == POINTER ? 1 : 2, "%s is not all: something has to be %s", here, o == 0 ? "added" : o == 1 ? "multiplied"
                            : "subtracted"), VALUE, s->first, s->end, text);
        }
    }
}

/* Returns whether a name is seldom meant where a number stands: a member, or a variable of the file. */
static bool is_far(const struct path *p)
{
    return strpbrk(p->text, ".-") != NULL || (p->remote && !p->constant);
}

static void other_numbers(struct finder *f, size_t i)
{
    static const struct {
        const char *before, *behind;
    } forms[] = {{"", " + 1"}, {"", " - 1"}, {"2 * ", ""}, {"", " / 2"}, {"0 * ", ""}};
    char number[32], text[80], numbers[MOST_NUMBERS][16];

    if (f->t.list[i].end - f->t.list[i].at > 12)
        return;
    finder_plain(f, i, i + 1, number, sizeof number);
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
        snprintf(text, sizeof text, "%s%s%s", forms[k].before, number, forms[k].behind);
        finder_change(f, finder_begin(f, i, 2, "%s is not the right number", number), VALUE, i, i + 1, text);
    }
    const size_t count = find_numbers(f, numbers);
    for (size_t k = 0; k < count; k++)
        if (!token_is(&f->t, i, numbers[k]))
            finder_change(f, finder_begin(f, i, 4, "%s is not the right number", number), VALUE, i, i + 1, numbers[k]);
    if (token_is(&f->t, i - 1, "=") || (token_is(&f->t, i - 1, "-") && token_is(&f->t, i - 2, "=")))
        finder_change(f, finder_begin(f, i, 2, "%s is not the right number", number), VALUE, i, i + 1, "INFINITY");
    for (size_t k = 0; k < f->paths; k++)
        if (f->path[k].sort == INTEGER && finder_is_known(f, &f->path[k], i))
            finder_change(f, finder_begin(f, i, strtol(number, NULL, 0) < 2 ? 5 : is_far(&f->path[k]) ? 4 : 2, "the number %s stands where a name belongs", number), VALUE, i, i + 1, f->path[k].text);
}

/* --- exchanges ------------------------------------------------------------------------------------ */

/* Two arguments of a call, of a launch, or of a list in braces. */
static void exchange_arguments(struct finder *f, size_t open)
{
    enum { MANY = 16 };
    const size_t close = f->t.list[open].match;
    size_t from[MANY], to[MANY], count = 0, start = open + 1;
    char a[300], b[300];

    for (size_t i = open + 1; i <= close && count < MANY; i++) {
        if (i == close || token_is(&f->t, i, ",")) {
            if (i == start)
                return;
            from[count] = start;
            to[count++] = i;
            start = i + 1;
        } else if (token_in(&f->t, i, "( [ { <<<")) {
            i = f->t.list[i].match;
        } else if (token_is(&f->t, i, ";")) {
            return;
        }
    }
    if (token_is(&f->t, open, "<<<") && count > 2)
        count = 2; /* a stream in the place of a number of bytes is the default stream, in which all is in order */
    for (size_t i = 0; i + 1 < count; i++)
        for (size_t k = i + 1; k < count; k++) {
            finder_plain(f, from[i], to[i], a, sizeof a);
            finder_plain(f, from[k], to[k], b, sizeof b);
            if (strcmp(a, b) == 0 || !(finder_is_learners(f, from[i]) || finder_is_learners(f, from[k])))
                continue;
            const size_t mutant = finder_begin(f, from[i], 2, "%.60s and %.60s are exchanged", a, b);
            finder_change(f, mutant, VALUE, from[i], to[i], b);
            finder_change(f, mutant, VALUE, from[k], to[k], a);
        }
}

/* A condition, or the value of an argument, that is negated. */
static void negate(struct finder *f, size_t open)
{
    char text[400], not[410];
    const size_t close = f->t.list[open].match;
    size_t start = open + 1;

    for (size_t i = open + 1; i <= close; i++) {
        if (token_in(&f->t, i, "( [ { <<<"))
            i = f->t.list[i].match;
        if (token_is(&f->t, i, ";"))
            return;
        if (i != close && !token_is(&f->t, i, ","))
            continue;
        if (i > start && finder_is_learners(f, start)) {
            finder_plain(f, start, i, text, sizeof text);
            snprintf(not, sizeof not, "!(%s)", text);
            finder_change(f, finder_begin(f, start, 3, "%.80s is the opposite of what is right", text), VALUE, start, i, not);
        }
        start = i + 1;
    }
}

/* Two names of a statement. */
void mutate_pairs(struct finder *f)
{
    for (size_t i = 0; i < f->sites; i++)
        for (size_t k = i + 1; k < f->sites && f->site[k].statement == f->site[i].statement; k++) {
            const struct site *a = &f->site[i], *b = &f->site[k];
            const struct path *x = &f->path[a->path], *y = &f->path[b->path];
            if (a->path == b->path || a->assigned != b->assigned || !may_replace(x->sort, y->sort) ||
                !(finder_is_learners(f, a->first) || finder_is_learners(f, b->first) || token_is(&f->t, a->statement, "dim3")))
                continue; /* the starter's launch may be wrong for another kernel */
            const bool array = token_is(&f->t, a->last + 1, "[") || token_is(&f->t, b->last + 1, "[");
            if ((a->assigned || array) && !same_type(x, y))
                continue;
            const enum change_kind kind = a->assigned || array ? PLACE : VALUE;
            const int priority = related(x->text, y->text) && x->sort == INTEGER ? 1 : f->t.list[a->first].line == f->t.list[b->first].line ? 3 : 4;
            const size_t mutant = finder_begin(f, a->first, priority, "%s and %s are exchanged",
                                        x->text, y->text);
            finder_change(f, mutant, kind, a->first, a->last + 1, y->text);
            finder_change(f, mutant, kind, b->first, b->last + 1, x->text);
        }
}

/* --- all of them ------------------------------------------------------------------------------------ */

void mutate_token(struct finder *f, size_t i)
{
    if (token_binary(&f->t, i) > 0 && finder_is_learners(f, i)) {
        other_operators(f, i);
        mutate_grouping(f, i);
        mutate_operation_everywhere(f, i);
        mutate_difference(f, i);
        mutate_whole(f, i);
        mutate_share(f, i);
        mutate_begin(f, i);
        mutate_bytes(f, i);
    }
    mutate_reach(f, i);
    mutate_choice(f, i);
    mutate_call(f, i);
    mutate_call_everywhere(f, i);
    mutate_condition(f, i);
    mutate_unset(f, i);
    mutate_brackets(f, i);
    if (f->t.list[i].kind == NUMBER && finder_is_learners(f, i))
        other_numbers(f, i);
    if (token_in(&f->t, i, "( { <<<") && (f->t.list[i - 1].kind == WORD || !token_is(&f->t, i, "(")))
        exchange_arguments(f, i);
    if (token_is(&f->t, i, "(") && (token_in(&f->t, i - 1, "if while") || f->kernel) && f->t.list[i - 1].kind == WORD)
        negate(f, i);
}

void mutate_name(struct finder *f, const struct site *s)
{
    if (!finder_is_learners(f, s->first))
        return;
    other_assignments(f, s);
    other_steps(f, s);
    other_names(f, s);
    other_values(f, s);
    mutate_amount(f, s);
    mutate_index(f, s);
    mutate_element(f, s);
    mutate_flag(f, s);
    mutate_read(f, s);
}

