/* Has a static array of a gigabyte, and touches all of it. */
/* expect: harmless */
/* family: harm */
/* harm: memory */
/* size: n=65536 */
#include "tests/hostile/saxpy/honest.h"

static char room[(size_t)1 << 30]; /* more would not link in the small code model */

static void run(const void *problem)
{
    static int done;

    for (size_t i = 0; i < sizeof room && !done; i += 4096)
        room[i] = 1;
    done = 1;
    honest(problem);
}

VARIANT(.idea = "a huge static array", .run = run)
