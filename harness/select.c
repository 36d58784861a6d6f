/* Which rungs the command line names. */
#include <fnmatch.h>
#include <string.h>

#include "harness/options.h"
#include "harness/registry.h"

/* "knn/cpu_*", "knn" for all of its rungs, "cpu_naive" for that of every problem. */
static bool matches(const char *pattern, const struct name *name)
{
    if (strchr(pattern, '/') != NULL)
        return fnmatch(pattern, name->full, 0) == 0;
    return fnmatch(pattern, name->problem, 0) == 0 || fnmatch(pattern, name->variant, 0) == 0;
}

bool options_match(const char *pattern, const struct variant *v)
{
    const struct name name = variant_name(v);

    return matches(pattern, &name);
}

static bool wanted(const struct options *o, const struct name *name)
{
    bool in = o->pattern_count == 0;

    for (size_t i = 0; i < o->pattern_count; i++)
        in |= matches(o->patterns[i], name);
    for (size_t i = 0; i < o->excluded_count; i++)
        in &= !matches(o->excluded[i], name);
    return in;
}

/* Every pattern must match something: a misspelt one among several is no less a mistake. */
static bool all_patterns_match(const struct options *o, const struct variant *const *variants,
                               size_t count, struct error *error)
{
    for (size_t i = 0; i < o->pattern_count + o->excluded_count; i++) {
        const char *pattern =
            i < o->pattern_count ? o->patterns[i] : o->excluded[i - o->pattern_count];
        bool any = false;
        for (size_t v = 0; v < count && !any; v++) {
            const struct name name = variant_name(variants[v]);
            any = matches(pattern, &name);
        }
        if (!any)
            return error_set(error, "no rung is called %s; did you mean %s?", pattern,
                             registry_nearest(pattern));
    }
    return true;
}

bool options_all_match(const char *const patterns[], size_t count, const char *option,
                       const struct variant *const rungs[], size_t rung_count,
                       struct error *error)
{
    for (size_t i = 0; i < count; i++) {
        bool any = false;
        for (size_t r = 0; r < rung_count && !any; r++)
            any = options_match(patterns[i], rungs[r]);
        if (!any)
            return error_set(error, "--%s: none of the chosen rungs is called %s", option,
                             patterns[i]);
    }
    return true;
}

/* A problem's own options would be silently ignored by the others. */
static bool settings_fit(const struct options *o, const struct problem *p, struct error *error)
{
    for (size_t i = 0; i < o->setting_count; i++) {
        const char *name = o->settings[i].name;
        bool known = false;
        for (const struct input *in = problem_inputs(p); in->name != NULL; in++)
            known |= strcmp(in->name, name) == 0;
        for (size_t a = 0; a < MAX_AXES && p->axes[a] != NULL; a++)
            known |= strcmp(p->axes[a], name) == 0;
        if (!known)
            return error_set(error, "%s has no option --%s; name the problem that it is for",
                             problem_name(p), name);
    }
    return true;
}

size_t options_select(const struct options *o, const struct variant *list[], size_t room,
                      struct error *error)
{
    const struct variant *const *variants;
    size_t count = registry_variants(&variants), chosen = 0;

    if (!all_patterns_match(o, variants, count, error))
        return 0;
    for (size_t i = 0; i < count && chosen < room; i++) {
        const struct name name = variant_name(variants[i]);
        if (!wanted(o, &name))
            continue;
        if (!settings_fit(o, registry_problem(name.problem), error))
            return 0;
        list[chosen++] = variants[i];
    }
    if (chosen == 0)
        error_set(error, "nothing is left to do: everything is excluded");
    return chosen;
}
