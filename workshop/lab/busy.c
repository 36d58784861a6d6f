#include "workshop/lab/busy.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/worker/parent.h"
#include "workshop/lab/trial.h"

enum { MOST = 1024 };

struct account {
    long thread[MOST];
    double seconds[MOST]; /* on a processor */
    int count;
};

/* The first number of /proc/PID/task/TID/schedstat is nanoseconds on a processor. */
static void read_account(pid_t pid, struct account *a)
{
    char name[300];
    const struct dirent *entry;

    snprintf(name, sizeof name, "/proc/%d/task", (int)pid);
    DIR *tasks = opendir(name);
    a->count = 0;
    while (tasks != NULL && (entry = readdir(tasks)) != NULL && a->count < MOST) {
        long thread = strtol(entry->d_name, NULL, 10);
        double nanoseconds;
        if (thread <= 0)
            continue;
        snprintf(name, sizeof name, "/proc/%d/task/%ld/schedstat", (int)pid, thread);
        FILE *f = fopen(name, "r");
        if (f != NULL && fscanf(f, "%lf", &nanoseconds) == 1) {
            a->thread[a->count] = thread;
            a->seconds[a->count++] = 1e-9 * nanoseconds;
        }
        if (f != NULL)
            fclose(f);
    }
    if (tasks != NULL)
        closedir(tasks);
}

static double time_before(const struct account *a, long thread)
{
    for (int i = 0; i < a->count; i++)
        if (a->thread[i] == thread)
            return a->seconds[i];
    return 0.0;
}

static struct busy compare(const struct account *before, const struct account *after)
{
    struct busy b = {.threads = after->count};
    double most = 0.0, sum = 0.0;

    for (int i = 0; i < after->count; i++) {
        double spent = after->seconds[i] - time_before(before, after->thread[i]);
        most = fmax(most, spent);
        sum += spent;
    }
    for (int i = 0; i < after->count; i++)
        b.at_work += after->seconds[i] - time_before(before, after->thread[i]) >= most / 10.0;
    b.imbalance = sum > 0.0 ? most / (sum / after->count) : NAN;
    return b;
}

bool busy_look(const struct exercise *e, const char *program, struct busy *b, struct error *error)
{
    static struct account before, after;
    static struct reply reply;
    struct worker w = {0};
    struct request warm = {.op = OP_WARM, .seconds = 0.02, .target = 1e-3}, block = {.op = OP_BLOCK};

    setenv("GOMP_SPINCOUNT", "0", 1); /* a thread that waits in a loop would seem to be at work */
    bool good = trial_start(&w, program, e->full, IN_SIMULATOR, error);
    unsetenv("GOMP_SPINCOUNT");
    good = good && trial_open(&w, e, &e->counted, true, error);
    good = good && worker_ask(&w, &warm, &reply, 10.0);
    if (good) {
        block = (struct request){.op = OP_BLOCK, .samples = MAX_SAMPLES, .reps = reply.reps,
                                 .seconds = 0.15};
        read_account(worker_process(&w), &before);
        good = worker_ask(&w, &block, &reply, 10.0);
        read_account(worker_process(&w), &after);
        *b = compare(&before, &after);
        if (!good)
            error_set(error, "%s", w.fate.reason);
    }
    trial_stop(&w);
    return good;
}
