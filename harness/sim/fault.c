/* Accesses to closed addresses: a device's memory from the host, freed memory, the end of a stack. */
#define _GNU_SOURCE
#include <execinfo.h>
#include <signal.h>
#include <string.h>
#include <ucontext.h>

#include "harness/sim/traffic.h"

extern const char __executable_start[], etext[]; /* the program's code */

static const int signals[] = {SIGSEGV, SIGBUS};
static struct sigaction before[2];
static int entered;
static stack_t others_stack;
static char handlers_stack[64 << 10]; /* a stack of its own, because the fault may be a stack overflow */

static const void *program_counter(const void *context)
{
    const ucontext_t *c = context;

#if defined(__x86_64__)
    return (const char *)c->uc_mcontext.gregs[REG_RIP] + 1;
#elif defined(__aarch64__)
    return (const char *)c->uc_mcontext.pc + 1;
#else
    return c;
#endif
}

static bool is_write(const void *context)
{
#if defined(__x86_64__)
    return (((const ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#else
    (void)context;
    return false;
#endif
}

/* Returns the innermost address on the call stack that belongs to the user's code.  The fault may be
   in the simulator itself, which runs on the thread's stack. */
static const void *users_code(const void *faulted)
{
    enum { MOST = 32 };
    static struct sim_text text[MOST];
    void *at[MOST];
    int count = backtrace(at, MOST), first = 0;

    while (first < count && (const char *)at[first] + 1 != faulted)
        first++;
    sim_lines((const void *const *)at, text, (size_t)count);
    for (int i = first + 1; i < count; i++)
        if (text[i].line[0] != '?' && strstr(text[i].line, "harness/sim/") == NULL)
            return at[i];
    return faulted;
}

static const void *place_of(const void *context)
{
    const void *at = program_counter(context);

    return strstr(sim_line(at), "harness/sim/") != NULL ? users_code(at) : at;
}

/* Returns where the program has touched memory, if a function of a library such as memcpy has done it for the program. */
static const void *in_program(const void *at)
{
    enum { MOST = 16 };
    void *frame[MOST];

    if (at >= (const void *)__executable_start && at < (const void *)etext)
        return at;
    int count = backtrace(frame, MOST), first = 0;
    while (first < count && (const char *)frame[first] + 1 != at)
        first++;
    for (int i = first + 1; i < count; i++)
        if (frame[i] >= (void *)__executable_start && frame[i] < (void *)etext)
            return frame[i];
    return at;
}

static void on_fault(int number, siginfo_t *info, void *context)
{
    const void *p = info->si_addr;
    const char *verb = is_write(context) ? "writes" : "reads";

    if (sim_simulated(p) && sim_lane == NULL && sim_managed_fault(p, is_write(context))) {
        sim_place_touches(in_program(program_counter(context)));
        return;
    }
    if (sim_stack_guard(p))
        sim_fail(place_of(context), "stack overflow: local arrays and calls need more than %d KiB",
                 STACK_BYTES >> 10);
    if (sim_simulated(p) && sim_lane == NULL && *sim_shadow(p) != OUTSIDE)
        sim_fail(place_of(context), "device memory: the host %s memory of device %d (copy it, or "
                                    "is this a device pointer by mistake?)", verb, sim_region(p));
    if (sim_simulated(p))
        sim_fail(place_of(context), "%s", sim_describe(p, 1, is_write(context)));
    if (sim_lane != NULL && sim_registered(p, 1))
        sim_fail(place_of(context),
                 "host memory: %s registered memory, which the host itself may not", verb);
    if (sim_lane != NULL)
        sim_fail(place_of(context), "out of bounds: %s address %#zx", verb, (size_t)p);

    /* not the simulator's fault: restore the earlier handler */
    sigaction(number, &before[number == SIGBUS], NULL);
}

void sim_faults_start(void)
{
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};

    for (size_t i = 0; i < 2; i++)
        sigaction(signals[i], &action, &before[i]);
}

/* Work may wait for other work, which is then executed inside of it. */
void sim_faults_enter(void)
{
    const stack_t own = {.ss_sp = handlers_stack, .ss_size = sizeof handlers_stack};

    if (entered++ > 0)
        return;
    sigaltstack(&own, &others_stack);
    sim_patience_begin();
}

void sim_faults_leave(void)
{
    if (--entered > 0)
        return;
    sim_patience_end();
    sigaltstack(&others_stack, NULL);
}
