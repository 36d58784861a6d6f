#define _GNU_SOURCE
#include "harness/commands/legend_due.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/folders.h"
#include "harness/base/terminal.h"

enum { DAY = 24 * 60 * 60 };

/* Was the file written within the last day?  If not, writes it.  A time in the future counts for nothing. */
static bool is_of_today(const char *path)
{
    struct error ignored;
    struct stat stamp;
    const time_t now = time(NULL);

    if (stat(path, &stamp) == 0 && stamp.st_mtime <= now && now - stamp.st_mtime < DAY)
        return true;
    if (folders_make_for(path, &ignored)) { /* without a stamp the legend is printed each time */
        const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
        if (file >= 0) {
            (void)futimens(file, NULL);
            close(file);
        }
    }
    return false;
}

bool legend_due(const struct options *o, const char *name)
{
    char file[32], path[PATH_MAX];

    if (o->format != FORMAT_TABLE || o->quiet)
        return false;
    snprintf(file, sizeof file, "legend-%s", name);
    if (o->legend || terminal_columns(stdout) == 0 || !folders_cache(file, path, sizeof path) || !is_of_today(path))
        return true;
    terminal_printf(stdout, "--legend explains the columns and marks.\n");
    return false;
}
