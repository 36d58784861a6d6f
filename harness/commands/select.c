/* Selects the variants that the command line names. */
#include <string.h>

#include "harness/commands/select.h"
#include "harness/commands/sizes.h"
#include "harness/model/registry.h"

static bool wanted(const struct options *o, const struct card *v)
{
    bool in = o->patterns.count == 0;

    for (size_t i = 0; i < o->patterns.count; i++)
        in |= registry_match(o->patterns.word[i], v);
    for (size_t i = 0; i < o->excluded.count; i++)
        in &= !registry_match(o->excluded.word[i], v);
    return in;
}

static bool any_matches(const char *pattern, const struct card *const variants[], size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (registry_match(pattern, variants[i]))
            return true;
    return false;
}

/* Every pattern must match a variant: one misspelt among several is a mistake, too. */
static bool all_known(const struct words *patterns, const struct card *const variants[],
                      size_t count, struct error *error)
{
    for (size_t i = 0; i < patterns->count; i++)
        if (!any_matches(patterns->word[i], variants, count))
            return error_set(error, "no variant is called %s; did you mean %s?", patterns->word[i],
                             registry_nearest(patterns->word[i]));
    return true;
}

bool select_all_match(const struct words *patterns, const struct card *const variants[],
                      size_t variant_count, struct error *error)
{
    for (size_t i = 0; i < patterns->count; i++)
        if (!any_matches(patterns->word[i], variants, variant_count))
            return error_set(error, "--%s: none of the chosen variants is called %s", patterns->option,
                             patterns->word[i]);
    return true;
}

/* A problem would ignore the options of another without a word. */
static bool settings_fit(const struct options *o, const struct problem *p, struct error *error)
{
    for (size_t i = 0; i < o->setting_count; i++) {
        const char *name = o->settings[i].name;
        bool known = sizes_axis(p, name, strlen(name)) >= 0;
        for (const struct input *in = problem_inputs(p); in->name != NULL; in++)
            known |= strcmp(in->name, name) == 0;
        if (!known)
            return error_set(error, "%s has no option --%s; name the problem that has it, e.g. rungs bench knn",
                             problem_name(p), name);
    }
    return true;
}

size_t select_variants(const struct options *o, const struct card *list[], size_t room,
                    struct error *error)
{
    const struct card *const *variants;
    size_t count = registry_variants(&variants), chosen = 0;

    if (!all_known(&o->patterns, variants, count, error) ||
        !all_known(&o->excluded, variants, count, error))
        return 0;
    for (size_t i = 0; i < count && chosen < room; i++) {
        if (!wanted(o, variants[i]))
            continue;
        if (!settings_fit(o, registry_problem(variants[i]->name.problem), error))
            return 0;
        list[chosen++] = variants[i];
    }
    if (chosen == 0)
        error_set(error, "no variant is left: --exclude removes all of them");
    return chosen;
}
