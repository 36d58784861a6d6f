#define _GNU_SOURCE
#include "harness/commands/simulated.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/commands/command.h"
#include "harness/base/home.h"

/* Returns only if the simulator's build is not there. */
static bool become_simulator(const struct options *o, struct error *error)
{
    char program[1200];

    snprintf(program, sizeof program, "%s", home_file("rungs"));
    char *slash = strrchr(program, '/');
    snprintf(slash, sizeof program - (size_t)(slash - program), "-sim/rungs");
    fflush(stdout);
    execv(program, o->argv);
    return error_set(error, "%s needs variants in the simulator: make SIM=1, then %s %s ...", o->command->name, program,
                     o->command->name);
}

size_t simulated_keep(const struct options *o, const struct card *variants[], size_t count, struct error *error)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++)
        if (strcmp(variants[i]->device, "sim") == 0)
            variants[kept++] = variants[i];
    for (size_t i = 0; i < count && kept == 0; i++)
        if (strcmp(variants[i]->device, "gpu") == 0 && !become_simulator(o, error))
            return 0;
    if (kept == 0)
        error_set(error, "%s: only variants in CUDA run in the simulator; rungs list shows them", o->command->name);
    return kept;
}

bool simulated_file(char file[TRACE_PATH], const char *what, const char *ending, struct error *error)
{
    const char *folder = getenv("TMPDIR");

    snprintf(file, TRACE_PATH, "%s/rungs-%s-XXXXXX%s", folder != NULL ? folder : "/tmp", what, ending);
    const int f = mkstemps(file, (int)strlen(ending));
    if (f < 0)
        return error_set(error, "%s: %s", file, strerror(errno));
    close(f);
    return true;
}
