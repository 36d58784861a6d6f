/* The parent's side of a worker: starts it, asks it, and finds out what became of it. */
#define _GNU_SOURCE
#include "harness/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/clock.h"
#include "harness/interrupt.h"
#include "harness/topology.h"
#include "harness/worker.h"

const char *worker_program;
void (*worker_confine)(void);
bool worker_profiled;

/* --- start ------------------------------------------------------------------------------------ */

/* Puts `files` on descriptors 0, 1, 2, ...  They are moved out of the way first, so that none is
   overwritten before it has been moved. */
static void place_files(const int files[], int count)
{
    int safe[8];

    for (int i = 0; i < count; i++)
        safe[i] = fcntl(files[i], F_DUPFD_CLOEXEC, 16);
    for (int i = 0; i < count; i++)
        if (safe[i] < 0 || dup2(safe[i], i) < 0)
            _exit(WORKER_BROKEN);
}

/* The first `count` of the devices that we are allowed to see, real or simulated. */
static void show_devices(int count)
{
    const char *visible = getenv("CUDA_VISIBLE_DEVICES"), *at = visible;
    char list[4096] = "", number[16];
    size_t used = 0;

    for (int i = 0; i < count && (visible == NULL || *at != '\0'); i++) {
        snprintf(number, sizeof number, "%d", i);
        const char *next = visible == NULL ? number : at;
        size_t bytes = strcspn(next, ",");
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%.*s", i > 0 ? "," : "",
                                 (int)bytes, next);
        if (used >= sizeof list)
            return; /* nothing that CUDA would understand */
        if (visible != NULL)
            at += bytes + (at[bytes] == ',');
    }
    setenv("CUDA_VISIBLE_DEVICES", list, 1);
    snprintf(number, sizeof number, "%d", count);
    setenv("RUNGS_SIM_DEVICES", number, 1);
}

_Noreturn static void become_worker(const struct worker *w, const char *name, int socket,
                                    int input_file, int threads, int devices, size_t memory,
                                    const cpu_set_t *place)
{
    char count[16], bytes[32], link[64];
    const struct rlimit no_core = {0, 0}, small_file = {1 << 20, 1 << 20};

    signal(SIGXFSZ, SIG_DFL);
    setpgid(0, 0);                    /* Ctrl-C is the parent's; and what the rung starts can be */
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* ended with it */
    setrlimit(RLIMIT_CORE, &no_core);
    if (!worker_profiled)
        setrlimit(RLIMIT_FSIZE, &small_file);

    /* As many processors as threads, and the threads free among them: bound one by one, as with
       OMP_PROC_BIND, those that a library starts besides would all inherit the first one's place. */
    if (place != NULL)
        sched_setaffinity(0, sizeof *place, place);
    snprintf(count, sizeof count, "%d", threads);
    setenv("OMP_NUM_THREADS", count, 1);
    setenv("OPENBLAS_NUM_THREADS", count, 1);
    if (devices > 0)
        show_devices(devices);
    setenv("OMP_DYNAMIC", "false", 1);
    /* OpenMP's threads wait in a loop for some 0.1 ms, and then asleep.  GNU's default is
       milliseconds, which a thread that others keep from its core spends at every barrier. */
    if (getenv("OMP_WAIT_POLICY") == NULL)
        setenv("GOMP_SPINCOUNT", "3000", 0);

    /* The inputs are opened a second time, for reading only. */
    snprintf(link, sizeof link, "/proc/self/fd/%d", input_file);
    const int files[] = {open("/dev/null", O_RDONLY), w->stdout_file, w->stderr_file, socket,
                         open(link, O_RDONLY), w->output_file};
    place_files(files, 6);

    snprintf(bytes, sizeof bytes, "%zu", memory);
    if (worker_confine != NULL)
        worker_confine();
    execl(worker_program != NULL ? worker_program : "/proc/self/exe", "rungs", "--worker", name,
          bytes, (char *)NULL);
    _exit(WORKER_BROKEN);
}

bool worker_start(struct worker *w, const struct variant *v, const char *name, int input_file,
                  int threads, int devices, size_t memory)
{
    int sockets[2] = {-1, -1};
    cpu_set_t place;
    const bool placed = topology_place(threads, &place);

    *w = (struct worker){.variant = v};
    w->output_file = memfd_create("rungs-outputs", MFD_CLOEXEC);
    w->stdout_file = memfd_create("rungs-stdout", MFD_CLOEXEC);
    w->stderr_file = memfd_create("rungs-stderr", MFD_CLOEXEC);
    if (w->output_file < 0 || w->stdout_file < 0 || w->stderr_file < 0 ||
        socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0 ||
        (w->pid = fork()) < 0) {
        fate_set(&w->fate, OUTCOME_SKIPPED, "no worker could be started: %s", strerror(errno));
        w->pid = 0;
        w->socket = sockets[0];
        if (sockets[1] >= 0)
            close(sockets[1]);
        worker_end(w);
        return false;
    }
    if (w->pid == 0)
        become_worker(w, name, sockets[1], input_file, threads, devices, memory,
                      placed ? &place : NULL);
    close(sockets[1]);
    w->socket = sockets[0];
    return true;
}

/* --- the end ------------------------------------------------------------------------------------ */

static void kill_and_reap(struct worker *w, int *status)
{
    kill(-w->pid, SIGKILL); /* and whatever it has started */
    kill(w->pid, SIGKILL);  /* should it not have had the time to lead a group */
    while (waitpid(w->pid, status, 0) < 0 && errno == EINTR)
        ;
    w->pid = 0;
}

/* The connection is closed, so the worker is dying or has cut itself off. */
static bool find_fate(struct worker *w)
{
    const struct ledger note = worker_ledger(w);
    int status = 0;
    pid_t reaped = 0;

    for (int i = 0; i < 100 && reaped == 0; i++) { /* 1 s to finish dying */
        reaped = waitpid(w->pid, &status, WNOHANG);
        if (reaped == 0)
            usleep(10000);
    }
    if (reaped != w->pid) {
        kill_and_reap(w, &status);
        return fate_set(&w->fate, OUTCOME_CRASH, "closes the worker's own files in %s",
                        phase_names[note.phase]);
    }
    kill(-w->pid, SIGKILL); /* its children, if any */
    w->pid = 0;
    return worker_postmortem(w, status);
}

/* --- ask -------------------------------------------------------------------------------------- */

/* The end of its connection would say so too, unless a child of the rung still holds that. */
static bool has_ended(const struct worker *w)
{
    siginfo_t end = {.si_pid = 0};

    return waitid(P_PID, (id_t)w->pid, &end, WEXITED | WNOHANG | WNOWAIT) == 0 && end.si_pid != 0;
}

static bool wait_for_reply(struct worker *w, double timeout)
{
    double end = clock_now() + timeout;

    for (;;) {
        struct pollfd ready = {.fd = w->socket, .events = POLLIN};
        double left = end - clock_now();
        int status;

        if (interrupted()) {
            kill_and_reap(w, &status);
            return fate_set(&w->fate, OUTCOME_STOPPED, "interrupted");
        }
        if (left <= 0.0) {
            const struct ledger note = worker_ledger(w);
            kill_and_reap(w, &status);
            return fate_set(&w->fate, OUTCOME_TIMEOUT, "no answer from %s within %.3g s",
                            phase_names[note.phase], timeout);
        }
        /* In short steps: a signal may come between the test above and the wait. */
        if (poll(&ready, 1, left < 0.1 ? (int)(left * 1e3) + 1 : 100) > 0 || has_ended(w))
            return true;
    }
}

static bool printed_something(struct worker *w)
{
    char said[200];

    if (lseek(w->stdout_file, 0, SEEK_END) <= 0)
        return false;
    worker_last_line(w->stdout_file, said, sizeof said);
    worker_end(w);
    fate_set(&w->fate, OUTCOME_BREACH, "prints to standard output: \"%s\"", said);
    return true;
}

bool worker_ask(struct worker *w, const struct request *request, struct reply *reply,
                double timeout)
{
    if (w->pid == 0)
        return false;
    if (w->resting)
        kill(-w->pid, SIGCONT);
    w->resting = false;
    if (send(w->socket, request, sizeof *request, MSG_NOSIGNAL) != (ssize_t)sizeof *request)
        return find_fate(w);
    if (!wait_for_reply(w, timeout))
        return false;
    if (recv(w->socket, reply, sizeof *reply, MSG_DONTWAIT) != (ssize_t)sizeof *reply)
        return find_fate(w);
    w->answered = true;
    return !printed_something(w);
}

void worker_rest(struct worker *w)
{
    w->resting = w->pid > 0 && kill(-w->pid, SIGSTOP) == 0;
}

bool worker_open(struct worker *w, const struct layout *layout, double timeout,
                 struct reply *reply)
{
    const struct request request = {.op = OP_OPEN};

    if (w->pid == 0)
        return false;
    if (ftruncate(w->output_file, 0) != 0 ||
        ftruncate(w->output_file, (off_t)layout->output_bytes) != 0) {
        worker_end(w);
        return fate_set(&w->fate, OUTCOME_SKIPPED, "no memory for its outputs: %s",
                        strerror(errno));
    }
    return worker_ask(w, &request, reply, timeout);
}

void worker_shrink(struct worker *w)
{
    if (w->pid > 0 && ftruncate(w->output_file, sysconf(_SC_PAGESIZE)) != 0)
        worker_end(w); /* cannot fail: a file in memory is made smaller; the ledger's page stays */
}

void worker_end(struct worker *w)
{
    int *const files[] = {&w->socket, &w->output_file, &w->stdout_file, &w->stderr_file};
    int status;

    if (w->pid > 0)
        kill_and_reap(w, &status);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (*files[i] > 0)
            close(*files[i]);
        *files[i] = 0;
    }
}
