/* Maps a copy of its own over an input, which it could then change and restore: what the parent writes there later does not arrive. */
/* expect: failed */
/* family: unearned */
/* size: n=65536 */
#include <stdint.h>
#include <sys/mman.h>

#include "tests/hostile/saxpy/honest.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;
    float *x = (float *)p->x;
    const size_t bytes = p->n * sizeof *x, page = 4096;
    const uintptr_t begin = ((uintptr_t)x + page - 1) / page * page, end = ((uintptr_t)x + bytes) / page * page;

    if (end > begin) {
        void *copy = malloc(end - begin);
        memcpy(copy, (void *)begin, end - begin);
        if (mmap((void *)begin, end - begin, PROT_READ | PROT_WRITE, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
            memcpy((void *)begin, copy, end - begin);
        free(copy);
    }
    honest(p);
}

VARIANT(.idea = "its own copy in the place of its input", .run = run)
