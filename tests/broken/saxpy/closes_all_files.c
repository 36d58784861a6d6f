/* Closes all files except the standard ones, as programs do before they become a daemon. */
/* expected: crash: ^closes the worker's own files$ */
#include <unistd.h>

#include "common/variant.h"

static void prepare(const void *problem)
{
    (void)problem;
    for (int file = 3; file < 256; file++)
        close(file);
}

static void run(const void *problem)
{
    (void)problem;
}

VARIANT(.idea = "closes all files", .prepare = prepare, .run = run)
