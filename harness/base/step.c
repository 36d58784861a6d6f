#include "harness/base/step.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

static char text[512];                /* "the judge of saxpy (bench/saxpy/problem.c)" */
static volatile sig_atomic_t lasts;

void step_begin(const char *function, const char *problem, const char *file)
{
    snprintf(text, sizeof text, "the %s of %s (%s)", function, problem, file);
    lasts = 1;
}

void step_end(void)
{
    lasts = 0;
}

/* Writes one line.  Only calls that a signal's handler may make. */
static void say(const char *what)
{
    const char *const words[] = {"rungs: ", what, " in ", lasts ? text : "rungs itself, which is a mistake of its authors",
                                 "\n"};
    char line[sizeof text + 64];
    size_t length = 0;

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        for (const char *c = words[i]; *c != '\0' && length < sizeof line; c++)
            line[length++] = *c;
    if (write(STDERR_FILENO, line, length) < 0)
        return; /* there is no other place to say it */
}

/* --- faults ------------------------------------------------------------------------------------- */

static const struct fault {
    int number;
    const char *name;
} faults[] = {
    {SIGSEGV, "segmentation fault"}, {SIGBUS, "bus error"}, {SIGFPE, "arithmetic exception"},
    {SIGILL, "illegal instruction"}, {SIGABRT, "abort"},
};

/* The default action, which is in force again, ends the program when the signal is raised the second time. */
static void on_fault(int number)
{
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        if (faults[i].number == number)
            say(faults[i].name);
    raise(number);
}

void step_catch_faults(void)
{
    static char other[1 << 16]; /* for a stack that has overflowed */
    const stack_t stack = {.ss_sp = other, .ss_size = sizeof other};
    const struct sigaction action = {.sa_handler = on_fault, .sa_flags = (int)SA_RESETHAND | SA_ONSTACK};
    struct sigaction before;

    sigaltstack(&stack, NULL);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        if (sigaction(faults[i].number, NULL, &before) == 0 && before.sa_handler == SIG_DFL) /* no sanitizer's */
            sigaction(faults[i].number, &action, NULL);
}

/* --- interrupts --------------------------------------------------------------------------------- */

void step_leave(int number, bool impatient)
{
    if (impatient && !lasts)
        return;
    if (lasts)
        say("ended");
    _exit(128 + number);
}
