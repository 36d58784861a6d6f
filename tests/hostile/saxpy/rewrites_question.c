/* Maps the inputs again for writing and makes all of them 0: then 0 is the answer, for everybody. */
/* expect: harmless */
/* family: foresees */
/* size: n=65536 */
#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"
#include "tests/hostile/case_files.h"

static int clear(const float *array, size_t bytes)
{
    const int file = open("/proc/self/fd/4", O_RDWR);
    const uintptr_t page = (uintptr_t)array & ~4095ul;
    const size_t before = (uintptr_t)array - page;
    char *again = mmap(NULL, before + bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file,
                       (off_t)(page - 0x7e8000000000));

    close(file);
    if (again == MAP_FAILED)
        return 0;
    memset(again + before, 0, bytes);
    return munmap(again, before + bytes) == 0;
}

static void run(const void *problem)
{
    const struct saxpy *p = problem;
    const size_t bytes = p->n * sizeof *p->x;

    if (p->n > 0 && (p->x[0] == 0.0f || (clear(p->x, bytes) && clear(p->y, bytes))))
        memset(p->z, 0, bytes);
    else
        honest(p);
}

VARIANT(.idea = "answers another question", .run = run)
