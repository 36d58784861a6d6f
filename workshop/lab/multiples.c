#include "workshop/lab/multiples.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workshop/lab/case.h"
#include "workshop/lab/text.h"

enum { MOST = 256 };

static bool is_wrong(const struct size *size, const struct witness list[], size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].size == size)
            return true;
    return false;
}

/* Returns whether the sizes that are right are the multiples of this number.  One that is right must say so: 0 is a multiple of all. */
static bool divides(const struct exercise *e, size_t tried, const struct witness list[], size_t count, size_t number)
{
    bool shows = false;

    for (size_t i = 0; i < tried; i++) {
        const size_t n = e->sizes[i].dims[0];
        const bool wrong = is_wrong(&e->sizes[i], list, count);
        if (wrong != (n % number != 0))
            return false;
        shows = shows || (!wrong && n > 0);
    }
    return shows;
}

/* Returns whether the learner asks for a team of threads. */
static bool has_team(const struct exercise *e)
{
    struct error ignored;
    char *text = e->cuda ? NULL : text_read(e->source, &ignored);
    const bool found = text != NULL && strstr(text, "omp parallel") != NULL;

    free(text);
    return found;
}

/* Adds the number by which n can be divided at the sizes that are right.  Returns false if there is none. */
static bool tell_right(const struct exercise *e, size_t tried, const struct witness list[], size_t count, struct mistake *m)
{
    const size_t team = (size_t)case_threads();
    size_t least = 0, fit = 0;

    if (has_team(e) && divides(e, tried, list, count, team)) {
        mistake_add(m, "the sizes that are right are multiples of %zu, the number of threads of the team: at all others a rest is left when n is divided "
                       "by it", team);
        m->named = true;
        return true;
    }
    for (size_t i = 2; i <= MOST; i *= 2)
        if (divides(e, tried, list, count, i)) {
            least = fit == 0 ? i : least;
            fit++;
        }
    if (fit > 0)
        mistake_add(m, "the sizes that are right are multiples of %zu: at all others a rest is left when n is divided by %s", least,
                    fit == 1 ? "it" : "that, or by a multiple of it");
    return fit > 0;
}

/* Returns from which element on all are missing; SIZE_MAX: that is not known. */
static size_t first_missing(const struct witness *w)
{
    size_t first = SIZE_MAX, last;

    for (int i = 0; i < w->mistake.facts; i++) {
        const char *fact = w->mistake.fact[i];
        if (strcmp(fact, "only the last element is wrong") == 0)
            first = w->size->dims[0] - 1;
        else if (sscanf(fact, "all before %*[^[][%zu] is right", &first) != 1 && sscanf(fact, "only element %zu, the last", &first) != 1 &&
                 sscanf(fact, "elements 0 to %zu were written", &last) == 1)
            first = last + 1;
    }
    return first;
}

/* At each size that is wrong, the rest is missing that is left when n is divided by this number. */
static bool tell_rest(const struct witness list[], size_t count, struct mistake *m)
{
    for (size_t number = 2; number <= MOST; number++) {
        size_t fit = 0;
        while (fit < count && list[fit].size->dims[0] > number && first_missing(&list[fit]) == list[fit].size->dims[0] / number * number)
            fit++;
        if (fit < count || count < 2)
            continue;
        mistake_add(m, "at each size that is wrong, the last n %% %zu elements are missing: the rest that is left when n is divided by %zu", number, number);
        return true;
    }
    return false;
}

/* Returns whether the sizes that are wrong are those with 0 in this axis; with a number, with multiples of it above 0. */
static bool are_wrong(const struct exercise *e, size_t tried, const struct witness list[], size_t count, size_t axis, size_t number)
{
    for (size_t i = 0; i < tried; i++) {
        const size_t length = e->sizes[i].dims[axis];
        if (is_wrong(&e->sizes[i], list, count) != (number == 0 ? length == 0 : length > 0 && length % number == 0))
            return false;
    }
    return true;
}

/* Tells a length of which the sizes that are wrong have multiples, or 0. */
static bool tell_wrong(const struct exercise *e, size_t tried, const struct witness list[], size_t count, struct mistake *m)
{
    enum { LEAST = 4 };
    const size_t enough = e->problem->axes[1] == NULL ? 2 : 3; /* with several lengths, one of them fits by chance */

    for (size_t axis = 0; e->problem->axes[axis] != NULL; axis++) {
        const char *name = e->problem->axes[axis];
        if (tried > count && are_wrong(e, tried, list, count, axis, 0)) {
            mistake_add(m, "only %s = 0 is wrong: all other sizes that were tried are right", name);
            return true;
        }
        for (size_t number = MOST; number >= LEAST && count >= enough; number /= 2)
            if (are_wrong(e, tried, list, count, axis, number)) {
                mistake_add(m, "the sizes that are wrong are those where %s is a multiple of %zu: a rest, %s %% %zu, is 0 there", name, number, name, number);
                return true;
            }
    }
    return false;
}

/* Tells that all small sizes are wrong, and all others right. */
static void tell_small(const struct exercise *e, size_t tried, const struct witness list[], size_t count, struct mistake *m)
{
    enum { WRONG = 2, RIGHT = 3 };
    size_t largest = 0, least = SIZE_MAX;

    for (size_t i = 0; i < tried; i++) {
        const size_t n = e->sizes[i].dims[0];
        if (is_wrong(&e->sizes[i], list, count))
            largest = n > largest ? n : largest;
        else
            least = n > 0 && n < least ? n : least;
    }
    if (e->problem->axes[1] == NULL && count >= WRONG && tried >= count + RIGHT && largest < least)
        mistake_add(m, "the sizes that are wrong are those up to n = %zu, and from n = %zu on all are right: is a difference, such as n - %zu, below 0 "
                    "there, in a type without such numbers?", largest, least, largest + 1);
}

void multiples_look(const struct exercise *e, size_t tried, const struct witness list[], size_t count, struct mistake *m)
{
    const bool ends = strcmp(m->kind, "last-missed") == 0 || strcmp(m->kind, "tail-missing") == 0;

    if (e->problem->axes[1] == NULL && ends && (tell_right(e, tried, list, count, m) || tell_rest(list, count, m)))
        return;
    if (!tell_wrong(e, tried, list, count, m))
        tell_small(e, tried, list, count, m);
}
