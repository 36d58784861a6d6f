/* rungs lab doctor: what this machine has, what is missing, and what that means for the workshop. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "harness/commands/command.h"
#include "harness/machine/topology.h"
#include "harness/worker/confine.h"
#include "workshop/lab/lab.h"

static bool in_path(const char *program)
{
    char command[128];

    snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", program);
    return system(command) == 0;
}

static void tell(bool good, const char *what, const char *otherwise)
{
    if (good)
        printf("  + %s\n", what);
    else
        printf("  - %-28s %s\n", what, otherwise);
}

/* Returns whether this user may read the GPU's counters, by a line of the driver's parameters. */
static bool counters_for_all(void)
{
    char line[256];
    bool all = false;
    FILE *f = fopen("/proc/driver/nvidia/params", "r");

    while (f != NULL && fgets(line, sizeof line, f) != NULL)
        if (strncmp(line, "RmProfilingAdminOnly:", 21) == 0)
            all = strchr(line, '0') != NULL;
    if (f != NULL)
        fclose(f);
    return all || geteuid() == 0;
}

static bool space_for(const char *folder, double gib)
{
    struct statvfs s;

    return statvfs(folder, &s) == 0 && (double)s.f_bavail * (double)s.f_frsize > gib * 0x1p30;
}

bool lab_has_card(void)
{
    return access("/dev/nvidiactl", F_OK) == 0 || access("/dev/dxg", F_OK) == 0; /* WSL has this */
}

int lab_doctor(const struct lab_call *c)
{
    const bool card = lab_has_card(), nvcc = in_path("nvcc");
    const bool needed = in_path("gcc") && in_path("g++") && in_path("make") && in_path("addr2line");

    (void)c;
    printf("needed, for all exercises:\n");
    tell(in_path("gcc") && in_path("g++"), "gcc and g++", "apt-get install gcc g++");
    tell(in_path("make"), "make", "apt-get install make");
    tell(in_path("addr2line"), "addr2line", "apt-get install binutils; it finds the line of a mistake");
    tell(space_for(".", 0.5), "half a GiB of space here", "builds need some 300 MiB");
    tell(space_for("/tmp", 0.05), "space in /tmp", "the simulator writes its counters there");
    tell(topology_cores() > 1, "more than one core", "exercise 02 cannot get faster here");
    tell(confine_holds(), "Landlock",
         "programs can write files here; be careful what you run");
    printf("needed for the page in a browser:\n");
    tell(access("build-sim/rungs-serve", X_OK) == 0, "rungs lab serve",
         "apt-get install libmicrohttpd-dev, then make workshop");
    printf("needed for the star for speed:\n");
    tell(card, "an NVIDIA GPU", "exercises run in the simulator, which is enough");
    tell(nvcc, "nvcc", "needed to run on a GPU");
    if (card)
        tell(counters_for_all(), "the profiler's counters",
             "only root may read them; ask for NVreg_RestrictProfilingToAdminUsers=0");
    return needed ? STATUS_OK : STATUS_FAILED;
}
