/* Allocates until memory runs out.  Without a limit, the machine would run out as well. */
/* expected: memory: ^asks for .* GiB more in run; .* GiB are allowed$ */
#include <stdlib.h>

#include "common/variant.h"

static void run(const void *problem)
{
    (void)problem;
    for (;;) {
        volatile char *block = malloc((size_t)256 << 20);

        block[0] = 1;
    }
}

VARIANT(.idea = "eats all memory", .run = run)
