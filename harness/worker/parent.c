/* The parent's side of a worker: starts it, asks it, and finds out what became of it. */
#define _GNU_SOURCE
#include "harness/worker/exit_cause.h"

#include <dirent.h>
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
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/clock.h"
#include "harness/base/interrupt.h"
#include "harness/base/memory.h"
#include "harness/machine/topology.h"
#include "harness/model/home.h"
#include "harness/model/language.h"
#include "harness/worker/confine.h"
#include "harness/worker/keeper.h"
#include "harness/worker/protocol.h"

#ifndef SYS_close_range
#define SYS_close_range 436 /* Linux 5.9 */
#endif

void (*worker_confine)(void);
bool worker_on_card;
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

/* Else the file is a program that is a worker already. */
static bool is_object(const char *file)
{
    const size_t length = strlen(file);

    return length > 3 && strcmp(file + length - 3, ".so") == 0;
}

static bool uses_card(const struct worker *w)
{
    return worker_on_card || !card_on_cpu(w->variant);
}

/* A profiler looks into the process, and may need anything. */
static enum confine level(const struct worker *w)
{
    return worker_profiled ? CONFINE_NONE : confine_level(uses_card(w));
}

/* A program that speaks lines writes the outputs as a file, which the limit counts. */
static bool writes_its_outputs(const struct card *v)
{
    return v->language != NULL && v->language->launcher == NULL;
}

/* An interpreter with its launcher, which loads the worker as a library.  It has as many threads as others, by the
   names that its libraries look for; it writes no compiled files beside the sources. */
_Noreturn static void start_language(const struct card *v, const char *memory, const char *threads,
                                     enum confine how, bool on_card)
{
    static const char *const counts[] = {"MKL_NUM_THREADS", "BLIS_NUM_THREADS", "NUMBA_NUM_THREADS",
                                         "RAYON_NUM_THREADS", "POLARS_MAX_THREADS",
                                         "VECLIB_MAXIMUM_THREADS"};
    const char *interpreter = language_interpreter(v->language);

    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        setenv(counts[i], threads, 1);
    setenv("PYTHONDONTWRITEBYTECODE", "1", 1);
    setenv("PYTHONNOUSERSITE", "1", 1);
    setenv("PYTHONHASHSEED", "0", 1);
    setenv("RUNGS_LIB", home_file("librungs-worker.so"), 1);
    confine(how, on_card);
    if (v->language->launcher != NULL)
        execl(interpreter, interpreter, home_file(v->language->launcher), v->file, v->name.full, memory, (char *)NULL);
    else
        execl(home_file("rungs-worker"), home_file("rungs-worker"), "--lines", v->name.full, interpreter, v->file,
              memory, (char *)NULL);
    fprintf(stderr, "%s: %s\n", interpreter, strerror(errno));
    _exit(WORKER_BROKEN);
}

_Noreturn static void become_worker(const struct worker *w, int socket, int threads, int devices,
                                    size_t memory, const cpu_set_t *place)
{
    char count[16], bytes[32];
    const struct rlimit no_core = {0, 0}, small_file = {1 << 20, 1 << 20};

    signal(SIGXFSZ, SIG_DFL);
    if (level(w) != CONFINE_FULL)     /* else it is in its keeper's group */
        setpgid(0, 0);                /* Ctrl-C is the parent's; and what the variant starts can be */
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* ended with it */
    setrlimit(RLIMIT_CORE, &no_core);
    if (!worker_profiled && !writes_its_outputs(w->variant))
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

    const int files[] = {open("/dev/null", O_RDONLY), w->stdout_file, w->stderr_file, socket};
    place_files(files, 4);
    if (level(w) == CONFINE_FULL) /* what our own parent has left open is no variant's either */
        (void)syscall(SYS_close_range, WORKER_SOCKET + 1, ~0U, 0);

    snprintf(bytes, sizeof bytes, "%zu", memory);
    if (worker_confine != NULL)
        worker_confine();
    const struct card *v = w->variant;
    if (v->language != NULL)
        start_language(v, bytes, count, level(w), uses_card(w));
    const char *program = is_object(v->file) ? home_file("rungs-worker") : v->file;
    confine(level(w), uses_card(w));
    execl(program, program, "--serve", v->name.full, v->file, bytes, (char *)NULL);
    _exit(WORKER_BROKEN);
}

/* No namespace beside a card: a driver may look at process ids, and that is not documented. */
static pid_t fork_worker(struct worker *w)
{
    return level(w) == CONFINE_FULL ? keeper_fork(!uses_card(w), &w->report) : fork();
}

bool worker_start(struct worker *w, const struct card *v, int threads, int devices, size_t memory)
{
    int sockets[2] = {-1, -1};
    cpu_set_t place;
    const bool placed = topology_place(threads, &place);

    *w = (struct worker){.variant = v, .kills = memory_kills()};
    if (uses_card(w) && level(w) != CONFINE_NONE)
        confine_wake_cards();
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* confine_sweep finds what a variant has left */
    w->stdout_file = memfd_create("rungs-stdout", MFD_CLOEXEC);
    w->stderr_file = memfd_create("rungs-stderr", MFD_CLOEXEC);
    if (w->stdout_file < 0 || w->stderr_file < 0 ||
        socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0 ||
        (w->pid = fork_worker(w)) < 0) {
        fate_set(&w->fate, OUTCOME_SKIPPED, "no worker could be started: %s", strerror(errno));
        w->pid = 0;
        w->socket = sockets[0];
        if (sockets[1] >= 0)
            close(sockets[1]);
        worker_end(w);
        return false;
    }
    if (w->pid == 0)
        become_worker(w, sockets[1], threads, devices, memory, placed ? &place : NULL);
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

static int own_status(const struct worker *w, int status)
{
    return w->report > 0 ? keeper_status(w->report, status) : status;
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
                        activity_names[note.activity]);
    }
    kill(-w->pid, SIGKILL); /* its children, if any */
    w->pid = 0;
    return worker_postmortem(w, own_status(w, status));
}

/* --- ask -------------------------------------------------------------------------------------- */

/* The end of its connection would say so too, unless a child of the variant still holds that. */
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
                            worker_doing(w, &note), timeout);
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

static bool send_request(const struct worker *w, const struct request *request, const int files[],
                         size_t count)
{
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(WORKER_FILES * sizeof(int))];
    } control;
    struct iovec text = {.iov_base = (void *)(uintptr_t)request, .iov_len = sizeof *request};
    struct msghdr message = {.msg_iov = &text, .msg_iovlen = 1};

    memset(&control, 0, sizeof control);
    if (count > 0) {
        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE(count * sizeof(int));
        struct cmsghdr *with = CMSG_FIRSTHDR(&message);
        with->cmsg_level = SOL_SOCKET;
        with->cmsg_type = SCM_RIGHTS;
        with->cmsg_len = CMSG_LEN(count * sizeof(int));
        memcpy(CMSG_DATA(with), files, count * sizeof(int));
    }
    return sendmsg(w->socket, &message, MSG_NOSIGNAL) == (ssize_t)sizeof *request;
}

/* A variant may have written it: what others take for granted of a reply must hold. */
static bool is_sound(struct reply *a)
{
    a->text[sizeof a->text - 1] = '\0';
    for (size_t i = 0; i < MAX_DEVICES; i++)
        a->facts[i].name[sizeof a->facts[i].name - 1] = '\0';
    return (unsigned)a->outcome <= OUTCOME_STOPPED && a->samples.count <= MAX_SAMPLES &&
           a->devices >= 0 && a->devices <= MAX_DEVICES;
}

static bool ask(struct worker *w, const struct request *request, const int files[], size_t count,
                struct reply *reply, double timeout)
{
    if (w->pid == 0)
        return false;
    if (w->resting)
        kill(-w->pid, SIGCONT);
    w->resting = false;
    if (!send_request(w, request, files, count))
        return find_fate(w);
    if (!wait_for_reply(w, timeout))
        return false;
    if (recv(w->socket, reply, sizeof *reply, MSG_DONTWAIT) != (ssize_t)sizeof *reply)
        return find_fate(w);
    w->answered = true;
    if (!is_sound(reply)) {
        worker_end(w);
        return fate_set(&w->fate, OUTCOME_BREACH, "answers in the harness's place");
    }
    return !printed_something(w);
}

bool worker_ask(struct worker *w, const struct request *request, struct reply *reply,
                double timeout)
{
    return ask(w, request, NULL, 0, reply, timeout);
}

void worker_rest(struct worker *w)
{
    w->resting = w->pid > 0 && kill(-w->pid, SIGSTOP) == 0;
}

bool worker_open(struct worker *w, const struct layout *layout, bool blind, double timeout,
                 struct reply *reply)
{
    const struct request request = {.op = OP_OPEN, .blind = blind};

    if (w->pid == 0)
        return false;
    if (w->output_file > 0)
        close(w->output_file);
    w->output_file = arena_make_outputs(layout->output_bytes);
    if (w->output_file < 0) {
        fate_set(&w->fate, OUTCOME_SKIPPED, "no memory for its outputs: %s", strerror(errno));
        worker_end(w);
        return false;
    }
    const int files[WORKER_FILES] = {arena_open_inputs(), w->output_file};
    return ask(w, &request, files, WORKER_FILES, reply, timeout);
}

bool worker_show(struct worker *w, double timeout, struct reply *reply)
{
    const struct request request = {.op = OP_SHOW};
    const int file = arena_open_inputs();

    return ask(w, &request, &file, 1, reply, timeout);
}

void worker_shrink(struct worker *w)
{
    if (w->pid > 0 && w->output_file > 0)
        arena_drop_outputs(w->output_file);
}

/* Looked up once: the first process that a keeper starts is the worker. */
pid_t worker_process(struct worker *w)
{
    if (w->process == 0)
        w->process = w->report > 0 ? keeper_worker(w->pid) : w->pid;
    return w->process;
}

/* The letter behind the name in parentheses, which may hold anything. */
static bool thread_stands_still(const char *task, const char *name)
{
    char path[320], text[512] = "";
    FILE *f;

    snprintf(path, sizeof path, "%s/%s/stat", task, name);
    if ((f = fopen(path, "re")) == NULL)
        return true; /* has ended */
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    const char *end = strrchr(text, ')');
    return end == NULL || end[1] == '\0' || strchr("TtZX", end[2]) != NULL;
}

bool worker_stands_still(struct worker *w)
{
    char task[64];
    const struct dirent *entry;
    bool still = true;

    snprintf(task, sizeof task, "/proc/%d/task", worker_process(w));
    DIR *threads = opendir(task);
    while (threads != NULL && still && (entry = readdir(threads)) != NULL)
        still = entry->d_name[0] == '.' || thread_stands_still(task, entry->d_name);
    if (threads != NULL)
        closedir(threads);
    return still;
}

void worker_end(struct worker *w)
{
    int *const files[] = {&w->socket, &w->output_file, &w->stdout_file, &w->stderr_file,
                          &w->report};
    int status;

    if (w->pid > 0)
        kill_and_reap(w, &status);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (*files[i] > 0)
            close(*files[i]);
        *files[i] = 0;
    }
}
