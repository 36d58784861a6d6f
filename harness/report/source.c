#define _GNU_SOURCE
#include "harness/report/source.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/report/child.h"

enum { LARGEST = 1 << 20 }; /* of a source that is shown */

/* Where variants/ is: here, or beside the folder of the build. */
static const char *checkout(void)
{
    static char root[PATH_MAX];
    char *slash;

    if (root[0] != '\0')
        return root;
    ssize_t length = readlink("/proc/self/exe", root, sizeof root - 16);
    root[length > 0 ? length : 0] = '\0';
    for (int up = 0; up < 2 && (slash = strrchr(root, '/')) != NULL; up++)
        *slash = '\0';
    if (access("variants", R_OK) == 0 || length <= 0)
        strcpy(root, ".");
    return root;
}

/* A part of a path that stays where it is put. */
static bool is_name(const char *text)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789_-";

    return *text != '\0' && text[strspn(text, allowed)] == '\0';
}

static bool find_path(const char *problem, const char *variant, char *path, size_t bytes)
{
    static const char *const endings[] = {"c", "cu", "py"};
    char whole[PATH_MAX + 200];
    char name[64];

    snprintf(name, sizeof name, "%.*s", (int)strcspn(variant, "@"), variant); /* twins: "@2" */
    for (size_t i = 0; is_name(problem) && is_name(name) && i < 3; i++) {
        snprintf(path, bytes, "variants/%s/%s.%s", problem, name, endings[i]);
        snprintf(whole, sizeof whole, "%s/%s", checkout(), path);
        if (access(whole, R_OK) == 0)
            return true;
    }
    path[0] = '\0';
    return false;
}

static char *read_text(const char *path)
{
    char whole[PATH_MAX + 200];
    char *text = malloc(LARGEST + 1);

    snprintf(whole, sizeof whole, "%s/%s", checkout(), path);
    FILE *in = fopen(whole, "rbe");
    size_t length = in != NULL && text != NULL ? fread(text, 1, LARGEST, in) : 0;
    if (in != NULL)
        (void)fclose(in);
    if (text != NULL)
        text[length] = '\0';
    return text;
}

struct source source_find(const char *problem, const char *variant, const char *base)
{
    struct source s = {.no_diff = false};
    int status;

    if (!find_path(problem, variant, s.path, sizeof s.path))
        return s;
    s.text = read_text(s.path);
    if (!find_path(problem, base, s.base, sizeof s.base))
        return s;
    const char *const command[] = {"diff", "-u", "--label", s.base, "--label", s.path,
                                   s.base, s.path, NULL};
    s.difference = child_output(checkout(), command, &status);
    s.no_diff = status < 0 || status > 1; /* 1: they differ */
    return s;
}

void source_free(struct source *s)
{
    free(s->text);
    free(s->difference);
    *s = (struct source){.text = NULL};
}

/* --- since a commit --------------------------------------------------------------------------- */

struct changes source_changes(const char *commit)
{
    struct changes c = {.known = false};
    size_t digits = strspn(commit, "0123456789abcdef");
    int status;

    snprintf(c.commit, sizeof c.commit, "%s", commit);
    if (digits < 4 || (commit[digits] != '\0' && strcmp(commit + digits, "-dirty") != 0))
        return c;
    char since[64];
    snprintf(since, sizeof since, "%.*s", (int)digits, commit);
    const char *const command[] = {"git", "--no-optional-locks", "diff", "--name-only",
                                   "--relative", since, "--", "variants", "common", NULL};
    c.list = child_output(checkout(), command, &status);
    c.known = status == 0;
    return c;
}

bool source_changed(const struct changes *c, const char *path)
{
    const size_t length = strlen(path);

    for (const char *line = c->list; c->known && line != NULL && *line != '\0';) {
        const char *end = line + strcspn(line, "\n");
        if ((size_t)(end - line) == length && memcmp(line, path, length) == 0)
            return true;
        line = *end != '\0' ? end + 1 : end;
    }
    return false;
}
