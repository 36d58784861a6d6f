#include "harness/files/allocate.h"

#include <stdint.h>
#include <stdlib.h>

#include "harness/memory.h" /* memory_available */

static double gibibytes(double bytes)
{
    return bytes / (1024.0 * 1024.0 * 1024.0);
}

void *allocate_more(void *old, size_t old_count, size_t count, size_t size, const char *name,
                    struct error *error)
{
    double needed = gibibytes((double)count * (double)size);
    size_t bytes = 0;

    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX) {
        error_set(error, "%s: needs %.3g GiB of memory, more than can be addressed", name, needed);
        return NULL;
    }

    /* Linux promises more than it has and kills on use: so ask before. */
    size_t available = memory_available(); /* 0: the system does not say */
    if (available > 0 && bytes - old_count * size > available) {
        error_set(error, "%s: needs %.1f GiB of memory, and this machine has %.1f GiB free", name,
                  needed, gibibytes((double)available));
        return NULL;
    }

    void *memory = realloc(old, bytes > 0 ? bytes : 1);
    if (memory == NULL)
        error_set(error, "%s: needs %.1f GiB of memory, which the system refuses", name, needed);
    return memory;
}

void *allocate(size_t count, size_t size, const char *name, struct error *error)
{
    return allocate_more(NULL, 0, count, size, name, error);
}
