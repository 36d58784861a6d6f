#include "harness/base/home.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATH = 1024 };

/* Looks for the worker, which both places have. */
static const char *folder(void)
{
    static char found[PATH];
    char file[PATH + 32];

    if (found[0] != '\0')
        return found;
    const ssize_t got = readlink("/proc/self/exe", found, sizeof found - sizeof "/lib/rungs");
    found[got > 0 ? got : 0] = '\0';
    char *slash = strrchr(found, '/');
    if (slash == NULL)
        return strcpy(found, ".");
    *slash = '\0';
    snprintf(file, sizeof file, "%s/rungs-worker", found);
    if (access(file, X_OK) != 0 && (slash = strrchr(found, '/')) != NULL)
        strcpy(slash, "/lib/rungs");
    return found;
}

const char *home_file(const char *name)
{
    static char text[8][PATH + 64];
    static unsigned turn;
    char *path = text[turn++ % 8];

    snprintf(path, sizeof text[0], "%s/%s", folder(), name);
    return path;
}
