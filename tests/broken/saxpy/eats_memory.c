/* Asks for more and more, until there is no more.  Unlimited, it would take the machine along. */
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
