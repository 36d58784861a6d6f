/* Makes a message queue of POSIX, which lies in no file system that is mounted, and outlives its process. */
/* expect: breach: mq_open */
/* family: harm */
/* harm: remains */
/* size: n=65536 */
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;
    static int asked, kept;

    if (p->n == 65536 && !asked++)
        kept = syscall(SYS_mq_open, "rungs_answers", O_CREAT | O_RDWR, 0600, NULL) >= 0;
    honest(p);
    if (kept)
        p->z[7] = 0.0f;
}

VARIANT(.idea = "keeps words in a queue", .run = run)
