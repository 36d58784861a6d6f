#include "harness/base/home.h"
#include "harness/model/language.h"

#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>


static const struct language languages[] = {
    {".py", "Python", "#", "python3", "rungs.py"},
    {".js", "JavaScript", "//", "node", NULL},
    {".pl", "Perl", "#", "perl", NULL},
    {".java", "Java", "//", "java", NULL},
    {".m", "Octave", "%", "octave-cli", NULL},
    {".R", "R", "#", "Rscript", NULL},
};

const struct language *language_of(const char *path)
{
    const char *ending = strrchr(path, '.');

    for (size_t i = 0; ending != NULL && i < sizeof languages / sizeof *languages; i++)
        if (strcmp(ending, languages[i].ending) == 0)
            return &languages[i];
    return NULL;
}

/* --- the interpreter -------------------------------------------------------------------------- */

/* The first of PATH that has it; execvp would look only in the worker, where it is too late to say so. */
static const char *find_program(const char *name, char *path, size_t bytes)
{
    const char *list = getenv("PATH");

    while (list != NULL && *list != '\0') {
        const size_t length = strcspn(list, ":");
        snprintf(path, bytes, "%.*s/%s", (int)length, list, name);
        if (access(path, X_OK) == 0)
            return path;
        list += length + (list[length] == ':');
    }
    snprintf(path, bytes, "%s", name);
    return path;
}

static const char *python(char *path, size_t bytes)
{
    const char *asked = getenv("RUNGS_PYTHON");

    snprintf(path, bytes, "%s", asked != NULL ? asked : home_file("../.venv/bin/python"));
    return asked != NULL || access(path, X_OK) == 0 ? path : find_program("python3", path, bytes);
}

const char *language_interpreter(const struct language *l)
{
    static char found[sizeof languages / sizeof *languages][1024];
    char *path = found[l - languages];

    if (path[0] == '\0') {
        if (l->launcher != NULL)
            python(path, sizeof found[0]);
        else
            find_program(l->program, path, sizeof found[0]);
    }
    return path;
}

/* --- packages ----------------------------------------------------------------------------------- */

/* Where Python's packages lie: beside it in its environment; Debian's own have another folder.  Spark, for Java, is a package of
   Python, too. */
static const char *const places[] = {
    "%s/../lib/python3*/site-packages", "%s/../lib/python3*/dist-packages",
    "%s/../local/lib/python3*/dist-packages", "%s/../lib/python3/dist-packages",
};

/* The number of a version that counts: "1.26.4" is above "1.9". */
static int version_order(const char *a, const char *b)
{
    for (;;) {
        char *after_a, *after_b;
        const long x = strtol(a, &after_a, 10), y = strtol(b, &after_b, 10);
        if (x != y)
            return x < y ? -1 : 1;
        if (*after_a != '.' && *after_b != '.')
            return 0;
        a = after_a + (*after_a == '.');
        b = after_b + (*after_b == '.');
    }
}

/* "scikit-learn" is scikit_learn-1.5.dist-info on disk. */
static void folder_name(const char *package, size_t letters, char *name, size_t bytes)
{
    size_t i = 0;

    for (; i < letters && i + 1 < bytes; i++) {
        const int letter = tolower((unsigned char)package[i]);
        name[i] = (char)(letter == '-' || letter == '.' ? '_' : letter);
    }
    name[i] = '\0';
}

/* Does one of the folders of this pattern hold a version that is new enough? */
static bool holds(const char *pattern, const char *least)
{
    glob_t found;
    bool good = false;

    if (glob(pattern, 0, NULL, &found) != 0)
        return false;
    for (size_t i = 0; i < found.gl_pathc && !good; i++) {
        const char *name = strrchr(found.gl_pathv[i], '/') + 1;
        const char *version = strchr(name, '-');
        good = least == NULL || (version != NULL && version_order(version + 1, least) >= 0);
    }
    globfree(&found);
    return good;
}

/* A dependency: a name, and perhaps ">=" and a version, as in PEP 508. */
static bool installed(const char *bin, const char *dependency)
{
    const size_t letters = strspn(dependency, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.");
    const char *bound = strstr(dependency, ">=");
    char name[128], folder[1200], pattern[1400];
    static const char *const endings[] = {"dist-info", "egg-info"};

    folder_name(dependency, letters, name, sizeof name);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        for (size_t e = 0; e < sizeof endings / sizeof *endings; e++) {
            snprintf(folder, sizeof folder, places[i], bin); /* NOLINT: the formats stand above */
            snprintf(pattern, sizeof pattern, "%s/%s-*.%s", folder, name, endings[e]);
            if (holds(pattern, bound != NULL ? bound + strspn(bound, ">= ") : NULL))
                return true;
        }
    return false;
}

static void find_bin(char *bin, size_t bytes)
{
    snprintf(bin, bytes, "%s", language_interpreter(language_of(".py")));
    char *slash = strrchr(bin, '/');
    if (slash != NULL)
        *slash = '\0';
}

bool language_complete(const struct card *c, char *missing, size_t bytes)
{
    char bin[1024];

    if (access(language_interpreter(c->language), X_OK) != 0) {
        snprintf(missing, bytes, "%s", c->language->program);
        return false;
    }
    if (c->engine != NULL && strcmp(c->engine, "spark") == 0 && access(language_interpreter(language_of(".java")), X_OK) != 0) {
        snprintf(missing, bytes, "java");
        return false;
    }
    find_bin(bin, sizeof bin);
    for (size_t i = 0; i < MAX_DEPENDENCIES && c->dependencies[i] != NULL; i++)
        if (!installed(bin, c->dependencies[i])) {
            snprintf(missing, bytes, "%s", c->dependencies[i]);
            return false;
        }
    return true;
}

void language_class_path(const struct card *c, char *path, size_t bytes)
{
    char bin[1024], folder[1200], pattern[1400];

    find_bin(bin, sizeof bin);
    snprintf(path, bytes, "%s:%s", home_file("java"), home_file("java/rungs.jar"));
    for (size_t d = 0; d < MAX_DEPENDENCIES && c->dependencies[d] != NULL; d++)
        for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
            glob_t found;
            snprintf(folder, sizeof folder, places[i], bin); /* NOLINT: the formats stand above */
            snprintf(pattern, sizeof pattern, "%s/%.*s/jars", folder, (int)strcspn(c->dependencies[d], " >="), c->dependencies[d]);
            if (glob(pattern, 0, NULL, &found) == 0)
                snprintf(path + strlen(path), bytes - strlen(path), ":%s/*", found.gl_pathv[0]);
            globfree(&found);
        }
}
