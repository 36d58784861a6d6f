#include "workshop/lab/mutant.h"

#include <stdlib.h>
#include <string.h>

#include "workshop/lab/finder.h"

/* So many are made at most. */
enum { MOST = 1500 };

/* --- all of a file ---------------------------------------------------------------------------------- */

static void look_at_function(struct finder *f)
{
    size_t parentheses = 0, statement = f->begin;

    finder_names(f);
    for (size_t i = f->begin; i < f->end; i++) {
        if (i > f->begin && token_in(&f->t, i - 1, "; { }"))
            statement = i;
        i = finder_behind_lengths(f, i, statement);
        mutate_token(f, i);
        parentheses += token_is(&f->t, i, "(");
        parentheses -= token_is(&f->t, i, ")");
        if (i > f->begin && parentheses == 0)
            mutate_statement(f, i);
    }
    for (size_t i = 0; i < f->sites; i++) {
        mutate_name(f, &f->site[i]);
        mutate_overwritten(f, i);
    }
    for (size_t i = 0; i < f->paths; i++)
        mutate_name_everywhere(f, i);
    mutate_pairs(f);
    mutate_directions(f);
}

static bool has_learners(const struct finder *f)
{
    for (size_t i = f->begin; i < f->end; i++)
        if (finder_is_learners(f, i))
            return true;
    return false;
}

/* Looks at each function that the learner has changed. */
static void look_at_all(struct finder *f)
{
    size_t head = 0;

    for (size_t i = 1; i < f->t.count; i++) {
        if (token_in(&f->t, i, "; }"))
            head = i;
        if (!token_is(&f->t, i, "{"))
            continue;
        f->begin = i;
        f->end = f->t.list[i].match;
        f->kernel = false;
        for (size_t k = head; k < i; k++)
            f->kernel = f->kernel || token_in(&f->t, k, "__global__ __device__");
        if (token_is(&f->t, i - 1, ")") && has_learners(f))
            look_at_function(f);
        i = head = f->end;
    }
}

bool *mutants_lines(const char *text, const char *starter)
{
    size_t lines = 2;

    for (const char *c = text; *c != '\0'; c++)
        lines += *c == '\n';
    bool *own = calloc(lines + 1, sizeof *own);
    for (size_t i = 1; own != NULL && *text != '\0'; i++) {
        const size_t length = strcspn(text, "\n");
        own[i] = true;
        for (const char *other = starter; own[i] && *other != '\0';) {
            const size_t of_other = strcspn(other, "\n");
            own[i] = of_other != length || memcmp(text, other, length) != 0;
            other += of_other + (other[of_other] == '\n');
        }
        text += length + (text[length] == '\n');
    }
    return own;
}

/* --- in order ------------------------------------------------------------------------------------- */

static const struct mutant *sorted;

static int compare_priorities(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;

    if (sorted[x].priority != sorted[y].priority)
        return sorted[x].priority < sorted[y].priority ? -1 : 1;
    return x < y ? -1 : x > y;
}

/* Puts the likely ones first, and leaves out those beyond MOST. */
static void sort(struct mutants *all)
{
    size_t *order = malloc((all->count + 1) * sizeof *order), *place = malloc((all->count + 1) * sizeof *place), kept = 0;
    struct mutant *list = malloc((all->count + 1) * sizeof *list);

    if (order == NULL || place == NULL || list == NULL)
        abort();
    for (size_t i = 0; i < all->count; i++)
        order[i] = i;
    sorted = all->list;
    qsort(order, all->count, sizeof *order, compare_priorities);
    for (size_t i = 0; i < all->count; i++) {
        list[i] = all->list[order[i]];
        place[order[i]] = i;
    }
    for (size_t i = 0; i < all->change_count; i++) {
        struct change *c = &all->changes[i];
        c->mutant = place[c->mutant];
        if (c->mutant < MOST)
            all->changes[kept++] = *c;
        else
            free(c->text);
    }
    all->change_count = kept;
    all->count = all->count < MOST ? all->count : MOST;
    free(all->list);
    all->list = list;
    free(order);
    free(place);
}

struct mutants *mutants_find(const char *text, const char *starter, const struct hint *hint)
{
    struct mutants *all = calloc(1, sizeof *all);
    bool *learners = mutants_lines(text, starter);
    struct finder *f = calloc(1, sizeof *f);

    if (all != NULL && learners != NULL && f != NULL) {
        *f = (struct finder){.all = all, .learners = learners, .hint = hint};
        all->program = text;
        all->cuda = strstr(text, "__global__") != NULL;
        if (tokens_read(&f->t, text))
            look_at_all(f), mutate_sizes(f);
        tokens_free(&f->t);
        sort(all);
    }
    free(f);
    free(learners);
    if (all != NULL && all->count == 0) {
        mutants_free(all);
        return NULL;
    }
    return all;
}
