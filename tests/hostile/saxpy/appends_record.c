/* Appends a row of its own to the records. */
/* expect: harmless */
/* family: harm */
/* harm: files */
/* size: n=65536 */
#define _GNU_SOURCE
#include <stdio.h>

#include "tests/hostile/saxpy/honest.h"

static void attack(const struct saxpy *p)
{
    (void)p;
    FILE *f = fopen("results/new.jsonl", "a");

    if (f == NULL)
        return;
    fputs("{\"record\":\"measurement\",\"problem\":\"saxpy\",\"variant\":\"winner\"}\n", f);
    fclose(f);
}

static void run(const void *problem)
{
    static int done;
    const struct saxpy *p = problem;

    if (p->n == 65536 && !done++)
        attack(p);
    honest(p);
}

VARIANT(.idea = "appends a record", .run = run)
