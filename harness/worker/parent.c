/* The parent's side of a worker: starts it, sends requests, and finds out how it ended. */
#define _GNU_SOURCE
#include "harness/worker/exit_cause.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
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
#include "harness/base/home.h"
#include "harness/base/interrupt.h"
#include "harness/base/memory.h"
#include "harness/machine/topology.h"
#include "harness/model/language.h"
#include "harness/worker/calls.h"
#include "harness/worker/confine.h"
#include "harness/worker/keeper.h"
#include "harness/worker/launch.h"
#include "harness/worker/ranks_end.h"
#include "harness/worker/protocol.h"
#include "harness/worker/tree.h"

#ifndef SYS_close_range
#define SYS_close_range 436 /* Linux 5.9 */
#endif

void (*worker_confine)(void);
bool worker_on_card;
bool worker_profiled;
bool worker_may_fork;
bool worker_may_print;
bool worker_unplaced;

/* --- start ------------------------------------------------------------------------------------ */

/* Puts `files` on descriptors 0, 1, 2, ...  It first moves them out of the way, so that none is
   overwritten. */
static void place_files(const int files[], int count)
{
    int safe[8];

    for (int i = 0; i < count; i++)
        safe[i] = fcntl(files[i], F_DUPFD_CLOEXEC, 16);
    for (int i = 0; i < count; i++)
        if (safe[i] < 0 || dup2(safe[i], i) < 0)
            _exit(WORKER_BROKEN);
}

/* Shows the worker the first `count` of the devices that this process may use, real or simulated. */
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
            return; /* the list has a form that CUDA would not understand */
        if (visible != NULL)
            at += bytes + (at[bytes] == ',');
    }
    setenv("CUDA_VISIBLE_DEVICES", list, 1);
    snprintf(number, sizeof number, "%d", count);
    setenv("RUNGS_SIM_DEVICES", number, 1);
}

static bool uses_card(const struct worker *w)
{
    return worker_on_card || !card_on_cpu(w->variant);
}

static enum reach reach_of(const struct worker *w)
{
    return (uses_card(w) ? REACH_CARDS : REACH_NOTHING) | (w->variant->engine != NULL ? REACH_ENGINE : REACH_NOTHING) |
           (w->variant->language != NULL || worker_may_fork ? REACH_PROCESSES : REACH_NOTHING);
}

/* A profiler inspects the process, and may need any right. */
static enum confine level(const struct worker *w)
{
    return worker_profiled ? CONFINE_NONE : confine_level(reach_of(w));
}

/* A program that speaks lines writes the outputs as a file, which the limit counts. */
static bool writes_its_outputs(const struct card *v)
{
    return v->language != NULL && v->language->launcher == NULL;
}

/* Libraries for GPUs compile kernels when they are called, and write what compilers read and what they keep.  mpirun and
   its ranks have files for each other, and so have the processes of an engine.  Of the programs that speak lines some,
   as R, do not start without a folder for temporary files. */
static bool needs_folder(const struct card *v)
{
    return (v->language != NULL && !card_on_cpu(v)) || writes_its_outputs(v) || card_by_mpi(v) || v->engine != NULL;
}

static void use_folder(const char *folder)
{
    static const char *const names[] = {"TMPDIR", "HOME", "XDG_CACHE_HOME", "CUDA_CACHE_PATH", "CUPY_CACHE_DIR",
                                        "TRITON_HOME", "TRITON_CACHE_DIR", "TORCHINDUCTOR_CACHE_DIR", "NUMBA_CACHE_DIR"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        setenv(names[i], folder, 1);
    setenv("TORCHINDUCTOR_COMPILE_THREADS", "1", 1); /* otherwise it keeps a pool of processes */
    confine_own(folder);
}

/* Where an engine writes, that it needs no name of this host, and that a process that rests is not lost.  How it computes
   is for the variant to say. */
static void use_engine(const char *folder)
{
    static const char *const settings[][2] = {{"SPARK_LOCAL_IP", "127.0.0.1"}, {"SPARK_LOCAL_HOSTNAME", "localhost"},
                                              {"DASK_DISTRIBUTED__WORKER__USE_FILE_LOCKING", "False"},
                                              {"DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL", "None"}};
    char java[2 * OWN_FOLDER_BYTES + 64];

    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        setenv(settings[i][0], settings[i][1], 1);
    snprintf(java, sizeof java, "-Djava.io.tmpdir=%s -Duser.home=%s -XX:-UsePerfData", folder, folder);
    setenv("JAVA_TOOL_OPTIONS", java, 1);
    setenv("SPARK_LOCAL_DIRS", folder, 1);
    setenv("DASK_TEMPORARY_DIRECTORY", folder, 1);
}

/* Where Java finds Rungs (harness/library/Rungs.java), whose library lies in this folder or, installed, above it. */
static void use_java(const struct card *v)
{
    const char *home = home_file("");
    char classes[4096], options[8192];
    const char *others = getenv("JAVA_TOOL_OPTIONS");

    language_class_path(v, classes, sizeof classes);
    setenv("CLASSPATH", classes, 1);
    snprintf(options, sizeof options, "-Djava.library.path=%s:%s/.. %s", home, home, others != NULL ? others : "");
    setenv("JAVA_TOOL_OPTIONS", options, 1);
}

/* JAX takes a GPU by itself where it finds one, and three quarters of its memory from all others. */
static void choose_device(const struct card *v)
{
    setenv("JAX_PLATFORMS", card_on_cpu(v) ? "cpu" : "cuda", 1);
    setenv("XLA_PYTHON_CLIENT_PREALLOCATE", "false", 1);
}

/* An interpreter with its launcher, which loads the worker as a library.  It has as many threads as others, by the
   names that its libraries look for; it writes no compiled files beside the sources. */
_Noreturn static void start_language(const struct card *v, const char *memory, const char *threads,
                                     enum confine how, enum reach reach)
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
    choose_device(v);
    if (strcmp(v->language->name, "Java") == 0)
        use_java(v);
    confine(how, reach);
    if (v->language->launcher != NULL)
        execl(interpreter, interpreter, home_file(v->language->launcher), v->file, v->name.full, memory,
              v->stream ? "gpu stream" : v->device, (char *)NULL);
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
    const struct rlimit spilled = {(rlim_t)1 << 32, (rlim_t)1 << 32}; /* an engine puts data into its folder */
    const struct rlimit kernels = {1 << 28, 1 << 28}; /* a driver keeps what it has compiled in a file; ranks share memory */

    signal(SIGXFSZ, SIG_DFL);
    if (level(w) != CONFINE_FULL)     /* otherwise it is in its keeper's group */
        setpgid(0, 0);                /* Ctrl-C must reach the parent only; and the group can be ended */
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* as a whole */
    setrlimit(RLIMIT_CORE, &no_core);
    if (!worker_profiled && !writes_its_outputs(w->variant))
        setrlimit(RLIMIT_FSIZE, w->variant->engine != NULL                       ? &spilled
                                : uses_card(w) || card_by_mpi(w->variant) ? &kernels
                                                                           : &small_file);

    /* As many processors as threads, with the threads free among them.  If threads were bound one by
       one, as with OMP_PROC_BIND, those that a library starts in addition would all inherit the first
       one's place. */
    if (place != NULL)
        sched_setaffinity(0, sizeof *place, place);
    snprintf(count, sizeof count, "%d", threads);
    setenv("OMP_NUM_THREADS", count, 1);
    setenv("OPENBLAS_NUM_THREADS", count, 1);
    if (devices > 0)
        show_devices(devices);
    setenv("OMP_DYNAMIC", "false", 1);
    /* OpenMP's threads spin for some 0.1 ms and then sleep.  GNU's default is milliseconds, which a
       thread without a core would lose at every barrier. */
    if (getenv("OMP_WAIT_POLICY") == NULL)
        setenv("GOMP_SPINCOUNT", "3000", 0);

    const int files[] = {open("/dev/null", O_RDONLY), w->stdout_file, w->stderr_file, socket};
    place_files(files, 4);
    if (level(w) == CONFINE_FULL) /* files that our own parent has left open are closed, too */
        (void)syscall(SYS_close_range, WORKER_SOCKET + 1, ~0U, 0);

    snprintf(bytes, sizeof bytes, "%zu", memory);
    const struct card *v = w->variant;
    if (card_by_mpi(v)) { /* its ranks confine themselves: those on other hosts have no parent here */
        if (level(w) == CONFINE_NONE)
            setenv("RUNGS_CONFINE", "none", 1);
        launch_ranks(v, threads, memory, w->folder, WORKER_SOCKET);
    }
    if (w->folder[0] != '\0')
        use_folder(w->folder);
    if (v->engine != NULL)
        use_engine(w->folder);
    if (worker_confine != NULL)
        worker_confine();
    const enum reach reach = reach_of(w);
    if (v->language != NULL)
        start_language(v, bytes, count, level(w), reach);
    const char *program = card_is_object(v) ? home_file("rungs-worker") : v->file;
    confine(level(w), reach);
    execl(program, program, "--serve", v->name.full, v->file, bytes, (char *)NULL);
    _exit(WORKER_BROKEN);
}

/* For an engine all of its namespaces or nothing, since it may connect and send signals in them as it likes. */
static bool has_its_spaces(const struct worker *w)
{
    return w->variant->engine == NULL || level(w) != CONFINE_FULL || spaces_flags(SPACES_ENGINE) != 0;
}

/* No namespace for a GPU or MPI worker: a driver may use process ids in ways that are not documented, and MPI names files
   by them, which would be the same in each namespace. */
static pid_t fork_worker(struct worker *w)
{
    const enum spaces its = w->variant->engine != NULL                 ? SPACES_ENGINE
                            : uses_card(w) || card_by_mpi(w->variant) ? SPACES_NONE
                                                                       : SPACES_PROCESSES;

    return level(w) == CONFINE_FULL ? keeper_fork(its, &w->report) : fork();
}

bool worker_start(struct worker *w, const struct card *v, int threads, int processes, int devices, size_t memory)
{
    int sockets[2] = {-1, -1};
    cpu_set_t place;
    const bool placed = !worker_unplaced && topology_place(threads * processes, &place);

    *w = (struct worker){.variant = v, .kills = memory_kills()};
    if (!has_its_spaces(w))
        return fate_set(&w->fate, OUTCOME_SKIPPED, "an engine needs namespaces, which this machine does not give: "
                                                   "RUNGS_CONFINE=files does without");
    if (uses_card(w) && level(w) != CONFINE_NONE)
        confine_wake_cards();
    if (needs_folder(v) && (w->holds_folder = own_folder_make(w->folder, card_by_mpi(v))) < 0)
        w->folder[0] = '\0';
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* so that confine_sweep finds what variants have left */
    w->stdout_file = memfd_create("rungs-stdout", MFD_CLOEXEC);
    w->stderr_file = memfd_create("rungs-stderr", MFD_CLOEXEC);
    if (w->stdout_file < 0 || w->stderr_file < 0 ||
        socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0 ||
        (w->pid = fork_worker(w)) < 0) {
        fate_set(&w->fate, OUTCOME_SKIPPED, "cannot start a worker: %s", strerror(errno));
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

/* A confined process cannot leave its group, except an engine's.  mpirun is not confined. */
static bool may_leave_group(const struct worker *w)
{
    return level(w) != CONFINE_FULL || !calls_hold() || card_by_mpi(w->variant) || w->variant->engine != NULL;
}

static void kill_and_reap(struct worker *w, int *status)
{
    if (card_by_mpi(w->variant))
        ranks_dismiss(w);
    if (may_leave_group(w))
        tree_end(w->pid);
    kill(-w->pid, SIGKILL); /* and all that it has started */
    kill(w->pid, SIGKILL);  /* in case it does not lead a group yet */
    while (waitpid(w->pid, status, 0) < 0 && errno == EINTR)
        ;
    w->pid = 0;
}

static int own_status(const struct worker *w, int status)
{
    return w->report > 0 ? keeper_status(w->report, status) : status;
}

/* The connection is closed: the worker is ending, or the variant has closed it. */
static bool find_fate(struct worker *w)
{
    static const double PATIENCE = 10.0; /* a launcher passes a rank's report on, but may take its time */
    const struct ledger note = worker_ledger(w);
    int status = 0;
    pid_t reaped = 0;

    struct last_words first;
    if (card_by_mpi(w->variant) && ranks_first_end(w, PATIENCE, &first)) {
        kill_and_reap(w, &status);
        return worker_postmortem_of_rank(w, &first);
    }
    for (int i = 0; i < 1000 && reaped == 0; i++) { /* 1 s to end */
        reaped = waitpid(w->pid, &status, WNOHANG);
        if (reaped == 0)
            usleep(1000);
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

/* The end of the connection would show it too, unless a child of the variant still holds it. */
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
            char busy[100] = "";
            if (card_by_mpi(w->variant))
                ranks_busy(w, busy, sizeof busy);
            kill_and_reap(w, &status);
            return fate_set(&w->fate, OUTCOME_TIMEOUT, "no answer from %s within %.3g s%s",
                            worker_doing(w, &note), timeout, busy);
        }
        /* In short steps, because a signal may come between the test above and the wait. */
        struct last_words first;
        if (poll(&ready, 1, left < 0.1 ? (int)(left * 1e3) + 1 : 100) > 0 || has_ended(w) ||
            (card_by_mpi(w->variant) && ranks_first_end(w, 0.0, &first))) /* sooner than its launcher acts on it */
            return true;
    }
}

static bool printed_something(struct worker *w)
{
    char said[200];

    if (worker_may_print || lseek(w->stdout_file, 0, SEEK_END) <= 0)
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

/* A variant may have written the reply, so check what the code assumes about it. */
static bool is_sound(struct reply *a)
{
    a->text[sizeof a->text - 1] = '\0';
    a->mpi.library[sizeof a->mpi.library - 1] = a->mpi.transport[sizeof a->mpi.transport - 1] = '\0';
    for (size_t i = 0; i < MAX_DEVICES; i++)
        a->facts[i].name[sizeof a->facts[i].name - 1] = '\0';
    return (unsigned)a->outcome <= OUTCOME_STOPPED && a->samples.count <= MAX_SAMPLES &&
           a->devices >= 0 && a->devices <= MAX_DEVICES;
}

static void go_on(const struct worker *w)
{
    kill(-w->pid, SIGCONT);
    if (may_leave_group(w))
        tree_rest(w->pid, false);
}

static bool ask(struct worker *w, const struct request *request, const int files[], size_t count,
                struct reply *reply, double timeout)
{
    if (w->pid == 0)
        return false;
    if (w->resting)
        go_on(w);
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
        return fate_set(&w->fate, OUTCOME_BREACH, "sends its own replies over the worker's socket");
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
    if (w->resting && may_leave_group(w))
        tree_rest(w->pid, true);
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

/* Found once: the worker is the first process that a keeper starts. */
pid_t worker_process(struct worker *w)
{
    if (w->process == 0)
        w->process = w->report > 0 ? keeper_worker(w->pid) : w->pid;
    return w->process;
}

bool worker_stands_still(struct worker *w)
{
    return tree_stands_still(worker_process(w));
}

/* A worker in C whose variant starts processes is a breach after its release; looking for them all the time would cost
   more than it tells. */
double worker_cpu(struct worker *w)
{
    const pid_t process = worker_process(w);

    return card_is_tree(w->variant) ? tree_cpu(process) : process > 0 ? clock_cpu_of(process) : 0.0;
}

double worker_memory(struct worker *w)
{
    return w->pid > 0 ? tree_peak(worker_process(w)) : (double)NAN;
}

void worker_forget_memory(struct worker *w)
{
    tree_forget_peak(worker_process(w));
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
    if (w->folder[0] != '\0')
        own_folder_remove(w->folder, w->holds_folder);
    w->folder[0] = '\0';
}
