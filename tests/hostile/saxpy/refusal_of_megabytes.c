/* Refuses for a reason of a megabyte that is not text and has no end. */
/* expect: harmless */
/* family: harm */
/* harm: memory */
/* size: n=65536 */
#include "tests/hostile/saxpy/honest.h"

static const char *refuse(const void *problem)
{
    static char reason[1 << 20];

    (void)problem;
    memset(reason, '\033', sizeof reason); /* no zero behind it */
    return reason;
}

static void run(const void *problem)
{
    honest(problem);
}

VARIANT(.idea = "a long refusal", .refuse = refuse, .run = run)
