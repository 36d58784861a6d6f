/*
 * Landlock: landlock(7).  The constants are defined here, because the headers of older systems know only
 * the first version.  The kernel reports its own version.
 */
#define _GNU_SOURCE
#include "harness/worker/confine.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/worker/calls.h"
#include "harness/worker/keeper.h"

extern char **environ;

enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };
enum { ASK_VERSION = 1, PATH_BENEATH = 1 };

/* Files: writing, removing and making them; since version 3, truncating them. */
#define WRITE_FILE (UINT64_C(1) << 1)
#define WRITES (WRITE_FILE | UINT64_C(0x1ff) << 4)
#define TRUNCATES (UINT64_C(1) << 14)
/* Since version 4: binding and connecting TCP.  Since version 6: signals to processes outside, and
   abstract sockets of theirs. */
#define NETWORK UINT64_C(3)
#define OUTSIDE UINT64_C(3)

struct ruleset {
    uint64_t files, network, scope;
};

struct beneath {
    uint64_t allowed;
    int32_t folder;
} __attribute__((packed));

static char scratch[256];
static const char *own = "";

void confine_scratch(const char *folder)
{
    snprintf(scratch, sizeof scratch, "%s", folder);
}

void confine_own(const char *folder)
{
    own = folder;
}

/* --- how much ------------------------------------------------------------------------------------ */

static enum confine asked(void)
{
    const char *level = getenv("RUNGS_CONFINE");

    return level == NULL                 ? CONFINE_FULL
           : strcmp(level, "none") == 0  ? CONFINE_NONE
           : strcmp(level, "files") == 0 ? CONFINE_FILES
                                         : CONFINE_FULL;
}

/* Nsight's tools and compute-sanitizer announce themselves in the environment.  Which files, sockets
   and processes they need is not documented. */
static bool is_looked_into(void)
{
    static const char *const marks[] = {"CUDA_INJECTION", "NV_", "NVTX_INJECTION", "LD_PRELOAD="};

    for (char **e = environ; *e != NULL; e++)
        for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
            if (strncmp(*e, marks[i], strlen(marks[i])) == 0)
                return true;
    return false;
}

static bool cards_are_free;

void confine_cards(bool confined)
{
    cards_are_free = !confined;
}

enum confine confine_level(enum reach reach)
{
    return (reach & REACH_CARDS) != 0 && (cards_are_free || is_looked_into()) ? CONFINE_NONE : asked();
}

/* --- files ---------------------------------------------------------------------------------------- */

static int version(void)
{
    return (int)syscall(CREATE_RULESET, NULL, 0, ASK_VERSION);
}

bool confine_holds(void)
{
    return version() >= 1;
}

static void allow(int rules, const char *file, uint64_t what)
{
    struct beneath b = {.allowed = what, .folder = open(file, O_PATH | O_CLOEXEC)};

    if (b.folder >= 0) {
        syscall(ADD_RULE, rules, PATH_BENEATH, &b, 0);
        close(b.folder);
    }
}

/* CUDA caches what it has compiled, and shares memory with the MPS daemon, if there is one. */
static void allow_cards(int rules, uint64_t all)
{
    const char *cache = getenv("CUDA_CACHE_PATH"), *pipes = getenv("CUDA_MPS_PIPE_DIRECTORY");
    const char *home = getenv("HOME");
    char folder[512];

    allow(rules, "/dev", WRITE_FILE);
    allow(rules, "/dev/shm", all);
    if (cache == NULL && home != NULL) {
        snprintf(folder, sizeof folder, "%s/.nv", home);
        (void)mkdir(folder, 0700);
        cache = folder;
    }
    if (cache != NULL)
        allow(rules, cache, all);
    allow(rules, pipes != NULL ? pipes : "/tmp/nvidia-mps", WRITE_FILE);
}

void confine_wake_cards(void)
{
    static const char helper[] = "/usr/bin/nvidia-modprobe";
    char *const words[] = {"nvidia-modprobe", "-u", "-c", "0", NULL};
    static bool done;
    pid_t child;

    if (!done && access("/dev/nvidia-uvm", F_OK) != 0 && access(helper, X_OK) == 0 &&
        posix_spawn(&child, helper, NULL, NULL, words, environ) == 0)
        waitpid(child, NULL, 0);
    done = true;
}

/* The file that a variable names, and no other in its folder. */
static void allow_named(const char *variable, int rules, uint64_t all)
{
    const char *file = getenv(variable);

    if (file == NULL || file[0] == '\0' || strcmp(file, "0") == 0 || strcmp(file, "1") == 0)
        return;
    const int made = open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (made >= 0) {
        close(made);
        allow(rules, file, all & (WRITE_FILE | TRUNCATES));
    }
}

/* What the simulator writes, if requested: its counters, its trace. */
static void allow_written(int rules, uint64_t all)
{
    if (scratch[0] != '\0')
        allow(rules, scratch, all);
    if (own[0] != '\0')
        allow(rules, own, all);
    allow_named("RUNGS_SIM_COUNTERS", rules, all);
    allow_named("RUNGS_SIM_TRACE", rules, all);
}

static void forbid_writing(enum reach reach)
{
    static const char *const harmless[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random",
                                           "/dev/urandom"};
    const int v = version();
    struct ruleset set = {.files = WRITES | (v >= 3 ? TRUNCATES : 0),
                          .network = v >= 4 && (reach & (REACH_RANKS | REACH_ENGINE)) == 0 ? NETWORK : 0,
                          .scope = v >= 6 ? OUTSIDE : 0};
    /* a kernel rejects members that it does not know */
    size_t bytes = v >= 6 ? sizeof set : v >= 4 ? 2 * sizeof(uint64_t) : sizeof(uint64_t);

    if (v < 1)
        return;
    if ((reach & REACH_RANKS_CARDS) != 0) /* a driver may use abstract sockets; rank 0 gets its connection by one */
        set.scope &= UINT64_C(1) << 1;
    int rules = (int)syscall(CREATE_RULESET, &set, bytes, 0);
    if (rules < 0)
        return;
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        allow(rules, harmless[i], WRITE_FILE | (set.files & TRUNCATES));
    if ((reach & REACH_CARDS) != 0)
        allow_cards(rules, set.files);
    if ((reach & (REACH_RANKS | REACH_ENGINE)) != 0)
        allow(rules, "/dev/shm", set.files);
    allow_written(rules, set.files);
    /* CUDA does not start if it cannot name its threads, which it does by truncating a file for each */
    allow(rules, "/proc/self/task", WRITE_FILE | (set.files & TRUNCATES));
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    syscall(RESTRICT_SELF, rules, 0);
    close(rules);
}

/* --- rights --------------------------------------------------------------------------------------- */

/* Drops root's capabilities except one: to read the files to run, wherever they are.  For a GPU's
   driver, drops only those that no driver needs. */
static void drop_rights(enum reach reach)
{
    const uint64_t dangerous = UINT64_C(1) << CAP_KILL | UINT64_C(1) << CAP_SYS_PTRACE |
                               UINT64_C(1) << CAP_SYS_MODULE | UINT64_C(1) << CAP_SYS_BOOT |
                               UINT64_C(1) << CAP_MKNOD;
    const uint64_t gone = (reach & REACH_CARDS) != 0 ? dangerous : ~(UINT64_C(1) << CAP_DAC_READ_SEARCH);
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct rights[2];

    if (syscall(SYS_capget, &head, rights) != 0)
        return;
    for (int right = 0; right < 64; right++) /* those that a program could regain by exec */
        if (gone >> right & 1 && prctl(PR_CAPBSET_READ, right, 0, 0, 0) == 1)
            (void)prctl(PR_CAPBSET_DROP, right, 0, 0, 0);
    for (int half = 0; half < 2; half++) {
        const uint32_t keep = ~(uint32_t)(gone >> (32 * half));
        rights[half].effective &= keep;
        rights[half].permitted &= keep;
        rights[half].inheritable &= keep;
    }
    (void)syscall(SYS_capset, &head, rights);
}

/* The limit counts all processes of a user, so it is higher than any table of variants needs. */
static void limit_processes(void)
{
    struct sysinfo now;
    struct rlimit limit;

    if (sysinfo(&now) != 0 || getrlimit(RLIMIT_NPROC, &limit) != 0)
        return;
    const rlim_t most = (rlim_t)now.procs + 8 * (rlim_t)get_nprocs() + 4096;
    if (limit.rlim_max == RLIM_INFINITY || limit.rlim_max > most)
        limit.rlim_max = most;
    if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > limit.rlim_max)
        limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NPROC, &limit);
}

/* Timers and signals that wait are counted per user, too. */
static void limit_timers(void)
{
    const rlim_t most = 1024;
    struct rlimit limit;

    if (getrlimit(RLIMIT_SIGPENDING, &limit) != 0 || limit.rlim_max <= most)
        return;
    limit.rlim_cur = limit.rlim_max = most;
    setrlimit(RLIMIT_SIGPENDING, &limit);
}

void confine(enum confine level, enum reach reach)
{
    if (level == CONFINE_NONE)
        return;
    if (level == CONFINE_FULL) {
        limit_processes();
        if ((reach & REACH_CARDS) == 0)
            limit_timers();
    }
    forbid_writing(reach);
    if (level != CONFINE_FULL)
        return;
    drop_rights(reach);
    calls_forbid(reach);
}

void confine_missing(char *text, size_t bytes)
{
    const enum confine level = asked();
    const int v = version();
    const char *lacking[3];
    size_t count = 0;

    text[0] = '\0';
    if (level != CONFINE_FULL) {
        snprintf(text, bytes, "RUNGS_CONFINE=%s: malicious variants are not confined",
                 level == CONFINE_NONE ? "none" : "files");
        return;
    }
    if (cards_are_free) {
        snprintf(text, bytes, "the driver does not start in a confined process: GPU variants are not "
                              "confined");
        return;
    }
    if (v < 3)
        lacking[count++] = v < 1 ? "Landlock" : "Landlock of Linux 6.2";
    if (!calls_hold())
        lacking[count++] = "seccomp";
    if (!keeper_holds())
        lacking[count++] = "process namespaces";
    if (count > 0)
        snprintf(text, bytes, "variants are less confined: this machine lacks %s%s%s%s%s (docs/threats.md)",
                 lacking[0], count > 1 ? ", " : "", count > 1 ? lacking[1] : "",
                 count > 2 ? ", " : "", count > 2 ? lacking[2] : "");
}

/* --- afterwards ----------------------------------------------------------------------------------- */

pid_t confine_parent(pid_t pid)
{
    char file[64], line[512] = "";
    long parent = 0;

    snprintf(file, sizeof file, "/proc/%ld/stat", (long)pid);
    FILE *stat = fopen(file, "r");
    if (stat != NULL && fgets(line, sizeof line, stat) != NULL) {
        const char *behind = strrchr(line, ')'); /* the name before it may contain anything */
        if (behind == NULL || sscanf(behind, ") %*c %ld", &parent) != 1)
            parent = 0;
    }
    if (stat != NULL)
        fclose(stat);
    return (pid_t)parent;
}

static int sweep_once(void)
{
    int count = 0;
    DIR *processes = opendir("/proc");
    const struct dirent *entry;

    while (processes != NULL && (entry = readdir(processes)) != NULL) {
        const pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
        if (pid > 0 && confine_parent(pid) == getpid()) {
            kill(pid, SIGKILL);
            waitpid(pid, NULL, 0);
            count++;
        }
    }
    if (processes != NULL)
        closedir(processes);
    return count;
}

/* Processes whose parent has ended become children of this one.  Each that ends may leave children of
   its own. */
int confine_sweep(void)
{
    int count = 0, more;

    while ((waitpid(-1, NULL, WNOHANG) >= 0 || errno != ECHILD) && (more = sweep_once()) > 0)
        count += more;
    return count;
}
