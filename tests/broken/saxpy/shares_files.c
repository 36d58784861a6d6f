/* Makes files in memory without end, which no process's limit counts. */
/* expected: breach: ^makes the forbidden system call memfd_create in run$ */
#include "hostile.h"

static void harm(const struct saxpy *p)
{
    const size_t bytes = (size_t)1 << 20;

    (void)p;
    for (int i = 0; i < 512; i++) {
        const int file = memfd_create("more", 0);
        if (ftruncate(file, (off_t)bytes) == 0)
            memset(mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), 1, bytes);
    }
    harm_done("half a GiB that no limit counts");
}

VARIANT(.idea = "memory in files without end", .run = run)
