#define _GNU_SOURCE
#include "harness/commands/simulated.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/home.h"
#include "harness/base/text.h"
#include "harness/commands/command.h"
#include "harness/machine/machine.h"

/* Prints a line on standard error if the other program is of another commit than this one. */
static void name_other_commit(const char *program)
{
    char command[1400], line[200] = "", commit[100] = "";

    text_quote(program, command, sizeof command - 40);
    text_add(command, sizeof command, " --version </dev/null 2>/dev/null");
    FILE *in = popen(command, "re");
    if (in == NULL)
        return;
    const bool read = fgets(line, sizeof line, in) != NULL;
    pclose(in);
    if (read && sscanf(line, "rungs %*s (%99[^)])", commit) == 1 && strcmp(commit, build_commit) != 0)
        fprintf(stderr, "rungs: %s is of commit %s, and this program of %s; make SIM=1 builds it again\n", program, commit,
                build_commit);
}

/* Returns only if the simulator's build is not there. */
static bool become_simulator(const struct options *o, struct error *error)
{
    char program[1200];

    snprintf(program, sizeof program, "%s", home_file("rungs"));
    char *slash = strrchr(program, '/');
    snprintf(slash, sizeof program - (size_t)(slash - program), "-sim/rungs");
    fflush(stdout);
    name_other_commit(program);
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
