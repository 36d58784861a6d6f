/* Truncates its outputs behind the ledger and returns: a process that reads them then gets a bus
   error. */
/* expect: harmless */
/* family: harm */
/* harm: data */
/* size: n=65536 */
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"
#include "tests/hostile/case_files.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    if (p->n != 65536)
        honest(p);
    else if (ftruncate(5, 4096) != 0)
        return;
}

VARIANT(.idea = "cuts its outputs off", .run = run)
