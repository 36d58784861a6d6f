/* Mutants of values: squared, limited, with a function more or less, or as they were before. */
#include <stdio.h>
#include <string.h>

#include "workshop/lab/finder.h"

/* --- functions ------------------------------------------------------------------------------------ */

static bool is_used(const struct finder *f, size_t i)
{
    return i > f->begin && !token_in(&f->t, i - 1, "; { } ) else . ->") && !token_is_type(&f->t, i - 1);
}

static void other_function(struct finder *f, size_t i, const char *arguments)
{
    static const char *const pairs[][2] = {{"sin", "cos"}, {"min", "max"}, {"fmin", "fmax"}, {"ceil", "floor"}, {"asin", "acos"},
                                           {"asin", "atan"}, {"__shfl_down_sync", "__shfl_xor_sync"}};
    char name[64], text[500];

    finder_plain(f, i, i + 1, name, sizeof name);
    for (size_t k = 0; k < 2 * sizeof pairs / sizeof *pairs; k++) {
        const char *one = pairs[k / 2][k % 2], *other = pairs[k / 2][1 - k % 2];
        const size_t length = strlen(one);
        if (strncmp(name, one, length) != 0 || (name[length] != '\0' && strcmp(name + length, "f") != 0))
            continue;
        snprintf(text, sizeof text, "%s%s%s", other, name + length, arguments);
        finder_change(f, finder_begin(f, i, 2, "%s is not the right function", name), VALUE, i, f->t.list[i + 1].match + 1, text);
    }
}

/* Returns whether the file defines the function that is called there, and it returns no real number. */
static bool is_whole(const struct finder *f, const char *name)
{
    char text[64];

    for (size_t i = 1; i + 1 < f->t.count; i++)
        if (f->t.list[i].kind == WORD && token_is(&f->t, i + 1, "(") && token_is(&f->t, f->t.list[i + 1].match + 1, "{") &&
            strcmp(finder_plain(f, i, i + 1, text, sizeof text), name) == 0)
            return !token_in(&f->t, i - 1, "float double float2 float4");
    return false;
}

void mutate_call(struct finder *f, size_t i)
{
    const size_t open = i + 1, end = f->t.list[open].match + 1;
    char name[64], arguments[400], text[1000];

    if (f->t.list[i].kind != WORD || !token_is(&f->t, open, "(") || finder_is_keyword(&f->t, i) || token_is_type(&f->t, i) ||
        !is_used(f, i) || !finder_is_learners(f, i) || end == open + 2)
        return;
    finder_plain(f, i, open, name, sizeof name);
    finder_plain(f, open, end, arguments, sizeof arguments);
    other_function(f, i, arguments);
    for (size_t k = open + 1; k + 1 < end; k = token_in(&f->t, k, "( [ {") ? f->t.list[k].match + 1 : k + 1)
        if (token_is(&f->t, k, ","))
            return;
    finder_change(f, finder_begin(f, i, 2, "%s is too much", name), VALUE, i, end, arguments);
    snprintf(text, sizeof text, "(%s%s * %s%s)", name, arguments, name, arguments);
    if (!is_whole(f, name))
        finder_change(f, finder_begin(f, i, 1, "the square of %s%.60s is needed", name, arguments), VALUE, i, end, text);
    snprintf(text, sizeof text, "(2 * %s%s)", name, arguments);
    finder_change(f, finder_begin(f, i, 4, "a factor is missing, or is too much, for %s%.60s", name, arguments), VALUE, i, end, text);
    snprintf(text, sizeof text, "(%s%s / 2)", name, arguments);
    finder_change(f, finder_begin(f, i, 4, "a factor is missing, or is too much, for %s%.60s", name, arguments), VALUE, i, end, text);
}

/* --- numbers that are not whole, and limits --------------------------------------------------------- */

static bool is_real(const struct finder *f, const struct site *s)
{
    const struct path *p = &f->path[s->path];
    const char *brackets = strchr(p->type, '[');
    const bool element = s->end != s->last + 1 || brackets == NULL;

    return p->sort == REAL || (p->sort == POINTER && element && s->end != s->last + 1 && strstr(p->type, "float2") == NULL &&
                               (strncmp(p->type, "float", 5) == 0 || strncmp(p->type, "double", 6) == 0));
}

void mutate_amount(struct finder *f, const struct site *s)
{
    char here[200], text[420];

    if (s->assigned || token_is(&f->t, s->first - 1, "&"))
        return;
    finder_plain(f, s->first, s->end, here, sizeof here);
    if (is_real(f, s)) {
        snprintf(text, sizeof text, "%s * %s", here, here);
        finder_change(f, finder_begin(f, s->first, 2, "the square of %s is needed", here), VALUE, s->first, s->end, text);
        snprintf(text, sizeof text, "-%s", here);
        finder_change(f, finder_begin(f, s->first, 4, "the sign of %s is wrong", here), VALUE, s->first, s->end, text);
        for (size_t k = 0; k < f->paths; k++)
            if (f->path[k].sort == REAL && !f->path[k].remote && k != s->path && finder_is_known(f, &f->path[k], s->first)) {
                snprintf(text, sizeof text, "%s * %s", here, f->path[k].text);
                finder_change(f, finder_begin(f, s->first, 5, "%s has to be multiplied by something", here), VALUE, s->first, s->end, text);
            }
    }
    if (f->path[s->path].sort != INTEGER || s->end != s->last + 1)
        return;
    for (size_t k = 0; k < f->paths; k++)
        if (f->path[k].sort == INTEGER && !f->path[k].remote && k != s->path && finder_is_known(f, &f->path[k], s->first)) {
            snprintf(text, sizeof text, "(%s < %s ? %s : %s)", here, f->path[k].text, here, f->path[k].text);
            finder_change(f, finder_begin(f, s->first, 5, "%s has no limit: it may get too large", here), VALUE, s->first, s->end, text);
        }
}

/* a - b, which may be below 0. */
void mutate_difference(struct finder *f, size_t i)
{
    const size_t from = token_left(&f->t, i), to = token_right(&f->t, i);
    char left[200], right[200], text[900];

    if (!token_is(&f->t, i, "-") || token_binary(&f->t, i) == 0 || finder_is_pointer(f, from) || from >= i || to <= i + 1)
        return;
    finder_plain(f, from, i, left, sizeof left);
    finder_plain(f, i + 1, to, right, sizeof right);
    snprintf(text, sizeof text, "((%s) > (%s) ? (%s) - (%s) : 0)", left, right, left, right);
    finder_change(f, finder_begin(f, i, 1, "%.60s - %.60s may be below 0, and its type has no such numbers", left, right), VALUE, from, to, text);
}

/* --- values as they were ---------------------------------------------------------------------------- */

static bool same_text(const struct finder *f, const struct site *a, const struct site *b)
{
    char x[120], y[120];

    return a->path == b->path && strcmp(finder_plain(f, a->first, a->end, x, sizeof x), finder_plain(f, b->first, b->end, y, sizeof y)) == 0;
}

/* Returns the first token behind the block in which token i is. */
static size_t behind_block(const struct finder *f, size_t i)
{
    size_t inner = f->begin;

    for (size_t k = f->begin; k < i; k++)
        if (token_is(&f->t, k, "{") && f->t.list[k].match > i)
            inner = k;
    return f->t.list[inner].match;
}

/* Returns the first site that reads what was assigned at `site`, later in its block; f->sites: there is none. */
static size_t read_after(const struct finder *f, size_t site)
{
    const struct site *s = &f->site[site];
    const struct path *p = &f->path[s->path];

    if (!s->assigned || p->scopes == 0 || p->sort == INTEGER || strchr(p->type, '*') != NULL || !finder_begins_statement(f, s->statement) ||
        s->first != s->statement || !finder_is_learners(f, s->first))
        return f->sites;
    const size_t end = behind_block(f, s->first);
    for (size_t k = site + 1; k < f->sites && f->site[k].first < end; k++)
        if (f->site[k].statement != s->statement && !f->site[k].assigned && same_text(f, s, &f->site[k]))
            return k;
    return f->sites;
}

/* Changes the reads of one statement into the value from before; returns how many. */
static int read_old(struct finder *f, size_t mutant, size_t site, size_t read, int most)
{
    const struct site *s = &f->site[site];
    const size_t statement = f->site[read].statement;
    char here[120], old[60], text[480];
    int changed = 1;

    finder_plain(f, s->first, s->end, here, sizeof here);
    snprintf(old, sizeof old, "rungs_old_%zu_%zu", mutant, site);
    snprintf(text, sizeof text, "__typeof__(%s) %s; @ %s = %s;", here, old, old, here);
    finder_change(f, mutant, DECLARE, s->statement, s->statement + 1, text);
    for (; read < f->sites && f->site[read].statement == statement && changed < most; read++)
        if (!f->site[read].assigned && same_text(f, s, &f->site[read])) {
            finder_change(f, mutant, VALUE, f->site[read].first, f->site[read].end, old);
            changed++;
        }
    return changed;
}

/* What is read after it was overwritten: its value from before; for one, and together with the next ones of the block. */
void mutate_overwritten(struct finder *f, size_t site)
{
    enum { MOST_TOGETHER = 4 };
    const size_t read = read_after(f, site);
    char here[120];
    int places = 0;

    if (read == f->sites)
        return;
    const int line = f->t.list[f->site[site].first].line;
    finder_plain(f, f->site[site].first, f->site[site].end, here, sizeof here);
    read_old(f, finder_begin(f, f->site[read].first, 1, "%s is read here after it was overwritten in line %d: its old value is needed", here, line), site, read, MUTANT_PLACES);
    size_t list[MOST_TOGETHER] = {site}, count = 1;
    for (size_t k = site + 1; k < f->sites && f->site[k].first < behind_block(f, f->site[site].first) && count < MOST_TOGETHER; k++)
        if (read_after(f, k) < f->sites)
            list[count++] = k;
    for (size_t together = 2; together <= count; together++) {
        const size_t mutant = finder_begin(f, f->site[read].first, 1, "%s is read here after it was overwritten in line %d, and so are others behind it: the old values are needed", here, line);
        places = 0;
        for (size_t k = 0; k < together; k++)
            places += read_old(f, mutant, list[k], read_after(f, list[k]), MUTANT_PLACES - places);
    }
}
