/* Deletes files in a constructor, which no worker confines if the program itself loads it. */
/* expect: harmless */
/* family: harm */
/* harm: start */
/* size: n=65536 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"
#include "tests/hostile/worker.h"

__attribute__((constructor(101))) static void attack(int argc, char **argv)
{
    if (!is_serving(argc, argv))
        return;
    unlink("notes.txt");
    unlink("results/yesterday.jsonl");
}

static void run(const void *problem)
{
    honest(problem);
}

VARIANT(.idea = "deletes files before it begins", .run = run)
