#define _GNU_SOURCE
#include "workshop/lab/rerun.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness/worker/confine.h"
#include "workshop/lab/case.h"

bool rerun_with(const struct exercise *e, const char *program, const struct size *size, const char *variable,
                void (*read)(const char *path, void *data), void *data, struct error *error)
{
    char folder[] = "/tmp/rungs-lab-XXXXXX", path[64]; /* the program may write in this folder only */
    struct worker w = {0};
    struct trial ignored = {0};
    struct mistake again = {.kind = ""};

    if (mkdtemp(folder) == NULL)
        return true;
    snprintf(path, sizeof path, "%s/said", folder);
    confine_scratch(folder);
    setenv(variable, path, 1);
    bool good = case_start(&w, program, e, IN_SIMULATOR, false, error);
    unsetenv(variable);
    good = good && case_try(&w, e, size, &ignored, &again, error);
    case_stop(&w);
    if (good)
        read(path, data);
    unlink(path);
    rmdir(folder);
    return good;
}
