/* Mutants that change the same in several places: a name, a direction, a function, a part of an expression, the size of a type. */
#include <stdio.h>
#include <string.h>

#include "workshop/lab/finder.h"

/* --- names ------------------------------------------------------------------------------------------ */

/* Returns the sites of this name in lines of the learner; 0: there is only one, or there are too many. */
static size_t sites_of(const struct finder *f, size_t path, const struct site *list[MUTANT_PLACES])
{
    size_t count = 0;

    for (size_t i = 0; i < f->sites; i++) {
        if (f->site[i].path != path || !finder_is_learners(f, f->site[i].first))
            continue;
        if (count == MUTANT_PLACES)
            return 0;
        list[count++] = &f->site[i];
    }
    return count > 1 ? count : 0;
}

/* One name for another one, in all the function. */
void mutate_name_everywhere(struct finder *f, size_t path)
{
    const struct site *list[MUTANT_PLACES];
    const size_t count = sites_of(f, path, list);

    for (size_t k = 0; count > 0 && k < f->paths; k++) {
        const struct path *p = &f->path[path], *other = &f->path[k];
        bool place = false, possible = k != path && p->sort == other->sort && p->sort != UNKNOWN;
        for (size_t i = 0; i < count; i++) {
            place = place || list[i]->assigned || token_is(&f->t, list[i]->last + 1, "[");
            possible = possible && finder_is_known(f, other, list[i]->first);
        }
        if (!possible || (place && (strcmp(p->type, other->type) != 0 || other->constant)))
            continue;
        const size_t mutant = finder_begin(f, list[0]->first, 4, "%s stands where another name belongs, here and wherever it stands", p->text);
        for (size_t i = 0; i < count; i++)
            finder_change(f, mutant, place ? PLACE : VALUE, list[i]->first, list[i]->last + 1, other->text);
    }
}

/* --- directions --------------------------------------------------------------------------------------- */

static const char *const bases[] = {"threadIdx", "blockIdx", "blockDim"};
enum { BASES = 3, ALL_BASES = (1 << BASES) - 1 };

/* Returns the base of which this is the member x or y; BASES: it is none. */
static int base_of(const char *text)
{
    const char *dot = strchr(text, '.');

    for (int b = 0; dot != NULL && (dot[1] == 'x' || dot[1] == 'y') && dot[2] == '\0' && b < BASES; b++)
        if (strncmp(text, bases[b], strlen(bases[b])) == 0)
            return b;
    return BASES;
}

/* x and y exchanged: of one or several of threadIdx, blockIdx and blockDim, in all of a kernel. */
void mutate_directions(struct finder *f)
{
    bool two = false;
    char text[24], words[120];

    for (size_t i = 0; i < f->sites; i++)
        two = two || (base_of(f->path[f->site[i].path].text) < BASES && strchr(f->path[f->site[i].path].text, '.')[1] == 'y');
    for (int which = 1; f->kernel && two && which <= ALL_BASES; which++) {
        size_t mutant = 0, count = 0;
        snprintf(words, sizeof words, ".x and .y are exchanged wherever they stand behind");
        for (int b = 0; b < BASES; b++)
            if ((which >> b & 1) != 0)
                snprintf(words + strlen(words), sizeof words - strlen(words), " %s", bases[b]);
        for (size_t i = 0; i < f->sites && count < MUTANT_PLACES; i++) {
            const struct site *s = &f->site[i];
            const int b = base_of(f->path[s->path].text);
            if (b == BASES || (which >> b & 1) == 0 || !finder_is_learners(f, s->first))
                continue;
            snprintf(text, sizeof text, "%s.%c", bases[b], strchr(f->path[s->path].text, '.')[1] == 'x' ? 'y' : 'x');
            mutant = count++ == 0 ? finder_begin(f, s->first, 1, "%s", words) : mutant;
            finder_change(f, mutant, VALUE, s->first, s->last + 1, text);
        }
    }
}

/* x and y exchanged in the statement in which this site is the first of these. */
void mutate_statement_directions(struct finder *f, size_t site)
{
    const size_t statement = f->site[site].statement;
    size_t mutant = 0, count = 0;
    char text[24];

    for (size_t i = 0; i < f->sites; i++)
        if (f->site[i].statement == statement && base_of(f->path[f->site[i].path].text) < BASES) {
            if (i < site || !finder_is_learners(f, f->site[i].first) || !f->kernel)
                return;
            count++;
        }
    if (count < 2 || count > MUTANT_PLACES || base_of(f->path[f->site[site].path].text) == BASES)
        return;
    mutant = finder_begin(f, f->site[site].first, 1, ".x and .y are exchanged in this statement");
    for (size_t i = site; i < f->sites; i++) {
        const char *name = f->path[f->site[i].path].text;
        const int b = base_of(name);
        if (f->site[i].statement != statement || b == BASES)
            continue;
        snprintf(text, sizeof text, "%s.%c", bases[b], strchr(name, '.')[1] == 'x' ? 'y' : 'x');
        finder_change(f, mutant, VALUE, f->site[i].first, f->site[i].last + 1, text);
    }
}

/* --- functions ---------------------------------------------------------------------------------------- */

/* Another function in the place of this one, in all of its calls. */
void mutate_call_everywhere(struct finder *f, size_t i)
{
    static const char *const pairs[][2] = {{"__shfl_up_sync", "__shfl_down_sync"}, {"__shfl_up_sync", "__shfl_xor_sync"},
                                           {"__shfl_down_sync", "__shfl_xor_sync"}, {"sinf", "cosf"}, {"fminf", "fmaxf"}, {"min", "max"},
                                           {"__any_sync", "__all_sync"}, {"atomicMin", "atomicMax"}};
    char name[64], arguments[400], text[500];
    size_t at[MUTANT_PLACES], count = 0;

    if (f->t.list[i].kind != WORD || !token_is(&f->t, i + 1, "(") || !finder_is_learners(f, i))
        return;
    finder_plain(f, i, i + 1, name, sizeof name);
    for (size_t k = f->begin; k < f->end && count < MUTANT_PLACES; k++) {
        if (!token_is(&f->t, k, name) || !token_is(&f->t, k + 1, "("))
            continue;
        if (k < i)
            return; /* done already */
        at[count++] = k;
        k = f->t.list[k + 1].match;
    }
    for (size_t p = 0; p < 2 * sizeof pairs / sizeof *pairs; p++) {
        if (strcmp(pairs[p / 2][p % 2], name) != 0)
            continue;
        const size_t mutant = finder_begin(f, i, 1, "%s is not the right function%s", name, count > 1 ? ", here and wherever it stands" : "");
        for (size_t k = 0; k < count; k++) {
            finder_plain(f, at[k] + 1, f->t.list[at[k] + 1].match + 1, arguments, sizeof arguments);
            snprintf(text, sizeof text, "%s%s", pairs[p / 2][1 - p % 2], arguments);
            finder_change(f, mutant, VALUE, at[k], f->t.list[at[k] + 1].match + 1, text);
        }
    }
}

/* --- expressions ------------------------------------------------------------------------------------ */

/* a + b, which stands several times: a alone; a - b, which may be below 0. */
void mutate_operation_everywhere(struct finder *f, size_t i)
{
    const size_t from = token_left(&f->t, i), to = token_right(&f->t, i);
    size_t at[MUTANT_PLACES], count = 0;
    char left[200], right[200], text[900];

    if (token_binary(&f->t, i) == 0 || from >= i || to <= i + 1 || token_in(&f->t, i, "< <= > >= == !=") || !finder_is_learners(f, i))
        return;
    for (size_t k = f->begin; k + (to - from) < f->end && count < MUTANT_PLACES; k++)
        if (tokens_equal(&f->t, k, from, to - from) && (k < from || k >= to || k == from)) {
            const size_t operator = k + (i - from);
            if (token_left(&f->t, operator) != k || token_right(&f->t, operator) != k + (to - from))
                continue;
            if (k < from)
                return; /* done already */
            at[count++] = k;
        }
    if (count < 2 || count == MUTANT_PLACES)
        return;
    finder_plain(f, from, i, left, sizeof left);
    finder_plain(f, i + 1, to, right, sizeof right);
    if (token_is(&f->t, i, "-") && !finder_is_pointer(f, from)) {
        const size_t mutant = finder_begin(f, i, 1, "%.60s - %.60s may be below 0, here and wherever it stands, and its type has no such numbers", left, right);
        snprintf(text, sizeof text, "((%s) > (%s) ? (%s) - (%s) : 0)", left, right, left, right);
        for (size_t k = 0; k < count; k++)
            finder_change(f, mutant, VALUE, at[k], at[k] + (to - from), text);
    }
    for (int side = 0; side < 2; side++) {
        const size_t mutant = finder_begin(f, i, 2, "a part of %.60s %c %.60s is too much, here and wherever it stands", left, f->t.text[f->t.list[i].at], right);
        for (size_t k = 0; k < count; k++)
            finder_change(f, mutant, VALUE, at[k], at[k] + (to - from), side == 0 ? left : right);
    }
}

/* --- sizes ------------------------------------------------------------------------------------------ */

/* Another size: of what a pointer points to, of a float, of a double. */
enum size_of { POINTEE, A_FLOAT, A_DOUBLE, SIZES_OF };

/* Returns whether a sizeof of the learner's stands there that may be of that. */
static bool may_be(const struct finder *f, size_t i, enum size_of of)
{
    return token_is(&f->t, i, "sizeof") && token_is(&f->t, i + 1, "(") && finder_is_learners(f, i) &&
           !(of == POINTEE && token_is_type(&f->t, i + 2));
}

static void change_size(struct finder *f, size_t mutant, size_t i, enum size_of of)
{
    const size_t close = f->t.list[i + 1].match;
    char inside[100], text[140];

    finder_plain(f, i + 2, close, inside, sizeof inside);
    if (of == POINTEE)
        snprintf(text, sizeof text, "sizeof(*(%s))", inside);
    else
        snprintf(text, sizeof text, "sizeof(%s)", of == A_FLOAT ? "float" : "double");
    finder_change(f, mutant, VALUE, i, close + 1, text);
}

/* Each sizeof by itself, and all of them. */
void mutate_sizes(struct finder *f)
{
    const size_t last = f->t.count > 3 ? f->t.count - 3 : 0;
    char inside[100];

    f->begin = 0;
    f->end = f->t.count;
    for (size_t i = 1; i < last; i++)
        for (enum size_of of = POINTEE; of < SIZES_OF; of++) {
            if (!may_be(f, i, of))
                continue;
            finder_plain(f, i + 2, f->t.list[i + 1].match, inside, sizeof inside);
            change_size(f, finder_begin(f, i, 1, "sizeof(%s) is not the right size", inside), i, of);
            bool known = false;
            for (size_t k = 1; k < i; k++)
                known = known || may_be(f, k, of);
            if (known)
                continue;
            const size_t mutant = finder_begin(f, i, 1, "sizeof(%s) is not the right size, here and wherever sizeof stands", inside);
            for (size_t k = 1, count = 0; k < last && count < MUTANT_PLACES; k++)
                if (may_be(f, k, of)) {
                    change_size(f, mutant, k, of);
                    count++;
                }
        }
}
