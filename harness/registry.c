#include "harness/registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/nearest.h"

static struct variant *variant_list;
static struct problem *problem_list;
static const struct variant *variants[MAX_VARIANTS];
static const struct problem *problems[MAX_PROBLEMS];
static size_t variant_count, problem_count;

void variant_register(struct variant *v)
{
    v->next = variant_list;
    variant_list = v;
}

void problem_register(struct problem *p)
{
    p->next = problem_list;
    problem_list = p;
}

/* --- names ------------------------------------------------------------------------------------ */

/* Copies the last part of path that ends before `end`, without its extension. */
static const char *last_part(const char *path, const char *end, char *text, size_t bytes)
{
    const char *start = end;

    while (start > path && start[-1] != '/')
        start--;
    const size_t length = (size_t)(end - start) < bytes ? (size_t)(end - start) : bytes - 1;
    memcpy(text, start, length); /* not by snprintf: every start asks for thousands of names */
    text[length] = '\0';
    text[strcspn(text, ".")] = '\0';
    return start > path ? start - 1 : path;
}

struct name variant_name(const struct variant *v)
{
    struct name name;
    const char *rest = last_part(v->path, v->path + strlen(v->path), name.variant,
                                 sizeof name.variant);

    last_part(v->path, rest, name.problem, sizeof name.problem);
    char *end = stpcpy(name.full, name.problem);
    *end++ = '/';
    strcpy(end, name.variant);
    return name;
}

const char *problem_name(const struct problem *p)
{
    static char text[8][32]; /* a few calls may share an expression */
    static unsigned turn;
    char *name = text[turn++ % 8];

    last_part(p->path, p->path + strlen(p->path), name, sizeof text[0]);
    return name;
}

const struct input *problem_inputs(const struct problem *p)
{
    static const struct input none[] = {{NULL, NULL, NULL}};

    return p->data != NULL ? p->data->inputs : none;
}

/* --- order ------------------------------------------------------------------------------------ */

static int by_problem_name(const void *a, const void *b)
{
    const struct problem *const *x = a, *const *y = b;

    return strcmp(problem_name(*x), problem_name(*y));
}

static int by_variant_name(const void *a, const void *b)
{
    const struct variant *const *x = a, *const *y = b;

    return strcmp(variant_name(*x).full, variant_name(*y).full);
}

static const struct variant *find_in(const struct name *name, const char *variant)
{
    char full[96];

    snprintf(full, sizeof full, "%s/%s", name->problem, variant);
    return registry_find(full);
}

const struct variant *registry_base(const struct variant *v)
{
    const struct name name = variant_name(v);

    return v->base != NULL ? find_in(&name, v->base) : NULL;
}

static bool sound(const struct variant *v, struct error *error)
{
    const struct name name = variant_name(v);
    const struct variant *base = v;
    size_t steps = 0;

    if (strlen(name.variant) == sizeof name.variant - 1)
        return error_set(error, "%s: the name is too long", v->path);
    if (v->idea == NULL || v->idea[0] == '\0')
        return error_set(error, "%s: no idea: say in one line what this rung does differently",
                         v->path);
    if (v->run == NULL)
        return error_set(error, "%s: no run: there is nothing to measure", v->path);
    if (registry_problem(name.problem) == NULL)
        return error_set(error, "%s: there is no problem called %s", v->path, name.problem);
    /* The only one of its program is an exercise's: there is nothing to stand beside. */
    bool alone = variant_list->next == NULL;
    if (v->base != NULL && registry_base(v) == NULL && !alone)
        return error_set(error, "%s: its base %s/%s does not exist", v->path, name.problem,
                         v->base);
    while ((base = registry_base(base)) != NULL)
        if (++steps > variant_count)
            return error_set(error, "%s: its bases go round in a circle", v->path);
    return true;
}

/* Depth first: a rung, then all that build on it, brothers by name. */
static size_t place_after(const struct variant *base, const char *problem,
                          const struct variant *const sorted[], size_t count,
                          const struct variant *placed[], size_t at)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(variant_name(sorted[i]).problem, problem) == 0 &&
            registry_base(sorted[i]) == base) {
            placed[at++] = sorted[i];
            at = place_after(sorted[i], problem, sorted, count, placed, at);
        }
    return at;
}

bool registry_order(struct error *error)
{
    static const struct variant *sorted[MAX_VARIANTS];

    variant_count = problem_count = 0;
    for (const struct problem *p = problem_list; p != NULL; p = p->next) {
        if (problem_count == MAX_PROBLEMS)
            return error_set(error, "more than %d problems", MAX_PROBLEMS);
        problems[problem_count++] = p;
    }
    for (const struct variant *v = variant_list; v != NULL; v = v->next) {
        if (variant_count == MAX_VARIANTS)
            return error_set(error, "more than %d rungs", MAX_VARIANTS);
        sorted[variant_count++] = v;
    }
    qsort(problems, problem_count, sizeof *problems, by_problem_name);
    qsort(sorted, variant_count, sizeof *sorted, by_variant_name);

    for (size_t i = 1; i < problem_count; i++)
        if (by_problem_name(&problems[i - 1], &problems[i]) == 0)
            return error_set(error, "%s and %s have the same name", problems[i - 1]->path,
                             problems[i]->path);
    for (size_t i = 1; i < variant_count; i++)
        if (by_variant_name(&sorted[i - 1], &sorted[i]) == 0)
            return error_set(error, "%s and %s have the same name", sorted[i - 1]->path,
                             sorted[i]->path);
    for (size_t i = 0; i < variant_count; i++)
        if (!sound(sorted[i], error))
            return false;

    size_t placed = 0;
    for (size_t i = 0; i < problem_count; i++)
        placed = place_after(NULL, problem_name(problems[i]), sorted, variant_count, variants,
                             placed);
    return true;
}

/* --- look up ---------------------------------------------------------------------------------- */

size_t registry_problems(const struct problem *const **list)
{
    *list = problems;
    return problem_count;
}

size_t registry_variants(const struct variant *const **list)
{
    *list = variants;
    return variant_count;
}

const struct problem *registry_problem(const char *name)
{
    for (const struct problem *p = problem_list; p != NULL; p = p->next)
        if (strcmp(problem_name(p), name) == 0)
            return p;
    return NULL;
}

const struct variant *registry_find(const char *full)
{
    for (const struct variant *v = variant_list; v != NULL; v = v->next)
        if (strcmp(variant_name(v).full, full) == 0)
            return v;
    return NULL;
}

const char *registry_nearest(const char *text)
{
    static char best[96];
    unsigned least = ~0u;

    for (const struct variant *v = variant_list; v != NULL; v = v->next) {
        const struct name name = variant_name(v);
        const char *candidates[] = {name.full, name.problem, name.variant};
        for (size_t i = 0; i < 3; i++) {
            unsigned distance = edit_distance(text, candidates[i]);
            if (distance < least) {
                least = distance;
                snprintf(best, sizeof best, "%s", candidates[i]);
            }
        }
    }
    return best;
}
