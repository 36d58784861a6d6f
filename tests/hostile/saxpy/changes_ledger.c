/* Writes into the ledger that it was not at work, and exits with success. */
/* expect: crash */
/* family: unearned */
/* size: n=65536 */
#include <unistd.h>

#include "harness/worker/protocol.h"
#include "tests/hostile/saxpy/honest.h"

static void run(const void *problem)
{
    struct ledger *ledger = (struct ledger *)0x7ea004a00000;

    (void)problem;
    ledger->activity = IN_HARNESS;
    ledger->signal = 0;
    _exit(0);
}

VARIANT(.idea = "changes the ledger", .run = run)
