/* Opens each of its files again to overwrite the inputs, which others read, too. */
/* expected: ok */
#include "hostile.h"

static void harm(const struct saxpy *p)
{
    const size_t page = 4096;

    for (int file = 3; file < 256; file++) {
        char name[64];
        struct stat is;
        snprintf(name, sizeof name, "/proc/self/fd/%d", file);
        const int again = open(name, O_RDWR);
        if (again < 0)
            continue;
        if (fstat(again, &is) == 0 && S_ISREG(is.st_mode) &&
            mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, again, 0) != MAP_FAILED)
            harm_done("a file of the harness can be written");
        close(again);
    }
    if (p->n == 0)
        return;
    void *start = (void *)((uintptr_t)p->x / page * page);
    if (mprotect(start, page, PROT_READ | PROT_WRITE) == 0)
        harm_done("the inputs can be written");
    if (madvise(start, page, MADV_REMOVE) == 0)
        harm_done("the inputs can be removed");
}

VARIANT(.idea = "zeroes the inputs", .run = run)
