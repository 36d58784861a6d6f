/* Opens the memory of every other process through /proc. */
/* expected: ok */
#include "hostile.h"

static void open_memory(pid_t pid)
{
    char file[64];

    snprintf(file, sizeof file, "/proc/%d/mem", (int)pid);
    if (open(file, O_RDWR) >= 0 || open(file, O_RDONLY) >= 0)
        harm_done("the memory of another process is open");
}

static void harm(const struct saxpy *p)
{
    (void)p;
    each_other(open_memory);
}

VARIANT(.idea = "opens the memory of others", .run = run)
