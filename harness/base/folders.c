#define _GNU_SOURCE
#include "harness/base/folders.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The specification says that a relative path in the variable is ignored. */
static bool find(const char *variable, const char *in_home, const char *file, char *path, size_t bytes)
{
    const char *place = getenv(variable), *home = getenv("HOME");
    int length = 0;

    if (place != NULL && place[0] == '/')
        length = snprintf(path, bytes, "%s/rungs/%s", place, file);
    else if (home != NULL && home[0] == '/')
        length = snprintf(path, bytes, "%s/%s/rungs/%s", home, in_home, file);
    if (length > 0 && (size_t)length < bytes)
        return true;
    path[0] = '\0';
    return false;
}

bool folders_cache(const char *file, char *path, size_t bytes)
{
    return find("XDG_CACHE_HOME", ".cache", file, path, bytes);
}

bool folders_config(const char *file, char *path, size_t bytes)
{
    return find("XDG_CONFIG_HOME", ".config", file, path, bytes);
}

bool folders_make(const char *path, struct error *error)
{
    char part[PATH_MAX];
    struct stat is;

    for (const char *end = path; *end != '\0';) {
        end += strspn(end, "/");
        end += strcspn(end, "/");
        snprintf(part, sizeof part, "%.*s", (int)(end - path), path);
        if (mkdir(part, 0777) == 0 || errno == EEXIST || errno == EROFS)
            errno = stat(part, &is) != 0 ? errno : S_ISDIR(is.st_mode) ? 0 : ENOTDIR;
        if (errno != 0)
            return error_set(error, "%s/: %s", part, strerror(errno));
    }
    return true;
}

bool folders_make_for(const char *file, struct error *error)
{
    const char *slash = strrchr(file, '/');
    char folder[PATH_MAX];

    snprintf(folder, sizeof folder, "%.*s", slash != NULL ? (int)(slash - file) : 0, file);
    return folders_make(folder, error);
}
