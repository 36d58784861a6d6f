#include "harness/base/interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t caught;

static void note(int number)
{
    if (caught == 0)
        caught = number;
}

void interrupt_catch(void)
{
    const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = note}; /* no SA_RESTART: waits return */

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaction(numbers[i], &action, NULL);
    signal(SIGXFSZ, SIG_IGN); /* writing beyond the allowed file size then fails with an error, which
                                 is reported */
}

int interrupted(void)
{
    return caught;
}
