#include "harness/files/allocate.h"

#include <stdint.h>
#include <stdlib.h>

#include "harness/base/memory.h" /* memory_available */

struct amount {
    double value;
    const char *unit;
};

/* Expresses bytes in a readable unit: 12.3 GiB. */
static struct amount amount(double bytes)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    size_t i = 0;

    for (; bytes >= 1024 && i + 1 < sizeof units / sizeof units[0]; i++)
        bytes /= 1024;
    return (struct amount){bytes, units[i]};
}

void *allocate_more(void *old, size_t old_count, size_t count, size_t size, const char *name,
                    struct error *error)
{
    struct amount needed = amount((double)count * (double)size);
    size_t bytes = 0;

    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX) {
        error_set(error, "%s: needs %.1f %s of memory, more than can be addressed", name,
                  needed.value, needed.unit);
        return NULL;
    }

    /* Linux grants more memory than it has and ends processes when they use it, so check first. */
    size_t available = memory_available(); /* 0: not known */
    if (available > 0 && bytes - old_count * size > available) {
        struct amount has = amount((double)available);

        error_set(error, "%s: needs %.1f %s of memory, and this machine has %.1f %s free", name,
                  needed.value, needed.unit, has.value, has.unit);
        return NULL;
    }

    void *memory = realloc(old, bytes > 0 ? bytes : 1);
    if (memory == NULL)
        error_set(error, "%s: needs %.1f %s of memory, which the system refuses", name,
                  needed.value, needed.unit);
    return memory;
}

void *allocate(size_t count, size_t size, const char *name, struct error *error)
{
    return allocate_more(NULL, 0, count, size, name, error);
}
