#include "harness/machine/mps.h"

#include <ctype.h>
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Is this the name of the program that a process runs?  The kernel's own name of it has 15 letters, which are the same for
   both. */
static bool runs(const char *proc, const char *process, const char *name)
{
    char path[512], line[256] = "";

    snprintf(path, sizeof path, "%s/%.20s/cmdline", proc, process);
    FILE *f = fopen(path, "re");
    if (f == NULL)
        return false;
    const size_t got = fread(line, 1, sizeof line - 1, f);
    fclose(f);
    line[got] = '\0';
    const char *slash = strrchr(line, '/');
    return strcmp(slash != NULL ? slash + 1 : line, name) == 0;
}

static bool any_runs(const char *proc, const char *name)
{
    DIR *folder = opendir(proc);
    bool found = false;

    if (folder == NULL)
        return false;
    for (const struct dirent *entry; !found && (entry = readdir(folder)) != NULL;)
        found = isdigit((unsigned char)entry->d_name[0]) && runs(proc, entry->d_name, name);
    closedir(folder);
    return found;
}

const char *mps_state_of(const char *proc, const char *pipes)
{
    char control[512];

    if (any_runs(proc, "nvidia-cuda-mps-server"))
        return "server";
    snprintf(control, sizeof control, "%s/control", pipes);
    return any_runs(proc, "nvidia-cuda-mps-control") || access(control, F_OK) == 0 ? "control" : "none";
}

const char *mps_state(void)
{
    const char *pipes = getenv("CUDA_MPS_PIPE_DIRECTORY");

    return mps_state_of("/proc", pipes != NULL && pipes[0] != '\0' ? pipes : "/tmp/nvidia-mps");
}
