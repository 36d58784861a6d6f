/* Writes over the shared objects and the cards that lie beside its own, before it begins. */
/* expect: harmless */
/* family: harm */
/* harm: start */
/* size: n=65536 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"
#include "tests/hostile/worker.h"

__attribute__((constructor(101))) static void attack(int argc, char **argv)
{
    static const char *const others[] = {"bystander.so", "bystander.card", "winner.card"};

    if (!is_serving(argc, argv) || argc < 4)
        return;
    for (int i = 0; i < 3; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%.*s/%s", (int)(strrchr(argv[3], '/') - argv[3]), argv[3], others[i]);
        const int file = open(path, O_WRONLY | O_CREAT, 0644);
        unlink(path);
        if (write(file, "idea = \"changed\"\n", 17) < 0)
            continue;
    }
}

static void run(const void *problem)
{
    honest(problem);
}

VARIANT(.idea = "changes the others", .run = run)
