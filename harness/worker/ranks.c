/*
 * The program rungs-ranks: one rank of an MPI variant (common/mpi.h).  A simulated variant is linked with it into a program
 * of its own.
 *
 * Rank 0 serves the parent's requests as any worker does.  Before it calls a phase, it sends the phase and the case to all
 * other ranks, which then call it, too.  Beside each rank a process watches it, and reports how it ended.
 */
/* needs: mpicc */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <mpi.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/clock.h"
#include "harness/base/text.h"
#include "harness/worker/confine.h"
#include "harness/worker/hand_over.h"
#include "harness/worker/last_words.h"
#include "harness/worker/load.h"

static const struct variant *variant;
static MPI_Comm ours; /* apart from the variant's messages */
static int rank, ranks;
static struct last_words *words; /* shared with the process that watches this one */
static int said;                 /* the rank's standard error */
static int outside = STDERR_FILENO; /* that of the launcher, which passes it on */

/* --- the watch ------------------------------------------------------------------------------------ */

/* Reports how the rank ends, after what it has printed. */
static void report_end(int status)
{
    char text[4096];
    const off_t end = lseek(said, 0, SEEK_END);
    const off_t start = end > (off_t)sizeof text - 1 ? end - (off_t)sizeof text + 1 : 0;
    const ssize_t got = pread(said, text, sizeof text - 1, start);

    text[got > 0 ? got : 0] = '\0';
    (void)!write(outside, text, strlen(text));
    text_last_line(text, words->said, sizeof words->said);
    words->ended = true;
    words->status = status;
    last_words_write(words, outside);
}

/* Returns whether the rank has ended.  SIGTERM is how launchers end the ranks that are left when one has failed. */
static bool ended(pid_t its)
{
    int status;

    if (waitpid(its, &status, WNOHANG) != its)
        return false;
    if (!words->ended && (!WIFSIGNALED(status) || WTERMSIG(status) != SIGTERM))
        report_end(status);
    return true;
}

/* The parent asks for a report by SIGUSR1, which launchers pass on to every rank.  A rank that ends has not finished MPI, so
   its launcher must end the others: never status 0. */
_Noreturn static void watch(pid_t its, const sigset_t *signals)
{
    for (;;) {
        const int number = sigwaitinfo(signals, NULL);
        if (number == SIGUSR1)
            last_words_write(words, outside);
        if (ended(its))
            _exit(EXIT_FAILURE);
    }
}

/* Returns in a new process, which is the rank. */
static void begin_watch(void)
{
    sigset_t signals, before;

    said = memfd_create("rungs-stderr", MFD_CLOEXEC);
    words = mmap(NULL, sizeof *words, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (said < 0 || words == MAP_FAILED)
        abort();
    sigemptyset(&signals);
    sigaddset(&signals, SIGCHLD);
    sigaddset(&signals, SIGUSR1);
    sigprocmask(SIG_BLOCK, &signals, &before);
    const pid_t watched = fork();
    if (watched < 0)
        abort();
    if (watched > 0)
        watch(watched, &signals);
    outside = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    dup2(said, STDERR_FILENO);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGUSR1, SIG_IGN); /* a launcher may send it to the whole group */
    sigprocmask(SIG_SETMASK, &before, NULL);
}

/* A variant that gives up.  The launcher then ends all processes, this rank's watch among them, so it reports now. */
int MPI_Abort(MPI_Comm comm, int code)
{
    enum { SHIFT = 8 }; /* of an exit status in a status of waitpid */

    report_end((code & 0xff) << SHIFT);
    return PMPI_Abort(comm, code);
}

/* MPI's own handler would not tell which rank it was. */
static void on_mpi_error(MPI_Comm *comm, int *code, ...)
{
    char text[MPI_MAX_ERROR_STRING];
    int length;

    MPI_Error_string(*code, text, &length);
    fprintf(stderr, "%s\n", text);
    MPI_Abort(*comm, EXIT_FAILURE);
}

/* --- orders ----------------------------------------------------------------------------------------- */

static struct order {
    enum activity phase;
    _Alignas(64) char data[CASE_BYTES];
} order;

/* Along a tree: each rank passes it to those above it by the powers of two below its own lowest bit. */
static void pass_on(void)
{
    int bit = 1;

    while (bit < ranks && (rank & bit) == 0)
        bit *= 2;
    while ((bit /= 2) > 0)
        if (rank + bit < ranks)
            MPI_Send(&order, sizeof order, MPI_BYTE, rank + bit, 0, ours);
}

/* Orders follow one another closely while calls are timed, so a rank looks for the next one all the time.  At other times
   they may not come for seconds: then it sleeps, in longer and longer steps.  After it has been stopped, a turn begins. */
static void await(void)
{
    static const double SPIN = 2e-3, SOON = 20e-3, STOPPED = 5e-3;
    enum { SHORT = 50, LONG = 1000 }; /* microseconds */
    double start = clock_now(), last = start;
    MPI_Request request;
    int there = 0;

    MPI_Irecv(&order, sizeof order, MPI_BYTE, rank & (rank - 1), 0, ours, &request);
    for (;;) {
        MPI_Test(&request, &there, MPI_STATUS_IGNORE);
        if (there != 0)
            break;
        const double now = clock_now();
        start = now - last > STOPPED ? now : start;
        last = now;
        if (now - start > SPIN)
            usleep(now - start > SOON ? LONG : SHORT);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* it has been received: returns at once */
}

/* Its own work has ended before a rank says that it has done a phase. */
static void finish(enum activity phase)
{
    if (variant->device == NULL)
        return;
    variant->device->sync();
    const char *left = phase == IN_RELEASE && variant->device->left != NULL ? variant->device->left() : NULL;
    if (left != NULL) {
        fprintf(stderr, "%s\n", left);
        exit(EXIT_FAILURE);
    }
}

static void do_phase(enum activity phase, const void *problem)
{
    void (*const phases[ACTIVITIES])(const void *) = {
        [IN_PREPARE] = variant->prepare, [IN_UPLOAD] = variant->upload, [IN_RESET] = variant->reset,
        [IN_RUN] = variant->run, [IN_DOWNLOAD] = variant->download};

    words->note.activity = (int)phase;
    if (phase == IN_RELEASE && variant->release != NULL)
        variant->release();
    if (phases[phase] != NULL)
        phases[phase](problem);
    finish(phase);
    words->note.activity = IN_HARNESS;
    MPI_Barrier(ours);
}

_Noreturn static void follow(size_t memory)
{
    worker_watch(&words->note, variant->device == NULL ? memory : 0); /* a GPU's driver maps more than there is */
    for (;;) {
        await();
        pass_on();
        do_phase(order.phase, order.data);
    }
}

/* --- rank 0 ------------------------------------------------------------------------------------------ */

/* The arrays are in this process alone. */
static void hide_arrays(void)
{
    const struct layout *open = arena_open_layout();
    const char **words_of_case = (const char **)(void *)order.data;

    for (size_t i = 0; i < CASE_BYTES / sizeof *words_of_case; i++)
        for (size_t s = 0; s < open->count; s++)
            if (words_of_case[i] != NULL && words_of_case[i] == open->slots[s].start)
                words_of_case[i] = NULL;
}

static void together(enum activity phase, const void *problem)
{
    order.phase = phase;
    if (problem != NULL) {
        memcpy(order.data, problem, sizeof order.data);
        hide_arrays();
    }
    pass_on();
    do_phase(phase, problem);
}

static void prepare(const void *problem)
{
    together(IN_PREPARE, problem);
}

static void upload(const void *problem)
{
    together(IN_UPLOAD, problem);
}

static void reset(const void *problem)
{
    together(IN_RESET, problem);
}

static void run(const void *problem)
{
    together(IN_RUN, problem);
}

static void download(const void *problem)
{
    together(IN_DOWNLOAD, problem);
}

static void release(void)
{
    together(IN_RELEASE, NULL);
}

/* A phase has ended everywhere when its function returns, so the host's clock times it: events would time rank 0's GPU.
   Work cannot be queued behind a kernel that only rank 0 has, and the caches of the others are not emptied. */
static double stamps[DEVICE_MARKS];

static void mark(int i)
{
    stamps[i] = clock_now();
}

static double seconds(int i, int j)
{
    return stamps[j] - stamps[i];
}

static const struct device *device_of_all(const struct device *one)
{
    static struct device all;

    if (one == NULL)
        return NULL;
    all = *one;
    all.lead = NULL;
    all.evict = NULL;
    all.left = NULL; /* do_phase has asked */
    if (one->mark != NULL) { /* the simulator's has no clock */
        all.mark = mark;
        all.seconds = seconds;
    }
    return &all;
}

/* Otherwise ranks on other hosts would wait for orders for ever. */
static void end_all(void)
{
    PMPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

_Noreturn static void lead(const char *socket, const char *name, size_t memory)
{
    static struct variant all;

    worker_connection = hand_over_take(socket);
    if (worker_connection < 0) {
        fprintf(stderr, "rank 0 does not run on the host of rungs: see RUNGS_MPI\n");
        exit(WORKER_BROKEN);
    }
    all = *variant;
    all.device = device_of_all(variant->device);
    all.prepare = prepare;
    all.upload = variant->upload != NULL ? upload : NULL;
    all.reset = variant->reset != NULL ? reset : NULL;
    all.run = run;
    all.download = variant->download != NULL ? download : NULL;
    all.release = release;
    worker_leaves = end_all;
    worker_serve(name, &all, NULL, memory);
}

/* --- MPI itself --------------------------------------------------------------------------------------- */

/* Calls `see` with the path of each file that this process has mapped. */
static void each_mapped(void (*see)(const char *path))
{
    FILE *maps = fopen("/proc/self/maps", "re");
    char line[4352];

    while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        const char *path = strchr(line, '/');
        if (path != NULL)
            see(path);
    }
    if (maps != NULL)
        fclose(maps);
}

/* Open MPI loads what carries messages as files: mca_pml_ob1.so, mca_btl_vader.so. */
static void note_transport(const char *path)
{
    static const char *const kinds[] = {"/mca_pml_", "/mca_mtl_", "/mca_btl_"};
    char name[32], *text = worker_mpi.transport;
    const size_t used = strlen(text);

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const char *at = strstr(path, kinds[i]);
        if (at == NULL)
            continue;
        at += strlen(kinds[i]);
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at, "."), at);
        if (strcmp(name, "self") != 0 && strstr(text, name) == NULL)
            snprintf(text + used, sizeof worker_mpi.transport - used, "%s%s", used > 0 ? " " : "", name);
    }
}

/* NCCL comes with the variant.  Which way its messages go it decides later, when it makes a communicator. */
static void note_nccl(const char *path)
{
    int (*get_version)(int *);
    int version = 0;

    if (strstr(path, "/libnccl.so") == NULL || strstr(worker_mpi.library, "NCCL") != NULL)
        return;
    void *object = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
    *(void **)&get_version = object != NULL ? dlsym(object, "ncclGetVersion") : NULL;
    if (get_version == NULL || get_version(&version) != 0)
        return;
    const size_t used = strlen(worker_mpi.library);
    snprintf(worker_mpi.library + used, sizeof worker_mpi.library - used, ", NCCL %d.%d.%d", version / 10000,
             version / 100 % 100, version % 100);
}

/* All ranks have opened them.  A process that is killed would leave them, and their memory. */
static void remove_shared(const char *path)
{
    if (strncmp(path, "/dev/shm/", strlen("/dev/shm/")) == 0)
        (void)unlink(path);
}

/* MPICH says it in the text of its version: "MPICH Device:	ch4:ucx". */
static void note_library(void)
{
    static const char device[] = "MPICH Device:";
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;

    MPI_Get_library_version(text, &length);
    const char *at = strstr(text, device);
    if (at != NULL) {
        at += sizeof device - 1;
        at += strspn(at, " \t");
        snprintf(worker_mpi.transport, sizeof worker_mpi.transport, "%.*s", (int)strcspn(at, "\n"), at);
    } else {
        each_mapped(note_transport);
    }
    for (char *c = text; *c != '\0'; c++)
        *c = (char)(*c == '\t' ? ' ' : *c);
    snprintf(worker_mpi.library, sizeof worker_mpi.library, "%.*s", (int)strcspn(text, ",\n"), text);
}

/* Each rank of a host stays on a processor of its own, if there are as many.  Otherwise two that wait for each other may
   share one for long, while the other processes of the machine use the second. */
static void take_processor(int within, int here)
{
    cpu_set_t set, own;
    int processor = -1;

    if (sched_getaffinity(0, sizeof set, &set) != 0 || CPU_COUNT(&set) < here)
        return;
    for (int left = within; left >= 0; left--)
        do
            processor++;
        while (!CPU_ISSET((size_t)processor, &set));
    CPU_ZERO(&own);
    CPU_SET((size_t)processor, &own);
    (void)sched_setaffinity(0, sizeof own, &own);
}

static void look_at_hosts(void)
{
    MPI_Comm host;
    int within, here, first;
    char number[16];

    MPI_Comm_split_type(ours, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    MPI_Comm_rank(host, &within);
    MPI_Comm_size(host, &here);
    take_processor(within, here);
    snprintf(number, sizeof number, "%d", within);
    setenv("RUNGS_HOST_RANK", number, 1);
    snprintf(number, sizeof number, "%d", here);
    setenv("RUNGS_HOST_RANKS", number, 1);
    first = within == 0;
    MPI_Reduce(&first, &worker_mpi.hosts, 1, MPI_INT, MPI_SUM, 0, ours);
    MPI_Comm_free(&host);
}

/* A confined process cannot open what another has in /proc, or read its memory.  What has faulted says the watch. */
static void settle(void)
{
    static const char *const settings[][2] = {
        {"OMPI_MCA_btl_vader_single_copy_mechanism", "none"}, {"OMPI_MCA_btl_sm_single_copy_mechanism", "none"},
        {"UCX_POSIX_USE_PROC_LINK", "n"},                     {"OMPI_MCA_opal_signal", ""},
    };

    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        setenv(settings[i][0], settings[i][1], 0);
}

/* Where the folder is, which the worker's end removes; on other hosts it is not. */
static void share_below(const char *folder)
{
    if (folder[0] == '\0' || access(folder, W_OK) != 0)
        return;
    setenv("OMPI_MCA_btl_vader_backing_directory", folder, 1);
    setenv("OMPI_MCA_btl_sm_backing_directory", folder, 1);
}

/* Every pair exchanges a message, so that all have connected, and none opens a shared file later. */
static void begin_mpi(int *argc, char ***argv)
{
    MPI_Errhandler handler;
    int level;

    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    words->rank = rank;
    words->ranks = worker_mpi.ranks = ranks;
    MPI_Comm_create_errhandler(on_mpi_error, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Comm_dup(MPI_COMM_WORLD, &ours); /* which has the handler, too */
    char *letters = calloc(2, (size_t)ranks);
    MPI_Alltoall(letters, 1, MPI_BYTE, letters + ranks, 1, MPI_BYTE, ours);
    free(letters);
    note_library();
    look_at_hosts();
    MPI_Barrier(ours);
    each_mapped(remove_shared);
}

/* A launcher of another library than this program is linked with starts ranks that do not find each other. */
static void must_be(int asked)
{
    if (ranks == asked)
        return;
    fprintf(stderr, "MPI has %d rank%s in place of %d: RUNGS_MPI is of another library than the build's\n", ranks,
            ranks == 1 ? "" : "s", asked);
    exit(WORKER_BROKEN);
}

/* mpirun starts it: RANKS SOCKET NAME FILE MEMORY FOLDER DEVICE.  make starts a simulated variant: --card. */
int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--card") == 0)
        return card_print(argv[0]);
    if (argc != 8) {
        fprintf(stderr, "rungs starts this program by mpirun (docs/clusters.md)\n");
        return 2;
    }
    const enum reach reach = strcmp(argv[7], "cpu") == 0 ? REACH_RANKS : REACH_RANKS_CARDS;

    begin_watch();
    confine_own(argv[6]);
    confine(confine_level(reach), reach); /* before MPI starts threads, which would not be confined */
    settle();
    share_below(argv[6]);
    begin_mpi(&argc, &argv);
    must_be(atoi(argv[1]));
    variant = variant_load(argv[4]);
    if (variant == NULL)
        return WORKER_BROKEN;
    each_mapped(note_nccl);
    const size_t memory = strtoull(argv[5], NULL, 10);
    if (rank == 0)
        lead(argv[2], argv[3], memory);
    follow(memory);
}
