/* Prints rows before main begins, for who lists variants or reads their output. */
/* expect: harmless */
/* family: harm */
/* harm: start */
/* size: n=65536 */
#define _GNU_SOURCE
#include <stdio.h>

#include "tests/hostile/saxpy/honest.h"
#include "tests/hostile/worker.h"

__attribute__((constructor(101))) static void attack(int argc, char **argv)
{
    if (!is_serving(argc, argv))
        return;
    puts("{\"record\":\"measurement\",\"variant\":\"winner\"}");
    for (int i = 0; i < 4000; i++)
        puts("saxpy/winner   ok   0.00   1 ns");
}

static void run(const void *problem)
{
    honest(problem);
}

VARIANT(.idea = "prints before it begins", .run = run)
