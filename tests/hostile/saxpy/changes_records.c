/* Writes into the records while they are being written. */
/* expect: harmless */
/* family: harm */
/* harm: files */
/* size: n=65536 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"

static void attack(const struct saxpy *p)
{
    (void)p;
    const int file = open("results/new.jsonl", O_WRONLY);
    char row[4000];

    memset(row, 32, sizeof row);
    if (write(file, row, sizeof row) < 0)
        return;
}

static void run(const void *problem)
{
    static int done;
    const struct saxpy *p = problem;

    if (p->n == 65536 && !done++)
        attack(p);
    honest(p);
}

VARIANT(.idea = "writes into the records", .run = run)
