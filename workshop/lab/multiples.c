#include "workshop/lab/multiples.h"

#include <stdlib.h>
#include <string.h>

#include "workshop/lab/case.h"
#include "workshop/lab/text.h"

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

void multiples_look(const struct exercise *e, size_t tried, const struct witness list[], size_t count, struct mistake *m)
{
    enum { MOST = 256 };
    const size_t team = (size_t)case_threads();
    size_t least = 0, fit = 0;

    if (e->problem->axes[1] != NULL || (strcmp(m->kind, "last-missed") != 0 && strcmp(m->kind, "tail-missing") != 0))
        return;
    if (has_team(e) && divides(e, tried, list, count, team)) {
        mistake_add(m, "the sizes that are right are multiples of %zu, the number of threads of the team: at all others a rest is left when n is divided "
                       "by it", team);
        return;
    }
    for (size_t i = 2; i <= MOST; i *= 2)
        if (divides(e, tried, list, count, i)) {
            least = fit == 0 ? i : least;
            fit++;
        }
    if (fit > 0)
        mistake_add(m, "the sizes that are right are multiples of %zu: at all others a rest is left when n is divided by %s", least,
                    fit == 1 ? "it" : "that, or by a multiple of it");
}
