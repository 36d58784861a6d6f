/*
 * Landlock: landlock(7).  The constants stand here because the headers of long-lived systems know
 * only the first version; the kernel says which it has.
 */
#define _GNU_SOURCE
#include "workshop/lab/confine.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };
enum { ASK_VERSION = 1, PATH_BENEATH = 1 };

/* Of files: to write, remove, and make them; since version 3, to cut them short. */
#define WRITE_FILE (UINT64_C(1) << 1)
#define WRITES (WRITE_FILE | UINT64_C(0x1ff) << 4)
#define TRUNCATES (UINT64_C(1) << 14)
/* Since version 4: TCP, to bind and to connect.  Since version 6: signals to processes outside. */
#define NETWORK UINT64_C(3)
#define SIGNALS (UINT64_C(1) << 1)

struct ruleset {
    uint64_t files, network, scope;
};

struct beneath {
    uint64_t allowed;
    int32_t folder;
} __attribute__((packed));

static char scratch[256];

void confine_scratch(const char *folder)
{
    snprintf(scratch, sizeof scratch, "%s", folder);
}

static int version(void)
{
    return (int)syscall(CREATE_RULESET, NULL, 0, ASK_VERSION);
}

int confine_holds(void)
{
    return version() >= 1;
}

static void allow(int rules, const char *folder, uint64_t what)
{
    struct beneath b = {.allowed = what, .folder = open(folder, O_PATH | O_CLOEXEC)};

    if (b.folder >= 0) {
        syscall(ADD_RULE, rules, PATH_BENEATH, &b, 0);
        close(b.folder);
    }
}

static void forbid_writing(void)
{
    const int v = version();
    struct ruleset set = {.files = WRITES | (v >= 3 ? TRUNCATES : 0),
                          .network = v >= 4 ? NETWORK : 0, .scope = v >= 6 ? SIGNALS : 0};
    /* What a kernel does not know it wants not even to see. */
    size_t bytes = v >= 6 ? sizeof set : v >= 4 ? 2 * sizeof(uint64_t) : sizeof(uint64_t);

    if (v < 1)
        return;
    int rules = (int)syscall(CREATE_RULESET, &set, bytes, 0);
    if (rules < 0)
        return;
    if (scratch[0] != '\0')
        allow(rules, scratch, set.files);
    allow(rules, "/dev", WRITE_FILE); /* /dev/null, and a card's */
    /* CUDA does not start if it cannot name its threads, each by opening a file to be cut short. */
    allow(rules, "/proc/self/task", WRITE_FILE | (set.files & TRUNCATES));
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    syscall(RESTRICT_SELF, rules, 0);
    close(rules);
}

static void limit_to(__rlimit_resource_t what, rlim_t most)
{
    const struct rlimit limit = {.rlim_cur = most, .rlim_max = most};

    setrlimit(what, &limit);
}

void confine(void)
{
    struct sysinfo now;

    forbid_writing();
    limit_to(RLIMIT_CPU, 120);
    if (sysinfo(&now) == 0) /* all that run now, and some more: the limit is on a user's, all told */
        limit_to(RLIMIT_NPROC, (rlim_t)now.procs + 200);
}

/* Processes whose parent has died become ours: harness/worker.h ends the group of a worker, this
   ends those that have left it. */
int confine_sweep(void)
{
    int count = 0;
    DIR *processes = opendir("/proc");
    const struct dirent *entry;

    while (processes != NULL && (entry = readdir(processes)) != NULL) {
        char file[300];
        long pid = strtol(entry->d_name, NULL, 10), parent = 0;
        if (pid <= 0)
            continue;
        snprintf(file, sizeof file, "/proc/%ld/stat", pid);
        FILE *stat = fopen(file, "r");
        if (stat == NULL)
            continue;
        if (fscanf(stat, "%*d (%*[^)]) %*c %ld", &parent) == 1 && parent == getpid()) {
            kill((pid_t)pid, SIGKILL);
            waitpid((pid_t)pid, NULL, 0);
            count++;
        }
        fclose(stat);
    }
    if (processes != NULL)
        closedir(processes);
    return count;
}
