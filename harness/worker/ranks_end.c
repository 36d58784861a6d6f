#define _GNU_SOURCE
#include "harness/worker/ranks_end.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/clock.h"
#include "harness/base/text.h"
#include "harness/worker/tree.h"

enum { MOST = 4096, STEPS = 200, STEP = 10000 }; /* ranks that are read; steps of a wait, each of so many microseconds */

static bool has_ended(pid_t process)
{
    siginfo_t end = {.si_pid = 0};

    return waitid(P_PID, (id_t)process, &end, WEXITED | WNOHANG | WNOWAIT) == 0 && end.si_pid != 0;
}

static struct last_words *room_for_all(void)
{
    struct last_words *list = calloc(MOST, sizeof *list);

    if (list == NULL)
        abort();
    return list;
}

/* A rank that has only reported what it is busy with does not count. */
static bool find_end(const struct worker *w, struct last_words *first)
{
    struct last_words *list = room_for_all();
    const size_t count = last_words_read(w->stderr_file, list, MOST);
    bool told = false;

    for (size_t i = 0; i < count && !told; i++) {
        told = list[i].ended;
        *first = list[i];
    }
    free(list);
    return told;
}

bool ranks_first_end(const struct worker *w, double patience, struct last_words *first)
{
    for (const double end = clock_now() + patience;;) {
        const bool last = clock_now() >= end || has_ended(w->pid);
        if (find_end(w, first))
            return true;
        if (last)
            return false;
        usleep(STEP);
    }
}

void ranks_dismiss(struct worker *w)
{
    const pid_t launcher = worker_process(w);

    if (getenv("RUNGS_MPI") == NULL || launcher <= 0)
        return;
    tree_rest(w->pid, false);
    kill(launcher, SIGTERM);
    for (int step = 0; step < STEPS && !has_ended(w->pid); step++)
        usleep(STEP);
}

void ranks_busy(struct worker *w, char *text, size_t bytes)
{
    struct last_words *list = room_for_all();
    size_t count = 0, busy = 0;

    text[0] = '\0';
    if (worker_process(w) > 0)
        kill(worker_process(w), SIGUSR1);
    for (int step = 0; step < STEPS && (count == 0 || count < (size_t)list[0].ranks); step++) {
        usleep(STEP);
        count = last_words_read(w->stderr_file, list, MOST);
    }
    for (size_t i = 1; i < count; i++) /* by rank */
        for (size_t at = i; at > 0 && list[at - 1].rank > list[at].rank; at--) {
            const struct last_words lower = list[at];
            list[at] = list[at - 1];
            list[at - 1] = lower;
        }
    for (size_t i = 0; i < count; i++)
        if (list[i].note.activity != IN_HARNESS)
            text_add(text, bytes, "%s%d", busy++ == 0 ? ": rank " : ", ", list[i].rank);
    if (busy > 0)
        text_add(text, bytes, " of %d %s not returned", list[0].ranks, busy == 1 ? "has" : "have");
    free(list);
}
