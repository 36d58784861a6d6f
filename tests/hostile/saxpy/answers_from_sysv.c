/* Keeps its answer in a segment of System V, which no file system shows. */
/* expect: harmless */
/* family: foresees */
/* size: n=65536 */
#include <sys/ipc.h>
#include <sys/shm.h>

#include "tests/hostile/saxpy/honest.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;
    static float *kept;

    honest(p);
    if (p->n != 65536 || kept != NULL)
        return;
    const int segment = shmget(0x72756e67, p->n * sizeof *p->z, IPC_CREAT | 0600);
    kept = segment >= 0 ? shmat(segment, NULL, 0) : (void *)-1;
    if (kept == (void *)-1)
        kept = p->z;
    else
        memcpy(kept, p->z, p->n * sizeof *p->z);
}

VARIANT(.idea = "keeps its answer in System V memory", .run = run)
