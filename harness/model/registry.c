#include "harness/model/registry.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/home.h"
#include "harness/base/text.h"
#include "harness/model/language.h"

static struct card *variant_list;
static struct problem *problem_list;
static const struct card *variants[MAX_VARIANTS];
static const struct problem *problems[MAX_PROBLEMS];
static size_t variant_count, problem_count;
static struct card *left_out; /* for want of a package, or of a processor */

void problem_register(struct problem *p)
{
    p->next = problem_list;
    problem_list = p;
}

/* --- folders of variants ---------------------------------------------------------------------- */

void registry_add(struct card *v)
{
    v->next = variant_list;
    variant_list = v;
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static bool later(const struct stat *a, const struct stat *b)
{
    return a->st_mtim.tv_sec != b->st_mtim.tv_sec ? a->st_mtim.tv_sec > b->st_mtim.tv_sec
                                                  : a->st_mtim.tv_nsec > b->st_mtim.tv_nsec;
}

/* Returns whether this file, if it could become a variant, has a card that is up to date. */
static bool is_built(const char *folder, const char *name, struct error *error)
{
    const char *dot = strchr(name, '.');
    const bool source = dot != NULL && (strcmp(dot, ".c") == 0 || strcmp(dot, ".cpp") == 0 || strcmp(dot, ".cu") == 0 ||
                                        strcmp(dot, ".f90") == 0 || strcmp(dot, ".rs") == 0 || strcmp(dot, ".zig") == 0);
    char path[PATH_MAX], card[PATH_MAX];
    struct stat file, built;

    const bool problem = strncmp(name, "problem.", strlen("problem.")) == 0; /* a problem has no card */

    if (!source && (problem || dot == NULL || strcmp(dot, ".so") != 0))
        return true;
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= PATH_MAX ||
        snprintf(card, sizeof card, "%.*s.%s", (int)(strlen(path) - strlen(dot)), path,
                 problem ? "so" : "card") >= PATH_MAX)
        return error_set(error, "%s: the name is too long", name);
    if (stat(card, &built) != 0)
        return error_set(error, "%s is not built: rungs build %s", path, path);
    if (source && stat(path, &file) == 0 && later(&file, &built))
        return error_set(error, "%s has changed since it was built: rungs build %s", path, path);
    return true;
}

/* Finds sources and shared objects without a card, because their author expects them to be listed. */
static bool all_built(const char *folder, struct error *error)
{
    struct dirent **entries;
    const int count = scandir(folder, &entries, is_visible, alphasort);
    bool good = true;

    for (int i = 0; i < count; i++) {
        good = good && is_built(folder, entries[i]->d_name, error);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return good;
}

/* What no case can do without.  The compiler checks the types, but does not miss a member. */
static bool is_whole(const struct problem *p, struct error *error)
{
    const struct {
        const char *name;
        bool is_there;
    } members[] = {
        {"formula", p->formula != NULL}, {"axes", p->axes[0] != NULL}, {"item", p->item != NULL},
        {"check_sizes", p->check_sizes != NULL}, {"bench_sizes", p->bench_sizes != NULL},
        {"case_bytes", p->case_bytes > 0}, {"shape", p->shape != NULL}, {"fill", p->fill != NULL},
        {"solve", p->solve != NULL}, {"judge", p->judge != NULL}, {"cost", p->cost != NULL},
    };

    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (!members[i].is_there)
            return error_set(error, "%s: PROBLEM has no .%s: docs/add-a-problem.md says what it is", p->path,
                             members[i].name);
    return true;
}

/* Loads a problem from another folder.  It is part of the judge and of this process; it registers
   itself. */
static bool load_judge(const char *folder, struct error *error)
{
    char path[PATH_MAX], absolute[PATH_MAX];

    snprintf(path, sizeof path, "%s/problem.so", folder);
    if (realpath(path, absolute) == NULL)
        return true; /* the folder has variants of a problem that this program knows */
    const struct problem *before = problem_list;
    if (dlopen(absolute, RTLD_NOW | RTLD_LOCAL) == NULL)
        return error_set(error, "%s", dlerror());
    return problem_list == before || is_whole(problem_list, error); /* the same one when it was loaded before */
}

/* Returns whether a file belongs to a problem.  In other folders a source need not be a variant, but a
   card always is. */
static bool of_a_problem(const char *path, const char *name)
{
    char file[PATH_MAX];

    if (registry_problem(name) != NULL)
        return true;
    snprintf(file, sizeof file, "%s/problem.c", path);
    if (access(file, F_OK) == 0)
        return true;
    snprintf(file, sizeof file, "%s/problem.so", path);
    return access(file, F_OK) == 0;
}

/* A variant for another processor, or which lacks a library or a package, is none here, and no row. */
static void add_all(struct card *list)
{
    struct card *next;

    for (; list != NULL; list = next) {
        char missing[64];
        next = list->next;
        if (list->machine == NULL && list->needs == NULL &&
            (list->language == NULL || language_complete(list, missing, sizeof missing))) {
            registry_add(list);
        } else {
            list->next = left_out;
            left_out = list;
        }
    }
}

static bool load_problem(const char *folder, const char *problem, struct error *error)
{
    struct card *list = NULL;
    char path[1024];

    snprintf(path, sizeof path, "%s/%s", folder, problem);
    if ((of_a_problem(path, problem) && !all_built(path, error)) || !load_judge(path, error) || !cards_read(path, &list, error))
        return false;
    add_all(list);
    return true;
}

/* Variants that are not built lie among the sources, not beside those that are. */
static bool load_sources(const char *folder, struct error *error)
{
    struct dirent **entries;
    const int count = scandir(folder, &entries, is_visible, alphasort);
    bool good = true;

    for (int i = 0; i < count; i++) {
        struct card *list = NULL;
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        good = good && cards_read(path, &list, error);
        for (struct card *v = list; v != NULL; v = v->next)
            v->source += strlen(folder) - strlen("variants"); /* as of those that are built: from the root */
        add_all(list);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return good;
}

bool registry_load(const char *folder, struct error *error)
{
    struct dirent **entries;
    const int count = scandir(folder, &entries, is_visible, alphasort);
    bool good = true;

    if (count < 0)
        return error_set(error, "%s: %s", folder, strerror(errno));
    for (int i = 0; i < count; i++) {
        good = good && load_problem(folder, entries[i]->d_name, error);
        free(entries[i]);
    }
    free(entries);
    return good;
}

/* "FOLDER:FOLDER" */
static bool load_path(const char *path, struct error *error)
{
    char folder[1024];

    while (path != NULL && *path != '\0') {
        const size_t length = strcspn(path, ":");
        snprintf(folder, sizeof folder, "%.*s", (int)length, path);
        if (length > 0 && !registry_load(folder, error))
            return false;
        path += length + (path[length] == ':');
    }
    return true;
}

/* A folder that a user types for one command has a variant or a problem, or it is the wrong one. */
static bool load_given(const char *folder, struct error *error)
{
    const struct card *variant = variant_list, *without = left_out;
    const struct problem *problem = problem_list;

    if (!registry_load(folder, error))
        return false;
    return variant != variant_list || without != left_out || problem != problem_list ||
           error_set(error, "--variants %s: no variant lies in it: name the folder that has saxpy/mine.c, not saxpy/ itself",
                     folder);
}

bool registry_find_variants(const char *const more[], size_t count, struct error *error)
{
    const char *own = getenv("RUNGS_VARIANTS");

    if (!registry_load(own != NULL ? own : home_file("variants"), error) ||
        (own == NULL && !load_sources(home_file("../variants"), error)) ||
        !load_path(getenv("RUNGS_PATH"), error))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!load_given(more[i], error))
            return false;
    return true;
}

/* --- names ------------------------------------------------------------------------------------ */

const char *problem_name(const struct problem *p)
{
    static char text[8][32]; /* so that a few calls may share an expression */
    static unsigned turn;
    char *name = text[turn++ % 8];

    const struct name parts = card_name(p->path); /* NAME.c here, NAME/problem.c elsewhere */
    snprintf(name, sizeof text[0], "%.31s",
             strcmp(parts.variant, "problem") == 0 ? parts.problem : parts.variant);
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
    const struct card *const *x = a, *const *y = b;

    return strcmp((*x)->name.full, (*y)->name.full);
}

static const struct card *find_in(const struct name *name, const char *variant)
{
    char full[96];

    snprintf(full, sizeof full, "%s/%s", name->problem, variant);
    return registry_find(full);
}

static const struct card *find_left_out(const struct name *name, const char *variant)
{
    const struct card *v = left_out;

    while (v != NULL && (strcmp(v->name.problem, name->problem) != 0 || strcmp(v->name.variant, variant) != 0))
        v = v->next;
    return v;
}

const char *registry_base_name(const struct card *v)
{
    const struct card *lacking = NULL;
    const char *base = v->base;

    for (int steps = 0; base != NULL && find_in(&v->name, base) == NULL && steps < MAX_VARIANTS &&
                        (lacking = find_left_out(&v->name, base)) != NULL; steps++)
        base = lacking->base;
    return base;
}

const struct card *registry_base(const struct card *v)
{
    const char *base = registry_base_name(v);

    return base != NULL ? find_in(&v->name, base) : NULL;
}

static bool sound(const struct card *v, struct error *error)
{
    const struct name name = v->name;
    const struct card *base = v;
    size_t steps = 0;

    if (strlen(name.variant) == sizeof name.variant - 1)
        return error_set(error, "%s: the name is too long", v->source);
    if (registry_problem(name.problem) == NULL)
        return error_set(error, "%s: there is no problem called %s", v->source, name.problem);
    if (registry_base_name(v) != NULL && registry_base(v) == NULL)
        return error_set(error, "%s: its base %s/%s does not exist", v->source, name.problem,
                         v->base);
    while ((base = registry_base(base)) != NULL)
        if (++steps > variant_count)
            return error_set(error, "%s: its chain of bases is a circle", v->source);
    return true;
}

/* Two paths of one file? */
static bool same_file(const char *a, const char *b)
{
    struct stat one, other;

    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

/* Adds those of a list whose names are new.  Returns whether `card` had a new one, or is the file that has it. */
static bool add_new(struct card *list, const char *card, struct error *error)
{
    struct card *next;
    const struct name name = card_name(card);
    bool good = true;

    for (; list != NULL; list = next) {
        const struct card *namesake = registry_find(list->name.full);
        next = list->next;
        if (namesake == NULL)
            registry_add(list);
        else if (strcmp(list->name.full, name.full) == 0 && !same_file(list->file, namesake->file))
            good = error_set(error, "%s and %s have the same name: rename %s", namesake->source, list->source, list->source);
    }
    return good;
}

bool registry_accepts(const char *file, struct error *error)
{
    const char *slash = strrchr(file, '/');
    char folder[PATH_MAX];
    struct card *list = NULL;
    struct error neighbour;

    snprintf(folder, sizeof folder, "%.*s", (int)(slash - file), file);
    if (!load_judge(folder, error))
        return false;
    if (strcmp(slash, "/problem.so") == 0)
        return true;
    const struct card *card = card_read(file, error); /* of its own, since the registry may have that of an earlier build */

    if (card == NULL)
        return false;
    cards_read(folder, &list, &neighbour); /* one that cannot be read is no mistake of this file */
    return add_new(list, file, error) && sound(card, error);
}

/* Orders depth first: a variant, then all that build on it, siblings by name. */
static size_t place_after(const struct card *base, const char *problem,
                          const struct card *const sorted[], size_t count,
                          const struct card *placed[], size_t at)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(sorted[i]->name.problem, problem) == 0 &&
            registry_base(sorted[i]) == base) {
            placed[at++] = sorted[i];
            at = place_after(sorted[i], problem, sorted, count, placed, at);
        }
    return at;
}

bool registry_order(struct error *error)
{
    static const struct card *sorted[MAX_VARIANTS];

    variant_count = problem_count = 0;
    for (const struct problem *p = problem_list; p != NULL; p = p->next) {
        if (problem_count == MAX_PROBLEMS)
            return error_set(error, "more than %d problems", MAX_PROBLEMS);
        problems[problem_count++] = p;
    }
    for (const struct card *v = variant_list; v != NULL; v = v->next) {
        if (variant_count == MAX_VARIANTS)
            return error_set(error, "more than %d variants", MAX_VARIANTS);
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
            return error_set(error, "%s and %s have the same name", sorted[i - 1]->source,
                             sorted[i]->source);
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

size_t registry_variants(const struct card *const **list)
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

const struct card *registry_find(const char *full)
{
    const struct card *v = variant_list;

    while (v != NULL && strcmp(v->name.full, full) != 0)
        v = v->next;
    return v;
}

bool registry_match(const char *pattern, const struct card *v)
{
    const struct name name = v->name;

    if (strchr(pattern, '/') != NULL)
        return fnmatch(pattern, name.full, 0) == 0;
    return fnmatch(pattern, name.problem, 0) == 0 || fnmatch(pattern, name.variant, 0) == 0;
}

const struct card *registry_left_out(void)
{
    return left_out;
}

const char *registry_nearest(const char *text)
{
    static char best[96];
    unsigned least = (unsigned)strlen(text) / 2 + 1; /* what differs in more than half of its letters is no suggestion */

    best[0] = '\0';

    for (const struct card *v = variant_list; v != NULL; v = v->next) {
        const char *candidates[] = {v->name.full, v->name.problem, v->name.variant};
        for (size_t i = 0; i < 3; i++) {
            unsigned distance = edit_distance(text, candidates[i]);
            if (distance < least) {
                least = distance;
                snprintf(best, sizeof best, "%s", candidates[i]);
            }
        }
    }
    return best[0] != '\0' ? best : NULL;
}
