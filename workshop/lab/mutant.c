#include "workshop/lab/mutant.h"

#include <stdlib.h>
#include <string.h>

#include "workshop/lab/finder.h"

/* So many are made at most. */
enum { MOST = 1500 };

/* --- all of a file ---------------------------------------------------------------------------------- */

static bool is_hinted(const struct finder *f, int line)
{
    for (size_t k = 0; k < HINT_LINES; k++)
        if (f->hint->line[k] == line)
            return true;
    return false;
}

static void add_related(struct finder *f, int line)
{
    if (f->related_count < RELATED_LINES && !is_hinted(f, line))
        f->related[f->related_count++] = line;
}

/* Finds the lines that set the variables of the lines which the mistake names. */
static void find_related(struct finder *f)
{
    f->related_count = 0;
    for (size_t i = 0; i < f->sites; i++) {
        const struct path *p = &f->path[f->site[i].path];
        if (!is_hinted(f, f->t.list[f->site[i].first].line) || p->scopes == 0)
            continue;
        for (size_t k = 0; k < p->scopes; k++)
            add_related(f, f->t.list[p->from[k]].line);
        for (size_t k = 0; k < f->sites; k++)
            if (f->site[k].path == f->site[i].path && f->site[k].assigned)
                add_related(f, f->t.list[f->site[k].first].line);
    }
}

static void look_at_function(struct finder *f)
{
    size_t parentheses = 0, statement = f->begin;

    finder_names(f);
    find_related(f);
    for (size_t i = f->begin; i < f->end; i++) {
        if (i > f->begin && token_in(&f->t, i - 1, "; { }"))
            statement = i;
        i = finder_behind_lengths(f, i, statement);
        mutate_token(f, i);
        mutate_order(f, i);
        mutate_do(f, i);
        mutate_jump(f, i);
        mutate_braces(f, i);
        mutate_loop_barrier(f, i);
        mutate_branch(f, i);
        parentheses += token_is(&f->t, i, "(");
        parentheses -= token_is(&f->t, i, ")");
        if (i > f->begin && parentheses == 0)
            mutate_statement(f, i);
        mutate_sibling(f, i);
    }
    for (size_t i = 0; i < f->sites; i++) {
        mutate_name(f, &f->site[i]);
        mutate_overwritten(f, i);
        mutate_statement_directions(f, i);
    }
    for (size_t i = 0; i < f->paths; i++)
        mutate_name_everywhere(f, i);
    for (size_t i = 0; i < f->paths; i++)
        mutate_rounds(f, i);
    mutate_pairs(f);
    mutate_directions(f);
    mutate_wholes(f);
}

static bool has_learners(const struct finder *f)
{
    for (size_t i = f->begin; i < f->end; i++)
        if (finder_is_learners(f, i) || token_is(&f->t, i, "<<<"))
            return true;
    return false;
}

/* Looks at each function that the learner has changed, or that launches a kernel. */
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

/* A text's lines. */
struct lines {
    const char **at;
    size_t count;
};

static bool split(struct lines *l, const char *text)
{
    size_t room = 1;

    for (const char *c = text; *c != '\0'; c++)
        room += *c == '\n';
    l->at = malloc(room * sizeof *l->at);
    for (l->count = 0; l->at != NULL && *text != '\0'; text += strcspn(text, "\n"), text += *text == '\n')
        l->at[l->count++] = text;
    return l->at != NULL;
}

static bool same_line(const char *a, const char *b)
{
    const size_t length = strcspn(a, "\n");

    return length == strcspn(b, "\n") && memcmp(a, b, length) == 0;
}

/* Marks the lines of `a` that do not belong to the longest sequence which `b` has, too. */
static void mark_own(const struct lines *a, const struct lines *b, bool *own)
{
    const size_t width = b->count + 1;
    unsigned short *longest = calloc((a->count + 1) * width, sizeof *longest);

    if (longest == NULL)
        return;
    for (size_t i = a->count; i-- > 0;)
        for (size_t k = b->count; k-- > 0;) {
            const unsigned short down = longest[(i + 1) * width + k], right = longest[i * width + k + 1];
            longest[i * width + k] = same_line(a->at[i], b->at[k]) ? (unsigned short)(longest[(i + 1) * width + k + 1] + 1) : down > right ? down : right;
        }
    for (size_t i = 0, k = 0; i < a->count; i++) {
        while (k < b->count && longest[i * width + k] == longest[i * width + k + 1])
            k++;
        own[i + 1] = longest[(i + 1) * width + k] == longest[i * width + k];
        k += !own[i + 1];
    }
    free(longest);
}

bool *mutants_lines(const char *text, const char *starter)
{
    struct lines a = {NULL, 0}, b = {NULL, 0};
    bool *own = NULL;

    if (split(&a, text) && split(&b, starter)) {
        own = calloc(a.count + 3, sizeof *own);
        if (own != NULL)
            mark_own(&a, &b, own);
    }
    free(a.at);
    free(b.at);
    return own;
}

/* A statement with a line of the learner's is the learner's. */
static void mark_statements(const struct tokens *t, bool *own)
{
    for (size_t i = 1, begin = 1; i < t->count; i++) {
        if (!token_in(t, i, "; { }"))
            continue;
        bool is = false;
        for (size_t k = begin; k <= i; k++)
            is = is || own[t->list[k].line];
        for (size_t k = begin; is && k <= i; k++)
            own[t->list[k].line] = true;
        begin = i + 1;
    }
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
        if (hint->header != NULL && !tokens_read(&f->header, hint->header))
            tokens_free(&f->header);
        if (tokens_read(&f->t, text)) {
            mark_statements(&f->t, learners);
            look_at_all(f);
            mutate_sizes(f);
        }
        tokens_free(&f->t);
        tokens_free(&f->header);
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
