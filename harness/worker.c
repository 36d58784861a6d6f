/* The worker's side: holds one rung, does what the parent asks, leaves a note if it dies. */
#define _GNU_SOURCE
#include "harness/worker.h"

#include <dirent.h>
#include <fenv.h>
#include <math.h>
#include <omp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "harness/ceilings.h"
#include "harness/clock.h"
#include "harness/memory.h"
#include "harness/registry.h"
#include "harness/relocate.h"
#include "harness/spawn.h"

const char *const phase_names[] = {"harness",  "refuse", "prepare", "upload",
                                   "run",      "download", "release"};
enum { IN_HARNESS, IN_REFUSE, IN_PREPARE, IN_UPLOAD, IN_RUN, IN_DOWNLOAD, IN_RELEASE };

static const struct variant *rung;
static const struct device *device;
static const struct layout *layout; /* of the case that is open; ->data is the case */
static struct ledger *ledger;       /* NULL until a case is open */
static int threads_before;

/* --- last words ------------------------------------------------------------------------------- */

static void on_fault(int number, siginfo_t *info, void *context)
{
    if (ledger != NULL && ledger->signal == 0) {
        ledger->signal = number;
        ledger->address = info->si_addr;
#if defined(__x86_64__)
        ledger->wrote = (((ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#else
        (void)context;
#endif
    }
    signal(number, SIG_DFL);
    raise(number);
}

static void on_no_memory(size_t wanted, size_t allowed)
{
    if (ledger == NULL || ledger->phase == IN_HARNESS)
        return; /* not the rung's */
    ledger->wanted = wanted;
    ledger->allowed = allowed;
    _exit(WORKER_NO_MEMORY);
}

static void catch_faults(void)
{
    static char stack[64 * 1024]; /* a stack overflow leaves none to handle it on */
    stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

    sigaltstack(&alternate, NULL);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        sigaction(faults[i], &action, NULL);
}

/* --- the rung's phases ------------------------------------------------------------------------ */

static void phase(int which, void (*function)(const void *))
{
    if (function == NULL)
        return;
    ledger->phase = which;
    function(layout->data);
    ledger->phase = IN_HARNESS;
}

static void cycle(void)
{
    phase(IN_UPLOAD, rung->upload);
    phase(IN_RUN, rung->run);
    phase(IN_DOWNLOAD, rung->download);
    device->sync();
}

/* The same cycle with stamps of the device's own clock between the phases. */
static void cycle_by_phases(struct samples *s, unsigned i)
{
    device->mark(0);
    phase(IN_UPLOAD, rung->upload);
    device->mark(1);
    phase(IN_RUN, rung->run);
    device->mark(2);
    phase(IN_DOWNLOAD, rung->download);
    device->mark(3);
    device->sync();
    s->upload[i] = device->seconds(0, 1);
    s->run[i] = device->seconds(1, 2);
    s->download[i] = device->seconds(2, 3);
}

static double time_cycles(unsigned long reps)
{
    double start = clock_now();

    for (unsigned long r = 0; r < reps; r++)
        cycle();
    return clock_now() - start;
}

/* Phases and the whole are timed in different calls, in turn: stamps cost time of their own. */
static void block(const struct request *q, struct reply *a)
{
    bool phases = rung->upload != NULL || rung->download != NULL;
    unsigned i;

    if (q->settle)
        cycle();
    double start = clock_now();

    for (i = 0; i < q->samples && (i == 0 || clock_now() - start < q->seconds); i++) {
        if (phases)
            cycle_by_phases(&a->samples, i);
        a->samples.e2e[i] = time_cycles(q->reps) / (double)q->reps;
    }
    a->samples.count = i;
}

/* Runs until the time is up, and grows the number of cycles in a sample, tenfold at most in one
   step, until twice in a row a sample would last as long as it should at the best rate seen: one
   that was interrupted only seems long, and samples of different lengths do not compare. */
static void warm(const struct request *q, struct reply *a)
{
    double start = clock_now(), best = INFINITY;
    unsigned long reps = 1;
    int long_enough = 0, calls = 0;

    do {
        best = fmin(best, time_cycles(reps) / (double)reps);
        calls++;
        if (best * (double)reps >= q->target) {
            long_enough++;
        } else {
            double factor = best > 0.0 ? 1.2 * q->target / (best * (double)reps) : 10.0;
            reps = (unsigned long)((double)reps * (factor < 10.0 ? factor : 10.0)) + 1;
            long_enough = 0;
        }
    } while (long_enough < 2 || ((calls < 3 || clock_now() - start < q->seconds) &&
                                 clock_now() - start < 10.0 * q->seconds));
    a->seconds = best;
    a->reps = reps;
}

/* --- what a rung may leave behind ------------------------------------------------------------- */

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

/* A GPU's driver starts threads of its own when something is used for the first time (managed
   memory, another device), and keeps them; a rung's leak comes back with every release. */
enum { DRIVER_THREADS = 4 };

static void release(struct reply *a)
{
    static int times_left; /* releases after which there were more threads than before prepare */

    if (rung->release != NULL) {
        ledger->phase = IN_RELEASE;
        rung->release();
        ledger->phase = IN_HARNESS;
    }
    omp_pause_resource_all(omp_pause_hard); /* OpenMP's own threads are no rung's to end, */
    int left = count_threads() - threads_before;
    for (int wait = 0; wait < 200 && left > 0; wait++) { /* and they take a moment to */
        usleep(5000);
        left = count_threads() - threads_before;
    }
    times_left += left > 0;
    if (times_left > (device == &device_cpu ? 0 : DRIVER_THREADS))
        say(a, OUTCOME_BREACH, "leaves %d thread%s running after release", left,
            left == 1 ? "" : "s");
    if (waitpid(-1, NULL, WNOHANG) >= 0)
        say(a, OUTCOME_BREACH, "leaves a process of its own after release");
    const char *on_device = device->left != NULL ? device->left() : NULL;
    if (on_device != NULL)
        say(a, OUTCOME_BREACH, "%s", on_device);
}

/* --- requests --------------------------------------------------------------------------------- */

static void open_case(struct reply *a)
{
    layout = arena_map(WORKER_INPUTS, WORKER_OUTPUTS);
    ledger = arena_ledger();

    const char *why = device->missing();
    if (why != NULL) {
        say(a, OUTCOME_NO_DEVICE, "%s", why);
    } else if (rung->refuse != NULL) {
        ledger->phase = IN_REFUSE;
        why = rung->refuse(layout->data);
        ledger->phase = IN_HARNESS;
        if (why != NULL)
            say(a, OUTCOME_REFUSED, "%s", why);
    }
}

static void answer(const struct request *q, struct reply *a)
{
    double start = clock_now(), cpu = clock_cpu();

    switch (q->op) {
    case OP_OPEN: open_case(a); break;
    case OP_PREPARE:
        relocate_heap();
        if (q->blind)
            arena_hide_inputs(true);
        threads_before = count_threads();
        phase(IN_PREPARE, rung->prepare);
        device->sync();
        if (q->blind)
            arena_hide_inputs(false);
        break;
    case OP_CALL: cycle(); break;
    case OP_WARM: warm(q, a); break;
    case OP_BLOCK: block(q, a); break;
    case OP_RELEASE: release(a); break;
    }
    if (q->op != OP_WARM)
        a->seconds = clock_now() - start;
    a->cpu_seconds = clock_cpu() - cpu;
    if (q->op == OP_CALL || q->op == OP_BLOCK)
        check_float_mode(a);
    if (q->op == OP_CALL)
        a->threads = count_threads() - threads_before + 1;
    fflush(stdout); /* so that the parent sees what the rung printed */
}

_Noreturn void worker_main(char **arguments)
{
    const pid_t self = getpid();
    struct request request;
    struct reply reply;

    prctl(PR_SET_CHILD_SUBREAPER, 1); /* so that a child of the rung's child is found, too */
    rung = ceiling_find(arguments[0]);
    if (rung == NULL)
        rung = registry_find(arguments[0]);
    if (rung == NULL)
        _exit(WORKER_BROKEN);
    device = rung->device != NULL ? rung->device : &device_cpu;
    catch_faults();
    /* A GPU's driver maps what it likes; its rungs have no limit on the host. */
    memory_limit(device == &device_cpu ? strtoull(arguments[1], NULL, 10) : 0, on_no_memory);

    while (recv(WORKER_SOCKET, &request, sizeof request, 0) == (ssize_t)sizeof request) {
        memset(&reply, 0, sizeof reply);
        answer(&request, &reply);
        if (getpid() != self)
            _exit(0); /* a child, which the rung has let come back here */
        if (send(WORKER_SOCKET, &reply, sizeof reply, MSG_NOSIGNAL) != (ssize_t)sizeof reply)
            break;
    }
    _exit(0);
}
