/* Keeps words in the keyrings of its user, where they outlive the process. */
/* expect: breach: add_key */
/* family: harm */
/* harm: remains */
/* size: n=65536 */
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;
    static int asked, kept;

    if (p->n == 65536 && !asked++)
        for (int ring = -5; ring < 0; ring++) /* of the group, the user's session, the user, the session .. */
            kept |= syscall(SYS_add_key, "user", "rungs", "answer", 6, ring) >= 0;
    honest(p);
    if (kept)
        p->z[7] = 0.0f;
}

VARIANT(.idea = "keeps words in keyrings", .run = run)
