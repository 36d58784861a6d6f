/* rungs run --counters: what a rung asked of the memory, as the simulator has counted it. */
#include "harness/commands/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[256]; /* empty: nobody counts */

bool counters_begin(const struct options *o, const struct variant *rung, struct error *error)
{
    const char *folder = getenv("TMPDIR"), *ending = o->format == FORMAT_JSON ? ".json" : ".txt";

    if (!o->counters)
        return true;
    if (rung->device == NULL || strcmp(rung->device->name, "sim") != 0)
        return error_set(error, "--counters: this rung does not run in the simulator, which is "
                                "what counts (make SIM=1, and build-sim/rungs)");
    if (o->format != FORMAT_TABLE && o->format != FORMAT_JSON)
        return error_set(error, "--counters: the format is table or json");
    snprintf(path, sizeof path, "%s/rungs-counters-XXXXXX%s", folder != NULL ? folder : "/tmp",
             ending);
    int file = mkstemps(path, (int)strlen(ending));
    if (file < 0)
        return error_set(error, "--counters: no file can be made in %s",
                         folder != NULL ? folder : "/tmp");
    close(file);
    setenv("RUNGS_SIM_COUNTERS", path, 1); /* for the worker */
    return true;
}

void counters_end(FILE *out)
{
    char text[4096];
    size_t got;

    if (path[0] == '\0')
        return;
    FILE *file = fopen(path, "r");
    while (file != NULL && (got = fread(text, 1, sizeof text, file)) > 0)
        fwrite(text, 1, got, out);
    if (file != NULL)
        fclose(file);
    unlink(path);
    path[0] = '\0';
}
