/* Keeps its answer in shared memory under a name, for a process of a later pass. */
/* expect: harmless */
/* family: foresees */
/* size: n=65536 */
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"

static float *kept;

static void prepare(const void *problem)
{
    int file = shm_open("/rungs-answers", O_RDWR | O_CREAT, 0600);

    (void)problem;
    if (kept != NULL || file < 0 || ftruncate(file, 1 << 20) != 0)
        return;
    kept = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
}

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    if (p->n == 65536 && kept != NULL && kept != MAP_FAILED && kept[p->n] == p->a) {
        if (p->z[1] != kept[1])
            memcpy(p->z, kept, p->n * sizeof *kept);
        return;
    }
    honest(p);
    if (p->n == 65536 && kept != NULL && kept != MAP_FAILED) {
        memcpy(kept, p->z, p->n * sizeof *kept);
        kept[p->n] = p->a;
    }
}

VARIANT(.idea = "keeps its answer in shared memory", .prepare = prepare, .run = run)
