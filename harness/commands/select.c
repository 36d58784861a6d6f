/* Selects the variants that the command line names. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/home.h"
#include "harness/commands/select.h"
#include "harness/commands/sizes.h"
#include "harness/base/text.h"
#include "harness/model/language.h"
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

static bool takes_all(const struct options *o)
{
    return o->all || o->patterns.count > 0;
}

static bool is_extra(const struct card *v)
{
    return registry_problem(v->name.problem)->extra;
}

/* Is a variant in the run, unless the command line has neither patterns nor --all? */
static bool in_default(const struct card *v)
{
    return !is_extra(v) && v->language == NULL && (v->traits & TRAIT_RANKS) == 0;
}

static bool any_matches(const char *pattern, const struct card *const variants[], size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (registry_match(pattern, variants[i]))
            return true;
    return false;
}

/* Is pip beside this interpreter?  An environment that uv has made has none. */
static bool has_pip(const char *interpreter)
{
    const char *slash = strrchr(interpreter, '/');
    char path[1100];

    snprintf(path, sizeof path, "%.*s/pip3", slash != NULL ? (int)(slash - interpreter) : 0, interpreter);
    return access(path, X_OK) == 0;
}

/* The group of `make python` that a variant of Rungs needs. */
static const char *group_of(const struct card *v)
{
    if (!card_on_cpu(v))
        return " GROUPS=\"core gpu\"";
    for (size_t i = 0; i < MAX_DEPENDENCIES && v->dependencies[i] != NULL; i++)
        if (strncmp(v->dependencies[i], "dask", strlen("dask")) == 0)
            return " GROUPS=\"core cluster\"";
        else if (strncmp(v->dependencies[i], "pyspark", strlen("pyspark")) == 0)
            return " GROUPS=\"core spark\"";
    return "";
}

/* Adds what installs a package: that of a variant of Rungs is among those of `make python`, that of a user's need not be. */
static void add_installer(const struct card *v, const char *missing, char *text, size_t bytes)
{
    const char *own[] = {home_file("variants/"), home_file("../variants/")};
    const char *python = language_interpreter(language_of(".py"));
    bool ours = false;

    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        ours |= strncmp(v->file, own[i], strlen(own[i])) == 0;
    if (access(python, X_OK) != 0 || strcmp(missing, v->language->program) == 0 || strcmp(missing, "java") == 0)
        return; /* a program is missing, not a package */
    if (ours)
        text_add(text, bytes, " (make python%s)", group_of(v));
    else if (has_pip(python))
        text_add(text, bytes, " (%s -m pip install \"%s\")", python, missing);
    else
        text_add(text, bytes, " (uv pip install --python %s \"%s\")", python, missing);
}

/* The variants in one language that lack a program or a package. */
struct incomplete {
    const struct card *last;
    char missing[64]; /* what that one lacks */
    size_t count;
};

enum { MOST_LANGUAGES = 16 };

/* Adds the variant to those of its language. */
static void add_incomplete(struct incomplete list[], size_t *languages, const struct card *v, const char *missing)
{
    size_t i = 0;

    while (i < *languages && list[i].last->language != v->language)
        i++;
    if (i == MOST_LANGUAGES)
        return;
    *languages += i == *languages;
    list[i].last = v;
    list[i].count++;
    snprintf(list[i].missing, sizeof list[i].missing, "%s", missing);
}

static void say_incomplete(const struct incomplete *i, char *text, size_t bytes)
{
    const char *behind = text[0] != '\0' ? "; " : "";

    if (i->count == 1)
        text_add(text, bytes, "%s%s is left out: %s is not installed", behind, i->last->name.full, i->missing);
    else
        text_add(text, bytes, "%s%zu variants in %s are left out: %s is not installed, for one", behind, i->count, i->last->language->name,
                 i->missing);
    add_installer(i->last, i->missing, text, bytes);
}

static bool say_left_out(bool (*asked_for)(const struct card *v, const void *by), const void *by, char *text,
                         size_t bytes)
{
    const struct card *foreign = NULL, *lacking = NULL;
    struct incomplete of[MOST_LANGUAGES] = {{.count = 0}};
    char missing[64] = "";
    size_t languages = 0, foreign_count = 0, lacking_count = 0;

    for (const struct card *v = registry_left_out(); v != NULL; v = v->next) {
        if (!asked_for(v, by))
            continue;
        if (v->machine != NULL) {
            foreign = v;
            foreign_count++;
        } else if (v->needs != NULL) {
            lacking = v;
            lacking_count++;
        } else if (!language_complete(v, missing, sizeof missing)) {
            add_incomplete(of, &languages, v, missing);
        }
    }
    text[0] = '\0';
    if (foreign_count == 1)
        snprintf(text, bytes, "%s is left out: it needs a processor of type %s", foreign->name.full, foreign->machine);
    else if (foreign_count > 1)
        snprintf(text, bytes, "%zu variants are left out: they need a processor of type %s", foreign_count,
                 foreign->machine);
    if (lacking_count == 1)
        text_add(text, bytes, "%s%s is left out: it needs %s", text[0] != '\0' ? "; " : "", lacking->name.full,
                 lacking->needs);
    else if (lacking_count > 1)
        text_add(text, bytes, "%s%zu variants are left out: %s is not there, for one", text[0] != '\0' ? "; " : "",
                 lacking_count, lacking->needs);
    for (size_t i = 0; i < languages; i++)
        say_incomplete(&of[i], text, bytes);
    return languages + foreign_count + lacking_count > 0;
}

static bool by_options(const struct card *v, const void *options)
{
    return wanted(options, v);
}

static bool by_pattern(const struct card *v, const void *pattern)
{
    return registry_match(pattern, v);
}

static bool by_measured(const struct card *v, const void *options)
{
    return wanted(options, v) && (takes_all(options) || in_default(v));
}

bool select_left_out(const struct options *o, bool measured, char *text, size_t bytes)
{
    return say_left_out(measured ? by_measured : by_options, o, text, bytes);
}

static bool not_known(const char *pattern, struct error *error)
{
    const char *nearest = registry_nearest(pattern);

    if (nearest == NULL)
        return error_set(error, "no variant is called %s; rungs list shows them", pattern);
    return error_set(error, "no variant is called %s; did you mean %s?", pattern, nearest);
}

/* Every pattern must match a variant: one misspelt among several is a mistake, too.  One that is not installed is missing
   only if it is asked for: to exclude it changes nothing. */
static bool all_known(const struct words *patterns, bool asked_for, const struct card *const variants[],
                      size_t count, struct error *error)
{
    char text[800];

    for (size_t i = 0; i < patterns->count; i++)
        if (any_matches(patterns->word[i], variants, count))
            continue;
        else if (say_left_out(by_pattern, patterns->word[i], text, sizeof text)) {
            if (asked_for)
                return error_set(error, "%s", text);
        }
        else if (access(patterns->word[i], R_OK) == 0)
            return error_set(error, "%s is a file; options name files, e.g. --x FILE: rungs run --help lists those of each "
                             "problem", patterns->word[i]);
        else
            return not_known(patterns->word[i], error);
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

    if (!all_known(&o->patterns, true, variants, count, error) ||
        !all_known(&o->excluded, false, variants, count, error))
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

/* Adds a name to a list, once. */
static void add_name(char *list, size_t bytes, const char *name)
{
    const size_t length = strlen(name);

    for (const char *at = list; (at = strstr(at, name)) != NULL; at++)
        if ((at == list || at[-1] == ' ') && (at[length] == '\0' || at[length] == ','))
            return;
    text_add(list, bytes, list[0] != '\0' ? ", %s" : "%s", name);
}

bool select_beyond_default(const struct options *o, char *text, size_t bytes)
{
    const struct card *const *variants;
    const size_t count = registry_variants(&variants);
    char problems[256] = "", languages[128] = "";
    size_t foreign = 0;

    if (takes_all(o))
        return false;
    for (size_t i = 0; i < count; i++) {
        if (!wanted(o, variants[i]))
            continue;
        if (is_extra(variants[i]))
            add_name(problems, sizeof problems, variants[i]->name.problem);
        else if (!in_default(variants[i])) {
            add_name(languages, sizeof languages, variants[i]->language != NULL ? variants[i]->language->name : "MPI");
            foreign++;
        }
    }
    text[0] = '\0';
    if (problems[0] != '\0')
        text_add(text, bytes, "the problems %s", problems);
    if (foreign > 0)
        text_add(text, bytes, "%s%zu variants in %s", text[0] != '\0' ? "; " : "", foreign, languages);
    return text[0] != '\0';
}

size_t select_measured(const struct options *o, const struct card *list[], size_t room,
                       struct error *error)
{
    const size_t all = select_variants(o, list, room, error);
    size_t kept = 0;

    for (size_t i = 0; i < all; i++)
        if (takes_all(o) || in_default(list[i]))
            list[kept++] = list[i];
    if (all > 0 && kept == 0)
        error_set(error, "no variant is left: the others need the name of their problem, or --all");
    return kept;
}
