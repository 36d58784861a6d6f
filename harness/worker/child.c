/* The worker's side: serves the parent's requests for one variant, and leaves a note if the process
   ends. */
#define _GNU_SOURCE
#include <errno.h>
#include <dirent.h>
#include <dlfcn.h>
#include <fenv.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "harness/base/clock.h"
#include "harness/base/memory.h"
#include "harness/base/random.h"
#include "harness/worker/keep_on.h"
#include "harness/worker/protocol.h"
#include "harness/worker/sample.h"

int worker_connection = WORKER_SOCKET;
unsigned long worker_requests;
struct rank_facts worker_mpi;
void (*worker_leaves)(void);

static struct stage stage;
static int threads_before;
static size_t base; /* where the variant's file begins in memory; 0: not known */

/* --- last words ------------------------------------------------------------------------------- */

/* Returns the instruction of a fault, as an address in the variant's file.  It means something only where this is the variant's code. */
static size_t place_in_file(const ucontext_t *context)
{
#if defined(__x86_64__)
    return base != 0 ? (size_t)context->uc_mcontext.gregs[REG_RIP] - base : 0;
#elif defined(__aarch64__)
    return base != 0 ? (size_t)context->uc_mcontext.pc - base : 0;
#else
    (void)context;
    return 0;
#endif
}

static void on_fault(int number, siginfo_t *info, void *context)
{
    if (stage.ledger != NULL && stage.ledger->signal == 0) {
        stage.ledger->signal = number;
        stage.ledger->address = number == SIGSYS ? (const void *)(intptr_t)info->si_syscall
                                                 : info->si_addr;
        stage.ledger->code = place_in_file(context);
#if defined(__x86_64__)
        stage.ledger->wrote = (((ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#endif
    }
    signal(number, SIG_DFL);
    raise(number);
}

static void on_no_memory(size_t wanted, size_t allowed)
{
    if (stage.ledger == NULL || stage.ledger->activity == IN_HARNESS)
        return; /* not an allocation of the variant */
    stage.ledger->wanted = wanted;
    stage.ledger->allowed = allowed;
    _exit(WORKER_NO_MEMORY);
}

static void catch_faults(void)
{
    static char stack[64 * 1024]; /* after a stack overflow, the handler needs another stack */
    stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS};

    sigaltstack(&alternate, NULL);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        sigaction(faults[i], &action, NULL);
}

/* --- another place for the heap ---------------------------------------------------------------- */

/* Before prepare: moves the heap, so that later allocations lie elsewhere
   (harness/measure/randomize_layout.h). */
static void relocate_heap(void)
{
    static void *small, *large;
    static size_t large_bytes;
    static uint64_t times;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint64_t bits = random_bits((uint64_t)(clock_now() * 1e9), (uint64_t)getpid(), times++);

    free(small); /* malloc's heap now begins behind a block of random length, */
    small = malloc((1 + bits % 64) * page + (bits >> 8) % 64 * 64);
    if (large_bytes > 0)
        munmap(large, large_bytes);
    large_bytes = (1 + (bits >> 32) % 512) * page; /* and its mappings lie below a random number of
                                                      pages */
    large = mmap(NULL, large_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (large == MAP_FAILED)
        large_bytes = 0;
}

/* --- what a variant may leave behind ------------------------------------------------------------- */

static int count_threads(void)
{
    DIR *tasks = opendir("/proc/self/task");
    int count = 0;

    while (tasks != NULL && readdir(tasks) != NULL)
        count++;
    if (tasks != NULL)
        closedir(tasks);
    return count;
}

static void say(struct reply *a, enum outcome outcome, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void say(struct reply *a, enum outcome outcome, const char *format, ...)
{
    va_list arguments;

    a->outcome = outcome;
    va_start(arguments, format);
    vsnprintf(a->text, sizeof a->text, format, arguments);
    va_end(arguments);
}

static void check_float_mode(struct reply *a)
{
    volatile float subnormal = 0x1p-140f, one = 1.0f;

    if (subnormal * one == 0.0f)
        say(a, OUTCOME_BREACH, "leaves subnormal numbers flushed to zero");
    if (fegetround() != FE_TONEAREST)
        say(a, OUTCOME_BREACH, "leaves the rounding mode changed");
}

#ifdef RUNGS_FOREIGN /* a library without OpenMP */
static void end_openmp(void)
{
}
#else
#include <omp.h>

static void end_openmp(void)
{
    omp_pause_resource_all(omp_pause_hard);
}
#endif

/* A GPU's driver starts threads of its own at the first use of a feature (managed memory, another
   device), and keeps them.  A leak of the variant shows after every release. */
enum { DRIVER_THREADS = 4 };

static void release(struct reply *a)
{
    static int times_left; /* releases that left more threads than there were before prepare */

    if (stage.variant->release != NULL) {
        stage.ledger->activity = IN_RELEASE;
        stage.variant->release();
        stage.ledger->activity = IN_HARNESS;
    }
    if (stage.foreign != NULL) /* an interpreter keeps its threads and processes */
        return;
    end_openmp(); /* OpenMP's threads are not the variant's to end. */
    int left = count_threads() - threads_before;
    for (double end = clock_now() + 1.0; left > 0 && clock_now() < end;) { /* They take a moment to end. */
        usleep(100); /* short, because randomize_layout releases in every block */
        left = count_threads() - threads_before;
    }
    times_left += left > 0;
    if (times_left > (stage.device == &device_cpu ? 0 : DRIVER_THREADS))
        say(a, OUTCOME_BREACH, "leaves %d thread%s running after release", left,
            left == 1 ? "" : "s");
    if (waitpid(-1, NULL, WNOHANG) >= 0)
        say(a, OUTCOME_BREACH, "leaves a process of its own after release");
    const char *on_device = stage.device->left != NULL ? stage.device->left() : NULL;
    if (on_device != NULL)
        say(a, OUTCOME_BREACH, "%s", on_device);
}

/* --- requests --------------------------------------------------------------------------------- */

static void close_files(const int files[])
{
    for (int i = 0; i < WORKER_FILES; i++)
        if (files[i] >= 0)
            close(files[i]);
}

/* Closes the files at once, so that the variant cannot find them. */
static void open_case(const struct request *q, const int files[], struct reply *a)
{
    const struct layout *layout = arena_map(files[0], files[1], q->blind);
    double start = clock_now();

    if (!q->blind)
        sample_open();
    stage.problem = layout->data;
    stage.ledger = arena_ledger();
    if (stage.foreign != NULL)
        stage.foreign(files);
    close_files(files);
    a->mpi = worker_mpi;
    const char *why = stage.device->missing();
    a->context = clock_now() - start;
    if (why != NULL) {
        say(a, OUTCOME_NO_DEVICE, "%s", why);
    } else if (stage.variant->refuse != NULL) {
        stage.ledger->activity = IN_REFUSE;
        why = stage.variant->refuse(stage.problem);
        stage.ledger->activity = IN_HARNESS;
        if (why != NULL)
            say(a, OUTCOME_REFUSED, "%s", why);
    }
}

static void show_inputs(const int files[])
{
    arena_map_inputs(files[0]);
    close_files(files);
}

/* Returns the shortest time between two stamps: shorter intervals cannot be measured. */
static double least_interval(const struct device *d)
{
    enum { TRIALS = 20 };
    double least = INFINITY;

    for (int i = 0; d->mark != NULL && i < TRIALS; i++) {
        d->mark(0);
        d->mark(1);
        d->sync();
        double interval = d->seconds(0, 1);
        least = interval > 0.0 ? fmin(least, interval) : least;
    }
    return least;
}

static void facts(struct reply *a)
{
    const char *why = stage.device->missing();

    if (why != NULL) {
        say(a, OUTCOME_NO_DEVICE, "%s", why);
        return;
    }
    a->devices = stage.device->facts(a->facts, MAX_DEVICES);
    a->device_step = least_interval(stage.device);
}

/* Makes calls for a profiler.  Earlier calls have warmed up. */
static void capture(const struct request *q, struct reply *a)
{
    if (stage.device->capture != NULL)
        stage.device->capture(1);
    double start = clock_now();

    do {
        stage_cycle(&stage);
        a->reps++;
        a->seconds = clock_now() - start;
    } while (a->seconds < q->seconds);
    if (stage.device->capture != NULL)
        stage.device->capture(0);
}

/* Opens a range on a profiler's time line that contains those of the phases: the variant, the cell,
   its setup.  A device without a clock has no time line, and gets the phases alone. */
static void enter(const char *range)
{
    if (stage.device->enter != NULL && stage.device->mark != NULL)
        stage.device->enter(range);
}

static void leave(void)
{
    if (stage.device->leave != NULL && stage.device->mark != NULL)
        stage.device->leave();
}

static const char *cell_name(void)
{
    const struct layout *open = arena_open_layout();

    return open != NULL ? open->cell : "no cell";
}

static void prepare(void)
{
    if (stage.foreign == NULL)
        relocate_heap();
    threads_before = count_threads();
    sample_begin();
    enter("setup");
    stage_do(&stage, IN_PREPARE, stage.variant->prepare);
    stage.device->sync();
    leave();
}

static void list_evaluations(struct reply *a)
{
    if (stage.variant->evaluations == NULL)
        return;
    stage.ledger->activity = IN_DOWNLOAD;
    a->evaluated = stage.variant->evaluations(a->evaluations, EVALUATIONS_KEPT);
    stage.ledger->activity = IN_HARNESS;
}

static void answer(const struct request *q, const int files[], struct reply *a)
{
    double start = clock_now(), cpu = clock_cpu();

    a->nonce = q->nonce;
    switch (q->op) {
    case OP_OPEN: open_case(q, files, a); break;
    case OP_PREPARE: prepare(); break;
    case OP_SHOW: show_inputs(files); break;
    case OP_CALL: stage_cycle(&stage); break;
    case OP_AGAIN: a->reps = stage_again(&stage); break;
    case OP_COPIES: stage_copies(&stage); break;
    case OP_CAPTURE: capture(q, a); break;
    case OP_WARM: sample_warm(&stage, q, a); break;
    case OP_BLOCK: sample_block(&stage, q, a); break;
    case OP_KEEP_ON: stage_cycle(&stage); break;
    case OP_STOP: a->cycles = keep_on_cycles(q->from, q->until); break;
    case OP_RELEASE: release(a); break;
    case OP_FACTS: facts(a); break;
    }
    if (q->op != OP_WARM && q->op != OP_CAPTURE)
        a->seconds = clock_now() - start;
    a->cpu_seconds = clock_cpu() - cpu;
    if (q->op == OP_CALL || q->op == OP_BLOCK)
        check_float_mode(a);
    if (q->op == OP_CALL)
        list_evaluations(a);
    if (q->op == OP_CALL)
        a->threads = (count_threads() - threads_before + 1) * (worker_mpi.ranks > 0 ? worker_mpi.ranks : 1);
    fflush(stdout); /* so that the parent sees what the variant printed */
}

/* Receives the next request and its files, -1 for each missing one.  Returns false if there are no
   more requests. */
static bool receive(struct request *q, int files[])
{
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(WORKER_FILES * sizeof(int))];
    } control;
    struct iovec text = {.iov_base = q, .iov_len = sizeof *q};
    struct msghdr message = {.msg_iov = &text, .msg_iovlen = 1, .msg_control = &control,
                             .msg_controllen = sizeof control};

    for (int i = 0; i < WORKER_FILES; i++)
        files[i] = -1;
    if (recvmsg(worker_connection, &message, MSG_CMSG_CLOEXEC) != (ssize_t)sizeof *q)
        return false;
    const struct cmsghdr *with = CMSG_FIRSTHDR(&message);
    if (with != NULL && with->cmsg_type == SCM_RIGHTS)
        memcpy(files, CMSG_DATA(with), with->cmsg_len - CMSG_LEN(0));
    return true;
}

static bool asked(void)
{
    char first;
    struct iovec text = {.iov_base = &first, .iov_len = sizeof first};
    struct msghdr message = {.msg_iov = &text, .msg_iovlen = 1};

    return recvmsg(worker_connection, &message, MSG_PEEK | MSG_DONTWAIT) >= 0 || (errno != EAGAIN && errno != EINTR);
}

void worker_watch(struct ledger *note, size_t memory)
{
    stage.ledger = note;
    catch_faults();
    memory_limit(memory, on_no_memory);
}

_Noreturn void worker_serve(const char *name, const struct variant *variant, worker_opened *foreign,
                            size_t memory)
{
    const pid_t self = getpid();
    struct request request;
    struct reply reply;
    int files[WORKER_FILES];
    Dl_info of;

    prctl(PR_SET_CHILD_SUBREAPER, 1); /* so that children of the variant's children are found, too */
    stage.variant = variant;
    stage.foreign = foreign;
    if (foreign == NULL && dladdr((void *)(uintptr_t)variant->run, &of) != 0)
        base = (size_t)of.dli_fbase;
    stage.device = stage.variant->device != NULL ? stage.variant->device : &device_cpu;
    /* A GPU's driver maps much memory; its variants have no limit on the host. */
    worker_watch(NULL, stage.device == &device_cpu ? memory : 0);

    while (receive(&request, files)) {
        worker_requests++;
        memset(&reply, 0, sizeof reply);
        enter(name);
        enter(cell_name());
        answer(&request, files, &reply);
        leave();
        leave();
        if (getpid() != self)
            _exit(0); /* a child process of the variant that has returned here */
        if (send(worker_connection, &reply, sizeof reply, MSG_NOSIGNAL) != (ssize_t)sizeof reply)
            break;
        if (request.op == OP_KEEP_ON)
            keep_on(&stage, asked);
    }
    if (worker_leaves != NULL)
        worker_leaves();
    _exit(0);
}
